"""Analyses a variable that only one branch of an ``if`` binds."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tslint.script.dataflow.evaluation import evaluated, steps
from tslint.script.dataflow.guards import blocks
from tslint.script.dataflow.scopes import bindings, bound_times, own_nodes
from tslint.util import astwalk

_LOOPS = (ast.For, ast.While)
_LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue)


def bound_above(tree: ast.Module, function: ast.AST, branch: ast.If, name: str) -> list[ast.Name]:
    """Return where else the function binds a name before the ``if``: Python still has that value."""
    inner = set(map(id, astwalk.walk(branch)))
    looping = is_in_loop(tree, branch)
    return [
        node
        for node in astwalk.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id == name
        if id(node) not in inner and (looping or node.lineno < branch.lineno)
    ]


def only_assigned(function: ast.AST, name: str) -> bool:
    """Return whether only assignments, loops and ``with`` bind a variable of a function: no import, no ``global``, no
    nested function.
    """
    stores = [
        each
        for each in own_nodes(function)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store) and each.id == name
    ]
    inside = any(isinstance(each, ast.Nonlocal) and name in each.names for each in astwalk.walk(function))
    return len(stores) == bound_times(function, name) and not inside


def is_in_loop(tree: ast.Module, branch: ast.If) -> bool:
    """Return whether an earlier iteration of a loop may have bound it, so that Python does not raise."""
    return any(isinstance(each, _LOOPS) for each in astwalk.around(tree, branch))


def read_after(tree: ast.Module, branch: ast.If, name: str, use: ast.AST) -> bool:
    """Return whether the code after an ``if`` always reads a variable, before any statement may leave the function."""
    return _read_in_any_case(_following(tree, branch), name, use)


def read_at_once(tree: ast.Module, function: ast.AST, branch: ast.If, use: ast.AST) -> bool:
    """Return whether only variables of the function are read between an ``if`` and the use of one."""
    following, variables = _following(tree, branch), bindings(function)
    if not following or not isinstance(following[0], (ast.Assign, ast.AnnAssign, ast.Return, ast.Expr)):
        return False
    for node, certain in steps(following[0].value) if following[0].value is not None else ():
        if node is use:
            return certain
        if isinstance(node, ast.expr) and not (isinstance(node, ast.Name) and node.id in variables):
            return False
    return False


def _following(tree: ast.Module, branch: ast.If) -> list[ast.stmt]:
    """Return the statements after an ``if``, in its block."""
    around = astwalk.parents(tree).get(branch)
    block = next((block for block in blocks(around) if branch in block), None) if around is not None else None
    return block[block.index(branch) + 1 :] if block is not None else []


def _read_in_any_case(following: Sequence[ast.stmt], name: str, use: ast.AST) -> bool:
    """Return whether one of the statements reads a variable before any may bind it, or leave the function or
    the loop.
    """
    for each in following:
        nodes = astwalk.walk(each)
        if any(isinstance(inner, ast.NamedExpr) and inner.target.id == name for inner in nodes):
            return False
        if _reads(each, name, use):
            return True
        if name in astwalk.bound(each) or any(isinstance(inner, _LEAVING) for inner in nodes):
            return False
    return False


def _reads(statement: ast.stmt, name: str, use: ast.AST | None = None) -> bool:
    """Return whether a statement always reads a variable; ``use`` has to be among the reads."""
    nodes = astwalk.walk(statement)
    if use is not None and not any(node is use for node in nodes):
        return False
    if isinstance(statement, ast.If):
        # What stands behind an `and` may guard the use by the very test under which it is set.
        tested = [n for n in astwalk.walk(statement.test) if isinstance(n, ast.Name) and n.id == name]
        if any(evaluated([statement.test], node) for node in tested):
            return True
        return all(any(_reads(s, name) for s in block) for block in (statement.body, statement.orelse))
    if not isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Expr)):
        return False
    reads = [n for n in nodes if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)]
    return any(evaluated([statement], node) for node in reads)
