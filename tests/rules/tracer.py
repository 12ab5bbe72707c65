"""Traces the code of rules' pages with the installed torch: what the trace gives for other inputs, beside eager code.

Reads one JSON request a line and answers with one, each in a fork of its own: ``{"path": …}`` → ``{"raised",
"warnings", "eager", "traced"}``. A page holds ``inputs``, ``other_inputs`` and calls ``torch.jit.trace``, at its end or
in a function ``export``. Both models run three times on the other inputs, so that what is lost between calls shows.
"""

from __future__ import annotations

import contextlib
import copy
import importlib.util
import io
import json
import os
import random
import signal
import sys
import warnings
from pathlib import Path
from typing import Any

import torch

SECONDS = 60
ROUNDS = 3


def judge(path: Path) -> dict[str, Any]:
    """Trace one page; see the module's docstring."""
    verdict: dict[str, Any] = {"raised": "", "warnings": [], "eager": None, "traced": None}
    real = torch.jit.trace
    calls: list[tuple[Any, Any, dict[str, Any]]] = []
    torch.jit.trace = lambda subject, inputs, **options: calls.append((copy.deepcopy(subject), inputs, options))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    torch.manual_seed(0)  # an answer that is kept is compared with one of another process
    spec.loader.exec_module(module)
    if hasattr(module, "export"):
        module.export()
    torch.jit.trace = real
    subject, inputs, options = calls[-1]
    eager = copy.deepcopy(subject)
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("always")
        random.seed(0)
        try:
            traced = torch.jit.trace(subject, inputs, **{**options, "check_trace": False})
        except Exception as error:
            verdict["raised"] = str(error)
    verdict["warnings"] = [str(each.message) for each in caught if issubclass(each.category, torch.jit.TracerWarning)]
    if not verdict["raised"]:
        torch.manual_seed(0)
        state = copy.deepcopy(eager.state_dict()) if isinstance(eager, torch.nn.Module) else {}
        verdict["eager"] = runs(eager, module.other_inputs)
        if "check_trace" in options:
            torch.manual_seed(0)  # the page says itself that it draws
        if isinstance(traced, torch.nn.Module):
            traced.load_state_dict(state)  # tracing has changed it
        verdict["traced"] = runs(traced, module.other_inputs)
    return verdict


def runs(model: Any, inputs: Any) -> list[Any]:
    """What several calls give, and print."""
    found: list[Any] = []
    for _ in range(ROUNDS):
        said = io.StringIO()
        try:
            with contextlib.redirect_stdout(said):
                value = plain(model(*copy.deepcopy(inputs)))
        except Exception:
            value = "raises"
        found.append([value, said.getvalue()])
    return found


def plain(value: Any) -> Any:
    """A value as JSON; tensors with dtype, device and shape."""
    if isinstance(value, torch.Tensor):
        numbers = [] if value.is_meta else [round(float(each), 5) for each in value.flatten()]
        return [str(value.dtype), str(value.device), list(value.shape), numbers]
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


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
            verdict = {"raised": f"page: {error!r}", "warnings": [], "eager": None, "traced": None}
        with os.fdopen(writing, "w") as pipe:
            json.dump(verdict, pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else {"raised": "page: crashed", "warnings": [], "eager": None, "traced": None}


def main() -> None:
    """Answer until the input ends."""
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
