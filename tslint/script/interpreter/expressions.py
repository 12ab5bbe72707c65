"""Emits expressions (``emitSugaredExpr``, ``emitSimpleExpr``)."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from tslint.script.events.modules import NotACondition
from tslint.script.events.types import IfExpressionTypes
from tslint.script.interpreter import observers
from tslint.script.interpreter.conditions import emit_condition, refine
from tslint.script.interpreter.emitter import Emitter, emits, join_alternatives
from tslint.script.interpreter.externals import different_constants
from tslint.script.interpreter.operators import binary, compare, unary
from tslint.script.interpreter.value_kinds import first_class_module
from tslint.script.types import ANY, BOOL, STRING, Type, type_of_constant, unify
from tslint.script.values import NO_CONSTANT, UNKNOWN, Alternatives, ModuleValue, Typed, Value


@emits(ast.Constant)
def _constant(em: Emitter, node: ast.Constant, hint: Type | None) -> Value:
    type_ = type_of_constant(node.value)
    return UNKNOWN if type_ is None else Typed(type_, node.value)


@emits(ast.BoolOp)
def _bool_op(em: Emitter, node: ast.BoolOp, hint: Type | None) -> Value:
    before = len(em.events)
    condition = emit_condition(em, node)
    refused = [event for event in em.events[before:] if isinstance(event, NotACondition) and event.node in node.values]
    certain = any(event.assumptions == em.assumptions for event in refused)
    if condition.static is None and not certain:
        observers.bool_operation.tell(em, node)
    if refused:
        em.events = [event for event in em.events if not any(event is other for other in refused[1:])]
        return UNKNOWN  # the author may write a conditional expression instead, which has another type
    return Typed(BOOL, condition.static if condition.static is not None else NO_CONSTANT)


@emits(ast.UnaryOp)
def _unary(em: Emitter, node: ast.UnaryOp, hint: Type | None) -> Value:
    if isinstance(node.op, ast.Not):
        condition = emit_condition(em, node)
        return Typed(BOOL, condition.static if condition.static is not None else NO_CONSTANT)
    return unary(em, node, em.expression(node.operand))


@emits(ast.BinOp)
def _binary(em: Emitter, node: ast.BinOp, hint: Type | None) -> Value:
    # Long sums are deep trees, so the left operands are followed without recursion.
    chain: list[ast.BinOp] = []
    left: ast.expr = node
    while isinstance(left, ast.BinOp):
        chain.append(left)
        left = left.left
    value = em.expression(left)
    for operation in reversed(chain):
        value = binary(em, operation, operation.op, value, em.expression(operation.right))
    return value


def _against_none(node: ast.Compare) -> bool:
    return any(isinstance(side, ast.Constant) and side.value is None for side in (node.left, node.comparators[0]))


@emits(ast.Compare)
def _compare(em: Emitter, node: ast.Compare, hint: Type | None) -> Value:
    if len(node.ops) == 1 and isinstance(node.ops[0], (ast.Is, ast.IsNot)) and _against_none(node):
        condition = emit_condition(em, node)
        return Typed(BOOL, condition.static if condition.static is not None else NO_CONSTANT)
    left = em.expression(node.left)
    result: Value = UNKNOWN
    for op, right_node in zip(node.ops, node.comparators):
        right = em.expression(right_node)
        result = compare(em, node, op, left, right)
        left = right
    # A chained comparison is `a < b and b < c`, which is a bool.
    return result if len(node.ops) == 1 else Typed(BOOL)


@emits(ast.IfExp)
def _if_expression(em: Emitter, node: ast.IfExp, hint: Type | None) -> Value:
    condition = emit_condition(em, node.test)
    if em.recording is not None:
        em.recording.decided(em.unit, node, condition)
    if condition.static is not None:
        chosen, refinements = (
            (node.body, condition.when_true) if condition.static else (node.orelse, condition.when_false)
        )
        return first_class_module(_refined(em, chosen, refinements, hint))
    if condition.split is not None:
        results = []
        for assumptions, branch, refinements in (
            (condition.split[0], node.body, condition.when_true),
            (condition.split[1], node.orelse, condition.when_false),
        ):
            with em.assume(assumptions):
                results.append((assumptions, first_class_module(_refined(em, branch, refinements, hint))))
        if not condition.split[0] or not condition.split[1]:
            return results[0][1] if results[0][1] == results[1][1] else UNKNOWN
        return join_alternatives(results)
    with em.assume(condition.compiled[0]):
        left = _refined(em, node.body, condition.when_true, hint)
    with em.assume(condition.compiled[1]):
        right = _refined(em, node.orelse, condition.when_false, hint)
    a, b = em.type_of(left, node.body), em.type_of(right, node.orelse)
    if a is None or b is None:
        return UNKNOWN
    joined = ANY if hint == ANY else unify(a, b)
    if (
        isinstance(left, ModuleValue)
        and isinstance(right, ModuleValue)
        and different_constants(left.instance, right.instance)
    ):
        joined = None
    if joined is None:
        em.report(
            IfExpressionTypes(
                node, f"if-expression's true branch has type {a} but false branch has type {b}", true=a, false=b
            )
        )
        return UNKNOWN
    return Typed(joined)


def _refined(em: Emitter, node: ast.expr, refinements: Mapping[str, Type | Alternatives], hint: Type | None) -> Value:
    """Emit one branch of a conditional expression; both have the type hint of the whole."""
    em.env.push()
    refine(em, refinements)
    value = em.expression(node, hint)
    em.env.pop()
    return value


@emits(ast.JoinedStr)
def _joined_string(em: Emitter, node: ast.JoinedStr, hint: Type | None) -> Value:
    observers.joined_string.tell(em, node)
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            type_ = em.typed_expression(part.value)
            if type_ is not None:
                observers.printed_value.tell(em, part.value, Typed(type_), node)
    return Typed(STRING)


@emits(ast.Starred)
def _starred(em: Emitter, node: ast.Starred, hint: Type | None) -> Value:
    return em.expression(node.value)
