"""What the stages of one target share, and how they run the user's module without disturbing it (worker side)."""

from __future__ import annotations

import functools
import random
import sys
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from tslint.verify.arguments import Arguments, run
from tslint.verify.blame import definition, is_users
from tslint.verify.difference import Tolerance
from tslint.verify.fresh import Encoded, encode
from tslint.verify.outcome import Evidence, StageFailed
from tslint.verify.request import Request
from tslint.verify.sharing import copied, share

SEED = 0
# Bytes of an archive of which a stage does not keep two in memory.
_LARGE = 256 * 2**20


class Compiled(MutableMapping[str, Any]):
    """The compiled module of each mode: as it was compiled in this process, or as its archive holds it.

    Args:
        again: compiles a module that no archive can hold, for a mode.
        parameters: those of the eager module.
    """

    def __init__(
        self,
        again: Callable[[str], Any] | None = None,
        parameters: Callable[[], Mapping[str, torch.Tensor]] = dict,
    ) -> None:
        self.parameters = parameters
        self.archives: dict[str, Path | None] = {}
        """Of what was compiled in other processes; None for what cannot be saved."""
        self.again = again
        self.here: dict[str, Any] = {}
        """What is in the memory of this process."""

    def __getitem__(self, mode: str) -> Any:
        if mode not in self.here:
            archive = self.archives[mode]
            if archive and archive.stat().st_size > _LARGE:
                self.here = {name: module for name, module in self.here.items() if not self.archives.get(name)}
            assert archive is not None or self.again is not None
            self.here[mode] = self.load(archive) if archive else self.again(mode)  # type: ignore[misc]
        return self.here[mode]

    def load(self, archive: Path) -> Any:
        """What an archive holds, with the parameters of the eager module where they are the same."""
        module = torch.jit.load(str(archive))
        share(module, self.parameters())
        return module

    def __setitem__(self, mode: str, module: Any) -> None:
        self.here[mode] = module

    def __delitem__(self, mode: str) -> None:
        self.here.pop(mode, None)
        self.archives.pop(mode, None)

    def __contains__(self, mode: object) -> bool:
        return mode in self.here or mode in self.archives

    def __iter__(self) -> Iterator[str]:
        return iter([mode for mode in ("script", "trace") if mode in self])

    def __len__(self) -> int:
        return len(list(iter(self)))


@dataclass
class Session:
    """The state of one target's verification.

    Args:
        request: what was asked for.
        scratch: a folder that outlives the worker by nothing.
        report_artifact: tells the parent of an archive.
        more_time: moves the target's time-out by so many seconds.
        report_shown: tells the parent what a stage has shown so far, should it run out of time.
        attribute: what TARGET names (since ``import``).
        module: in eval mode (since ``build``).
        inputs: the sets of arguments; empty where none were given (since ``build``).
        eager: the outputs by set; None where eager did not run through.
        unsteady: where two eager runs differed, in words; None where they agree.
        shares: whether no run has written to a parameter, so that copies may share them (since ``eager``).
        compiled: ``script`` and ``trace`` → the compiled module, where it compiled.
        warned: the TracerWarnings of ``trace``, as evidence.
        outputs: ``script`` and ``trace`` → set → output, where it ran.
        archives: ``script`` and ``trace`` → the saved archive.
        reloaded: as ``outputs``, after save and reload.
        agreed: ``script`` and ``trace`` → shapes of other inputs, and of their outputs, where it does what eager does.
        forked: whether this process runs one stage and nothing else, and may do to the module what it likes.
    """

    request: Request
    scratch: Path
    report_artifact: Callable[[str, Path], None] = lambda mode, path: None
    more_time: Callable[[float], None] = lambda seconds: None
    report_shown: Callable[[str], None] = lambda words: None
    attribute: Any = None
    module: torch.nn.Module | None = None
    inputs: list[Arguments] = field(default_factory=list)
    eager: list[Encoded] | None = None
    unsteady: str | None = None
    shares: bool = False
    compiled: Compiled = field(default_factory=Compiled)
    warned: list[Evidence] = field(default_factory=list)
    outputs: dict[str, dict[int, Encoded]] = field(default_factory=dict)
    archives: dict[str, Path] = field(default_factory=dict)
    reloaded: dict[str, dict[int, Encoded]] = field(default_factory=dict)
    forked: bool = False
    agreed: dict[str, list[Any]] = field(default_factory=dict)

    @property
    def built(self) -> torch.nn.Module:
        """The module; only asked for after ``build`` has passed."""
        assert self.module is not None
        return self.module

    def must_be_initialised(self) -> None:
        """Of lazy modules no mode can be compiled before they know their shapes, and stages run copies.

        Raises:
            StageFailed: the module does not.
        """
        mixin = torch.nn.parameter.UninitializedTensorMixin
        names = [name for name, value in _state(self.built).items() if isinstance(value, mixin)]
        if names:
            raise StageFailed(f"{names[0]!r} of a lazy module has no shape yet: call the module once where it is built")

    @property
    def place(self) -> dict[str, Any] | None:
        """The class of the module, or the function that builds it, where that is the user's."""
        for thing in (type(self.built), self.attribute):
            found = definition(thing)
            if found and is_users(found["filename"]):
                return found
        return None

    @property
    def tolerance(self) -> Tolerance:
        """What two outputs may differ by."""
        return Tolerance(self.request.rtol, self.request.atol, in_tuple="tuple" in self.request.accept)

    def set_name(self, number: int) -> str:
        """`` on input set 2``, or nothing where there is only one."""
        return f" on input set {number + 1}" if len(self.inputs) > 1 else ""


def seed(number: int = SEED) -> None:
    """Start every random generator that a forward is likely to draw from."""
    # torch.manual_seed notes down, with a stack, what to do once there are other devices: longer than many a forward.
    (torch.default_generator.manual_seed if _only_cpu() else torch.manual_seed)(number)
    random.seed(number)
    numpy = sys.modules.get("numpy")
    if numpy is not None and hasattr(numpy, "random"):
        numpy.random.seed(number)


@functools.cache
def _only_cpu() -> bool:
    accelerator = getattr(torch, "accelerator", None)  # since torch 2.6
    return accelerator is not None and not accelerator.is_available()


def pristine(module: Any) -> tuple[Any, Callable[[], None]]:
    """A module to run, and what to call afterwards so that the run leaves no trace in the original.

    A copy where the module can be copied; otherwise itself (a module that holds a non-leaf tensor refuses
    ``deepcopy``).
    """
    try:
        return copied(module), lambda: None
    except Exception:
        return itself(module)


def itself(module: Any) -> tuple[Any, Callable[[], None]]:
    """The module, and what to call to put its parameters and buffers back."""
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


def kept_grad_mode() -> torch.set_grad_enabled:
    """Run what follows in the grad mode of the stage, and undo what a forward leaves behind."""
    return torch.set_grad_enabled(torch.is_grad_enabled())


def call(
    module: Any, arguments: Arguments, number: int = SEED, *, look: Callable[[Any], None] = lambda ran: None
) -> Encoded:
    """Run a module on copies, seeded with a number; the module is left as it was.

    Args:
        module: to run.
        arguments: to run it on.
        number: to seed with.
        look: is given the copy afterwards.
    """
    runnable, restore = pristine(module)
    try:
        seed(number)
        with kept_grad_mode():
            output = encode(run(runnable, arguments))
        look(runnable)
        return output
    finally:
        restore()


def same_parameters(one: torch.nn.Module, other: torch.nn.Module) -> bool:
    """Whether two modules have parameters of the same values."""
    pairs = zip(one.parameters(), other.parameters())
    try:
        return all(torch.equal(mine, theirs) for mine, theirs in pairs)
    except (RuntimeError, ValueError, NotImplementedError):  # not initialised yet, or of a layout without values
        return False
