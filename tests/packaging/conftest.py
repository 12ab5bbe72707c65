"""Builds the distributions that all tests of this folder share."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.packaging.support import clean_environ, copy_tree


@pytest.fixture(scope="session")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of what packaging reads, with a file that an earlier build left behind."""
    copy = copy_tree(tmp_path_factory.mktemp("packaged") / "tree")
    stale = copy / "build" / "lib" / "tslint" / "rules" / "syntax" / "renamed_since.py"
    stale.parent.mkdir(parents=True)
    stale.write_text("")
    return copy


@pytest.fixture(scope="session")
def built(tree: Path) -> Path:
    """Return the folder with a wheel and an sdist."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--sdist", "--wheel", "--outdir", "dist", "."]
    subprocess.run(command, cwd=tree, check=True, capture_output=True, env=clean_environ())
    return tree / "dist"
