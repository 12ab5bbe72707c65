"""Emits tests of ``if``, ``while`` and similar (``emitCondExpr``), and determines which are static, and what they show
about variables.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from tslint.script.assumptions import NO_ASSUMPTIONS, Assumption, Assumptions, satisfiable
from tslint.script.interpreter.emitter import Emitter
from tslint.script.interpreter.environment import Condition
from tslint.script.interpreter.split_conditions import assumption_for, maybe_static, refined_value, split_alternatives
from tslint.script.interpreter.truthiness import truthiness
from tslint.script.interpreter.type_tests import hasattr_condition, isinstance_condition
from tslint.script.interpreter.wrapped import look_through_wrapper
from tslint.script.types import ANY, NONE, OptionalType, Type, UnionType, members, union
from tslint.script.values import Alternatives, ContainerValue, Missing, ModuleValue, TupleValue, Typed, Unknown, Value

_SCRIPTING = {"torch.jit.is_scripting", "torch._jit_internal.is_scripting"}
_NEVER = {
    "torch.overrides.has_torch_function",
    "torch.overrides.has_torch_function_unary",
    "torch.overrides.has_torch_function_variadic",
    "torch._C._has_torch_function",
    "torch._C._has_torch_function_unary",
}


def emit_condition(em: Emitter, node: ast.expr) -> Condition:
    """Emit a test."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return emit_condition(em, node.operand).negated()
    if isinstance(node, ast.BoolOp):
        return _short_circuit(em, node)
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (ast.Is, ast.IsNot)):
        condition = _is(em, node)
        if condition is not None:
            return condition.negated() if isinstance(node.ops[0], ast.IsNot) else condition
    if isinstance(node, ast.Call):
        special = _call(em, node)
        if special is not None:
            return special
    if isinstance(node, ast.IfExp):
        chosen = _chosen(em, node)
        if chosen is not None:
            return chosen
    value = em.expression(node)
    return truthiness(em, value, node)


def _chosen(em: Emitter, node: ast.IfExp) -> Condition | None:
    """Emit ``a if torch.jit.is_scripting() else b``; return None for other expressions.

    The compiler emits only one of ``a`` and ``b``. If the value of that one is known at compile time, the test is
    static; but the test refines no types.
    """
    called = node.test.operand if isinstance(node.test, ast.UnaryOp) else node.test
    if not isinstance(called, ast.Call) or em.qualified(called.func) not in _SCRIPTING:
        return None
    scripting = emit_condition(em, node.test).static
    inner = emit_condition(em, node.body if scripting else node.orelse)
    return Condition(inner.static, split=inner.split, unsure=inner.unsure)


def _call(em: Emitter, node: ast.Call) -> Condition | None:
    name = em.qualified(node.func) if isinstance(node.func, (ast.Name, ast.Attribute)) else ""
    if (
        isinstance(node.func, ast.Name)
        and node.func.id in ("isinstance", "hasattr")
        and em.env.find(node.func.id) is None
    ):
        name = f"builtins.{node.func.id}"  # a variable of that name hides the builtin
    if name in _SCRIPTING:
        look_through_wrapper(em, node.func)
        return Condition(True)
    if name in _NEVER:
        return Condition(False)
    if name == "builtins.bool" and len(node.args) == 1 and not node.keywords:
        inner = emit_condition(em, node.args[0])
        return inner
    if name in ("builtins.isinstance", "torch.jit.isinstance") and len(node.args) == 2 and not node.keywords:
        return isinstance_condition(em, node)
    if name == "builtins.hasattr" and len(node.args) == 2 and not node.keywords:
        return hasattr_condition(em, node)
    return None


def _short_circuit(em: Emitter, node: ast.BoolOp) -> Condition:
    """Emit ``and``/``or``: every operand is emitted, the later ones with the refinements of the earlier ones."""
    conjunction = isinstance(node.op, ast.And)
    result = emit_condition(em, node.values[0])
    for operand in node.values[1:]:
        em.env.push()
        outer = em.assumptions
        refine(em, result.when_true if conjunction else result.when_false)
        right = emit_condition(em, operand)
        em.assumptions = outer
        em.env.pop()
        result = _combine(result, right, conjunction)
    return result


def _combine(left: Condition, right: Condition, conjunction: bool) -> Condition:
    stop = not conjunction
    static: bool | None = None
    if left.static is stop or right.static is stop:
        static = stop
    elif left.static is not None and right.static is not None:
        static = not stop
    split: tuple[Assumptions, Assumptions] | None = None
    unsure = left.unsure or right.unsure
    if static is None and (left.split or right.split):
        if left.static is not None:
            split = right.split
        elif right.static is not None:
            split = left.split
        elif left.split and right.split and (not conjunction or satisfiable(left.split[0], right.split[0])):
            whole = _whole(left.split[0], right.split[0], conjunction)
            not_whole = frozenset(assumption.negated() for assumption in whole)
            if conjunction:
                split = (left.split[0] | right.split[0] | whole, not_whole)
            else:
                split = (whole, left.split[1] | right.split[1] | not_whole)
        else:
            unsure = True
    result = Condition(static, split=split, unsure=unsure)
    if static is None and split is None:
        result.compiled = _compiled(left, right, conjunction)
    joined, alternative = ("when_true", "when_false") if conjunction else ("when_false", "when_true")
    merged = {**getattr(left, joined), **getattr(right, joined)}
    setattr(result, joined, merged)
    weaker: dict[str, Type | Alternatives] = {}
    one, other = getattr(left, alternative), getattr(right, alternative)
    for name in one.keys() & other.keys():
        if isinstance(one[name], Type) and isinstance(other[name], Type):
            weaker[name] = union([one[name], other[name]])
    setattr(result, alternative, weaker)
    return result


def _compiled(left: Condition, right: Condition, conjunction: bool) -> tuple[Assumptions, Assumptions]:
    """Return the tests under which the branch for true is compiled, and those for the branch for false: one operand may
    decide the whole test at compile time.
    """
    branch = 0 if conjunction else 1
    deciding: Assumptions = NO_ASSUMPTIONS
    for operand in (left, right):
        deciding |= operand.compiled[branch] if operand.split is None else operand.split[branch]
    return (deciding, NO_ASSUMPTIONS) if conjunction else (NO_ASSUMPTIONS, deciding)


def _whole(left: Assumptions, right: Assumptions, conjunction: bool) -> Assumptions:
    """Return ``a and b`` or ``a or b`` as one assumption, because the constructor may contain the same test; empty if
    an operand is negated, or is not exactly one test.
    """
    parts = [*left, *right]
    if len(left) != 1 or len(right) != 1 or any(not part.holds or part.version for part in parts):
        return frozenset()
    return frozenset([Assumption((" and " if conjunction else " or ").join(part.text for part in parts), True)])


def refine(em: Emitter, refinements: Mapping[str, Type | Alternatives]) -> None:
    """Give variables the types that a test has shown (``insertRefinements``)."""
    for name, shown in refinements.items():
        em.env.set(name, refined_value(shown))


def _is(em: Emitter, node: ast.Compare) -> Condition | None:
    """Emit ``x is None``: static if the type decides it, otherwise it refines plain variables. Return None for other
    comparisons.
    """
    right_node = node.comparators[0]
    left_none = isinstance(node.left, ast.Constant) and node.left.value is None
    if not left_none and not (isinstance(right_node, ast.Constant) and right_node.value is None):
        return None
    operand = right_node if left_none else node.left
    value = em.expression(operand)
    return none_test(em, value, operand)


def none_test(em: Emitter, value: Value, node: ast.expr) -> Condition:
    """Return the condition for a test whether a value is None, as the compiler evaluates the test."""
    if isinstance(value, Alternatives):
        return split_alternatives(
            em, value, lambda option: none_test(em, option, node), assumption_for(em, node, "{} is None")
        )
    if isinstance(value, (Unknown, Missing)):
        return maybe_static(em, node, "{} is None")
    if isinstance(value, Typed):
        if value.type == NONE or (value.is_constant and value.constant is None):
            return Condition(True)
        if (
            isinstance(value.type, OptionalType)
            or value.type == ANY
            or (isinstance(value.type, UnionType) and NONE in value.type.members)
        ):
            condition = Condition()
            if isinstance(node, ast.Name):
                # Only the branch for a value other than None refines the type; in the branch for None, the variable
                # keeps its type.
                if value.type != ANY:
                    condition.when_false = {node.id: union([m for m in members(value.type) if m != NONE])}
            return condition
        return Condition(False)
    if not isinstance(value, (ModuleValue, ContainerValue, TupleValue)):
        em.type_of(value, node)
    return Condition(False)
