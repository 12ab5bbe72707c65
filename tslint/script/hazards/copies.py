"""Finds changes of items that compiled code copies, because their index is a Tensor."""

from __future__ import annotations

import ast

from tslint.script.events.hazards import CopyChanged
from tslint.script.hazards.context import is_only_traced, path_to
from tslint.script.interpreter import observers
from tslint.script.interpreter.emitter import Emitter

# Methods that return a single number if they have no arguments.
_ONE = frozenset("argmax argmin max min sum".split())


@observers.tensor_index.observe
def notice_changed_copy(em: Emitter, node: ast.Subscript, index: ast.expr) -> None:
    """Report ``x[t[0]].fill_(1)`` and ``x[t[0]][1] = 2``: Python changes the item itself.

    Nothing is reported if the code uses the result of the method: ``t[0]`` may then contain several indices, and Python
    changes a copy, too.
    """
    if not _is_one(index) or not isinstance(node.ctx, ast.Load) or is_only_traced(em.unit.function.node, node):
        return
    item: ast.AST = node
    path = path_to(em.unit.function.node, node)
    while path and isinstance(path[0], ast.Subscript) and path[0].value is item:
        if isinstance(path[0].ctx, ast.Store):
            em.notice(CopyChanged(node, "", index=index))
            return
        item, path = path[0], path[1:]
    if _is_changing(path):
        em.notice(CopyChanged(node, "", index=index))


def _is_changing(around: list[ast.AST]) -> bool:
    """Return whether an item is changed by a method that works in place, and whose result nothing uses."""
    match around[:3]:
        case [ast.Attribute(attr=name) as method, ast.Call(func=called), ast.Expr()]:
            return called is method and name.endswith("_") and not name.endswith("__")
    return False


def _is_one(index: ast.expr) -> bool:
    """Return whether a Tensor probably has one element: an item of another Tensor, a result such as a sum, or
    arithmetic with one of these.
    """
    if isinstance(index, ast.BinOp):
        return _is_one(index.left) or _is_one(index.right)
    if isinstance(index, ast.Subscript):
        return not isinstance(index.slice, (ast.Slice, ast.Tuple, ast.Compare))
    called = index.func if isinstance(index, ast.Call) and not index.args and not index.keywords else None
    return isinstance(called, ast.Attribute) and called.attr in _ONE
