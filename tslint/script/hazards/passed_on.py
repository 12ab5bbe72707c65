"""Finds parameters whose values may come from Python, directly or through other compiled functions."""

from __future__ import annotations

import ast

from tslint.script.dataflow.callers import arguments_for
from tslint.script.dataflow.definitions import FunctionNode, default_of
from tslint.script.scope import Unit
from tslint.util import astwalk


def given_by_python(unit: Unit, name: str) -> bool:
    """Return whether Python may have passed the value of a parameter.

    Either Python calls the function, or a compiled caller passes on a parameter of its own that Python may have passed.
    This counts only if the caller's parameter has no annotation, or the default None, and if the caller neither assigns
    nor compares it.
    """
    return _is_given(unit, name, set())


def _is_given(unit: Unit, name: str, seen: set[tuple[int, str]]) -> bool:
    if (id(unit), name) in seen:
        return False
    seen.add((id(unit), name))
    # A module that other modules call is also a root, but Python does not call it.
    callers = [reach for reach in unit.reached if reach.caller is not None]
    return not callers or any(
        isinstance(value, ast.Name) and _is_passed_on(reach.caller.function.node, value.id)
        and _is_given(reach.caller, value.id, seen)
        for reach in callers
        if reach.caller is not None and isinstance(reach.node, ast.Call)
        for value in arguments_for(unit.function.node, name, reach.node)
    )  # fmt: skip


def _is_passed_on(function: FunctionNode, name: str) -> bool:
    """Return whether a name is a parameter without a type, or with the default None, that is only read, and not
    compared.
    """
    spec = function.args
    argument = next((a for a in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs) if a.arg == name), None)
    if argument is None or name in astwalk.bound(function):
        return False
    default = default_of(function, name)
    untyped = argument.annotation is None or (isinstance(default, ast.Constant) and default.value is None)
    compared = any(
        isinstance(each, ast.Name) and each.id == name
        for node in astwalk.of_kind(function, ast.Compare)
        for each in (node.left, *node.comparators)
    )
    return untyped and not compared
