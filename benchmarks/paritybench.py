"""Modules of jansel/pytorch-jit-paritybench: how they are built, run and scripted (imports torch).

A file of the corpus lists ``TESTCASES``: (class, constructor's arguments, forward's arguments, …), the arguments
made by functions. What the corpus imports and this environment lacks is mocked; the helper module that it expects is
made here. A file is executed once, in a fork; each of its cases is judged in a fork of that one, as a failed
compilation leaves types behind that spoil the next one.
"""

from __future__ import annotations

import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import pickle
import random
import re
import resource
import select
import signal
import sys
import tempfile
import time
import types
import unittest
import warnings
from collections.abc import Callable, Container, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import numpy
import torch

_MOCKED = set("tensorflow torchaudio torchtext sklearn transformers torchvision scipy pandas matplotlib".split())
_POSITION = re.compile(r'File "([^"]+)", line (\d+)')
_ADDRESS_SPACE = 9 << 30


class _MockFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """The last to be asked: what nobody else can import is a mock."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:
        top = fullname.partition(".")[0]
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True) if top in _MOCKED else None

    def create_module(self, spec: Any) -> Any:
        mock = MagicMock(name=spec.name)
        mock.__name__, mock.__path__, mock.__spec__, mock.__file__, mock.__all__ = spec.name, [], spec, spec.name, []
        return mock

    def exec_module(self, module: Any) -> None:
        pass


class _Config(dict[str, Any]):
    __getattr__ = dict.__getitem__


class _Layer(torch.nn.ReLU):
    expansion = 1


def _layer(in_features: Any = None, out_features: Any = None, *args: Any, **kwargs: Any) -> torch.nn.Module:
    return torch.nn.Linear(in_features, out_features, **kwargs) if in_features and out_features else _Layer()


class _Base(unittest.TestCase):
    def _check(self, *args: Any) -> None:
        pass


def _patch_functional() -> None:
    one, two = torch.functional, torch.nn.functional
    for source, target in ((one, two), (two, one)):
        for name in dir(source):
            if re.match("[a-z]", name) and not hasattr(target, name):
                setattr(target, name, getattr(source, name))


def prepare() -> None:
    """Make the corpus importable in this process."""
    helpers = types.ModuleType("_paritybench_helpers")
    vars(helpers).update(
        patch_functional=_patch_functional, _mock_config=_Config, _mock_layer=_layer, _paritybench_base=_Base,
        _fails_compile=lambda: lambda thing: thing,
    )  # fmt: skip
    sys.modules[helpers.__name__] = helpers
    sys.meta_path.append(_MockFinder())
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)


class TimedOut(Exception):
    """A module took too long."""


@contextlib.contextmanager
def limit(seconds: int) -> Iterator[None]:
    """Raise :class:`TimedOut` in the block after so many seconds."""

    def raise_(*_: object) -> None:
        raise TimedOut

    signal.signal(signal.SIGALRM, raise_)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)


def seed() -> None:
    """Start all random generators anew."""
    torch.manual_seed(0)
    numpy.random.seed(0)
    random.seed(0)


def load(path: str) -> types.ModuleType:
    """Execute a file of the corpus, under its own name."""
    name = Path(path).stem
    module = types.ModuleType(name)
    module.__file__ = path
    sys.modules[name] = module
    with limit(60):
        # dont_inherit: annotations are objects, whatever this file does.
        exec(compile(Path(path).read_text(encoding="utf-8"), path, "exec", dont_inherit=True), vars(module))
    return module


def build(case: tuple[Any, ...]) -> tuple[torch.nn.Module, tuple[Any, ...], dict[str, Any]]:
    """A case's module in eval mode, and the arguments of its forward."""
    with limit(20):
        seed()
        args, kwargs = case[1]()
        module = case[0](*args, **kwargs).eval()
    seed()
    inputs, named = case[2]()
    return module, tuple(inputs), named


def digest(value: Any) -> list[Any]:
    """An output's leaves as plain values that can be compared: shapes, dtypes and rounded sums."""
    found: list[Any] = []
    for leaf in torch.utils._pytree.tree_leaves(value):
        if isinstance(leaf, torch.Tensor):
            dense = leaf.to_dense() if leaf.layout != torch.strided else leaf
            values = dense.detach().to(torch.complex128 if dense.is_complex() else torch.float64)
            weights = torch.arange(1, values.numel() + 1, dtype=torch.float64).reshape(values.shape)
            total, mixed = complex(values.sum()), complex((values * weights).sum() / max(values.numel(), 1))
            found.append(["tensor", list(leaf.shape), str(leaf.dtype), _rounded(total), _rounded(mixed)])
        else:
            found.append(re.sub(r"0x[0-9a-f]+|id='[0-9]+'", "", repr(leaf))[:200])
    return found


def _rounded(value: complex) -> list[str]:
    return [f"{part:.4e}" for part in (value.real, value.imag)]


def judge(path: str, case: tuple[Any, ...], twice: bool) -> dict[str, Any]:
    """What eager and the compiler say of a case: keys, outputs (``twice``: of a module built anew, too), whether it
    compiles, what it gives then, and the error."""
    record: dict[str, Any] = {"script": None, "outputs": None, "again": None, "compiled": None}
    module, inputs, named = build(case)
    record["cls"] = type(module).__name__
    record["keys"] = sorted(module.state_dict())
    with contextlib.suppress(Exception), limit(60), torch.no_grad():
        seed()
        record["outputs"] = digest(module(*inputs, **named))
        if twice:
            fresh, inputs, named = build(case)
            seed()
            record["again"] = digest(fresh(*inputs, **named))
    try:
        with limit(60):
            scripted = torch.jit.script(module)
        record["script"] = True
        with contextlib.suppress(Exception), limit(60), torch.no_grad():
            _, inputs, named = build(case)
            seed()
            record["compiled"] = digest(scripted(*inputs, **named))
    except TimedOut:
        pass
    except Exception as error:
        record["script"] = False
        record["message"] = str(error).strip()[:1500]
        record["lines"] = list(dict.fromkeys(int(n) for f, n in _POSITION.findall(str(error)) if f == path))
    return record


def forked(function: Callable[..., Any], *args: Any, seconds: float = 240) -> Any:
    """What a function returns in a fork with its output thrown away and bounded memory; None where it crashes."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        try:
            with tempfile.TemporaryDirectory() as folder:
                os.chdir(folder)
                resource.setrlimit(resource.RLIMIT_AS, (_ADDRESS_SPACE, _ADDRESS_SPACE))
                answer = pickle.dumps(function(*args))
                with os.fdopen(writer, "wb") as pipe:
                    pipe.write(answer)
        finally:
            os._exit(0)
    os.close(writer)
    deadline = time.monotonic() + seconds
    parts: list[bytes] = []
    with os.fdopen(reader, "rb", buffering=0) as pipe:
        while select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))[0]:
            part = pipe.read(1 << 16)
            if not part:
                break
            parts.append(part)
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    try:
        return pickle.loads(b"".join(parts))
    except (EOFError, pickle.UnpicklingError):
        return None


def judge_file(path: str, *, twice: bool, only: Container[int] | None = None) -> list[dict[str, Any] | None]:
    """:func:`judge` for every case of a file (None for those that are not asked for), each in a fork of its own; empty
    where it cannot be imported."""
    return forked(_judge_all, path, twice, only, seconds=3600) or []


def _judge_all(path: str, twice: bool, only: Container[int] | None) -> list[dict[str, Any] | None]:
    cases = enumerate(load(path).TESTCASES)
    return [forked(judge, path, case, twice) if only is None or index in only else None for index, case in cases]
