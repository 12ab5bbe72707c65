"""What the wheel and the sdist hold: every file of tslint/ and rules/, each once, and nothing stale."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGED = ("tslint", "rules", "setup.py", "pyproject.toml", "README.md", "LICENSE")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what packaging reads, with a file that an earlier build left behind."""
    copy = tmp_path_factory.mktemp("tree")
    for name in PACKAGED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, copy / name)
    stale = copy / "build" / "lib" / "tslint" / "rules" / "syntax" / "renamed_since.py"
    stale.parent.mkdir(parents=True)
    stale.write_text("")
    return copy


@pytest.fixture(scope="module")
def built(tree: Path) -> Path:
    """The folder with a wheel and an sdist."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--sdist", "--wheel", "--outdir", "dist", "."]
    subprocess.run(command, cwd=tree, check=True, capture_output=True)
    return tree / "dist"


def installed_files(tree: Path) -> set[str]:
    """Where each file of the source tree has to be in a wheel."""
    found = {f"tslint/rules/{path.relative_to(tree / 'rules').as_posix()}" for path in (tree / "rules").rglob("*")}
    found |= {path.relative_to(tree).as_posix() for path in (tree / "tslint").rglob("*")}
    folders = {path.relative_to(tree).as_posix() for path in (tree / "tslint").rglob("*") if path.is_dir()}
    folders |= {f"tslint/{path.relative_to(tree).as_posix()}" for path in (tree / "rules").rglob("*") if path.is_dir()}
    return found - folders


def test_the_wheel_holds_every_file_and_no_other(tree: Path, built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert len(names) == len(set(names))
    assert {name for name in names if ".dist-info/" not in name} == installed_files(tree)


def test_the_sdist_holds_every_file(tree: Path, built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    expected = {path.relative_to(tree).as_posix() for name in PACKAGED for path in [tree / name] if path.is_file()}
    for folder in ("tslint", "rules"):
        expected |= {path.relative_to(tree).as_posix() for path in (tree / folder).rglob("*") if path.is_file()}
    assert expected <= names
