"""Holds the state that the stages of one target share (worker side)."""

from __future__ import annotations

import contextlib
import functools
import inspect
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
from tslint.verify.limits import out_of_memory
from tslint.verify.outcome import Evidence, StageFailed, StageSkipped
from tslint.verify.request import Request
from tslint.verify.shared_parameters import copied, share

SEED = 0
# Later stages allow so many times the difference of two eager runs, because other runs may differ more.
_TIMES = 4
# Bytes: of modules with larger archives, only one is kept in memory.
_LARGE = 256 * 2**20


class Compiled(MutableMapping[str, Any]):
    """The compiled module of each mode: from this process, or loaded from its archive.

    Args:
        again: compiles the module of a mode again, if it cannot be saved.
        parameters: the parameters of the eager module.
    """

    def __init__(
        self,
        again: Callable[[str], Any] | None = None,
        parameters: Callable[[], Mapping[str, torch.Tensor]] = dict,
    ) -> None:
        self.parameters = parameters
        self.archives: dict[str, Path | None] = {}
        """Modules that were compiled in other processes; None for those that cannot be saved."""
        self.again = again
        self.here: dict[str, Any] = {}
        """Modules in the memory of this process."""

    def __getitem__(self, mode: str) -> Any:
        if mode not in self.here:
            self.here[mode] = self._loaded(mode)
        return self.here[mode]

    def _loaded(self, mode: str) -> Any:
        """Load a module from its archive. If there is no archive, or it cannot be loaded (``reload`` reports that),
        compile the module again.
        """
        archive = self.archives[mode]
        if archive and archive.stat().st_size > _LARGE:
            self.here = {name: module for name, module in self.here.items() if not self.archives.get(name)}
        try:
            if archive:
                return self.load(archive)
        except Exception as error:
            if self.again is None or out_of_memory(str(error)):
                raise
        assert self.again is not None
        return self.again(mode)

    def load(self, archive: Path) -> Any:
        """Load an archive, and use the eager module's parameters if they are equal."""
        module = torch.jit.load(str(archive))
        share(module, self.parameters())
        return module

    def keep(self, mode: str) -> None:
        """Load a module for all later stages, if it is small and can be loaded."""
        archive = self.archives.get(mode)
        if archive and mode not in self.here and archive.stat().st_size <= _LARGE:
            # The stage that needs it tries again, and reports the reason.
            with contextlib.suppress(Exception):
                self.here[mode] = self.load(archive)

    def to_run(self, mode: str, archive: Path) -> Any:
        """Return the module of an archive, for the caller alone: the kept one, which is then no longer kept, or a newly
        loaded one.
        """
        if self.archives.get(mode) and mode in self.here:
            return self.here.pop(mode)
        return self.load(archive)

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
        request: the request.
        scratch: a folder that is deleted with the worker.
        report_artifact: sends the parent an archive's path.
        more_time: postpones the target's time-out by the given seconds.
        report_shown: sends the parent the results of the current stage so far, in case the time runs out.
        attribute: the object that TARGET names (since ``import``).
        module: in eval mode (since ``build``).
        inputs: the sets of arguments; empty if there are none (since ``build``).
        eager: the outputs by set; None if eager failed.
        unsteady: how two eager runs differed; None if they agree, or differ by noise.
        noise: the greatest difference of two eager runs, if it is small compared with the values.
        shares: whether no run has written to a parameter, so that copies may share them (since ``eager``).
        compiled: ``script`` and ``trace`` → the compiled module, if it compiled.
        warned: the TracerWarnings of ``trace``, as evidence.
        outputs: ``script`` and ``trace`` → set → output, if it ran.
        archives: ``script`` and ``trace`` → the saved archive.
        called: ``script`` and ``trace`` → the outputs of several calls with the first set of inputs, if ``state``
            completed all of them.
        reloaded: like ``outputs``, after save and reload.
        agreed: ``script`` and ``trace`` → shapes of other inputs, and of their outputs, if these are the same as in
            eager.
        forked: whether this process runs only one stage, and may change the module.
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
    noise: float = 0.0
    shares: bool = False
    compiled: Compiled = field(default_factory=Compiled)
    warned: list[Evidence] = field(default_factory=list)
    outputs: dict[str, dict[int, Encoded]] = field(default_factory=dict)
    archives: dict[str, Path] = field(default_factory=dict)
    called: dict[str, list[Encoded]] = field(default_factory=dict)
    reloaded: dict[str, dict[int, Encoded]] = field(default_factory=dict)
    forked: bool = False
    agreed: dict[str, list[Any]] = field(default_factory=dict)

    @property
    def built(self) -> torch.nn.Module:
        """Return the module; only used after ``build`` has passed."""
        assert self.module is not None
        return self.module

    def must_be_initialised(self) -> None:
        """Check that a lazy module knows its shapes: without them, the module cannot be compiled.

        Raises:
            StageFailed: it does not know them, although there are inputs.
            StageSkipped: it does not know them, and there are no inputs from which it could learn them.
        """
        mixin = torch.nn.parameter.UninitializedTensorMixin
        names = [name for name, value in _state(self.built).items() if isinstance(value, mixin)]
        if names:
            said = f"{names[0]!r} of a lazy module has no shape yet: call the module once where it is built"
            raise StageFailed(said) if self.inputs else StageSkipped(said)

    @property
    def place(self) -> dict[str, Any] | None:
        """Return where the module's class begins, or else the function that builds the module; None if neither is the
        user's.
        """
        for thing in (type(self.built), self.attribute):
            found = definition(thing)
            if found and is_users(found["filename"]):
                return found
        return None

    @property
    def forward_place(self) -> dict[str, Any] | None:
        """Return where ``forward`` begins, if that is the user's; otherwise :attr:`place`."""
        found = definition(inspect.unwrap(type(self.built).forward))
        return found if found and is_users(found["filename"]) else self.place

    def drifts(self, message: str) -> Evidence:
        """Return evidence for a difference of values that a wider tolerance allows."""
        return {
            "kind": "observed", "code": "TS909", "severity": "warning", "stage": "load", "message": message,
            "place": self.place,
        }  # fmt: skip

    @property
    def tolerance(self) -> Tolerance:
        """Return the tolerance for comparing two outputs."""
        request = self.request
        return Tolerance(request.rtol, request.atol, noise=_TIMES * self.noise, in_tuple="tuple" in request.accept)

    def set_name(self, number: int) -> str:
        """Return a text such as `` on input set 2`` for messages; empty if there is only one set."""
        return f" on input set {number + 1}" if len(self.inputs) > 1 else ""


def seed(number: int = SEED) -> None:
    """Seed every random generator that a forward may use."""
    # If there may be other devices, torch.manual_seed records a stack trace, which takes longer than many a forward.
    (torch.default_generator.manual_seed if _only_cpu() else torch.manual_seed)(number)
    random.seed(number)
    numpy = sys.modules.get("numpy")
    if numpy is not None and hasattr(numpy, "random"):
        numpy.random.seed(number)


def drew(number: int = SEED) -> bool:
    """Return whether random numbers may have been drawn since :func:`seed`."""
    if not _only_cpu():
        return True
    after = _generators()
    seed(number)
    return after != _generators()


def _generators() -> tuple[Any, ...]:
    numpy = sys.modules.get("numpy")
    others = repr(numpy.random.get_state()) if numpy is not None and hasattr(numpy, "random") else ""
    return bytes(torch.default_generator.get_state().tolist()), random.getstate(), others


@functools.cache
def _only_cpu() -> bool:
    accelerator = getattr(torch, "accelerator", None)  # torch 2.6 and later
    return accelerator is not None and not accelerator.is_available()


def pristine(module: Any) -> tuple[Any, Callable[[], None]]:
    """Return a module to run, and a function that undoes the effects of the run on the original.

    The module is a copy if possible, otherwise the original: ``deepcopy`` cannot copy a module with a non-leaf tensor.
    """
    try:
        return copied(module), lambda: None
    except Exception:
        return itself(module)


def itself(module: Any) -> tuple[Any, Callable[[], None]]:
    """Return the module itself, and a function that restores its parameters and buffers."""
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
    """Run the body in the grad mode of the stage, and restore the mode afterwards."""
    return torch.set_grad_enabled(torch.is_grad_enabled())


def call(
    module: Any, arguments: Arguments, number: int = SEED, *, look: Callable[[Any], None] = lambda ran: None
) -> Encoded:
    """Run a copy of a module on copies of the arguments, seeded with a number. If the module cannot be copied, it runs
    itself, and its parameters and buffers are restored.

    Args:
        module: the module to run.
        arguments: its arguments.
        number: the seed.
        look: called afterwards with the module that ran.
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
    """Return whether two modules have parameters with the same values."""
    pairs = zip(one.parameters(), other.parameters())
    try:
        return all(torch.equal(mine, theirs) for mine, theirs in pairs)
    except (RuntimeError, ValueError, NotImplementedError):  # not initialised, or a layout without values
        return False
