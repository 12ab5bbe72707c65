"""Finds globals in functions that a decorator of torch wraps: the source is the author's, but the globals are the
wrapper's.

The compiler finds the source through ``inspect.unwrap``, but looks up names in ``__globals__`` and the closure of the
function that was passed to it (``createResolutionCallbackFromClosure``), which is the wrapper.
"""

from __future__ import annotations

import ast
import builtins
import typing

from tslint.project.definitions import External, GlobalValue, Undefined
from tslint.script.events.names import HiddenGlobal
from tslint.script.interpreter.emitter import Emitter
from tslint.script.scope import EFFECTS, decorators
from tslint.util.torch_versions import version

# Modules that torch/utils/_contextlib.py and torch/amp/autocast_mode.py import under these names.
_IMPORTED = ("functools", "inspect", "sys", "warnings", "typing", "typing_extensions", "collections", "builtins")
_CONTEXTLIB = version("2.0")


def look_through_wrapper(em: Emitter, node: ast.expr) -> None:
    """Report a global, or the first part of a dotted name, that the wrapper's file does not have. Only one is reported
    for each function.
    """
    wrapper = _wrapper(em) if em.unit.function.node.decorator_list else None
    root = node
    while isinstance(root, ast.Attribute):
        root = root.value
    if wrapper is None or not isinstance(root, ast.Name):
        return
    if any(isinstance(event, HiddenGlobal) and event.condition is None for event in em.events):
        return
    decorator, effect = wrapper
    if not _is_seen(em, root, effect):
        name = root.id
        em.report(HiddenGlobal(root, f"undefined value {name}", name=name, decorator=decorator, effect=effect))


def _wrapper(em: Emitter) -> tuple[ast.expr, str] | None:
    """Return torch's decorator that wraps the function, and its effect; None if another package's is outside it."""
    for mark, definition in decorators(em.unit.function, em.project):
        if not isinstance(definition, External) or not definition.name.startswith(("torch.", "builtins.")):
            return None
        if definition.name in EFFECTS:
            return mark, EFFECTS[definition.name]
    return None


def _is_seen(em: Emitter, node: ast.Name, effect: str) -> bool:
    found = em.resolve(node)
    if isinstance(found, Undefined) or hasattr(builtins, node.id) or hasattr(typing, node.id):
        return True  # the name is not defined at all, or the compiler knows it
    if isinstance(found, GlobalValue):
        return isinstance(found.value, ast.Constant)  # compiled code cannot read other values anyway
    if not isinstance(found, External):
        return False
    if found.name == "torch" and (effect == "autocast" or em.model.target.is_before(_CONTEXTLIB)):
        return True
    return found.name.partition(".")[0] in _IMPORTED
