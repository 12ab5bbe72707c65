"""Tests that every stage runs in the requested grad mode, and keeps what the user's code sets."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import nn

import tslint
from tests.verify.deployed import Deploy, deploy, traces_have_lines

__all__ = ["deploy"]


class Attention(nn.Module):
    """A module that takes its fast path if nothing records gradients."""

    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Attend to itself."""
        return self.attention(x, x, x)[0]


class Doubled(nn.Module):
    """A module that depends on whether it records gradients."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Double."""
        return x * self.weight


class Undecided(nn.Module):
    """A module that changes the grad mode permanently."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Double."""
        torch._C._set_grad_enabled(not torch.is_grad_enabled())
        return x * 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "inputs"),
    [
        (nn.MultiheadAttention(8, 2), (torch.rand(5, 2, 8),) * 3),
        (Attention(), (torch.rand(2, 5, 8),)),
        (nn.TransformerEncoderLayer(8, 2, batch_first=True), (torch.rand(2, 5, 8),)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_attention_is_traced_as_it_is_deployed(module: nn.Module, inputs: tuple[torch.Tensor, ...]) -> None:
    verdict = tslint.verify(module.eval(), inputs, modes="trace")
    assert verdict.passed, verdict.to_json()


class Trebled(nn.Module):
    """A module whose compiled form is right without grad only."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Double, or not."""
        if torch.is_grad_enabled() and torch.jit.is_scripting():
            return x * 3
        return x * 2


@pytest.mark.slow
def test_what_fails_only_with_grad_is_a_finding_of_its_own() -> None:
    verdict = tslint.verify(Trebled().eval(), torch.rand(3), modes="script", grad="both")
    (target,) = verdict.targets
    (compare,) = [stage for stage in target.stages if stage.name == "compare"]
    assert (target.verdict, compare.status) == ("fail", "failed")
    assert compare.detail.startswith("fails only with grad on: output: 3 of 3 values differ")
    (finding,) = compare.findings
    row = Path(__file__).read_text(encoding="utf-8").splitlines().index('        """Double, or not."""')
    assert (finding.code, finding.start.row) == ("TS908", row)
    assert tslint.verify(Trebled().eval(), torch.rand(3), modes="script").passed


class Recorded(nn.Module):
    """A module whose trace is another one with grad."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Multiply by a number that a second trace does not find again."""
        if torch.is_grad_enabled():
            self.calls += 1
            x = x * self.calls  # recorded
        return x


@traces_have_lines
def test_what_fails_only_with_grad_stands_on_the_line_that_the_stage_blames() -> None:
    verdict = tslint.verify(Recorded().eval(), torch.rand(3), modes="trace", grad="both")
    (trace,) = [stage for stage in verdict.targets[0].stages if stage.name == "trace"]
    assert trace.detail.startswith("fails only with grad on: the trace check failed"), trace.detail
    (finding,) = trace.findings
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    assert (finding.code, lines[finding.start.row - 1].strip()) == ("TS908", "x = x * self.calls  # recorded")


@pytest.mark.parametrize(("grad", "records"), [("off", False), ("on", True)])
def test_all_runs_are_in_one_mode(deploy: Deploy, grad: str, records: bool) -> None:
    assert deploy("save", Doubled(), torch.rand(3), grad=grad).status == "passed"
    for name in ("generalize", "modes", "state", "device", "reload", "compare", "freeze", "threads"):
        assert deploy.stage(name).status == "passed", name
    session = deploy.session
    assert session.eager is not None
    outputs = [session.eager[0], *(sides[mode][0] for sides in (session.outputs, session.reloaded) for mode in sides)]
    assert [output["requires_grad"] for output in outputs] == [records] * 5
    assert torch.is_grad_enabled()


@pytest.mark.parametrize("mode", ["script", "trace"])
def test_grad_that_the_users_code_turns_off_stays_off(deploy: Deploy, mode: str) -> None:
    with torch.no_grad():
        assert deploy("save", Doubled(), torch.rand(3), grad="on", modes=(mode,)).status == "passed"
        assert deploy.stage("reload").status == deploy.stage("compare").status == "passed"
    assert deploy.session.eager is not None
    assert not deploy.session.eager[0]["requires_grad"]
    assert not deploy.session.reloaded[mode][0]["requires_grad"]


class Decorated(nn.Module):
    """A module that turns grad off by a decorator."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(3, 3)

    @torch.no_grad()
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Apply the layer."""
        return self.layer(x)


class Inside(nn.Module):
    """A module that turns grad off in its forward."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Apply the layer."""
        with torch.no_grad():
            return self.layer(x)


@pytest.mark.parametrize(
    ("module", "mode", "kept"),
    [(Decorated, "script", False), (Decorated, "trace", False), (Inside, "script", True), (Inside, "trace", False)],
)
def test_compiled_code_may_record_gradients_where_forward_turns_grad_off(
    deploy: Deploy, module: type[nn.Module], mode: str, kept: bool
) -> None:
    x = torch.rand(2, 3)
    with torch.no_grad():
        compiled = torch.jit.script(module()) if mode == "script" else torch.jit.trace(module(), x)
    assert compiled(x).requires_grad is not kept
    assert not module()(x).requires_grad

    outcome = deploy("compare", module(), x, modes=(mode,), grad="on")
    assert outcome.status == ("passed" if kept else "failed")
    words = f"output: requires_grad False in eager, True in {mode}; if forward itself turns grad off: "
    assert kept or outcome.detail.startswith(words)
    assert deploy("compare", module(), x, modes=(mode,)).status == "passed"


def test_what_a_forward_leaves_behind_is_undone(deploy: Deploy) -> None:
    assert deploy("compare", Undecided(), torch.rand(3), modes=("trace",)).status == "passed"
    assert torch.is_grad_enabled()
