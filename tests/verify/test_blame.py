"""Tests that a failure names the line that caused it, in helpful words."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

import tslint
from tests.verify import deployed
from tests.verify.deployed import Deploy, deploy, infers_dynamic_shapes
from tslint.config import shown
from tslint.verify.outcome import one_line

__all__ = ["deploy"]
X = torch.rand(2, 3)


class Grows(nn.Module):
    """A module that behaves differently in compiled code, independent of devices."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Double."""
        if torch.jit.is_scripting():
            return x * 3
        return x * 2


class Constant(nn.Module):
    """A module with a tensor that a trace on meta stores as a constant without values."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Shift."""
        return x + torch.tensor([1.0, 2.0, 3.0], device=x.device) * torch.ones(3, device="cpu").to(x.device)


class Calls(nn.Module):
    """A module that calls a compiled module that raises."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = torch.jit.script(Raises())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Call it."""
        return self.inner(x)


class Raises(nn.Module):
    """A module that raises in compiled code."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Raise."""
        return x.view(7, 7)


class Any_(nn.Module):
    """A module that takes any number of tensors."""

    def forward(self, *xs: torch.Tensor) -> torch.Tensor:
        """Add two."""
        return xs[0] + xs[1]


class Recurrent(nn.Module):
    """A module that calls one of torch, whose code fixes the device of a trace."""

    def __init__(self) -> None:
        super().__init__()
        self.cells = nn.GRU(3, 3)

    def forward(self, x: torch.Tensor) -> Any:
        """Return the outputs."""
        return self.cells(x)[0]


class Named(nn.Module):
    """A module that returns a value that a strict tracer rejects."""

    def forward(self, x: torch.Tensor) -> dict[str, torch.Tensor]:
        """Double."""
        return {"doubled": x * 2}


def homeless() -> Any:
    """Change to a working folder that has been deleted."""
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    os.rmdir(folder)
    return nn.Linear(3, 3), X


def test_device_is_skipped_if_compare_finds_a_difference(deploy: Deploy) -> None:
    outcome = deploy("device", Grows(), X, modes=("script",))
    assert (outcome.status, outcome.detail) == ("skipped", "script already differs from eager; see compare")


def test_a_constant_on_meta_has_no_values(deploy: Deploy) -> None:
    assert "tolist" not in deploy("device", Constant(), X, modes=("trace",)).detail


def test_a_factory_may_remove_its_working_folder() -> None:
    verdict = tslint.verify(homeless)
    found = {each.name: each for each in verdict.targets[0].stages}
    assert verdict.passed
    assert [found[name].status for name in ("device", "export")] == ["passed", deployed.EXPORTS], found


@pytest.mark.parametrize("stage", ["script", "trace"])
def test_a_lazy_module_without_shapes_is_explained(deploy: Deploy, stage: str) -> None:
    outcome = deploy(stage, nn.LazyLinear(3), X)
    assert outcome.detail == "'weight' of a lazy module has no shape yet: call the module once where it is built"


def test_a_lazy_module_without_inputs_cannot_be_judged() -> None:
    target = tslint.verify(nn.LazyLinear(3)).targets[0]
    assert target.verdict == "error"
    assert target.reason.startswith("could not be judged: eager: no inputs")


def test_an_exception_of_compiled_code_in_eager_is_shown(deploy: Deploy) -> None:
    detail = deploy("eager", Calls(), X).detail
    assert detail.startswith("forward raised RuntimeError: shape '[7, 7]' is invalid for input of size 6 (")
    assert "TorchScript interpreter" not in detail


def test_no_addresses() -> None:
    assert one_line("<Net object at 0x7f8a1c0b2d30> is\nno tensor") == "<Net object> is no tensor"


@deployed.traces_have_lines
def test_findings_are_in_files_of_the_author() -> None:
    verdict = tslint.verify(Recurrent(), torch.rand(2, 3), modes="trace")
    device = next(stage for stage in verdict.targets[0].stages if stage.name == "device")
    places = [
        (finding.filename, finding.start.row) for stage in verdict.targets[0].stages for finding in stage.findings
    ]
    assert device.status == "failed"
    assert places == [(str(Path(__file__).resolve()), Recurrent.forward.__code__.co_firstlineno + 2)]


@infers_dynamic_shapes
def test_export_passes_the_inputs_as_the_signature_requires(deploy: Deploy) -> None:
    outcome = deploy("export", Any_(), (torch.rand(4, 3), torch.rand(4, 3)), modes=("trace",))
    assert outcome.detail.startswith("exports with dynamic shapes: ")


@pytest.mark.parametrize(("strict", "status"), [(True, "failed"), (False, "passed")])
def test_what_a_strict_tracer_refuses(deploy: Deploy, strict: bool, status: str) -> None:
    outcome = deploy("trace", Named(), X, strict=strict)
    assert outcome.status == status
    assert ("; if it does not change, set strict = false for the target" in outcome.detail) == strict
    assert all(finding["text"] == outcome.detail for finding in outcome.evidence)


class Settings:
    """A class whose type torch looks for, and cannot read."""

    exec("def __init__(self): self.size = 1")


class Configured(nn.Module):
    """A module with an unnecessary declaration."""

    __annotations__ = {"settings": Settings}

    def __init__(self) -> None:
        super().__init__()
        self.settings = Settings()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return it."""
        return x


def test_the_attribute_is_named_that_the_compiler_fails_on(deploy: Deploy) -> None:
    outcome = deploy("script", Configured(), X, modes=("script",))
    assert outcome.status == "failed"
    assert outcome.detail.startswith("OSError: ")
    assert outcome.detail.endswith(" (attribute 'settings')")
    assert outcome.evidence[0]["text"].endswith(" (attribute 'settings')")


def test_overloads_of_forward_are_named(deploy: Deploy) -> None:
    outcome = deploy("script", nn.LSTM(3, 4), torch.rand(5, 2, 3), modes=("script",))
    assert outcome.status == "failed"
    assert outcome.detail.startswith("compiles, but the compiled LSTM has no forward: only")


class Perhaps(nn.Module):
    """A module with an output that a trace cannot return."""

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, None]:
        """Give None beside it."""
        return x + 1, None


def test_an_output_that_cannot_be_traced_is_shown(deploy: Deploy) -> None:
    outcome = deploy("trace", Perhaps(), X, modes=("trace",))
    assert outcome.status == "failed"
    assert outcome.detail.endswith("can be output from traced functions: forward gives (float32[2, 3], None)")


class Double(torch.autograd.Function):
    """A Python function that an archive cannot contain."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        """Double."""
        return x * 2

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
        """Double."""
        return grad * 2


class Doubles(nn.Module):
    """A module that calls it."""

    def forward(self, x: torch.Tensor) -> Any:
        """Double."""
        return Double.apply(x)


def test_an_autograd_function_in_a_trace_is_told_where_it_is_called(deploy: Deploy) -> None:
    outcome = deploy("save", nn.Sequential(Doubles()), X, modes=("trace",))
    assert outcome.status == "failed"
    row = Doubles.forward.__code__.co_firstlineno + 2
    assert f"trace: Could not export Python function call 'Double' ({_here()}:{row}): an archive" in outcome.detail
    assert [place["row"] for place in outcome.evidence[0]["stack"]] == [row]


class Cached(nn.Module):
    """Computes a table in its first call."""

    table: torch.Tensor | None

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("table", None, persistent=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Add it."""
        if self.table is None:
            self.table = torch.arange(3.0) * 2
        return x + self.table


def test_the_state_that_makes_a_second_trace_differ_is_named(deploy: Deploy) -> None:
    outcome = deploy("trace", nn.Sequential(Cached()), X, modes=("trace",))
    assert outcome.status == "failed"
    row = Cached.forward.__code__.co_firstlineno + 3
    assert outcome.detail.startswith("the trace check failed: a second trace records other operators or constants (")
    assert f"self.0.table has another value afterwards ({_here()}:{row}); give it that value" in outcome.detail


class Scan(nn.Module):
    """A module that loops over a size; a trace unrolls the loop."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Sum up."""
        state = torch.zeros(x.shape[0])
        found = []
        for index in range(x.shape[1]):
            state = state * 0.5 + x[:, index]
            found.append(state)
        return torch.stack(found, 1)


@deployed.traces_have_lines
def test_an_unrolled_loop_is_named(deploy: Deploy) -> None:
    outcome = deploy("generalize", Scan(), X, modes=("trace",))
    assert outcome.status == "failed"
    row = Scan.forward.__code__.co_firstlineno + 5
    assert f"the loop was unrolled, with as many iterations as it had while tracing ({_here()}:{row})" in outcome.detail


class Positions(nn.Module):
    """A module with a harmless condition above a device that a trace records."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Add positions."""
        if torch.tensor(x.shape[1]) > 100:
            x = x[:, :100]
        return x + torch.arange(x.shape[1], device=x.device)


@deployed.traces_have_lines
@pytest.mark.filterwarnings("ignore:To copy construct from a tensor:UserWarning")
def test_a_device_is_not_blamed_on_a_condition_above_it(deploy: Deploy) -> None:
    outcome = deploy("device", Positions(), X, modes=("trace",))
    assert outcome.status == "failed"
    row = Positions.forward.__code__.co_firstlineno + 4
    assert f"the device 'cpu' became a constant ({_here()}:{row})" in outcome.detail


def _here() -> str:
    return shown(Path(__file__).resolve())


class Frames(nn.Module):
    """A module that takes sizes from ``.data``, and has an LSTM, whose state is created where it is traced."""

    def __init__(self) -> None:
        super().__init__()
        self.lstm = nn.LSTM(3, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Run it."""
        length, batch, _ = x.data.shape
        found: torch.Tensor = self.lstm(x)[0]
        return found.reshape(length, batch, 4)


@deployed.traces_have_lines
def test_data_that_became_a_constant_is_no_device_error(deploy: Deploy) -> None:
    outcome = deploy("generalize", Frames(), torch.rand(2, 3, 3), modes=("trace",))
    row = Frames.forward.__code__.co_firstlineno + 2
    words = f"a tensor of shape [2, 3, 3] became a constant ({_here()}:{row}): write x.detach() instead of x.data"
    assert words in outcome.detail
    assert f"the device 'cpu' became a constant ({_here()}:{row + 1})" in deploy.stage("device").detail


def test_a_hook_that_cannot_be_compiled_is_named(deploy: Deploy) -> None:
    module = nn.Sequential(nn.Linear(3, 3))
    module[0].register_forward_pre_hook(Settings())  # type: ignore[arg-type]
    outcome = deploy("script", module, X, modes=("script",))
    assert outcome.detail == "AttributeError: 'Settings' object has no attribute '__name__' (a hook of Linear)"


class Fused(nn.Module):
    """A module that raises as torch does when it would compile a loop for a device without values."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Double."""
        if torch.jit.is_scripting() and x.is_meta:
            raise RuntimeError("Unknown device for graph fuser")
        return x * 2


def test_what_torch_cannot_do_on_meta_is_no_fault_of_the_module(deploy: Deploy) -> None:
    outcome = deploy("device", Fused(), X, modes=("script",))
    assert outcome.status == "skipped"
    assert outcome.detail.startswith("script cannot be run on meta: ")
