"""Analyses a variable that only one branch of an ``if`` binds."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from enum import Enum

from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.evaluation import evaluated, steps
from tslint.script.dataflow.guards import blocks, guards
from tslint.script.dataflow.local_bindings import only_value
from tslint.script.dataflow.loops import acts, acts_before
from tslint.script.dataflow.scopes import bindings, bound_times, own_nodes, peeps
from tslint.util import astwalk

_LOOPS = (ast.For, ast.While)
_LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue)


class Read(Enum):
    """When a variable is read after a statement: before any side effect, after one, or not on every path."""

    FIRST = "first"
    LATER = "later"
    NOT_ALWAYS = "not always"


def bound_above(tree: ast.Module, function: ast.AST, branch: ast.If, name: str) -> list[ast.Name]:
    """Return the places outside an ``if`` that may bind a name before the ``if`` runs, so that the name has a value in
    Python. In a loop, places below the ``if`` count, too.
    """
    inner = set(map(id, astwalk.walk(branch)))
    looping = is_in_loop(tree, branch)
    return [
        node
        for node in astwalk.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id == name
        if id(node) not in inner and (looping or node.lineno < branch.lineno)
    ]


def only_assigned(function: ast.AST, name: str) -> bool:
    """Return whether only assignments, loops and ``with`` bind a variable of a function: it is not a parameter, and no
    import, ``def``, ``class``, ``del``, ``global`` or ``nonlocal`` names it.
    """
    stores = [
        each
        for each in own_nodes(function)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store) and each.id == name
    ]
    inside = any(isinstance(each, ast.Nonlocal) and name in each.names for each in astwalk.walk(function))
    return len(stores) == bound_times(function, name) and not inside


def is_in_loop(tree: ast.Module, branch: ast.If) -> bool:
    """Return whether an ``if`` is in a loop: an earlier iteration may have bound the variable that only one branch
    binds, so Python may not raise.
    """
    return any(isinstance(each, _LOOPS) for each in astwalk.around(tree, branch))


def read_after(tree: ast.Module, branch: ast.If, name: str, use: ast.AST) -> Read:
    """Return when the statements after an ``if``, in the same block, first read a variable. ``NOT_ALWAYS`` also means
    that the given use is not in these statements.
    """
    following = _following(tree, branch)
    if not any(node is use for each in following for node in astwalk.walk(each)):
        return Read.NOT_ALWAYS
    found, acting = _first_read(following, name)
    if found is not True:
        return Read.NOT_ALWAYS
    return Read.LATER if acting else Read.FIRST


def reading_statement(tree: ast.Module, statement: ast.stmt, name: str) -> ast.stmt | None:
    """Return the first statement after a given one that mentions a variable; None if that statement may not read the
    variable, or may have an effect before it does.
    """
    for each in _following(tree, statement):
        if any(isinstance(node, ast.Name) and node.id == name for node in astwalk.walk(each)):
            return each if _reads(each, name) == (True, False) else None
    around = astwalk.parents(tree).get(statement)
    return reading_statement(tree, around, name) if isinstance(around, ast.With) else None


def read_at_once(tree: ast.Module, function: ast.AST, branch: ast.If, use: ast.AST) -> bool:
    """Return whether nothing runs between an ``if`` and a use, except that variables of the function are read."""
    following, variables = _following(tree, branch), bindings(function)
    if not following or not isinstance(following[0], (ast.Assign, ast.AnnAssign, ast.Return, ast.Expr)):
        return False
    for node, certain in steps(following[0].value) if following[0].value is not None else ():
        if node is use:
            return certain
        if isinstance(node, ast.expr) and not (isinstance(node, ast.Name) and node.id in variables):
            return False
    return False


def _following(tree: ast.Module, statement: ast.stmt) -> list[ast.stmt]:
    """Return the statements that follow a statement in its block."""
    around = astwalk.parents(tree).get(statement)
    block = next((block for block in blocks(around) if statement in block), None) if around is not None else None
    return block[block.index(statement) + 1 :] if block is not None else []


def _first_read(block: Sequence[ast.stmt], name: str) -> tuple[bool | None, bool]:
    """Return whether statements read a variable on every path, and whether one has a side effect before that.

    Returns:
        The first value is None if a path continues after the statements without reading it, and False if they may bind
        it, or leave the function or the loop.
    """
    acting = False
    for each in block:
        found, before = _reads(each, name)
        acting = acting or before
        if found is not None:
            return found, acting
    return None, acting


def _reads(statement: ast.stmt, name: str) -> tuple[bool | None, bool]:
    """Return what :func:`_first_read` returns, for one statement."""
    nodes = astwalk.walk(statement)
    if any(isinstance(inner, ast.NamedExpr) and inner.target.id == name for inner in nodes):
        return False, False
    head = statement.test if isinstance(statement, ast.If) else statement
    if isinstance(statement, (ast.If, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Expr)):
        inside = astwalk.walk(head)
        reads = [n for n in inside if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)]
        certain = [node for node in reads if evaluated([head], node)]
        if certain:
            return True, acts_before(head, certain[0])
    if isinstance(statement, ast.If):
        # A read after an `and` in the test does not count: the first operand may be true only if the variable is set.
        ways = [_first_read(block, name) for block in (statement.body, statement.orelse)]
        acting = acts(statement.test) or any(before for _, before in ways)
        found = {way for way, _ in ways}
        return (found.pop() if len(found) == 1 else False if False in found else None), acting
    if name in astwalk.bound(statement) or any(isinstance(inner, _LEAVING) for inner in nodes):
        return False, False
    return None, acts(statement)


def read_only_where_bound(function: FunctionNode, branch: ast.stmt, name: str) -> bool:
    """Return whether a variable that ``if flag:`` sets is only used below the ``if``, and only read where ``flag`` is
    true again. Then a fix may bind the variable before the ``if``: that value is never read.
    """
    if not isinstance(branch, ast.If):
        return False
    flag, wanted = _flag(branch.test)
    direct = [each for each in branch.body if isinstance(each, ast.Assign)]
    if not any(astwalk.is_name(target, name) for each in direct for target in each.targets):
        return False
    if branch not in function.body or peeps(function) or not _is_bool(function, branch, flag):
        return False
    inner, parents = set(map(id, astwalk.walk(branch))), astwalk.parents(function)
    uses = [each for each in astwalk.mentions(function).get(name, ()) if id(each) not in inner]
    stored = {
        each
        for each in uses
        if isinstance(getattr(each, "ctx", None), ast.Store) and not isinstance(parents.get(each), ast.AugAssign)
    }
    return bool(uses) and all(
        isinstance(each, ast.Name)
        and not isinstance(each.ctx, ast.Del)
        and each.lineno > (branch.end_lineno or 0)
        and (each in stored or (flag, wanted) in _known(function, each))
        for each in uses
    )


def _flag(test: ast.expr) -> tuple[str, bool]:
    """Return ``("a", True)`` for the test ``a``, ``("a", False)`` for ``not a``; an empty name for other tests."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        name, wanted = _flag(test.operand)
        return name, not wanted
    return (test.id if isinstance(test, ast.Name) else ""), True


def _is_bool(function: FunctionNode, branch: ast.If, flag: str) -> bool:
    """Return whether a variable is bound only once, above an ``if``, to ``… is …`` or ``not …``, which are bools."""
    stores = [
        each
        for each in astwalk.mentions(function).get(flag, ())
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    ]
    value = only_value(function, stores[0]) if len(stores) == 1 and stores[0].lineno < branch.lineno else None
    decided = isinstance(value, ast.Compare) and all(isinstance(each, (ast.Is, ast.IsNot)) for each in value.ops)
    decided = decided or (isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not))
    return decided and bound_times(function, flag) == 1


def _known(function: FunctionNode, node: ast.AST) -> set[tuple[str, bool]]:
    """Return the flags whose values are known where a node runs, with these values."""
    found: set[tuple[str, bool]] = set()
    for guard in guards(function, node):
        name, wanted = _flag(guard.test)
        found.add((name, wanted is not guard.skips))
    parents, current = astwalk.parents(function), node
    while isinstance(around := parents.get(current), ast.expr):
        if isinstance(around, ast.BoolOp):
            for before in around.values[: around.values.index(current)]:  # type: ignore[arg-type]
                name, wanted = _flag(before)
                found.add((name, wanted is isinstance(around.op, ast.And)))
        current = around
    return found
