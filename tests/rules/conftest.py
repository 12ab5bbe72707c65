"""Provides functions that the tests of several fixes need."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.rules.driver import HERE
from tslint.cli import cli
from tslint.fixing.edits import apply_fixes
from tslint.lint.analysis import analyse
from tslint.sources.file import SourceFile


@pytest.fixture
def mended(folder: Callable[..., Path]) -> Callable[[str], str]:
    """Return a function that applies ``--fix --unsafe-fixes`` to a module."""

    def run(text: str) -> str:
        root = folder({"net.py": text})
        result = CliRunner().invoke(cli, ["check", "--isolated", "--exit-zero", "--fix", "--unsafe-fixes", "-q", "."])
        assert result.exit_code == 0
        return (root / "net.py").read_text(encoding="utf-8")

    return run


@pytest.fixture
def with_last_resorts(mended: Callable[[str], str]) -> Callable[[str], str]:
    """Return a function that applies ``--fix --unsafe-fixes`` to a module, and then each last resort as in an
    editor.
    """

    def run(text: str) -> str:
        text = mended(text)
        while True:
            found = analyse([SourceFile(HERE, text)])[HERE]
            offered = [each.fix for each in found if each.fix is not None and each.fix.last_resort]
            if not offered:
                return text
            text = mended(apply_fixes(SourceFile(HERE, text), offered[:1]).text)

    return run
