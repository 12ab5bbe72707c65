"""Tells which objects variables and attributes hold, and whether they have other names, too."""

from __future__ import annotations

import ast
from typing import TypeGuard

from tslint.util import astwalk

_NEW_LISTS = (ast.List, ast.ListComp)


def adds_list(node: ast.AST | None) -> TypeGuard[ast.AugAssign]:
    """Return whether a statement adds a new list to the list that a variable or attribute holds: ``a += [x]``."""
    return isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add) and isinstance(node.value, _NEW_LISTS)


def has_other_name(tree: ast.AST, target: ast.AST) -> bool:
    """Return whether the assignment to a target assigns the same object to other targets, too."""
    around = astwalk.parents(tree).get(target)
    return isinstance(around, ast.Assign) and len(around.targets) > 1


@astwalk.kept
def _assigned_together(tree: ast.Module) -> dict[str, frozenset[str]]:
    """Return the attributes to which a chained assignment of the file, such as ``self.a = b = []``, gives its object,
    by the name of each of its variables and attributes.
    """
    found: dict[str, frozenset[str]] = {}
    for each in astwalk.of_kind(tree, ast.Assign):
        if len(each.targets) > 1:
            names = {getattr(target, "attr", getattr(target, "id", "")) for target in each.targets} - {""}
            attributes = {target.attr for target in each.targets if isinstance(target, ast.Attribute)}
            found |= {name: found.get(name, frozenset()) | attributes for name in names}
    return found


def attributes_holding(tree: ast.Module, node: ast.expr) -> set[str]:
    """Return the attributes whose value an expression may be; a variable is what its function assigns to it."""
    values = variable_values(tree, node) if isinstance(node, ast.Name) else [node]
    found = {_member(each) for each in values if each is not None}
    own = node.id if isinstance(node, ast.Name) else ""
    return found.union(*(_assigned_together(tree).get(name, ()) for name in (own, *found))) - {""}


def _member(node: ast.expr) -> str:
    """Return the attribute that an expression reads: ``layers`` for ``m.layers`` and ``getattr(m, "layers")``."""
    if isinstance(node, ast.Attribute):
        return node.attr
    called = getattr(node.func, "attr", getattr(node.func, "id", "")) if isinstance(node, ast.Call) else ""
    position = {"getattr": 1, "get_submodule": 0}.get(called)
    given = (
        node.args[position]
        if isinstance(node, ast.Call) and position is not None and len(node.args) > position
        else None
    )
    name = given.value if isinstance(given, ast.Constant) and isinstance(given.value, str) else ""
    return name.rpartition(".")[2]


def variable_values(tree: ast.Module, name: ast.Name) -> list[ast.expr | None]:
    """Return the values that a function stores in a variable, with None for each binding that is no assignment."""
    function = next((each for each in astwalk.around(tree, name) if isinstance(each, ast.FunctionDef)), None)
    mentions = astwalk.mentions(function).get(name.id, ()) if function is not None else ()
    stores = [each for each in mentions if not isinstance(each, ast.Name) or isinstance(each.ctx, ast.Store)]
    return [assigned_value(tree, each) for each in stores]


def assigned_value(tree: ast.Module, node: ast.AST) -> ast.expr | None:
    """Return the value that is assigned to an attribute or name; None if that is only a part of a value, as in
    ``self.a, b = f()``.
    """
    around = astwalk.parents(tree).get(node)
    if isinstance(around, ast.Assign) and any(node is target for target in around.targets):
        return around.value
    if isinstance(around, ast.AnnAssign) and around.target is node:
        return around.value
    if isinstance(around, (ast.Tuple, ast.List)):
        above = astwalk.parents(tree).get(around)
        if isinstance(above, ast.Assign) and any(around is target for target in above.targets):
            value = above.value
            if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(around.elts):
                if not any(isinstance(each, ast.Starred) for each in (*value.elts, *around.elts)):
                    return value.elts[next(i for i, each in enumerate(around.elts) if each is node)]
    return None
