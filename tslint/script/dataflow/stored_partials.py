"""Finds attributes that store a ``functools.partial``, and the arguments that the constructor binds."""

from __future__ import annotations

import ast

from tslint.script.dataflow.attribute_uses import attribute_names
from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.instance_stores import instance_stores
from tslint.script.dataflow.scopes import bindings, bound_times
from tslint.script.dataflow.stores import file_facts
from tslint.script.dataflow.sure_stores import surely
from tslint.util import astwalk

_PLAIN = ("int", "float", "bool", "str")


def stays(tree: ast.Module, made: ast.Assign, attribute: str) -> bool:
    """Return whether nothing else in the file stores the attribute, and the function of the partial has only one
    definition.
    """
    owner = next((each for each in astwalk.around(tree, made) if isinstance(each, ast.ClassDef)), None)
    stores = instance_stores(file_facts(tree), owner, attribute) if owner is not None else None
    function = made.value.args[0] if isinstance(made.value, ast.Call) else None
    if stores is None or len(stores) != 1 or not surely(stores[0]) or not isinstance(function, ast.Name):
        return False
    bound = [each for each in astwalk.walk(tree) if getattr(each, "name", None) == function.id]
    stored = any(
        isinstance(each, ast.Name) and each.id == function.id and not isinstance(each.ctx, ast.Load)
        for each in astwalk.walk(tree)
    )
    return not stored and len(bound) == 1 and bound[0] in tree.body


def is_global(constructor: FunctionNode, function: ast.expr) -> bool:
    """Return whether a function, or the object of which it is an attribute, is not a variable of the constructor."""
    root = function
    while isinstance(root, ast.Attribute):
        root = root.value
    return isinstance(root, ast.Name) and root.id not in bindings(constructor)


def positional_names(tree: ast.Module, function: ast.expr) -> list[str]:
    """Return the parameters of a function of the file that take positional arguments; none for other functions."""
    for each in tree.body:
        if isinstance(each, ast.FunctionDef) and astwalk.is_name(function, each.name):
            return [parameter.arg for parameter in (*each.args.posonlyargs, *each.args.args)]
    return []


def is_plain_parameter(constructor: FunctionNode, name: str) -> bool:
    """Return whether a name is an unchanged parameter of the constructor that is annotated as a number or string.

    Storing a module or a parameter of torch would add keys to the ``state_dict``.
    """
    spec = constructor.args
    annotation = next((each.annotation for each in (*spec.args[1:], *spec.kwonlyargs) if each.arg == name), None)
    plain = isinstance(annotation, ast.Name) and annotation.id in _PLAIN
    return plain and bound_times(constructor, name) == 1


def keeps(tree: ast.Module, constructor: FunctionNode, attribute: str, name: str) -> bool | None:
    """Return whether a constructor already stores the parameter ``name`` in an attribute.

    Return None if it does not, but can, because the file has no such attribute.
    """
    if attribute not in attribute_names(tree):
        return None
    stores = file_facts(tree).stores.get(attribute, ())
    mine = [each.value for each in stores if each.own and each.statement in constructor.body]
    return any(isinstance(value, ast.Name) and value.id == name for value in mine)
