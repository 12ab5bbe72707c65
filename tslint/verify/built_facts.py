"""Describes a built module for the static model of ``tslint check --target`` (worker side).

The description is plain JSON. It contains each kind of instance once (its submodules are given by the numbers of their
kinds), and the digests of the sources.
"""

from __future__ import annotations

import inspect
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import torch
from torch.jit import _recursive

from tslint.sources.digest import digest
from tslint.verify.blame import is_users
from tslint.verify.session import Session

_CONTAINERS = (torch.nn.Sequential, torch.nn.ModuleList, torch.nn.ModuleDict)
_PLAIN = (bool, int, float, str, type(None))
_PACKAGES = {"site-packages", "dist-packages"}


def after(stage: str, session: Session, tell: Callable[[dict[str, Any]], None]) -> None:
    """After ``build``, send the facts of the built module; if the user's code raises, send nothing."""
    if stage == "build" and session.module is not None:
        try:
            tell(built_facts(session.module))
        except Exception:  # The user's `__getattr__`, and other code that runs when an object is inspected, may raise.
            return


def built_facts(module: torch.nn.Module) -> dict[str, Any]:
    """Return the facts of a module and of all its submodules."""
    table = _Table()
    table.number(module)
    return {
        "torch": str(torch.__version__),
        "python": list(sys.version_info[:2]),
        "sources": {path: digest(Path(path).read_bytes()) for path in sorted(_imported() | table.files)},
        "instances": table.instances,
    }


def _imported() -> set[str]:
    """Return the author's files that are imported, without those of installed packages."""
    files = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    paths = {os.path.realpath(file) for file in files if isinstance(file, str) and file.endswith(".py")}
    return {path for path in paths if not _PACKAGES & set(Path(path).parts) and is_users(path) and os.path.isfile(path)}


class _Table:
    """The kinds of instances in one module tree. Equal instances share a number, as the compiler shares types."""

    def __init__(self) -> None:
        self.instances: list[dict[str, Any]] = []
        self.files: set[str] = set()
        self._numbers: dict[str, int] = {}
        self._seen: dict[int, int | None] = {}

    def number(self, module: torch.nn.Module) -> int | None:
        """Return the number of a module's kind; None for a module that contains itself."""
        if id(module) not in self._seen:
            self._seen[id(module)] = None
            record = self._record(module)
            key = json.dumps(record, sort_keys=True)
            if key not in self._numbers:
                self._numbers[key] = len(self.instances)
                self.instances.append(record)
            self._seen[id(module)] = self._numbers[key]
        return self._seen[id(module)]

    def _record(self, module: torch.nn.Module) -> dict[str, Any]:
        kind = type(module)
        if isinstance(module, torch.jit.ScriptModule):
            return {"class": ""}
        record: dict[str, Any] = {"class": _external(kind), "children": self._children(module)}
        if kind.__module__.partition(".")[0] != "torch":
            record["class"] = self._place(kind)
            record["attributes"] = dict(self._attributes(module))
        return record

    def _children(self, module: torch.nn.Module) -> dict[str, int | None]:
        if type(module).__module__.startswith("torch.") and not isinstance(module, _CONTAINERS):
            return {}
        return {name: self.number(child) for name, child in module._modules.items() if child is not None}

    def _place(self, thing: Any) -> list[str] | str:
        """Return the file and the qualified name of a class or function; empty if it has no source file."""
        try:
            path = os.path.realpath(inspect.getsourcefile(thing) or "")
        except (OSError, TypeError):
            return ""
        if not os.path.isfile(path):
            return ""
        self.files.add(path)
        return [path, thing.__qualname__]

    def _attributes(self, module: torch.nn.Module) -> Iterator[tuple[str, dict[str, Any]]]:
        for kind, table in (("parameter", module._parameters), ("buffer", module._buffers)):
            for name, value in table.items():
                yield name, {"type": "NoneType" if value is None else "Tensor", "kind": kind}
        for name, child in module._modules.items():
            yield name, {"type": "NoneType"} if child is None else {"module": self.number(child)}
        constants = {*getattr(module, "__constants__", ()), *_finals(module)}
        for name, value in vars(module).items():
            if name not in _recursive.ignored_attributes and not name.startswith("__"):
                yield name, self._value(value, constant=name in constants)

    def _value(self, value: Any, *, constant: bool) -> dict[str, Any]:
        if value is None or (constant and isinstance(value, _PLAIN)):
            return {"value": value}
        if constant and isinstance(value, (list, tuple)):
            value = _recursive._get_valid_constant("", value, "")
        if isinstance(value, FunctionType):
            return {"function": _external(value) or self._place(value)}
        if _recursive._find_builtin(value):
            return {"function": _external(value)}
        inferred = torch._C._jit_try_infer_type(value)
        if inferred.success():
            return {"type": str(inferred.type().annotation_str)}
        return {"failed": torch.typename(type(value)), "reason": str(inferred.reason())}


def _finals(module: torch.nn.Module) -> Iterator[str]:
    for name, annotation in _recursive.get_annotations(module).items():
        if torch._jit_internal.is_final(annotation):
            yield name


def _external(thing: Any) -> str:
    """Return the public name of a torch object; empty for others."""
    name = getattr(thing, "__name__", "")
    for place in (torch.nn, torch, torch.nn.functional):
        if getattr(place, name, None) is thing:
            return f"{place.__name__}.{name}"
    module = getattr(thing, "__module__", None) or ""
    return f"{module}.{thing.__qualname__}" if module.startswith("torch.") else ""
