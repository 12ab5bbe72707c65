"""Tests which files are found: named files always; below folders, those that neither excludes nor
.gitignore exclude.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tslint.config import DEFAULT_EXCLUDE
from tslint.sources.discovery import discover


@pytest.fixture
def found(folder: Callable[..., Path]) -> Callable[..., list[str]]:
    """Return a function that creates files, searches paths, and returns the names of the files found."""

    def find(files: str, *paths: str, ignore: dict[str, str] | None = None, exclude: tuple[str, ...] = ()) -> list[str]:
        root = folder({**dict.fromkeys(files.split(), ""), **(ignore or {})})
        discovery = discover([Path(path) for path in paths or (".",)], root=root, exclude=(*DEFAULT_EXCLUDE, *exclude))
        assert not discovery.problems
        return [path.relative_to(root).as_posix() for path in discovery.files]

    return find


def test_python_files_sorted_and_once(found: Callable[..., list[str]]) -> None:
    assert found("b.py a/z.py a/c.pyi a/d.txt a/e.PY", ".", "a", "b.py", "./a/../b.py") == ["a/z.py", "b.py"]


def test_named_files_of_any_name(found: Callable[..., list[str]]) -> None:
    assert found("script venv/x.py", "script", "venv/x.py") == ["script", "venv/x.py"]


def test_default_excludes_act_below(found: Callable[..., list[str]]) -> None:
    assert found("a.py venv/b.py x/build/c.py x/__pycache__/d.py builder/e.py") == ["a.py", "builder/e.py"]


def test_a_named_folder_is_checked_whatever_its_name(found: Callable[..., list[str]]) -> None:
    files = "env/site-packages/p/a.py env/site-packages/p/build/b.py"
    assert found(files, "env/site-packages") == ["env/site-packages/p/a.py"]
    assert found(files, "env/site-packages/p") == ["env/site-packages/p/a.py"]
    assert found(files) == []


def test_extended_excludes_are_anchored_at_the_root(found: Callable[..., list[str]]) -> None:
    files = "gen/a.py x/gen/b.py x/y_pb2.py"
    assert found(files, exclude=("/gen", "*_pb2.py")) == ["x/gen/b.py"]
    assert found(files, "x", exclude=("x/gen/*.py",)) == ["x/y_pb2.py"]
    assert found(files, "gen", exclude=("/gen",)) == ["gen/a.py"]


def test_gitignore_and_its_exceptions(found: Callable[..., list[str]]) -> None:
    ignore = {".gitignore": "# comment\n*_gen.py\n!keep_gen.py\n/top.py\nout/\n\\#odd.py\n"}
    files = "a_gen.py keep_gen.py top.py x/top.py x/b_gen.py out/c.py x/out/d.py #odd.py"
    assert found(files, ignore=ignore) == ["keep_gen.py", "x/top.py"]


def test_a_nested_gitignore_is_stronger(found: Callable[..., list[str]]) -> None:
    ignore = {".gitignore": "gen_*.py\n", "x/.gitignore": "!gen_a.py\nplain.py\n"}
    assert found("gen_a.py x/gen_a.py x/gen_b.py x/plain.py plain.py", ignore=ignore) == ["plain.py", "x/gen_a.py"]


def test_gitignore_of_the_repository_acts_below_named_folders(found: Callable[..., list[str]]) -> None:
    ignore = {".gitignore": "gen\n/x/skip/\n", ".git/HEAD": ""}
    assert found("x/a.py x/gen/b.py x/skip/c.py", "x", ignore=ignore) == ["x/a.py"]


def test_gitignore_never_acts_on_what_is_named(found: Callable[..., list[str]]) -> None:
    ignore = {".gitignore": "gen\n/x/skip/\n", ".git/HEAD": ""}
    files = "gen/a.py x/skip/b.py"
    assert found(files, "gen", "x/skip", ignore=ignore) == files.split()


def test_gitignore_outside_a_repository_does_not_count(found: Callable[..., list[str]]) -> None:
    assert found("x/a.py", "x", ignore={".gitignore": "a.py\n"}) == ["x/a.py"]


def test_links(folder: Callable[..., Path]) -> None:
    root = folder({"pkg/a.py": ""})
    (root / "pkg" / "loop").symlink_to(root, target_is_directory=True)
    (root / "pkg" / "b.py").symlink_to(root / "pkg" / "a.py")
    (root / "named").symlink_to(root / "pkg", target_is_directory=True)
    assert len(discover([root], root=root).files) == 1
    assert discover([Path("named")], root=root).files == (root / "named" / "a.py",)


def test_pipes_are_not_opened(folder: Callable[..., Path]) -> None:
    root = folder({"a.py": ""})
    os.mkfifo(root / "pipe.py")
    discovery = discover([root, root / "pipe.py"], root=root)
    assert discovery.files == (root / "a.py",)
    assert [problem.message for problem in discovery.problems] == ["neither a file nor a folder"]


def test_a_missing_path_is_reported_with_a_similar_one(folder: Callable[..., Path]) -> None:
    root = folder({"network.py": ""})
    (root / "dangling.py").symlink_to(root / "gone.py")
    discovery = discover([Path("netwrok.py"), Path("dangling.py"), Path("no/where")], root=root)
    words = [problem.message for problem in discovery.problems]
    assert words[0] == "no such file or folder; did you mean 'network.py'?"
    assert words[1].startswith("a broken link to ")
    assert words[2] == "no such file or folder"
    assert discovery.files == ()
