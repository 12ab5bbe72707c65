"""Finds the parameters without annotation from which the code of a finding is computed."""

from __future__ import annotations

import ast

from tslint.script.dataflow.definitions import FunctionNode
from tslint.util import astwalk


def parameter_name(tree: ast.Module, function: FunctionNode, name: str) -> str:
    """Return the name of a parameter in its file: ``Net.step.size``."""
    around = [each.name for each in astwalk.around(tree, function) if isinstance(each, (ast.ClassDef, ast.FunctionDef))]
    return ".".join([*around[::-1], function.name, name])


def rests_on(tree: ast.Module, function: FunctionNode, node: ast.AST) -> tuple[str, ...]:
    """Return the names of the parameters without annotation from which a node's variables are computed anywhere in the
    function; see :func:`parameter_name`.
    """
    flow = _flow(function)
    pending, seen = _names(node), set[str]()
    while pending:
        seen |= pending
        pending = {source for name in pending for source in flow.get(name, ())} - seen
    spec = function.args
    free = [each.arg for each in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs) if each.annotation is None]
    return tuple(parameter_name(tree, function, name) for name in free if name in seen and name != "self")


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in astwalk.walk(node) if isinstance(each, ast.Name)}


@astwalk.kept
def _flow(function: ast.AST) -> dict[str, set[str]]:
    """Return, for each variable, the names from which it is computed."""
    found: dict[str, set[str]] = {}
    for node in astwalk.walk(function):
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr)) and node.value is not None:
            value, names = node.value, astwalk.bound(node)
        elif isinstance(node, (ast.For, ast.comprehension)):
            value, names = node.iter, astwalk.bound(node.target)
        else:
            continue
        for name in names:
            found.setdefault(name, set()).update(_names(value))
    return found
