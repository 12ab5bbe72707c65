"""Tests the contents of the wheel and the sdist: every file of tslint/ and rules/, each once, and no outdated ones."""

from __future__ import annotations

import tarfile
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.installs


def installed_files(tree: Path) -> set[str]:
    """Return where each file of the source tree has to be in a wheel."""
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
    expected = {"setup.py", "pyproject.toml", "README.md", "LICENSE"}
    for folder in ("tslint", "rules"):
        expected |= {path.relative_to(tree).as_posix() for path in (tree / folder).rglob("*") if path.is_file()}
    assert expected <= names
