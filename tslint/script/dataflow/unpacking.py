"""Determines how the parts of an unpacked value are used."""

from __future__ import annotations

import ast

from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.scopes import own_nodes
from tslint.util import astwalk


def unread(tree: ast.Module, value: ast.AST) -> bool:
    """Return whether the function around a value reads none of the variables into which the value is unpacked.

    Args:
        tree: the tree of the file.
        value: the value of an unpacking assignment; for other values the result is False.
    """
    assignment = astwalk.parents(tree).get(value)
    function = next((each for each in astwalk.around(tree, value) if isinstance(each, ast.FunctionDef)), None)
    if not isinstance(assignment, ast.Assign) or function is None:
        return False
    nodes = [node for target in assignment.targets for node in astwalk.walk(target)]
    if any(isinstance(node, (ast.Attribute, ast.Subscript)) for node in nodes):
        return False
    bound = {node.id for node in nodes if isinstance(node, ast.Name)}
    read = {node.id for node in own_nodes(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return bound.isdisjoint(read)


def unpacked_into_itself(function: FunctionNode, name: str) -> int | None:
    """Return the last line in which a name is still the parameter, if ``x, y = x`` replaces it on every path; otherwise
    None.
    """
    for each in function.body:
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.Name) and each.value.id == name:
            targets = each.targets[0].elts if isinstance(each.targets[0], (ast.Tuple, ast.List)) else ()
            if any(isinstance(target, ast.Name) and target.id == name for target in targets):
                return each.end_lineno
    return None


def replaced_at(function: FunctionNode, name: str) -> int | None:
    """Return the row of ``x = f(x)`` in a function's body if nothing binds the parameter before it; otherwise None."""
    each = next((each for each in function.body if name in astwalk.bound(each)), None)
    if not isinstance(each, ast.Assign) or len(each.targets) != 1 or each.lineno != each.end_lineno:
        return None
    reads = any(astwalk.is_name(node, name) for node in astwalk.walk(each.value))
    return each.lineno if reads and astwalk.is_name(each.targets[0], name) else None


def is_iterated(function: FunctionNode, name: str) -> bool:
    """Return whether a loop takes the items of a variable, as of a list."""
    parents = astwalk.parents(function)
    for node in astwalk.mentions(function).get(name, ()):
        around = parents.get(node)
        if isinstance(around, (ast.For, ast.comprehension)) and around.iter is node:
            return True
    return False
