"""Recovers from errors: changes what is known about variables, so that one mistake gives one finding."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.script.events import Event
from tslint.script.events.calls import Mismatch, OperatorMismatch
from tslint.script.events.types import NoSuchMember, NotSubscriptable
from tslint.script.interpreter.environment import Environment
from tslint.script.types import OptionalType, TensorType
from tslint.script.values import Typed


def recover(env: Environment, event: Event) -> None:
    """Change what is known about the variables in the expression that an event is about.

    If an operator or a call rejects types, unannotated parameters in it are unknown from now on: further errors would
    only follow from their inferred type. If the expression does not accept None for an Optional variable, the variable
    counts as not None from now on: the ``assert`` that repairs the expression also repairs the later uses of the
    variable.
    """
    if isinstance(event, Mismatch):
        for operand in (event.node, *_operands(event.node)):
            if isinstance(operand, ast.Name):
                value = env.find(operand.id)
                if isinstance(value, Typed) and isinstance(value.type, TensorType) and value.type.inferred:
                    env.forget(operand.id)
    for operand in _not_none(event):
        value = env.find(operand.id) if isinstance(operand, ast.Name) else None
        if isinstance(operand, ast.Name) and isinstance(value, Typed) and isinstance(value.type, OptionalType):
            env.set(operand.id, Typed(value.type.element))


def _not_none(event: Event) -> Iterator[ast.AST]:
    """Yield the parts of an expression that must not be None."""
    if isinstance(event, (NoSuchMember, NotSubscriptable)) and isinstance(event.type, OptionalType):
        yield from _operands(event.node)[:1]
    elif isinstance(event, OperatorMismatch) and isinstance(event.node, (ast.BinOp, ast.AugAssign)):
        yield from _operands(event.node)
    elif isinstance(event, OperatorMismatch) and event.builtin and isinstance(event.diagnosis.actual, OptionalType):
        if event.diagnosis.argument is not None and event.diagnosis.actual.element in event.diagnosis.expected:
            yield event.diagnosis.argument


def _operands(node: ast.AST) -> list[ast.expr]:
    """Return the operands of an expression."""
    if isinstance(node, ast.Call):
        callee = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        return [*callee, *node.args, *(keyword.value for keyword in node.keywords)]
    if isinstance(node, (ast.BinOp, ast.Compare)):
        return [node.left, *([node.right] if isinstance(node, ast.BinOp) else node.comparators)]
    if isinstance(node, ast.AugAssign):
        return [node.target, node.value]
    if isinstance(node, ast.Subscript):
        return [node.value, *(node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice])]
    return [node.value] if isinstance(node, (ast.Attribute, ast.Assign)) else []
