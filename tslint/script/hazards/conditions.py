"""Finds conditions that are numbers from floating-point tensors: compiled code converts them to int before the test."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tslint.script.dataflow.local_bindings import binds, is_parameter, only_value
from tslint.script.events.hazards import TruncatedCondition
from tslint.script.interpreter import observers
from tslint.script.types import NUMBER, Type
from tslint.util import astwalk

if TYPE_CHECKING:
    from tslint.script.interpreter.emitter import Emitter

# Operators whose result is not a tensor of ints or bools, whatever they get.
_FLOATING = frozenset("mean std var norm softmax log_softmax sigmoid tanh exp log sqrt rsqrt rand randn".split())


@observers.condition.observe
def notice_truncation(em: Emitter, node: ast.expr, type_: Type) -> None:
    """Report ``if x.mean().item():``, which is false for 0.5 and raises for NaN."""
    if type_ == NUMBER and _is_floating_item(em, node):
        em.notice(TruncatedCondition(node, ""))


def _is_floating_item(em: Emitter, node: ast.expr) -> bool:
    value = _value(em, node)
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute) or value.func.attr != "item":
        return False
    tensor = _value(em, value.func.value)
    if isinstance(tensor, ast.BinOp):
        return isinstance(tensor.op, ast.Div)
    return isinstance(tensor, ast.Call) and isinstance(tensor.func, ast.Attribute) and tensor.func.attr in _FLOATING


def _value(em: Emitter, node: ast.expr) -> ast.expr:
    """Return the expression that a variable stands for, if it is bound once; other expressions as they are."""
    function = em.unit.function.node
    if not isinstance(node, ast.Name) or is_parameter(function, node.id):
        return node
    named = [each for each in astwalk.mentions(function).get(node.id, ()) if isinstance(each, ast.Name)]
    targets = [each for each in named if binds(each)]
    return (only_value(function, targets[0]) if len(targets) == 1 else None) or node
