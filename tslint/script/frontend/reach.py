"""Determines which parts of a function are emitted: not those that static conditions prune, and not those after an
exit.

Only conditions that are static for every construction are evaluated here; if a condition may be static (an attribute,
``is None``, ``isinstance``), both branches are uncertain.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from enum import IntEnum

from tslint.script.frontend.builder import is_ignore_context_manager
from tslint.util import astwalk

CONDITION = "the compiler does not drop this branch"
_DEEPEST = 150
# For other nodes, all parts are emitted.
_SPECIAL = frozenset(
    [
        ast.If, ast.IfExp, ast.While, ast.For, ast.With, ast.AugAssign, ast.Assign, ast.AnnAssign, ast.Subscript,
        ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Expr,
    ]
)  # fmt: skip


class Reach(IntEnum):
    """How certain it is that a node is emitted."""

    DEAD = 0
    MAYBE = 1
    LIVE = 2


def static_value(test: ast.expr, depth: int = 0) -> bool | str | None:
    """Return the compiler's value of a condition: True or False, None if it is dynamic, ``"unknown"`` if it may be
    static.
    """
    if isinstance(test, ast.Constant):
        return test.value if isinstance(test.value, bool) else None
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and depth < _DEEPEST:
        inner = static_value(test.operand, depth + 1)
        return (not inner) if isinstance(inner, bool) else inner
    if isinstance(test, ast.Call):
        callee = test.func
        name = callee.attr if isinstance(callee, ast.Attribute) else getattr(callee, "id", "")
        if name == "is_scripting" and not test.args:
            return True
        return None if name in ("len", "any", "all", "is_tracing") else "unknown"
    if isinstance(test, ast.BoolOp) and depth < _DEEPEST:
        values = [static_value(value, depth + 1) for value in test.values]
        decisive = isinstance(test.op, ast.Or)
        if decisive in [value for value in values if isinstance(value, bool)]:
            return decisive
        if "unknown" in values:
            return "unknown"
        return (not decisive) if all(isinstance(value, bool) for value in values) else None
    if isinstance(test, ast.Compare):
        return "unknown" if any(isinstance(op, (ast.Is, ast.IsNot)) for op in test.ops) else None
    if isinstance(test, (ast.Name, ast.BinOp, ast.JoinedStr, ast.List, ast.Tuple, ast.Dict)):
        return None
    return "unknown"


def _after(statement: ast.stmt, depth: int = 0) -> Reach:
    """Return how certain it is that the code after a statement is emitted."""
    if isinstance(statement, (ast.Return, ast.Raise)):
        return Reach.DEAD
    if isinstance(statement, ast.Assert):
        value = static_value(statement.test)
        return Reach.DEAD if value is False else Reach.MAYBE if value == "unknown" else Reach.LIVE
    if isinstance(statement, ast.With) and not is_ignore_context_manager(statement):
        return _after_block(statement.body, depth)
    if isinstance(statement, ast.If):
        value = static_value(statement.test)
        if value is True:
            return _after_block(statement.body, depth)
        if value is False:
            return _after_block(statement.orelse, depth)
        body, orelse = _after_block(statement.body, depth), _after_block(statement.orelse, depth)
        if value is None:
            return max(body, orelse)
        return body if body == orelse else Reach.MAYBE
    return Reach.LIVE


def _after_block(statements: Sequence[ast.stmt], depth: int) -> Reach:
    if depth > _DEEPEST:
        return Reach.MAYBE
    return min((_after(statement, depth + 1) for statement in statements), default=Reach.LIVE)


def _branches(test: ast.expr, reach: Reach) -> tuple[Reach, Reach]:
    value = static_value(test)
    if value is True:
        return reach, Reach.DEAD
    if value is False:
        return Reach.DEAD, reach
    uncertain = min(reach, Reach.MAYBE) if value == "unknown" else reach
    return uncertain, uncertain


def emitted(body: Sequence[ast.stmt]) -> Iterator[tuple[ast.AST, Reach]]:
    """Yield every node that is or may be emitted, roughly in the emitter's order, and how certain that is.

    Annotations are not emitted, and neither is code that the front end rejects as a whole.
    """
    pending: list[tuple[ast.AST | Sequence[ast.stmt], Reach]] = [(body, Reach.LIVE)]
    while pending:
        node, reach = pending.pop()
        if reach is Reach.DEAD:
            continue
        if not isinstance(node, ast.AST):
            if node:
                pending += [(node[1:], min(reach, _after(node[0]))), (node[0], reach)]
            continue
        yield node, reach
        pending += reversed(_parts(node, reach))


def _parts(node: ast.AST, reach: Reach) -> list[tuple[ast.AST | Sequence[ast.stmt], Reach]]:
    if node.__class__ not in _SPECIAL:
        return [(child, reach) for child in astwalk.children(node)]
    if isinstance(node, (ast.If, ast.IfExp)):
        body, orelse = _branches(node.test, reach)
        return [(node.test, reach), (node.body, body), (node.orelse, orelse)]
    if isinstance(node, ast.While):
        return [(node.test, reach), (node.body, reach)]
    if isinstance(node, ast.For):
        return [(node.iter, reach), (node.target, reach), (node.body, reach)]
    if isinstance(node, ast.With):
        if is_ignore_context_manager(node):
            return []
        return [*((item.context_expr, reach) for item in node.items), (node.body, reach)]
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Subscript) and is_dots(node.target.slice):
        return [(node.target.value, reach), (node.value, reach)]
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return [(part, reach) for part in (node.value, *targets) if part is not None]
    if isinstance(node, ast.Subscript):
        if isinstance(node.slice, ast.Tuple) and len(node.slice.elts) > 1:
            # `...` is allowed among several indices; alone, it is an error except in a target, as in `x[...] = y`.
            elements = [element for element in node.slice.elts if not is_dots(element)]
            return [(node.value, reach), *((element, reach) for element in elements)]
        index = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) and node.slice.elts else node.slice
        if is_dots(index) and isinstance(node.ctx, ast.Store):
            return [(node.value, reach)]
    if isinstance(node, (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return []
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return []
    return [(child, reach) for child in astwalk.children(node)]


def is_dots(node: ast.AST) -> bool:
    """Return whether an expression is ``...`` or ``Ellipsis``."""
    if isinstance(node, ast.Constant):
        return node.value is Ellipsis
    return isinstance(node, ast.Name) and node.id == "Ellipsis"
