"""Analyses the iterations of a loop, and which of its variables are read after it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tslint.script.dataflow.evaluation import evaluated, quiet
from tslint.script.dataflow.first_evaluated import comes_first
from tslint.script.dataflow.liveness import read_later
from tslint.script.dataflow.scopes import function_around, own_nodes
from tslint.util import astwalk

Comprehension = ast.ListComp | ast.DictComp | ast.GeneratorExp | ast.SetComp
Loop = ast.For | Comprehension
_DESCRIBING = ("shape", "size", "dim", "ndim", "dtype", "device")
_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def turn(loop: Loop) -> list[ast.AST]:
    """Return the nodes that run in each iteration. A comprehension must have only one ``for``."""
    if isinstance(loop, ast.For):
        return [*loop.body]
    parts: list[ast.AST] = [loop.key, loop.value] if isinstance(loop, ast.DictComp) else [loop.elt]
    return [*parts, *loop.generators[0].ifs]


def in_turn(loop: Loop) -> Iterator[ast.AST]:
    """Yield every node of an iteration."""
    for part in turn(loop):
        yield from astwalk.walk(part)


def rebinds(loop: Loop, name: str) -> bool:
    """Return whether an iteration binds a name, or deletes it."""
    return any(isinstance(each, ast.Name) and each.id == name and is_stored(each) for each in in_turn(loop))


def counts_alike(loop: Loop, number: ast.expr) -> bool:
    """Return whether a number is the same in each iteration: it only contains constants, variables that the loop does
    not bind, and lengths and sizes that the loop does not change.
    """
    if isinstance(number, ast.BinOp):
        steps = isinstance(number.op, (ast.Add, ast.Sub))
        return steps and counts_alike(loop, number.left) and counts_alike(loop, number.right)
    if isinstance(number, ast.Name):
        return not rebinds(loop, number.id)
    measured = measured_by(number)
    return isinstance(number, ast.Constant) or (measured is not None and keeps_length(loop, measured))


def measured_by(number: ast.expr) -> ast.expr | None:
    """Return the list or the tensor whose length or size an expression is, such as ``x`` for ``x.shape[1]``; None for
    other expressions.
    """
    if isinstance(number, ast.Call) and len(number.args) == 1 and not number.keywords:
        if _asks_length(number):
            return number.args[0]
        sized = isinstance(number.func, ast.Attribute) and number.func.attr == "size"
        return number.func.value if sized and isinstance(number.args[0], ast.Constant) else None  # type: ignore[attr-defined]
    shape = number.value if isinstance(number, ast.Subscript) and isinstance(number.slice, ast.Constant) else None
    return shape.value if isinstance(shape, ast.Attribute) and shape.attr == "shape" else None


def is_stored(node: ast.AST) -> bool:
    """Return whether a name, an attribute or an item is assigned or deleted."""
    return isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))


def changes_path(loop: Loop, path: ast.expr) -> bool:
    """Return whether an iteration assigns to a variable or attribute that occurs in a path."""
    parts = {_part(each) for each in astwalk.walk(path)} - {None}
    return any(is_stored(each) and _part(each) in parts for each in in_turn(loop))


def _part(node: ast.AST) -> tuple[type, str] | None:
    """Return what identifies a variable or an attribute; None for other nodes."""
    if isinstance(node, ast.Attribute):
        return ast.Attribute, node.attr
    return (ast.Name, node.id) if isinstance(node, ast.Name) else None


def every_turn(loop: Loop, node: ast.AST) -> bool:
    """Return whether every iteration of a loop evaluates an expression in it."""
    if isinstance(loop, ast.For) and (leaves_turn(loop) or _returns_before(loop, node)):
        return False
    return evaluated(turn(loop), node)


def _returns_before(loop: ast.For, node: ast.AST) -> bool:
    """Return whether an iteration may leave the function before it reaches a node."""
    start = (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))
    return any(
        isinstance(each, (ast.Return, ast.Raise)) and (each.lineno, each.col_offset) < start for each in own_nodes(loop)
    )


def read_after(tree: ast.Module, loop: Loop, name: str) -> bool:
    """Return whether the value that a loop leaves in a variable may be read after the loop."""
    if not isinstance(loop, ast.For):
        return False
    handled = any(isinstance(each, ast.Try) for each in astwalk.around(tree, loop))
    return handled or read_later(tree, loop, loop, name) or is_seen_inside(tree, loop, name)


def leaves_turn(loop: ast.For) -> bool:
    """Return whether the body has a ``break`` or ``continue`` of this loop."""
    pending: list[ast.AST] = [*loop.body]
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.Break, ast.Continue)):
            return True
        if not isinstance(node, (ast.For, ast.While, ast.FunctionDef)):
            pending += astwalk.children(node)
        else:
            pending += getattr(node, "orelse", [])
    return False


def acts_before(statement: ast.AST, node: ast.expr) -> bool:
    """Return whether a statement calls something before it evaluates an expression, so that a check there would be too
    late.
    """
    return bool(called_before(statement, node))


def may_raise_before(statement: ast.AST, node: ast.expr) -> bool:
    """Return whether a statement reads an item, or computes something, before it evaluates an expression: that may
    raise, ``self.layers[k]`` for example.
    """
    first = (node.lineno, node.col_offset)
    return any(
        isinstance(each, (ast.Subscript, ast.BinOp, ast.UnaryOp, ast.Compare))
        and (each.end_lineno or 0, each.end_col_offset or 0) <= first
        for each in astwalk.walk(statement)
    )


def called_before(statement: ast.AST, node: ast.expr, owner: str | None = None) -> list[ast.expr]:
    """Return what a statement calls before it evaluates an expression.

    Args:
        statement: the statement.
        node: the expression.
        owner: a variable; calls of its attributes do not count, because they may come before a check.
    """
    first = (node.lineno, node.col_offset)
    acting = (ast.Call, ast.NamedExpr, ast.Await)
    return [
        each
        for each in astwalk.walk(statement)
        if isinstance(each, acting)
        and (each.end_lineno or 0, each.end_col_offset or 0) <= first
        and not (owner is not None and isinstance(each, ast.Call) and _is_member(each.func, owner))
    ]


def _is_member(node: ast.expr, owner: str) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == owner


def acts(statement: ast.AST) -> bool:
    """Return whether a statement may have an effect other than assigning plain names; ``return`` and ``raise`` do not
    count.
    """
    return any(
        isinstance(node, (ast.Call, ast.NamedExpr, ast.AugAssign, ast.Delete))
        or (isinstance(node, (ast.Attribute, ast.Subscript)) and is_stored(node))
        for node in astwalk.walk(statement)
    )


def keeps_length(loop: Loop, items: ast.expr) -> bool:
    """Return whether an iteration does not change the length of a list, or the sizes of a tensor: it only reads items
    or sizes.
    """
    if not isinstance(items, ast.Name) or rebinds(loop, items.id):
        return False
    parents = {child: node for node in in_turn(loop) for child in astwalk.children(node)}
    for node in in_turn(loop):
        if isinstance(node, ast.Name) and node.id == items.id:
            around = parents.get(node)
            taken = isinstance(around, ast.Subscript) and around.value is node and isinstance(around.ctx, ast.Load)
            described = isinstance(around, ast.Attribute) and around.attr in _DESCRIBING
            if not taken and not described and not _asks_length(around):
                return False
    return True


def _asks_length(node: ast.AST | None) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "len"
        and len(node.args) == 1
        and not node.keywords
        and not isinstance(node.args[0], ast.Starred)
    )


def stored_once(tree: ast.Module, node: ast.AST, name: str) -> bool:
    """Return whether the function around a node binds a name in one place only."""
    function = function_around(tree, node)
    nodes = astwalk.walk(function) if function is not None else ()
    return sum(isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store) for n in nodes) == 1


def is_seen_inside(tree: ast.Module, node: ast.AST, name: str) -> bool:
    """Return whether a function inside the enclosing function of a node mentions a name."""
    function = function_around(tree, node)
    inner = [each for each in astwalk.walk(function) if isinstance(each, _INNER)] if function is not None else []
    return any(getattr(n, "id", "") == name for each in inner if each is not function for n in astwalk.walk(each))


def same(one: ast.AST, other: ast.AST) -> bool:
    """Return whether two expressions have the same syntax tree."""
    return ast.dump(one) == ast.dump(other)


def takes_before_acting(loop: Loop, uses: Sequence[ast.expr]) -> bool:
    """Return whether each iteration evaluates one of the given expressions before it has any effect.

    Then no effect is lost if that expression raises.
    """
    before: list[ast.AST] = []
    for part in turn(loop):
        for use in uses:
            if every_turn(loop, use) and any(node is use for node in astwalk.walk(part)):
                return not acts_before(part, use) and not any(acts(each) and not _computes(each) for each in before)
        before.append(part)
    return False


def _computes(statement: ast.AST) -> bool:
    """Return whether a statement only assigns the result of a computation to variables."""
    plain = isinstance(statement, ast.Assign) and all(isinstance(each, ast.Name) for each in statement.targets)
    return plain and quiet(statement)


def leads(loop: Loop, uses: Sequence[ast.expr]) -> bool:
    """Return whether the first statement of an iteration evaluates one of the given expressions before it has any
    effect.

    Then no effect is lost if that expression raises.
    """
    first = turn(loop)[0]
    return isinstance(first, ast.stmt) and any(comes_first(first, use) for use in uses)
