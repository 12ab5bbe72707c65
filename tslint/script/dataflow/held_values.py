"""Decides what an attribute of ``self`` may hold, from the values that the file stores in it."""

from __future__ import annotations

import ast

from tslint.script.dataflow.stores import TENSORS, TORCH_MODULES, file_facts, is_of_self


def may_be_module(tree: ast.Module, value: ast.expr) -> bool:
    """Return whether a value is an attribute of ``self`` in which the file stores a module of torch, or an object of a
    class of the file.
    """
    if not isinstance(value, ast.Attribute) or not is_of_self(value):
        return False
    facts = file_facts(tree)
    for store in facts.stores.get(value.attr, ()):
        arms = [store.value.body, store.value.orelse] if isinstance(store.value, ast.IfExp) else [store.value]
        for made in (ast.unparse(each.func) for each in arms if isinstance(each, ast.Call)):
            if made in facts.classes or (made.startswith(TORCH_MODULES) and made.rpartition(".")[2] not in TENSORS):
                return True
    return False


def depends_on_construction(tree: ast.Module, value: ast.expr) -> bool:
    """Return whether an attribute stores a constructor's argument without annotation, so that its type depends on the
    caller.
    """
    if not isinstance(value, ast.Attribute) or not is_of_self(value):
        return False
    for store in file_facts(tree).stores.get(value.attr, ()):
        if isinstance(store.value, ast.Name) and store.function is not None:
            argument = next((each for each in store.function.args.args if each.arg == store.value.id), None)
            if argument is not None and argument.annotation is None:
                return True
    return False
