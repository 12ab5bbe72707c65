"""Tests twelve models in the style of users: tslint's fixes and the help of the remaining findings lead to
an archive.
"""

from __future__ import annotations

import copy
import importlib
import io
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.newcomer.decisions import DECISIONS

MODELS = Path(__file__).parent / "models"

# By model: the rules whose findings remain after all fixes, each for a person to decide.
LEFT: dict[str, list[str]] = {
    "resnet.py": [],
    "seq2seq.py": [],
    "vit.py": [],
    "detector.py": ["TS416", "TS507", "TS211", "TS507"],
    "config.py": ["TS412", "TS412", "TS412", "TS412"],
    "tasnet.py": [],
    "exports.py": ["TS802"],
    "nested.py": ["TS401", "TS401", "TS401", "TS401", "TS507"],
    "pkg": [],
    "notebook.ipynb": [],
    "enums.py": [],
    "accumulate.py": ["TS416", "TS504", "TS301", "TS507", "TS301"],
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "project"
    shutil.copytree(MODELS, folder)
    monkeypatch.syspath_prepend(folder)
    before = set(sys.modules)
    yield folder
    for name in set(sys.modules) - before:
        if str(folder) in str(getattr(sys.modules[name], "__file__", None)):
            del sys.modules[name]


def fixed(folder: Path, name: str) -> list[str]:
    """Apply all fixes to a model; return the rules with remaining findings."""
    command = [sys.executable, "-m", "tslint", "check", name, "--fix", "--unsafe-fixes", "--isolated", "--no-cache"]
    ran = subprocess.run([*command, "--output-format", "json"], cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode in (0, 1), ran.stderr
    findings = json.loads(ran.stdout)
    assert all(each["help"] for each in findings)
    return [each["code"] for each in findings]


def built(folder: Path, name: str) -> tuple[torch.nn.Module, tuple[Any, ...]]:
    if name.endswith(".ipynb"):
        cells = json.loads((folder / name).read_text("utf-8"))["cells"]
        lines = [line for cell in cells if cell["cell_type"] == "code" for line in cell["source"]]
        text = "".join(line if line.endswith("\n") else f"{line}\n" for line in lines if not line.startswith("%"))
        name = "cells.py"
        (folder / name).write_text(text, "utf-8")
    importlib.invalidate_caches()
    torch.manual_seed(0)
    module, inputs = importlib.import_module(name.removesuffix(".py")).build()
    return module.eval(), inputs


@pytest.mark.parametrize("name", LEFT)
def test_a_users_model_becomes_an_archive_that_equals_eager(project: Path, name: str) -> None:
    assert fixed(project, name) == LEFT[name]
    decided = False
    for path, edits in DECISIONS.items():
        if path == name or path.startswith(f"{name}/"):
            decided = True
            text = (project / path).read_text("utf-8")
            for old, new in edits:
                assert old in text, old
                text = text.replace(old, new)
            (project / path).write_text(text, "utf-8")
    if decided:
        assert fixed(project, name) == []
    module, inputs = built(project, name)
    buffer = io.BytesIO()
    with torch.no_grad():
        expected = module(*copy.deepcopy(inputs))
        scripted = torch.jit.script(module)
        for _ in range(2):
            torch.testing.assert_close(scripted(*copy.deepcopy(inputs)), expected)
        torch.jit.save(scripted, buffer)
        buffer.seek(0)
        torch.testing.assert_close(torch.jit.load(buffer)(*copy.deepcopy(inputs)), expected)
