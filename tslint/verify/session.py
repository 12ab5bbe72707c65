"""What the stages of one target share, and how they run the user's module without disturbing it (worker side)."""

from __future__ import annotations

import copy
import random
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from tslint.verify.fresh import Encoded, encode
from tslint.verify.outcome import Evidence
from tslint.verify.request import Request

SEED = 0
Arguments = tuple[Any, ...]


@dataclass
class Session:
    """The state of one target's verification.

    Args:
        request: what was asked for.
        scratch: a folder that outlives the worker by nothing.
        report_artifact: tells the parent of an archive.
        more_time: moves the target's time-out by so many seconds.
        attribute: what TARGET names (since ``import``).
        module: in eval mode (since ``build``).
        inputs: the sets of arguments; empty where none were given (since ``build``).
        eager: the outputs by set; None where eager did not run through.
        unsteady: where two eager runs differed, in words; None where they agree.
        compiled: ``script`` and ``trace`` → the compiled module, where it compiled.
        warned: the TracerWarnings of ``trace``, as evidence.
        outputs: ``script`` and ``trace`` → set → output, where it ran.
        archives: ``script`` and ``trace`` → the saved archive.
        reloaded: as ``outputs``, after save and reload.
    """

    request: Request
    scratch: Path
    report_artifact: Callable[[str, Path], None] = lambda mode, path: None
    more_time: Callable[[float], None] = lambda seconds: None
    attribute: Any = None
    module: torch.nn.Module | None = None
    inputs: list[Arguments] = field(default_factory=list)
    eager: list[Encoded] | None = None
    unsteady: str | None = None
    compiled: dict[str, Any] = field(default_factory=dict)
    warned: list[Evidence] = field(default_factory=list)
    outputs: dict[str, dict[int, Encoded]] = field(default_factory=dict)
    archives: dict[str, Path] = field(default_factory=dict)
    reloaded: dict[str, dict[int, Encoded]] = field(default_factory=dict)

    @property
    def built(self) -> torch.nn.Module:
        """The module; only asked for after ``build`` has passed."""
        assert self.module is not None
        return self.module

    def set_name(self, number: int) -> str:
        """`` on input set 2``, or nothing where there is only one."""
        return f" on input set {number + 1}" if len(self.inputs) > 1 else ""


def seed(number: int = SEED) -> None:
    """Start every random generator that a forward is likely to draw from."""
    torch.manual_seed(number)
    random.seed(number)
    numpy = sys.modules.get("numpy")
    if numpy is not None and hasattr(numpy, "random"):
        numpy.random.seed(number)


def cloned(value: Any) -> Any:
    """A copy of inputs that a forward may write to; leaf tensors, with ``requires_grad`` as it was."""
    if isinstance(value, torch.Tensor):
        return value.detach().clone().requires_grad_(value.requires_grad)
    if isinstance(value, tuple):
        items = [cloned(item) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if type(value) is list:
        return [cloned(item) for item in value]
    if type(value) is dict:
        return {key: cloned(item) for key, item in value.items()}
    try:
        return copy.deepcopy(value)
    except Exception:
        return value


def pristine(module: Any) -> tuple[Any, Callable[[], None]]:
    """A module to run, and what to call afterwards so that the run leaves no trace in the original.

    A copy where the module can be copied; otherwise itself, with its parameters and buffers put back afterwards (a
    module that holds a non-leaf tensor refuses ``deepcopy``).
    """
    try:
        return copy.deepcopy(module), lambda: None
    except Exception:
        saved: Mapping[str, Any] = {name: value.detach().clone() for name, value in _state(module).items()}

        return module, lambda: _put_back(module, saved)


def reset(module: Any, original: Any) -> None:
    """Give a module's parameters and buffers the values of the original, in place."""
    if module is not original:
        _put_back(module, _state(original))


def _put_back(module: Any, values: Mapping[str, torch.Tensor]) -> None:
    with torch.no_grad():
        for name, value in _state(module).items():
            if name in values and value.shape == values[name].shape:
                value.copy_(values[name])


def _state(module: Any) -> dict[str, torch.Tensor]:
    return {**dict(module.named_parameters()), **dict(module.named_buffers())}


def call(module: Any, arguments: Arguments, number: int = SEED) -> Encoded:
    """Run a module on copies, seeded with a number, with grad mode on; the module is left as it was."""
    runnable, restore = pristine(module)
    try:
        seed(number)
        with torch.enable_grad():
            return encode(runnable(*cloned(arguments)))
    finally:
        restore()
