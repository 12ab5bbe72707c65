"""Decides whether a static method could get its instance as an argument."""

from __future__ import annotations

import ast

from tslint.script.dataflow.definitions import FunctionNode
from tslint.util import astwalk

_CLASS = frozenset(["__class__", "cls"])


def can_take_instance(tree: ast.Module, function: FunctionNode) -> bool:
    """Return whether a static method may get ``self`` as its first parameter.

    It must only be accessed through instances, and must not use the name ``self`` or the name of its class.
    """
    if len(function.decorator_list) != 1 or not (function.args.posonlyargs or function.args.args):
        return False
    names = {each.id for each in astwalk.walk(function) if isinstance(each, ast.Name)}
    names |= {each.arg for each in astwalk.walk(function) if isinstance(each, ast.arg)}
    if names & {"self", "super", "__class__"}:
        return False
    classes = _CLASS | {each.name for each in astwalk.of_kind(tree, ast.ClassDef)}
    attributes = astwalk.of_kind(tree, ast.Attribute)
    return not any(each.attr == function.name and _is_class(each.value, classes) for each in attributes)


def _is_class(node: ast.expr, classes: frozenset[str]) -> bool:
    """Return whether an expression may be a class: the name of a class of the file, or the result of a call."""
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None
    return name in classes or isinstance(node, ast.Call)
