"""Builds, runs and compiles modules in forks, with results as values that can be compared (imports torch)."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib.abc
import importlib.machinery
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
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import numpy
import torch

Record = dict[str, Any]
Call = tuple[tuple[Any, ...], dict[str, Any]]
_POSITION = re.compile(r'File "([^"]+)", line (\d+)')
_RANGE = re.compile(r"# ([^\s:#]+\.py):(\d+):\d+")
_ADDRESS = re.compile(r"0x[0-9a-f]+|id='[0-9]+'")
_ADDRESS_SPACE = 9 << 30
_SEEDS = (0, 1)
_SAMPLE = 4
_LONG = 1.0  # CPU seconds; a module that takes longer runs only once


class TimedOut(BaseException):
    """Raised if a module takes too long; ``except Exception`` does not catch it."""


class Mocks(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """The last import finder: modules that no other finder finds become mocks.

    Args:
        tops: the names of the packages that may be mocked.
    """

    def __init__(self, tops: set[str]) -> None:
        self._tops = tops

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:
        top = fullname.partition(".")[0]
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True) if top in self._tops else None

    def create_module(self, spec: Any) -> Any:
        mock = MagicMock(name=spec.name)
        mock.__name__, mock.__path__, mock.__spec__, mock.__file__, mock.__all__ = spec.name, [], spec, spec.name, []
        mock.__version__ = "2.0"
        return mock

    def exec_module(self, module: Any) -> None:
        pass


def quiet(mocked: set[str]) -> None:
    """Set one thread, no warnings, and mocks for missing packages; compile some layers, because the first compilation
    is slow.
    """
    sys.meta_path.append(Mocks(mocked))
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    nn = torch.nn
    image = nn.Sequential(nn.Conv2d(2, 2, 1), nn.BatchNorm2d(2), nn.ReLU(), nn.Dropout(), nn.MaxPool2d(1))
    flat = nn.Sequential(nn.Flatten(), nn.Linear(2, 2), nn.LayerNorm(2), nn.Softmax(dim=1), nn.GELU())
    scripted = torch.jit.script(nn.Sequential(image, nn.AdaptiveAvgPool2d(1), flat))
    for _ in range(2):
        scripted(torch.rand(2, 2, 4, 4))


@contextlib.contextmanager
def limit(seconds: int) -> Iterator[None]:
    """Raise :class:`TimedOut` in the body after so many seconds."""

    def raise_(*_: object) -> None:
        raise TimedOut

    signal.signal(signal.SIGALRM, raise_)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)


def seed(number: int = 0) -> None:
    """Seed all random generators."""
    torch.manual_seed(number)
    numpy.random.seed(number)
    random.seed(number)


def digest(value: Any) -> list[Any]:
    """Return a value as plain lists: its structure, types, shapes, and numbers that distinguish tensors."""
    if isinstance(value, torch.Tensor):
        return _tensor(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return ["namedtuple", list(value._fields), [digest(each) for each in value]]
    if isinstance(value, (list, tuple)):
        # Compiled code returns a list for a size.
        kind = "list" if isinstance(value, (list, torch.Size)) else "tuple"
        return [kind, [digest(each) for each in value]]
    if isinstance(value, dict):
        return ["dict", sorted([_shown(key), digest(each)] for key, each in value.items())]
    if value is None or isinstance(value, (bool, int, float, str)):
        return [type(value).__name__, value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {each.name: getattr(value, each.name, None) for each in dataclasses.fields(value)}
        return ["dataclass", digest(fields)]
    return ["object", _shown(value)]


def _shown(value: Any) -> str:
    return _ADDRESS.sub("", repr(value))[:200]


def _tensor(tensor: torch.Tensor) -> list[Any]:
    dense = tensor.detach()
    dense = dense.to_dense() if dense.layout != torch.strided else dense
    dense = torch.view_as_real(dense.resolve_conj()) if dense.is_complex() else dense
    values = (dense.dequantize() if dense.is_quantized else dense).to(torch.float64).reshape(-1)
    odd = [int(values.isnan().sum()), int((values == torch.inf).sum()), int((values == -torch.inf).sum())]
    values = torch.nan_to_num(values, 0.0, 0.0, 0.0)
    weights = torch.rand(values.numel(), dtype=torch.float64, generator=torch.Generator().manual_seed(7))
    number = max(values.numel(), 1)
    sums = [float(each.sum()) / number for each in (values.abs(), values, values * weights, values * weights.flip(0))]
    return ["tensor", list(tensor.shape), str(tensor.dtype), odd, sums, values[:_SAMPLE].tolist()]


def ran(module: torch.nn.Module, call: Callable[[], Call], number: int) -> Record:
    """Return the results of one run, and what it changes: arguments, the module's state, the random generators."""
    try:
        with limit(60), torch.no_grad():
            seed(number)
            args, named = call()
            given = digest([args, named])
            state = {name: value.clone() for name, value in module.state_dict().items() if torch.is_tensor(value)}
            seed(number)
            out = digest(module(*args, **named))
            drawn = [float(torch.rand(())), float(numpy.random.rand()), random.random()]
            after = module.state_dict()
            changed = {name: after.get(name) for name, value in state.items() if not _same(value, after.get(name))}
            left = digest([args, named])
            return {"out": out, "args": left if left != given else [], "state": digest(changed), "drawn": drawn}
    except TimedOut:
        return {"timeout": True}
    except Exception as error:
        return {"raised": type(error).__name__, "said": str(error).strip()[-300:]}


def _same(one: torch.Tensor, two: Any) -> bool:
    return torch.is_tensor(two) and one.shape == two.shape and bool(torch.equal(one, two.to(one.dtype)))


def _runs(module: torch.nn.Module, call: Callable[[], Call]) -> list[Record]:
    found: list[Record] = []
    started = time.process_time()
    for number in _SEEDS:
        if time.process_time() - started < _LONG:
            found.append(ran(module, call, number))
    return found


def judge(
    make: Callable[[], torch.nn.Module], call: Callable[[], Call], root: Path, before: Record | None = None
) -> Record:
    """Return the verdict of Python and the compiler on a module.

    The record contains the keys of the module's ``state_dict``, its results in eval mode and in training, whether it
    compiles, and its compiled results or the compiler's error.

    Args:
        make: builds the module; it is the same each time.
        call: returns the arguments of its forward.
        root: positions in files below it are recorded.
        before: the record before the code was changed. If it is missing or differs, another module is built in the same
            way, to see whether that has the same results.
    """
    from verdicts import alike_runs

    try:
        with limit(30):
            module = make()
    except TimedOut:
        return {"unbuilt": "timeout"}
    except Exception as error:
        return {"unbuilt": type(error).__name__, "said": str(error)[:300]}
    record: Record = {"cls": type(module).__name__, "keys": sorted(module.state_dict())}
    record["classes"] = _classes(module, root)
    record["runs"] = _eager(module, call)
    alike = before is not None and not any(map(alike_runs, record["runs"], before.get("runs", ())))
    record["again"] = None if alike else _eager(make(), call, once=before is None)
    found = forked(_compiled, make, call, root, record["runs"], False)
    if found is not None and found["script"] is False:
        # A module that sets its attributes when it runs can only be compiled afterwards.
        used = forked(_compiled, make, call, root, None, True)
        found = used if used is not None and used["script"] else found
    return record | (found or {"script": None})


def _eager(module: torch.nn.Module, call: Callable[[], Call], *, once: bool = False) -> list[Record]:
    """Return the results of Python in eval mode and in training; with ``once``, only in eval mode and for the first
    seed.
    """
    if once:
        return [ran(module.eval(), call, _SEEDS[0])]
    found = _runs(module.eval(), call)
    return [*found, ran(module.train(), call, 0)] if len(found) == len(_SEEDS) else found


def _classes(module: torch.nn.Module, root: Path) -> list[list[str]]:
    """Return the classes of a module and its submodules that are defined below a folder: file and name."""
    found: dict[tuple[str, str], None] = {}
    for kind in {base for each in module.modules() for base in type(each).__mro__}:
        path = getattr(sys.modules.get(kind.__module__), "__file__", None) or ""
        if path.startswith(f"{root}{os.sep}"):
            found[os.path.relpath(path, root), kind.__qualname__] = None
    return sorted(map(list, found))


def _compiled(
    make: Callable[[], torch.nn.Module], call: Callable[[], Call], root: Path, runs: list[Record] | None, used: bool
) -> Record:
    """Compile a module, run it, and compare the results with those of Python, ``runs``.

    With ``used``, the module runs before it is compiled, and is compared with another module that has run as often.
    """
    from verdicts import alike_runs

    module = make().eval()
    if used:
        _runs(module, call)
        other = make().eval()
        _runs(other, call)
        runs = _runs(other, call)
    try:
        with limit(60):
            scripted = torch.jit.script(module)
    except TimedOut:
        return {"script": None}
    except Exception as error:
        places = [(Path(file), int(line)) for file, line in _POSITION.findall(str(error))]
        lines = [[str(file.relative_to(root)), line] for file, line in places if file.is_relative_to(root)]
        message = str(error).strip()[:1500]
        return {"script": False, "message": message, "lines": list(map(list, dict.fromkeys(map(tuple, lines))))}
    compiled = _runs(scripted, call)
    record: Record = {"script": True, "compiled": compiled, "used": used}
    if used:
        record["expected"] = runs
    if any(alike_runs(one, two, compiled=True) for one, two in zip(runs or (), compiled)):
        record["through"] = through(scripted, module, root)
    return record


def through(scripted: Any, module: torch.nn.Module, root: Path) -> list[list[Any]]:
    """Return the places below a folder from which a scripted module was compiled: file and line.

    They are the lines of its operations, and the first lines of its functions, because not every operation has a line.

    Args:
        scripted: the scripted module.
        module: the module that it was compiled from.
        root: positions in files below it are returned.
    """
    written: dict[str, Any] = {name: function for function, name in torch.jit._state._jit_caching_layer.items()}
    for path, child in scripted.named_modules():
        kind, owner = type(module.get_submodule(path)), child._c._type().qualified_name()
        written.update((f"{owner}.{name}", getattr(kind, name, None)) for name in child._c._method_names())
    places: set[tuple[str, int]] = set()
    pending = [f"{scripted._c._type().qualified_name()}.{name}" for name in scripted._c._method_names()]
    seen: set[str] = set()
    while pending:
        name = pending.pop()
        compiled = None if name in seen else torch.jit._state._python_cu.find_function(name)
        seen.add(name)
        if compiled is not None:
            code = getattr(written.get(name), "__code__", None)
            places |= {(code.co_filename, code.co_firstlineno)} if code is not None else set()
            places |= {(file, int(line)) for file, line in _RANGE.findall(str(compiled.graph))}
            pending += _called(compiled.graph)
    below = [(Path(file), line) for file, line in places if Path(file).is_relative_to(root)]
    return sorted([str(file.relative_to(root)), line] for file, line in below)


def _called(graph: Any) -> Iterator[str]:
    """Yield the qualified names of the functions and methods that a graph calls."""
    for node in graph.findAllNodes("prim::CallMethod"):
        yield f"{node.inputsAt(0).type().annotation_str}.{node.s('name')}"
    for node in graph.findAllNodes("prim::CallFunction"):
        yield node.inputsAt(0).type().annotation_str


def forked(function: Callable[..., Any], *args: Any, seconds: float = 300) -> Any:
    """Return the result of a function in a fork with its output discarded and limited memory; None if it crashes."""
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
