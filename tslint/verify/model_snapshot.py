"""Collects modules, compiled code and graphs for the HTML report (worker side).

The data is plain JSON. It is sent as soon as it is known, so that a later crash does not lose it. Nothing here may
change a verdict: if something fails, that part is left out.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch

from tslint.verify.blame import is_users
from tslint.verify.graphs import drawing
from tslint.verify.messages import headline
from tslint.verify.session import Session, pristine

_MOST_MODULES = 400
_MOST_TYPES = 30
_MOST_CODE = 20_000

Tell = Callable[..., None]


def after(stage: str, session: Session, tell: Tell) -> None:
    """Send the results of a stage.

    Args:
        stage: the stage that has just ended, successfully or not.
        session: the session with its results.
        tell: called with the name of each part and its value.
    """
    with _whatever_happens():
        if stage == "build" and session.module is not None:
            tell("modules", _modules(session.module))
        elif stage in ("script", "trace") and stage in session.compiled:
            tell(stage, _compiled(session.compiled[stage]))


def at_the_end(session: Session, tell: Tell) -> None:
    """Send which submodules can be scripted separately, if the whole module cannot."""
    with _whatever_happens():
        wanted = "script" in session.request.modes
        if wanted and session.module is not None and "script" not in session.compiled:
            tell("alone", dict(_alone(session.module)))


@contextmanager
def _whatever_happens() -> Iterator[None]:
    try:
        yield
    except BaseException as error:  # the user's code runs here, too: __getattr__, named_modules …
        if isinstance(error, KeyboardInterrupt):
            raise


def _modules(module: torch.nn.Module) -> list[dict[str, Any]]:
    found = []
    for path, each in list(module.named_modules())[:_MOST_MODULES]:
        kind = type(each)
        entry: dict[str, Any] = {"path": path, "type": getattr(each, "original_name", kind.__name__)}
        own = [parameter for parameter in each.parameters() if not _lazy(parameter)]
        entry["parameters"] = sum(parameter.numel() for parameter in own)
        try:
            filename = inspect.getsourcefile(kind)
            lines, row = inspect.getsourcelines(kind)
        except (OSError, TypeError, IndexError, SyntaxError):
            filename = None
        if filename and is_users(filename):
            entry.update(filename=str(Path(filename).resolve()), row=row, end_row=row + len(lines) - 1)
        found.append(entry)
    return found


def _lazy(parameter: Any) -> bool:
    return isinstance(parameter, getattr(torch.nn.parameter, "UninitializedParameter", ()))


def _compiled(module: Any) -> dict[str, Any]:
    """Return the compiled types, each once, and the type of each submodule."""
    types: dict[str, dict[str, Any]] = {}
    paths: dict[str, str] = {}
    for path, each in list(module.named_modules())[:_MOST_MODULES]:
        inner = getattr(each, "_c", None)
        if inner is None:
            continue
        name = str(inner._type().qualified_name())
        paths[path] = name
        if name not in types and len(types) < _MOST_TYPES:
            types[name] = {
                "title": getattr(each, "original_name", type(each).__name__),
                "methods": [_method(inner, method) for method in _methods(inner)],
            }
    return {"types": types, "paths": paths}


def _methods(inner: Any) -> list[str]:
    names = [str(name) for name in inner._method_names()]
    return sorted(names, key=lambda name: name != "forward")


def _method(inner: Any, name: str) -> dict[str, Any]:
    method = inner._get_method(name)
    code = str(method.code)
    cut = len(code) - _MOST_CODE
    return {
        "name": name,
        "code": code if cut <= 0 else f"{code[:_MOST_CODE]}\n# … {cut:,} characters more",
        "graph": drawing(method.graph),
    }


def _alone(module: torch.nn.Module) -> Iterator[tuple[str, str]]:
    """Yield the path of each submodule, and why it does not compile separately; the reason is empty if it does.

    Submodules of a module that compiles are skipped.
    """
    pending = [("", module)]
    known: dict[type, str] = {}
    while pending:
        path, each = pending.pop()
        why = known.get(type(each))
        if path and (why is None or why == ""):
            why = _compiles(each)
            known[type(each)] = why
        if path:
            yield path, why or ""
        if why != "" or not path:
            pending += [(f"{path}.{name}" if path else name, child) for name, child in each.named_children()]


def _compiles(module: torch.nn.Module) -> str:
    if isinstance(module, torch.jit.ScriptModule):
        return ""
    copy, restore = pristine(module)
    try:
        torch.jit.script(copy)
    except Exception as error:
        return headline(str(error)) or type(error).__name__
    finally:
        restore()
    return ""
