"""Decides whether a tensor contains floats, or ints or bools."""

from __future__ import annotations

import ast

from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.local_bindings import binds, is_parameter, only_value
from tslint.util import astwalk

# Operators whose result has floats, whatever they get; and those whose result has ints or bools.
_FLOATING = frozenset("mean std var norm softmax log_softmax sigmoid tanh exp log sqrt rsqrt rand randn".split())
_WHOLE = frozenset(
    "eq ne lt le gt ge equal isnan isinf isfinite isclose logical_and logical_or logical_not logical_xor any all argmax"
    " argmin argsort nonzero count_nonzero long int bool numel size dim".split()
)
# Operators whose result has numbers of the same kind as the tensor.
_KEEPING = frozenset("sum cumsum prod max min abs cpu detach clone flatten view reshape squeeze unsqueeze".split())


def is_floating_item(function: FunctionNode, node: ast.expr) -> bool:
    """Return whether an expression, or the value of its variable, is certainly the ``item()`` of a floating-point
    tensor.
    """
    tensor = _tensor(function, node)
    if isinstance(tensor, ast.BinOp):
        return isinstance(tensor.op, ast.Div)
    return _method(tensor) in _FLOATING


def is_whole_item(function: FunctionNode, node: ast.AST) -> bool:
    """Return whether an expression is certainly the ``item()`` of a tensor of ints or bools."""
    tensor = _tensor(function, node)
    return tensor is not None and is_whole(function, tensor)


def is_whole(function: FunctionNode, node: ast.expr) -> bool:
    """Return whether an expression is certainly a tensor of ints or bools."""
    value = _value(function, node)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and _method(value) in _KEEPING:
        return is_whole(function, value.func.value)
    if isinstance(value, ast.BinOp) and isinstance(value.op, (ast.BitAnd, ast.BitOr, ast.BitXor)):
        return True
    inverted = isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Invert)
    return isinstance(value, ast.Compare) or inverted or _method(value) in _WHOLE


def _tensor(function: FunctionNode, node: ast.AST) -> ast.expr | None:
    """Return ``tensor`` of ``tensor.item()``; None for other expressions."""
    value = _value(function, node)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "item":
        found = _value(function, value.func.value)
        return found if isinstance(found, ast.expr) else None
    return None


def _method(node: ast.AST | None) -> str:
    return node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""


def _value(function: FunctionNode, node: ast.AST) -> ast.AST:
    """Return the expression that a variable stands for, if it is bound once; other expressions as they are."""
    if not isinstance(node, ast.Name) or is_parameter(function, node.id):
        return node
    named = [each for each in astwalk.mentions(function).get(node.id, ()) if isinstance(each, ast.Name)]
    targets = [each for each in named if binds(each)]
    return (only_value(function, targets[0]) if len(targets) == 1 else None) or node
