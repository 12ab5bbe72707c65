"""Finds variables that a loop or a branch binds, and that are not defined after it in compiled code."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tslint.script.dataflow.guards import blocks
from tslint.script.dataflow.liveness import surely_stored
from tslint.script.dataflow.scopes import bound_times, function_around, own_nodes
from tslint.util import astwalk

Loop = ast.For | ast.While


def loops_around(tree: ast.Module, node: ast.AST) -> list[Loop]:
    """Return the loops of a function around a node, the innermost first."""
    function, found = function_around(tree, node), list[Loop]()
    for each in astwalk.around(tree, node):
        if each is function:
            break
        if isinstance(each, Loop):
            found.append(each)
    return found


def ended_loop(tree: ast.Module, stored: ast.AST, read: ast.AST) -> Loop | None:
    """Return the outermost loop that contains a place that binds a name, but not the one that reads it; None if there
    is none.
    """
    ended = [loop for loop in loops_around(tree, stored) if not any(each is read for each in astwalk.walk(loop))]
    return ended[-1] if ended else None


def same_loop(tree: ast.Module, stored: ast.AST, read: ast.AST) -> bool:
    """Return whether a loop contains both a place that binds a name and one that reads it."""
    around = set(loops_around(tree, read))
    return any(loop in around for loop in loops_around(tree, stored))


def joined_before(tree: ast.Module, node: ast.AST, name: str, read: ast.AST) -> ast.stmt | None:
    """Return the first statement that binds a variable, in the block of a read or in a block around it; None if there
    is none.

    If the variable has a value before that statement, it also has one at the read.

    Args:
        tree: the tree of the file.
        node: a node that binds the variable, or an ``if`` around it.
        name: the variable.
        read: the node that reads it.
    """
    function = function_around(tree, node)
    nodes = list(own_nodes(function)) if function is not None else []
    if any(isinstance(each, ast.NamedExpr) and each.target.id == name for each in nodes):
        return None  # another fix first makes this an assignment
    stores = [
        each for each in nodes if isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Store)
    ]
    found = [_outermost(tree, each, read) for each in (node, *stores)]
    above = [each for each in found if each is not None and _is_above(tree, each, read)]
    return min(above, key=lambda each: each.lineno, default=None)


def _outermost(tree: ast.Module, node: ast.AST, read: ast.AST) -> ast.stmt | None:
    """Return the outermost statement around a node that does not contain a read, or that is a loop; None if there is
    none.
    """
    function, first = function_around(tree, node), node if isinstance(node, ast.stmt) else None
    for each in astwalk.around(tree, node):
        if each is function:
            break
        if isinstance(each, ast.stmt) and (isinstance(each, Loop) or not any(n is read for n in astwalk.walk(each))):
            first = each
    return first


def _is_above(tree: ast.Module, statement: ast.stmt, read: ast.AST) -> bool:
    """Return whether a read is inside a statement, or in a later statement of the same block."""
    around = astwalk.parents(tree)[statement]
    block = next((block for block in blocks(around) if statement in block), [])
    return any(n is read for each in block[block.index(statement) :] for n in astwalk.walk(each)) if block else False


def bound_before(function: ast.AST, first: ast.stmt, name: str) -> bool:
    """Return whether code on the lines above a statement of a function, or a parameter, binds a variable.

    If the statement is in a loop, code below it may bind the variable as well; that is not considered.
    """
    inner = {id(each) for each in astwalk.walk(first)}
    later = sum(
        isinstance(each, ast.Name) and each.id == name and not isinstance(each.ctx, ast.Load)
        and (id(each) in inner or each.lineno > first.lineno)
        for each in own_nodes(function)
    )  # fmt: skip
    return bound_times(function, name) != later


def surely_binds(loop: Loop, name: str) -> bool:
    """Return whether a loop certainly has an iteration, and binds a variable before any other use of it."""
    return _runs(loop) and _stored_first(loop, name)


def reads_only_its_own(loop: Loop, name: str) -> bool:
    """Return whether each iteration of a loop only reads values of a variable that it has bound itself, without an
    annotation.
    """
    named = [each for each in astwalk.walk(loop) if isinstance(each, ast.Name) and each.id == name]
    if any(isinstance(each, ast.AnnAssign) and astwalk.is_name(each.target, name) for each in astwalk.walk(loop)):
        return False
    return all(isinstance(each.ctx, ast.Store) for each in named) or _stored_first(loop, name)


def is_read_only_in(function: ast.AST, name: str, statements: Iterable[ast.stmt]) -> bool:
    """Return whether a function reads a variable only in the given statements, and annotates it nowhere."""
    inside = {id(node) for each in statements for node in astwalk.walk(each)}
    named = [each for each in astwalk.walk(function) if isinstance(each, ast.Name) and each.id == name]
    declared = any(isinstance(each, ast.AnnAssign) and each.target in named for each in astwalk.walk(function))
    return not declared and all(id(each) in inside for each in named if not isinstance(each.ctx, ast.Store))


def _runs(loop: Loop) -> bool:
    if isinstance(loop, ast.While):
        return isinstance(loop.test, ast.Constant) and loop.test.value is True
    values = loop.iter
    if isinstance(values, (ast.List, ast.Tuple)):
        return bool(values.elts) and not any(isinstance(each, ast.Starred) for each in values.elts)
    if not isinstance(values, ast.Call) or not isinstance(values.func, ast.Name) or values.func.id != "range":
        return False
    bounds = [each.value for each in values.args if isinstance(each, ast.Constant) and isinstance(each.value, int)]
    return len(bounds) == len(values.args) in (1, 2) and len(range(*bounds)) > 0


def _stored_first(loop: Loop, name: str) -> bool:
    if isinstance(loop, ast.For) and name in astwalk.bound(loop.target):
        return True
    for each in loop.body:
        nodes = astwalk.walk(each)
        if isinstance(each, ast.Assign) and name in surely_stored([each]):
            return not any(isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load) for n in nodes)
        if any(isinstance(n, (ast.Break, ast.Continue)) or (isinstance(n, ast.Name) and n.id == name) for n in nodes):
            return False
    return False
