"""What tests of several fixes need."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from tslint.cli import cli


@pytest.fixture
def mended(folder: Callable[..., Path]) -> Callable[[str], str]:
    """A module after ``--fix --unsafe-fixes``."""

    def run(text: str) -> str:
        root = folder({"net.py": text})
        result = CliRunner().invoke(cli, ["check", "--isolated", "--exit-zero", "--fix", "--unsafe-fixes", "-q", "."])
        assert result.exit_code == 0
        return (root / "net.py").read_text(encoding="utf-8")

    return run
