"""Finds attributes whose values the file does not show: an argument of the constructor, or what a call returns."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.guards import guards
from tslint.script.dataflow.instance_stores import instance_stores
from tslint.script.dataflow.shallow import full_name
from tslint.script.dataflow.stores import Store, file_facts
from tslint.util import astwalk


def may_hold_function(tree: ast.Module, owner: ast.ClassDef, attribute: str) -> bool:
    """Return whether callers may pass a function for an attribute: the constructor stores a variable in it that is not
    annotated as a module, or not all its stores are known. Compiled code can call a function, but cannot compare it
    with None.
    """
    stores = instance_stores(file_facts(tree), owner, attribute, by_name=True)
    return stores is None or any(
        isinstance(each, ast.Name) and not _is_module(store, each.id)
        for store in stores
        for each in _parts(store.value)
    )


def goes_outside(tree: ast.Module, function: FunctionNode, name: str) -> bool:
    """Return whether a parameter is passed, without a test that excludes None, to a module from outside of the file or
    to a method of what such a module returns. An earlier branch that may replace the value counts as such a test.
    """
    parents = astwalk.parents(function)
    for use in astwalk.mentions(function).get(name, ()):
        around = parents.get(use)
        call = parents.get(around) if isinstance(around, ast.keyword) else around
        if isinstance(use, ast.Name) and isinstance(call, ast.Call) and call.func is not use:
            if _returned_by_foreign(tree, function, call.func) and not _is_tested(function, use):
                return True
    return False


def _is_tested(function: FunctionNode, use: ast.Name) -> bool:
    """Return whether a use is under a test of the variable, or after a branch that may replace its value."""
    before = [each for each in astwalk.of_kind(function, ast.If) if each.lineno < use.lineno]
    tests = [guard.test for guard in guards(function, use)]
    tests += [each.test for each in before if use.id in astwalk.bound(each)]
    return any(astwalk.is_name(each, use.id) for test in tests for each in astwalk.walk(test))


def _returned_by_foreign(tree: ast.Module, function: FunctionNode, node: ast.expr) -> bool:
    """Return whether an expression is a module from outside of the file, or is computed from what one returns."""
    if _is_foreign(tree, node):
        return True
    pending, seen = list[ast.AST]([node]), set[str]()
    while pending:
        each = pending.pop()
        if isinstance(each, ast.Name) and each.id not in seen:
            seen.add(each.id)
            stores = astwalk.of_kind(function, ast.Assign, ast.AugAssign)
            pending += [one.value for one in stores if each.id in astwalk.bound(one)]
        called = each.func if isinstance(each, ast.Call) else None
        if _is_foreign(tree, called):
            return True
        if not _is_member(called):
            pending += ast.iter_child_nodes(each)
    return False


def _is_member(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Attribute) and astwalk.is_name(node.value, "self")


def _is_foreign(tree: ast.Module, func: ast.expr | None) -> bool:
    """Return whether an expression is ``self.model``, a module of a class that is neither in the file nor torch's."""
    if not isinstance(func, ast.Attribute) or not _is_member(func):
        return False
    owner = next((each for each in astwalk.around(tree, func) if isinstance(each, ast.ClassDef)), None)
    stores = instance_stores(file_facts(tree), owner, func.attr) if owner is not None else None
    return any(_comes_from_outside(tree, each) for store in stores or () for each in _parts(store.value))


def _comes_from_outside(tree: ast.Module, value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        own = {each.name for each in tree.body if isinstance(each, ast.ClassDef)}
        is_own = isinstance(value.func, ast.Name) and value.func.id in own
        return not is_own and not (full_name(tree, value.func) or "").startswith("torch.")
    while isinstance(value, (ast.Attribute, ast.Subscript)):
        value = value.value
    return isinstance(value, ast.Name) and value.id != "self"


def _parts(value: ast.expr | None) -> Iterator[ast.expr]:
    """Yield the possible values of an expression: ``a`` and ``b`` of ``a if x else b`` and of ``a or b``."""
    if isinstance(value, ast.IfExp):
        yield from (*_parts(value.body), *_parts(value.orelse))
    elif isinstance(value, ast.BoolOp):
        for each in value.values:
            yield from _parts(each)
    elif value is not None:
        yield value


def _is_module(store: Store, name: str) -> bool:
    """Return whether a variable is a parameter that is annotated as a module."""
    spec = store.function.args if store.function is not None else None
    found = [each for each in (*spec.args, *spec.kwonlyargs) if each.arg == name] if spec is not None else []
    return any(each.annotation is not None and "Module" in ast.unparse(each.annotation) for each in found)
