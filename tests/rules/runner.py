"""Runs expressions in Python files, each file in a fork of its own: what a fix leaves must give what was there before.

Reads one JSON request a line and answers with one: ``{"path": …, "calls": […]}`` → a list of what each expression
gives, tensors with their dtype and whether they need a gradient, or the name of what it raises. What the file compiles
stays as it is.
"""

from __future__ import annotations

import importlib.util
import json
import os
import random
import sys
import warnings
from typing import Any

import numpy
import torch


def run(path: str, calls: list[str]) -> list[Any]:
    """Evaluate the expressions in the file, one after the other, each with the same random numbers."""
    spec = importlib.util.spec_from_file_location("subject", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["subject"] = module
    compile_, torch.jit.script = torch.jit.script, lambda subject: subject
    torch.manual_seed(0)  # an answer that is kept is compared with one of another process
    spec.loader.exec_module(module)
    torch.jit.script = compile_
    found = []
    for call in calls:
        torch.manual_seed(0)
        random.seed(0)
        numpy.random.seed(0)
        try:
            found.append(plain(eval(call, vars(module))))
        except Exception as error:
            found.append(f"raises {type(error).__name__}")
    return found


def plain(value: Any) -> Any:
    """A value as JSON that distinguishes what Python does."""
    if isinstance(value, torch.Tensor):
        return ["Tensor", str(value.dtype), value.requires_grad, value.tolist()]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *map(plain, value)]
    if isinstance(value, dict):
        return {repr(key): plain(item) for key, item in value.items()}
    return f"{type(value).__name__} {value!r}"


def main() -> None:
    """Answer until the input ends."""
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    for line in sys.stdin:
        request = json.loads(line)
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            os.dup2(2, 1)
            try:
                answer = run(request["path"], request["calls"])
            except BaseException as error:
                answer = [f"import: {type(error).__name__}: {error}"]
            with os.fdopen(writing, "w") as pipe:
                json.dump(answer, pipe)
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            text = pipe.read()
        os.waitpid(child, 0)
        print(text or '["crashed"]', flush=True)


if __name__ == "__main__":
    main()
