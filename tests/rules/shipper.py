"""Runs, saves and loads the examples of rules about code that compiles: the harm is in what comes after.

Reads one JSON request a line (``{"path": …}``) and answers with one. What is compiled is what ``forge.py`` compiles of
the file, the last of it. Loading happens in another fork of this process, which has never seen the file. Where the file
has ``run(function)``, that is what is compared instead of a call with ``inputs``; where it has ``ship(path)``, that is
called too.
"""

from __future__ import annotations

import contextlib
import importlib.util
import inspect
import json
import os
import signal
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

SECONDS = 60


def imported(path: Path) -> tuple[Any, Any]:
    """A file as a module, and what of it is to be compiled."""
    handed: list[Any] = []
    compile_ = torch.jit.script
    torch.jit.script = lambda subject, *rest, **named: (handed.append(subject), subject)[1]
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    torch.manual_seed(0)  # an answer that is kept is compared with one of another process
    spec.loader.exec_module(module)
    torch.jit.script = compile_
    for value in list(vars(module).values()):
        if inspect.isclass(value) and issubclass(value, torch.nn.Module):
            with contextlib.suppress(TypeError):
                handed.append(value())
    return module, handed[-1]


def compare(path: Path) -> dict[str, Any]:
    """Compile a file's subject, run it in both forms, save it."""
    module, subject = imported(path)
    compiled = torch.jit.script(subject)
    make = getattr(module, "example_inputs", lambda: module.inputs)
    run = getattr(module, "run", lambda function: function(*make()))
    found = {"eager": outcome(lambda: run(subject)), "scripted": outcome(lambda: run(compiled))}
    if isinstance(subject, torch.nn.Module):
        found["keys"], found["scripted_keys"] = sorted(subject.state_dict()), sorted(compiled.state_dict())
    archive = path.with_suffix(".pt")
    torch.save(make(), path.with_suffix(".inputs"))
    found["saved"] = outcome(lambda: torch.jit.save(compiled, str(archive)))
    if hasattr(module, "ship"):
        found["shipped"] = outcome(lambda: module.ship(str(path.with_suffix(".ship"))))
    return found


def load(path: Path) -> dict[str, Any]:
    """Load and run the archive of a file, in a process that does not know the file."""
    archive = path.with_suffix(".pt")
    inputs = torch.load(path.with_suffix(".inputs"))
    return {"loaded": outcome(lambda: torch.jit.load(str(archive))(*inputs))}


def outcome(action: Callable[[], Any]) -> Any:
    """What something gives, as JSON, or what it raises."""
    torch.manual_seed(0)
    try:
        return plain(action())
    except Exception as error:
        return f"raises {type(error).__name__}: {error}"


def plain(value: Any) -> Any:
    """A value as JSON; tensors with their dtype and whether they require a gradient, numbers with their type."""
    if isinstance(value, torch.Tensor):
        return [str(value.dtype), value.requires_grad, value.tolist()]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *(plain(item) for item in value)]
    return f"{type(value).__name__} {value!r}"


def in_fork(work: Callable[[Path], dict[str, Any]], path: Path) -> dict[str, Any]:
    """Do something in a fork of this process."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        signal.alarm(SECONDS)
        os.dup2(2, 1)
        try:
            found = work(path)
        except BaseException as error:
            found = {"broken": f"{type(error).__name__}: {error}"}
        with os.fdopen(writing, "w") as pipe:
            json.dump(found, pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else {"broken": "crashed or timed out"}


def main() -> None:
    """Answer until the input ends."""
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    for line in sys.stdin:
        path = Path(json.loads(line)["path"])
        found = in_fork(compare, path)
        if not str(found.get("saved", "raises")).startswith("raises"):
            found.update(in_fork(load, path))
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
