"""Handles conditions that depend on the construction of the module (``Condition.split``)."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from tslint.script.assumptions import Assumption, Assumptions, satisfiable
from tslint.script.construct.conditions import source_parameter
from tslint.script.interpreter.emitter import Emitter
from tslint.script.interpreter.environment import Condition
from tslint.script.types import ANYTHING, Type
from tslint.script.values import UNKNOWN, Alternatives, ModuleValue, Typed, Value


def refined_value(shown: Type | Alternatives) -> Value:
    """Return the value of a variable after a test has shown its type."""
    if shown == ANYTHING:
        return UNKNOWN
    return Typed(shown) if isinstance(shown, Type) else shown


def assumption_for(em: Emitter, node: ast.expr, wording: str) -> Assumption:
    """Return the assumption that a condition, which the compiler evaluates at compile time, is true.

    Args:
        em: the emitter of the function.
        node: the expression that the condition tests.
        wording: the condition, with ``{}`` for the expression: ``{} is None``. If the expression is an attribute that
            stores a parameter of the constructor, the parameter replaces it.
    """
    spelled = ast.unparse(node)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and em.unit.receiver is not None:
        owner = em.env.find(node.value.id)
        if isinstance(owner, ModuleValue) and owner.path == "self":
            stored = em.model.facts(em.unit.receiver).attributes.get(node.attr, [])
            sources = {source_parameter(each) for each in stored if satisfiable(each.assumptions, em.assumptions)}
            if len(sources) == 1 and None not in sources:
                spelled = str(sources.pop())
    return Assumption(wording.format(spelled), True)


def undecided(assumption: Assumption) -> Condition:
    """Return a condition that may be static, and depends on a test of the constructor."""
    return Condition(split=(frozenset([assumption]), frozenset([assumption.negated()])), unsure=True)


def maybe_static(em: Emitter, node: ast.expr, wording: str) -> Condition:
    """Return a static condition if the current assumptions decide it; otherwise one that may be static."""
    assumption = assumption_for(em, node, wording)
    if assumption in em.assumptions:
        return Condition(True)
    if assumption.negated() in em.assumptions:
        return Condition(False)
    return undecided(assumption)


def split_alternatives(
    em: Emitter, value: Alternatives, look: Callable[[Value], Condition], assumption: Assumption
) -> Condition:
    """Test a value that depends on how the module is constructed.

    Args:
        em: the emitter of the function.
        value: the possible values, each with the assumptions under which it occurs.
        look: tests one of them.
        assumption: that the test is true; used if the assumptions of the values do not tell the results apart.

    Returns:
        The result that all values have in common; a condition split by assumptions if results differ; an unsure one if
        the test of a value is only known when the code runs.
    """
    true: list[tuple[Assumptions, Value]] = []
    false: list[tuple[Assumptions, Value]] = []
    name = ""
    other = False
    for assumptions, option in value.cases:
        if not satisfiable(assumptions, em.assumptions):
            continue
        with em.assume(assumptions):
            condition = look(option)
        if condition.split is not None:
            true.append((assumptions | condition.split[0], option))
            false.append((assumptions | condition.split[1], option))
            continue
        other = other or condition.static is None
        for cases, static, shown in ((true, True, condition.when_true), (false, False, condition.when_false)):
            if condition.static in (static, None):
                name = next(iter(shown), name)
                cases.append((assumptions, refined_value(shown[name]) if name in shown else option))
    if other:
        if not name:
            return Condition(unsure=True)
        return Condition(None, {name: Alternatives(tuple(true))}, {name: Alternatives(tuple(false))}, unsure=True)
    if not false:
        return Condition(True)
    if not true:
        return Condition(False)
    return Condition(split=(shown_by(em, true, false, assumption), shown_by(em, false, true, assumption.negated())))


def shown_by(
    em: Emitter,
    cases: list[tuple[Assumptions, Value]],
    others: list[tuple[Assumptions, Value]],
    assumption: Assumption,
) -> Assumptions:
    """Return what one result of a test shows: the assumptions that all cases of this result have in common.

    If a case of the other result may have the same assumptions, too, the test itself is added.
    """
    common = common_assumptions([assumptions for assumptions, _ in cases]) - em.assumptions
    excluded = tuple(assumptions for assumptions, _ in others)
    if common and not any(satisfiable(each, common) for each in excluded):
        return common
    return common | {replace(assumption, excludes=excluded)}


def common_assumptions(options: list[Assumptions]) -> Assumptions:
    """Return the assumptions that all given cases have in common."""
    result = options[0]
    for option in options[1:]:
        result = result & option
    return result
