"""Finds silent differences of a module class: buffers that only TorchScript saves, and its own ``__call__``."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tslint.project.definitions import Class, Function
from tslint.script.assumptions import NO_ASSUMPTIONS, in_words
from tslint.script.events import Event
from tslint.script.events.hazards import OverriddenCall, TransientBuffer
from tslint.script.scope import Reach, Unit
from tslint.util import astwalk

if TYPE_CHECKING:
    from tslint.script.compilation import Compilation


def buffer_events(model: Compilation, definition: Class) -> Iterator[Event]:
    """Yield an event for each buffer that is registered with ``persistent=False``."""
    for name, options in model.facts(definition).attributes.items():
        for option in options:
            node = option.node
            if option.kind != "buffer" or not isinstance(node, ast.Call) or not _is_transient(node):
                continue
            function = _method(model, definition, node)
            if function is not None:
                forward = next(
                    (u for u in model.units.values() if u.receiver is definition and u.role == "forward"), None
                )
                unit = Unit(function, definition, "constructor", [Reach(forward, None, NO_ASSUMPTIONS)])
                condition = in_words(option.assumptions)
                yield TransientBuffer(node, "", name=name, condition=condition, unit=unit)


def call_events(model: Compilation, definition: Class) -> Iterator[Event]:
    """Yield an event for a class with ``__call__`` and no ``forward``: its compiled module cannot be called."""
    members = model.hierarchy(definition).members
    member = members.get("__call__")
    function = member.function if member is not None and "forward" not in members else None
    if function is not None and function.owner is definition:
        unit = Unit(function, definition, "constructor", [Reach(None, None, NO_ASSUMPTIONS)])
        yield OverriddenCall(function.node, "", class_name=definition.name, path=None, unit=unit)


def _is_transient(node: ast.Call) -> bool:
    """Return whether a call registers a buffer that is not persistent; False for None, which is in no state dict."""
    given: dict[str | None, ast.expr] = dict(zip(("tensor", "persistent"), node.args[1:]))
    given.update((each.arg, each.value) for each in node.keywords)
    values = [given.get(name) for name in ("tensor", "persistent")]
    tensor, persistent = (each.value if isinstance(each, ast.Constant) else each for each in values)
    return persistent is False and (tensor is not None or "tensor" not in given)


def _method(model: Compilation, definition: Class, node: ast.Call) -> Function | None:
    """Return the method of the class or its bases that contains a call; None if there is none."""
    for owner in model.hierarchy(definition).mro:
        if not isinstance(owner, Class):
            continue
        for method in owner.node.body:
            if isinstance(method, ast.FunctionDef) and any(inner is node for inner in astwalk.walk(method)):
                return owner.module.function(method, owner)
    return None
