"""Finds the module or library that registered an operator which is missing in a fresh process."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

import torch

from tslint.verify.blame import TORCH_ROOT, is_users

_UNKNOWN = re.compile(r"Unknown builtin op: (?P<operator>(?P<namespace>\w+)::\w+)")
_PLACE = re.compile(r"registered at (?P<file>.+?):\d+")
_CONFIGURED = "under [tool.tslint.targets.NAME]"


def with_hint(reason: str, text: str, python: bool = True) -> str:
    """Return the reason, with a solution if an error names an operator that does not exist.

    Args:
        reason: the error on one line.
        text: its full text.
        python: whether the process that raised it can import modules.
    """
    found = _UNKNOWN.search(text)
    return f"{reason.rstrip('.')}{_hint(found, python)}" if found else reason


def _hint(found: re.Match[str], python: bool) -> str:
    module = _module(found["operator"], found["namespace"]) if python else None
    if module:
        return f"; {module} registers it: import it there (--import {module}, or imports = [{module!r}] {_CONFIGURED})"
    library = _library(found["namespace"])
    if library:
        return f"; {library} is loaded here: load it there (--library FILE, or libraries = […] {_CONFIGURED})"
    return f"; the library that registers it must be loaded there (--library FILE, or libraries = […] {_CONFIGURED})"


def _module(operator: str, namespace: str) -> str | None:
    """Return the module that registered an operator in Python, or else the imported package with the name of its
    namespace; None if neither is found.
    """
    definition = getattr(getattr(torch, "_library", None), "custom_ops", None)
    known = getattr(definition, "OPDEFS", {}).get(operator)
    if known is not None:
        return str(known._init_fn.__module__)
    try:
        place = _PLACE.search(torch._C._dispatch_dump(operator))
    except RuntimeError:
        return None
    for name, module in list(sys.modules.items()):
        if name == "__main__" or not is_users(getattr(module, "__file__", None) or "<unknown>"):
            continue
        # Older versions of torch do not record the place. There, a module is found by a variable of it that is a
        # `torch.library.Library` for the namespace.
        if (place and module.__file__ == place["file"]) or _has_library(module, namespace):
            return _public(name)
    return namespace if namespace in sys.modules else None


def _public(name: str) -> str:
    """Return the public module that imports a module: the package before the first private part of its name."""
    return name.partition("._")[0] if not name.startswith("_") else name


def _has_library(module: ModuleType, namespace: str) -> bool:
    kind = torch.library.Library
    return any(isinstance(value, kind) and value.ns == namespace for value in list(vars(module).values()))


def _library(namespace: str) -> str | None:
    """Return the loaded library, torch's own excepted, that has the namespace in its name; if none has, the only loaded
    one. Return None if several are left, or none.
    """
    loaded = [path for path in map(str, torch.ops.loaded_libraries) if not path.startswith(TORCH_ROOT)]
    named = [path for path in loaded if namespace in Path(path).name]
    chosen = named or loaded
    return chosen[0] if len(chosen) == 1 else None
