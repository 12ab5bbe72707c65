"""Tells which code may change the list in an attribute of a class's instances."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tslint.script.dataflow.callers import arguments_for, callers
from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.list_changes import change_at, escaping
from tslint.script.dataflow.local_bindings import is_parameter
from tslint.script.dataflow.methods import is_itself
from tslint.script.dataflow.stores import Store, file_facts
from tslint.util import astwalk


def may_escape(tree: ast.Module, owner: ast.ClassDef, attribute: str) -> bool:
    """Return whether the list in an attribute gets another name, through which it may be changed."""
    return not all(is_of_another(tree, owner, read) for read in escaping(tree).get(attribute, ()))


def is_of_another(tree: ast.Module, owner: ast.ClassDef, use: ast.AST) -> bool:
    """Return whether a read or a change of an attribute is in a method of an unrelated class, and only affects that
    method's instance.
    """
    around = list(astwalk.around(tree, use))
    other = next((each for each in around if isinstance(each, ast.ClassDef)), None)
    inside = around[: around.index(other)] if other is not None else around
    function = next((each for each in reversed(inside) if isinstance(each, ast.FunctionDef)), None)
    called = getattr(use, "func", use)
    held = use.target if isinstance(use, ast.AugAssign) else getattr(called, "value", None)
    held = use if isinstance(use, ast.Attribute) else held
    own = function is not None and isinstance(held, ast.Attribute) and is_itself(held.value, function)
    return own and other is not None and not any(other is each for each in file_facts(tree).related(owner))


def changed_by_caller(tree: ast.Module, stores: Sequence[Store]) -> bool:
    """Return whether one of the places stores a parameter, and code of the file changes the list that it passes for the
    parameter.
    """
    return any(
        _is_changed(site.function or tree, value)
        for store in stores
        if store.function is not None and isinstance(store.value, ast.Name)
        if is_parameter(store.function, store.value.id)
        for site in callers(tree).of(store.function)
        for value in arguments_for(store.function, store.value.id, site.node)
    )


def _is_changed(around: FunctionNode | ast.Module, value: ast.expr) -> bool:
    """Return whether a function, or the file, changes a variable's list in place."""
    uses = astwalk.mentions(around).get(value.id, ()) if isinstance(value, ast.Name) else ()
    return any(isinstance(use, ast.Name) and change_at(around, use) is not None for use in uses)


def is_own(function: FunctionNode, change: ast.AST, attribute: str) -> bool:
    """Return whether a change is a call in this function, on this attribute of its instance: ``self.a.append(x)``; or
    ``self.a += [x]``.
    """
    called = change.func if isinstance(change, ast.Call) else None
    held = change.target if isinstance(change, ast.AugAssign) else getattr(called, "value", None)
    own = isinstance(held, ast.Attribute) and held.attr == attribute and is_itself(held.value, function)
    return own and function in astwalk.around(function, change)
