"""Finds attributes that hold what the file does not show: an argument of the constructor, or what a call returns."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.script.dataflow.shallow import full_name
from tslint.script.dataflow.stores import Store, file_facts, instance_stores
from tslint.util import astwalk


def may_hold_function(tree: ast.Module, owner: ast.ClassDef, attribute: str) -> bool:
    """Return whether the constructor stores a variable in an attribute, so that callers may pass a function: compiled
    code can call it, and not compare it with None.
    """
    stores = instance_stores(file_facts(tree), owner, attribute)
    return stores is None or any(
        isinstance(each, ast.Name) and not _is_module(store, each.id)
        for store in stores
        for each in _parts(store.value)
    )


def is_foreign(tree: ast.Module, call: ast.Call) -> bool:
    """Return whether a call is ``self.model(x)`` for a module of a class that is neither in the file nor torch's."""
    func = call.func
    if not isinstance(func, ast.Attribute) or not isinstance(func.value, ast.Name) or func.value.id != "self":
        return False
    owner = next((each for each in astwalk.around(tree, call) if isinstance(each, ast.ClassDef)), None)
    stores = instance_stores(file_facts(tree), owner, func.attr) if owner is not None else None
    return any(_comes_from_outside(tree, each) for store in stores or () for each in _parts(store.value))


def _comes_from_outside(tree: ast.Module, value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        own = {each.name for each in tree.body if isinstance(each, ast.ClassDef)}
        is_own = isinstance(value.func, ast.Name) and value.func.id in own
        return not is_own and not (full_name(tree, value.func) or "").startswith("torch.")
    return isinstance(value, ast.Name)


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
