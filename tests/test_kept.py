"""Tests stored answers of torch: asked once, again for another question, and all of them on request."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import kept
from tests.oracle import Oracle

ROOT = Path(__file__).parents[1]
# A separate test suite, whose "torch" records its questions.
CONFTEST = """
from pathlib import Path
import tests.kept
from tests.kept import (
    pytest_addoption, pytest_configure, pytest_sessionfinish, pytest_testnodedown, pytest_unconfigure
)

tests.kept.FOLDER = Path(__file__).parent / "verdicts"
tests.kept.version = lambda name: "1.2.3+cpu"
"""
TESTS = """
from pathlib import Path
import pytest
from tests.kept import kept

def ask(text):
    with open(Path(__file__).with_name("asked.txt"), "a") as file:
        file.write(text + "\\n")
    return {"said": text.upper(), "tuple": (1, 2)}

@pytest.mark.parametrize("text", TEXTS)
def test_it(text):
    for _ in range(2):
        assert kept("toy", [text], lambda: ask(text)) == {"said": text.upper(), "tuple": [1, 2]}
"""
FILE = f"verdicts/torch-1.2.3-python-{sys.version_info.major}.{sys.version_info.minor}.jsonl"


class Suite:
    """A folder with tests that ask."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "conftest.py").write_text(CONFTEST)
        (folder / "pytest.ini").write_text(f"[pytest]\ntestpaths = .\npythonpath = {ROOT}\n")

    def run(self, texts: list[str], *options: str) -> list[str]:
        """Run the tests for these texts; return the questions that were asked."""
        (self.folder / "test_toy.py").write_text(f"TEXTS = {texts!r}\n{TESTS}")
        asked = self.folder / "asked.txt"
        asked.write_text("")
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
        # Only the plug-in that is needed, because every plug-in takes time to load.
        environ = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        done = subprocess.run(command, cwd=self.folder, env=environ, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return sorted(asked.read_text().split())

    @property
    def kept(self) -> list[str]:
        """Return the stored answers, in the file's order."""
        path = self.folder / FILE
        return [json.loads(line)[1]["said"] for line in path.read_text().splitlines()] if path.exists() else []


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return Suite(tmp_path)


def test_a_kept_answer_is_not_asked_again_and_a_new_text_is(suite: Suite) -> None:
    assert suite.run(["a", "b"]) == ["a", "b"]
    assert suite.kept == []
    assert suite.run(["a", "b"], "--keep-verdicts") == ["a", "b"]
    assert sorted(suite.kept) == ["A", "B"]
    assert suite.run(["a", "b", "c"]) == ["c"]
    assert sorted(suite.kept) == ["A", "B"]
    assert suite.run(["a", "c"], "--keep-verdicts") == ["c"]
    assert sorted(suite.kept) == ["A", "B", "C"]


@pytest.mark.slow
@pytest.mark.parametrize("more", [[], ["-p", "xdist", "-n", "2"]])
def test_ask_torch_asks_everything_again_and_drops_unused_answers(suite: Suite, more: list[str]) -> None:
    suite.run(["a", "b", "c"], "--keep-verdicts", *more)
    assert sorted(suite.kept) == ["A", "B", "C"]
    assert suite.run(["a", "d"], "--ask-torch", *more) == ["a", "d"]
    assert sorted(suite.kept) == ["A", "D"]
    # If only a part of the tests runs, it is not known what the others ask.
    assert suite.run(["a", "e"], "--ask-torch", "-k", "e", *more) in (["a", "e"], ["e"])
    assert sorted(suite.kept) == ["A", "D", "E"]
    assert suite.run(["a"], "--ask-torch", "test_toy.py", *more) == ["a"]
    assert sorted(suite.kept) == ["A", "D", "E"]


def test_a_kept_answer_that_is_wrong_fails_the_test(suite: Suite) -> None:
    suite.run(["a"], "--keep-verdicts")
    path = suite.folder / FILE
    path.write_text(path.read_text().replace('"A"', '"B"'))
    with pytest.raises(AssertionError, match="1 failed"):
        suite.run(["a"])


def test_the_file_is_sorted_and_each_answer_has_a_line(suite: Suite) -> None:
    suite.run(list("dbca"), "--keep-verdicts")
    lines = (suite.folder / FILE).read_text().splitlines()
    assert lines == sorted(lines) and len(lines) == 4


def test_another_torch_is_asked_everything(suite: Suite) -> None:
    suite.run(["a"], "--keep-verdicts")
    conftest = suite.folder / "conftest.py"
    conftest.write_text(CONFTEST.replace("1.2.3", "1.2.4"))
    assert suite.run(["a"]) == ["a"]


def test_an_answer_names_no_folder_and_depends_on_the_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "FOLDER", tmp_path)
    monkeypatch.setattr(kept, "_current", [kept.Kept()])
    script = tmp_path / "script.py"
    script.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    print(json.dumps([asked['path'], json.__file__, asked['more']]), flush=True)\n"
    )
    first = Oracle(script)
    assert first("text", more=1) == ["./page.py", "python/json/__init__.py", 1]
    # Another script with the same name is another question.
    script.write_text(script.read_text().replace("asked['more']]", "2]"))
    second = Oracle(script)
    assert second("text", more=1)[2] == 2
    assert first("text", more=1)[2] == 1
    first.close()
    second.close()


def test_the_committed_verdicts_are_sorted_and_unique() -> None:
    names = [path.name for path in kept.FOLDER.glob("*.jsonl")]
    assert names and all(name.startswith("torch-") for name in names)
    for path in kept.FOLDER.glob("*.jsonl"):
        lines = path.read_text(encoding="utf-8").splitlines()
        keys = [json.loads(line)[0] for line in lines]
        assert keys == sorted(set(keys))
