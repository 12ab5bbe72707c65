"""Tests the pytest plug-in, in a pytest of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import warm

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SUITE = """\
import torch


class Good(torch.nn.Module):
    def forward(self, x):
        return x * 2


class Bad(torch.nn.Module):
    def forward(self, x):
        try:
            return x * 2
        except ValueError:
            return x


def test_good(torchscript):
    assert torchscript(Good(), torch.rand(3)).passed


def test_bad(torchscript):
    torchscript(Bad(), torch.rand(3), modes="script")
"""


def captured(command: list[str], *, cwd: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)


def pytest_in(
    folder: Path, *arguments: str, start: Callable[..., subprocess.CompletedProcess[str]] = captured
) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    # The plug-in is loaded explicitly instead of by the installed entry point, so that this tree's plug-in is tested.
    return start(
        [sys.executable, "-m", "pytest", "-p", "tslint.verify.pytest_plugin", "-p", "no:cacheprovider", *arguments],
        cwd=folder, env=environment,
    )  # fmt: skip


@pytest.mark.slow
def test_the_fixture_passes_and_fails_readably(tmp_path: Path) -> None:
    (tmp_path / "test_model.py").write_text(SUITE, encoding="utf-8")
    done = pytest_in(tmp_path, "-rN", start=warm.run)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "1 failed, 1 passed" in done.stdout
    assert "Failed: test_bad: the module does not survive TorchScript" in done.stdout
    assert "test_model.py:11:9" in done.stdout
    assert 'TorchScript says: "try blocks aren\'t supported"' in done.stdout
    # The traceback shows the author's line, not tslint's.
    assert "pytest_plugin.py" not in done.stdout


def test_collection_imports_neither_torch_nor_the_pipeline(tmp_path: Path) -> None:
    (tmp_path / "test_nothing.py").write_text(
        "import sys\n\n\ndef test_it():\n    assert not {'torch', 'tslint.verify.api', 'libcst'} & set(sys.modules)\n",
        encoding="utf-8",
    )
    done = pytest_in(tmp_path)
    assert done.returncode == 0, done.stdout
    fixtures = pytest_in(tmp_path, "--fixtures")
    assert "Assert that a module passes ``tslint.verify``" in fixtures.stdout


def test_the_entry_point_is_declared() -> None:
    project = Path(__file__).resolve().parents[2] / "pyproject.toml"
    declared = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["entry-points"]["pytest11"]
    assert declared == {"tslint": "tslint.verify.pytest_plugin"}
