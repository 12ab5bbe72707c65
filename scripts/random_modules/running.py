"""Builds, calls and compares modules, in Python and compiled."""

from __future__ import annotations

import ast
import contextlib
import hashlib
import io
import itertools
import logging
import random
import re
import signal
import sys
import tempfile
import types
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

# The limit of processor time for one construction or call, in seconds.
TIME_LIMIT = 0.5
_numbers = itertools.count()


class TooLong(BaseException):
    """Raised in a loop that does not end."""


@dataclass(frozen=True)
class Outcome:
    """The result of one construction or call.

    Args:
        raised: the name of the exception, or None.
        value: the returned value.
        given: the arguments after the call.
        printed: the text on the standard output.
        drawn: the state of all random generators after the call.
        message: the message of the exception.
    """

    raised: str | None = None
    value: Any = None
    given: Any = None
    printed: str = ""
    drawn: str = ""
    message: str = ""

    def __str__(self) -> str:
        return f"raises {self.raised}: {self.message[:200]}" if self.raised else shown(self.value)


@dataclass
class Lived:
    """One instance: its construction, its keys, and the results of its calls.

    Args:
        built: the construction; if it raised, there are no calls.
        keys: the keys of the ``state_dict``, with shapes.
        calls: the calls in their order; the first one is repeated at the end.
        left: the plain attributes after the calls.
        saved: the message of the exception when it was saved, or None.
    """

    built: Outcome
    keys: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)
    calls: list[Outcome] = field(default_factory=list)
    left: dict[str, Any] = field(default_factory=dict)
    saved: str | None = None


def prepare() -> None:
    """Prepare a process once: one thread, no output, and a limit for infinite loops."""
    torch.set_num_threads(1)
    logging.disable(logging.CRITICAL)
    signal.signal(signal.SIGVTALRM, _too_long)
    torch._C._set_graph_executor_optimize(False)
    torch.set_warn_always(False)


def _too_long(number: int, frame: types.FrameType | None) -> None:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):  # would break later imports
            signal.setitimer(signal.ITIMER_VIRTUAL, TIME_LIMIT)
            return
        frame = frame.f_back
    raise TooLong


def tensor(seed: int, *size: int) -> torch.Tensor:
    """Return the tensor ``t`` of calls; it contains positive and negative numbers."""
    return torch.randn(*size, generator=torch.Generator().manual_seed(seed))


def _packed(*args: Any, **kwargs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    return args, kwargs


def forget_compiled() -> None:
    """Clear all compiled classes: only the first type of a class has the name that ``isinstance`` compares."""
    torch._C._jit_clear_class_registry()
    torch.jit._recursive.concrete_type_store = torch.jit._recursive.ConcreteTypeStore()
    torch.jit._state._clear_class_state()


@contextlib.contextmanager
def loaded(text: str) -> Iterator[Callable[[str], Any]]:
    """Run the text of a file, and yield a function that evaluates expressions in it."""
    forget_compiled()
    name = f"random_module_{next(_numbers)}"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"{name}.py")
        path.write_text(text, encoding="utf-8")
        module = types.ModuleType(name)
        module.__file__ = str(path)
        sys.modules[name] = module
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                # `dont_inherit`: the annotations of this file are strings, those of the module are not.
                exec(compile(text, str(path), "exec", dont_inherit=True), vars(module))
            vars(module).update(t=tensor, _packed=_packed)
            yield lambda expression: eval(expression, vars(module))
        finally:
            sys.modules.pop(name, None)


def outcome(run: Callable[[], tuple[Any, Any]]) -> Outcome:
    """Run a function, which returns a value and the arguments, with a fixed seed."""
    torch.manual_seed(0)
    random.seed(0)
    np.random.seed(0)
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            signal.setitimer(signal.ITIMER_VIRTUAL, TIME_LIMIT)
            try:
                value, given = run()
            finally:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    except Exception as error:
        return Outcome(type(error).__name__, printed=out.getvalue(), drawn=_states(), message=str(error))
    return Outcome(None, value, given, out.getvalue(), _states())


def _states() -> str:
    numbers = np.random.get_state(legacy=False)["state"]["pos"]
    text = f"{hashlib.sha256(torch.get_rng_state().numpy().tobytes()).hexdigest()} {hash(random.getstate())} {numbers}"
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def lived(evaluate: Callable[[str], Any], build: str, calls: Sequence[str], *, script: bool = False) -> Lived:
    """Build an instance, optionally compile it, and call it."""
    instance: Any = None

    def construct() -> tuple[Any, Any]:
        nonlocal instance
        instance = evaluate(build)
        if script:
            instance = torch.jit.script(instance)
        return None, None

    built = outcome(construct)
    if built.raised:
        return Lived(built)
    keys = [(name, tuple(value.shape)) for name, value in instance.state_dict().items()]
    found = Lived(built, keys)
    for call in [*calls, calls[0]]:

        def run(call: str = call) -> tuple[Any, Any]:
            args, kwargs = evaluate(f"_packed({call})")
            value = instance(*args, **kwargs)
            return _copied(value), (args, kwargs)

        found.calls.append(outcome(run))
    if script:
        tried = outcome(lambda: (torch.jit.save(instance, io.BytesIO()), None))
        found.saved = tried.message if tried.raised else None
    else:
        found.left = {
            name: _copied(value) for name, value in vars(instance).items() if name[0] != "_" and _plain(value)
        }
        found.left |= {name: _copied(value) for name, value in instance._buffers.items() if value is not None}
    return found


def _plain(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return all(_plain(each) for each in value)
    if isinstance(value, dict):
        return all(_plain(each) for each in value.values())
    return value is None or isinstance(value, (bool, int, float, str, torch.Tensor))


def _copied(value: Any) -> Any:
    """Return a copy of a value that later calls do not change."""
    if isinstance(value, torch.Tensor):
        copied = value.detach().clone()
        return copied.requires_grad_(value.requires_grad) if copied.is_floating_point() else copied
    if type(value) in (list, tuple):
        return type(value)(_copied(each) for each in value)
    if type(value) is dict:
        return {name: _copied(each) for name, each in value.items()}
    return value


def as_list(one: Any, other: Any) -> Any:
    """Return a value in which tuples are lists if the other value has lists there."""
    if isinstance(one, tuple) and isinstance(other, list):
        one = list(one)
    if isinstance(one, (list, tuple)) and type(one) is type(other) and len(one) == len(other):
        return type(one)(map(as_list, one, other))
    return one


def same(one: Any, other: Any, *, strict: bool = True, whole: bool = False) -> bool:
    """Return whether two values are the same: type, dtype, shape and numbers. Of other objects, only the names of the
    classes are compared.

    Args:
        one: a value.
        other: the other value.
        strict: whether to distinguish a ``torch.Size`` from a list, and to compare ``requires_grad``.
        whole: whether the other value may have floats instead of ints.
    """
    if not strict:
        one, other = _relaxed(one), _relaxed(other)
    if whole:
        one = _as_float(one, other)
    if isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor):
        if (
            one.dtype != other.dtype
            or one.shape != other.shape
            or (strict and one.requires_grad != other.requires_grad)
        ):
            return False
        if one.is_floating_point():
            return bool(torch.allclose(one.detach(), other.detach(), rtol=1e-4, atol=1e-5, equal_nan=True))
        return bool(torch.equal(one, other))
    if type(one).__name__ != type(other).__name__:
        return False
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(same(a, b, strict=strict, whole=whole) for a, b in zip(one, other))
    if isinstance(one, dict):
        if strict and list(one) != list(other):
            return False
        return set(one) == set(other) and all(same(one[key], other[key], strict=strict, whole=whole) for key in one)
    if isinstance(one, float):
        close = abs(one - other) <= 1e-5 * max(abs(one), abs(other))
        return bool(one == other or (one != one and other != other) or close)
    if isinstance(one, (int, str, type(None), torch.dtype, torch.device)):
        return bool(one == other)
    return True


def _as_float(value: Any, other: Any) -> Any:
    """Convert an int, or a tensor of ints, to the float type of the other one."""
    if isinstance(value, torch.Tensor) and isinstance(other, torch.Tensor):
        return value.to(other.dtype) if other.is_floating_point() and not value.is_floating_point() else value
    return float(value) if type(value) is int and type(other) is float else value


def _relaxed(value: Any) -> Any:
    return list(value) if isinstance(value, torch.Size) else value


def shown(value: Any) -> str:
    """Return a short text for a value."""
    if isinstance(value, torch.Tensor):
        numbers = [round(each, 4) if isinstance(each, float) else each for each in value.flatten().tolist()[:4]]
        return f"{str(value.dtype)[6:]}{list(value.shape)}{numbers}"
    if isinstance(value, (list, tuple)):
        return f"{type(value).__name__}({', '.join(shown(each) for each in value)})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {shown(each)}" for key, each in value.items()) + "}"
    return repr(value)[:80]


def draws_unread(text: str) -> bool:
    """Return whether random numbers are drawn that nothing uses: the compiler drops the draw, so that later ones
    differ.
    """
    for function in ast.walk(ast.parse(text)):
        if not isinstance(function, ast.FunctionDef):
            continue
        read = {each.id for each in ast.walk(function) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}
        for each in ast.walk(function):
            if (
                isinstance(each, ast.Assign)
                and isinstance(each.targets[0], ast.Name)
                and each.targets[0].id not in read
            ):
                if re.search(r"\brand(n|int|perm|_like|n_like)?\(|dropout", ast.unparse(each.value)):
                    return True
    return False
