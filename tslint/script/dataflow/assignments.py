"""Finds the assignments to a variable of a function, and whether their types agree."""

from __future__ import annotations

import ast

from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.shallow import type_of
from tslint.script.dataflow.variable_types import names_of
from tslint.util import astwalk

_PLAIN = ("Tensor", "int", "float", "bool", "str")


def first_assignment(function: FunctionNode, name: str, row: int, *, chained: bool = False) -> ast.Assign | None:
    """Return the only assignment to a variable above a row; None if there are several, or if it is not ``name = …``,
    or, with ``chained``, ``name = other = …``.
    """
    found = [
        node
        for node in astwalk.walk(function)
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and node.lineno < row and _binds(node, name)
    ]
    if len(found) != 1 or not isinstance(found[0], ast.Assign) or (len(found[0].targets) > 1 and not chained):
        return None
    return found[0] if all(isinstance(each, ast.Name) for each in found[0].targets) else None


def _binds(node: ast.Assign | ast.AnnAssign | ast.AugAssign, name: str) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(isinstance(part, ast.Name) and part.id == name for target in targets for part in astwalk.walk(target))


def agrees(tree: ast.Module, function: FunctionNode, name: str, wanted: str) -> bool:
    """Return whether a variable may be annotated with a type. It may not if it is ``global`` or ``nonlocal``, or if the
    type is a number, ``str`` or ``Tensor``, and an assignment gives the variable another of these types.
    """
    lookup = names_of(tree, function)
    for node in astwalk.walk(function):
        if isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names:
            return False
        if isinstance(node, ast.Assign) and any(
            isinstance(each, ast.Name) and each.id == name for each in node.targets
        ):
            type_ = type_of(tree, node.value, lookup)
            if type_ not in (None, "NoneType", wanted) and wanted in _PLAIN and type_ in _PLAIN:
                return False
    return True
