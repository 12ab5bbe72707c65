"""Tests --lite: what the interpreter of phones supports, and what it does not."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from tests.verify.deployed import Deploy, deploy

__all__ = ["deploy"]


class Forked(nn.Module):
    """A module that works everywhere except in the lite interpreter."""

    def forward(self, x: Tensor) -> Tensor:
        """Compute in a thread of its own."""
        return torch.jit.wait(torch.jit.fork(torch.relu, x))


@pytest.mark.parametrize(
    ("module", "lite", "status", "said"),
    [
        (nn.Linear(3, 3), True, "passed", "lite interpreter: loaded and run"),
        (nn.Linear(3, 3), False, "passed", "2 state_dict keys"),
        (Forked(), True, "failed", "script: lite interpreter: FORK is not supported in mobile module."),
        (Forked(), False, "passed", "0 state_dict keys"),
    ],
    ids=["it runs", "not asked for", "fork", "fork where it is not asked for"],
)
def test_the_lite_interpreter(deploy: Deploy, module: nn.Module, lite: bool, status: str, said: str) -> None:
    outcome = deploy("save", module, torch.rand(2, 3), modes=("script",), lite=lite)
    assert (outcome.status, outcome.detail.endswith(said)) == (status, True), outcome.detail
    written = sorted(path.suffix for path in deploy.folder.glob("module.script.*"))
    assert written == ([".pt", ".ptl"] if lite and status == "passed" else [".pt"])
