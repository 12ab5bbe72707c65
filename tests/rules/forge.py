"""Compiles Python files with the installed torch, each in a fork of its own: a failed compilation leaves types behind.

Reads one JSON request a line and answers with one: ``{"path": …}`` → ``{"ok", "type", "message", "lines", "eager",
"scripted", "keys"}``. It is a process of its own, so that no thread of the tests is forked.

What is compiled is what the file hands to ``torch.jit.script`` and every ``nn.Module`` subclass that can be built
without arguments; where there is neither, every function. Where the file holds ``inputs`` (a tuple) or
``example_inputs()``, the last of these is run with them.
"""

from __future__ import annotations

import contextlib
import copy
import importlib.util
import inspect
import json
import os
import re
import signal
import sys
import warnings
from pathlib import Path
from typing import Any

import torch

SECONDS = 60


def judge(path: Path) -> dict[str, Any]:
    """Compile one file; see the module's docstring."""
    verdict: dict[str, Any] = {"ok": True, "type": None, "message": "", "lines": [], "eager": None, "scripted": None}
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
    own = [value for value in vars(module).values() if getattr(value, "__module__", None) == path.stem]
    for value in own:
        if inspect.isclass(value) and issubclass(value, torch.nn.Module):
            with contextlib.suppress(TypeError):
                handed.append(value())
    subjects = handed or [
        value for value in own if inspect.isfunction(value) and not hasattr(value, "_torchscript_modifier")
    ]
    verdict["keys"] = [sorted(subject.state_dict()) for subject in subjects if isinstance(subject, torch.nn.Module)]
    make = getattr(module, "example_inputs", lambda: getattr(module, "inputs", None))
    torch.manual_seed(0)
    has_inputs = make() is not None
    if has_inputs:
        verdict["eager"] = run(copied(subjects[-1]), make)
    try:
        for subject in subjects:
            compiled = compile_(subject)
    except Exception as error:
        message = str(error)
        pattern = re.escape(str(path)) + r'(?:", line |:)(\d+)'
        lines = [int(row) for row in re.findall(pattern, message)]
        return {**verdict, "ok": False, "type": type(error).__name__, "message": message, "lines": lines}
    if has_inputs:
        verdict["scripted"] = run(compiled, make)
    return verdict


def copied(subject: Any) -> Any:
    """A copy to run before compiling: what a run leaves in a module's attributes must not be compiled."""
    try:
        return copy.deepcopy(subject)
    except RuntimeError:  # tensors that are results, as old weight_norm leaves them, cannot be copied
        return subject


def run(subject: Any, make: Any) -> Any:
    """What a module or function gives for the inputs, as JSON, or the name of what it raises."""
    if isinstance(subject, torch.nn.Module):
        subject.eval()
    torch.manual_seed(0)
    try:
        return plain(subject(*make()))
    except Exception as error:
        return f"raises {type(error).__name__}"


def plain(value: Any) -> Any:
    """A value as JSON, tensors with their dtype, numbers rounded to what two ways of computing agree on."""
    if isinstance(value, torch.Tensor):
        return [str(value.dtype), plain(value.tolist())]
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, float):
        return round(value, 5)
    return value if isinstance(value, (int, str)) or value is None else repr(value)


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Judge in a fork."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        signal.alarm(SECONDS)
        os.dup2(2, 1)
        try:
            verdict = judge(Path(request["path"]))
        except BaseException as error:
            verdict = {"ok": False, "type": type(error).__name__, "message": f"import: {error}", "lines": []}
        with os.fdopen(writing, "w") as pipe:
            json.dump(verdict, pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else {"ok": False, "type": "Crash", "message": "crashed or timed out", "lines": []}


def main() -> None:
    """Answer requests, one per line, until the input ends."""
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
