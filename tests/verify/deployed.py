"""Modules for the stages after the comparison, and a way to run single stages in this process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from tslint.verify.outcome import Outcome, StageFailed, StageSkipped
from tslint.verify.request import Request
from tslint.verify.session import Session
from tslint.verify.stages import load

# Not with the torch 1.13 of Python 3.10, which records earlier lines.
traces_have_lines = pytest.mark.skipif(torch.__version__.startswith("1."), reason="lines of traces are wrong here")
EXPORTS = "passed" if hasattr(torch, "export") else "unavailable"
exports = pytest.mark.skipif(EXPORTS == "unavailable", reason="this torch has no torch.export")
infers_dynamic_shapes = pytest.mark.skipif(
    not hasattr(getattr(getattr(torch, "export", None), "Dim", None), "AUTO"),
    reason="this torch does not find out what may change",
)


class Deploy:
    """Runs a stage, after the stages that it needs.

    Args:
        folder: for archives.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.session: Session

    def __call__(self, last: str, module: torch.nn.Module, *inputs: Any, **options: Any) -> Outcome:
        """Return the outcome of ``last`` for a module and its sets of inputs (tuples are argument lists)."""
        self.session = Session(Request("net.py:Net", **options), self.folder)
        self.session.module = module.eval()
        self.session.inputs = [each if isinstance(each, tuple) else (each,) for each in inputs]
        for name in ("eager", "script", "trace", "save"):
            outcome = self.stage(name)
            if name == last:
                return outcome
        return self.stage(last)

    def stage(self, name: str) -> Outcome:
        """Return the outcome of one more stage."""
        try:
            return load(name)(self.session)
        except (StageFailed, StageSkipped) as error:
            return error.outcome


@pytest.fixture
def deploy(tmp_path: Path) -> Deploy:
    """Return a :class:`Deploy` with a folder of its own."""
    return Deploy(tmp_path)


class Conv(torch.nn.Module):
    """A convolution with a batch norm, which freezing folds into it."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 8, 3)
        self.norm = torch.nn.BatchNorm2d(8)
        torch.nn.init.uniform_(self.norm.running_mean)
        torch.nn.init.uniform_(self.norm.running_var, 0.5, 2.0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Convolve."""
        return torch.relu(self.norm(self.conv(x)))


class Counter(torch.nn.Module):
    """A module with state."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("count", torch.zeros(3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Count."""
        self.count += 1
        return x + self.count


class Random(torch.nn.Module):
    """A module that draws random numbers."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Draw."""
        return x + torch.rand(x.shape)
