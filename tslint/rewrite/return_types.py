"""Fixes functions that return several types: lets the compiler decide which return to compile, or annotates a Union."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.rewrite.annotate import spelled
from tslint.rewrite.static_branch import can_decide, decided_tests
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import display, for_a_person, safe, unsafe
from tslint.rulekit.template import code
from tslint.script.dataflow.guards import guards, leaves, tests_for
from tslint.script.types import (
    NONE,
    OptionalType,
    TupleType,
    Type,
    is_inferred,
    optional_element,
    plain,
    tuple_elements,
    walk,
)

_RETURNS_VALUE = m.Return(value=m.MatchIfTrue(lambda value: value is not None))


def one_return(match: Match, first: Any, second: Any, *, any_truth: bool = False) -> Fix | None:
    """Return a fix after which the compiler sees only one of two returns, at least in some constructions.

    Args:
        match: the event.
        first: a return, a node of the static model.
        second: the other return.
        any_truth: whether to evaluate values of unknown types as conditions, too.
    """
    unit = match.event.unit
    if unit is None:
        return None
    return decided_tests(match, tests_for(unit.function.node, first, second), any_truth=any_truth)


def is_one_always(match: Match, first: Any, second: Any) -> bool:
    """Return whether :func:`one_return` lets the compiler see only one of two returns in every construction.

    That is so if the compiler can then evaluate a test that selects one of the returns, or all tests around the first
    return: the compiler skips the code after a return. Otherwise, the compiler still sees both returns in some
    constructions.
    """
    unit = match.event.unit
    if unit is None:
        return False
    around, other = (list(guards(unit.function.node, each)) for each in (first, second))
    results = {(guard.test, guard.skips) for guard in other}
    selecting = [guard.test for guard in around if (guard.test, not guard.skips) in results]
    wanted = [[test] for test in selecting] + [[guard.test for guard in around]]
    return any(can_decide(match, tests) for tests in wanted)


def annotated_union(match: Match, returns: Sequence[tuple[object, Type | None, object]]) -> Fix | None:
    """Annotate a function with a Union of the types that it returns.

    Args:
        match: the event.
        returns: for each return, the constructor's tests under which it is compiled, its type, and the statement.
    """
    function, unit = match.function, match.event.unit
    if function is None or unit is None or function.returns is not None or not leaves(unit.function.node.body):
        return None
    # Compiled callers would get the Union, which most operators do not accept.
    if any(reach.caller is not None for reach in unit.reached) or any(type_ is None for _, type_, _ in returns):
        return None
    types = dict.fromkeys(plain(type_) for _, type_, _ in returns if type_ is not None)
    found = spelled(match, f"Union[{', '.join(types)}]")
    if found is None or m.findall(function, m.Yield()):
        return None
    return safe(f"Annotate `-> {code(found[0])}`", lambda: _annotated(match, function, found[0]), *found[1])


def corrected(match: Match, declared: Type, actual: Type) -> Fix | None:
    """Replace a wrong annotation of the result by the type of the function's only return. If the type differs between
    constructions, suggest that the author removes the annotation.

    Return None if there are several returns, or if the type is not certain.

    Args:
        match: the event.
        declared: the type of the annotation.
        actual: the type of the returned value.
    """
    function = match.function
    if function is None or function.returns is None:
        return None
    if any(is_inferred(each) for each in walk(actual)):
        return None  # a parameter without annotation may really have the annotated type
    returns = m.findall(function, _RETURNS_VALUE)
    found = spelled(match, plain(_both(declared, actual)))
    if len(returns) != 1 or found is None:
        return None
    if match.event.condition is not None:
        # The type differs between constructions; without an annotation, the compiler infers it in each of them.
        return display("Remove the annotation", lambda: _annotated(match, function, None))
    message = f"Annotate `-> {code(found[0])}`, the type of the returned value"
    assumes = "the value may be wrong, and not the annotation"
    fix = unsafe(message, lambda: _annotated(match, function, found[0]), *found[1], assumes=assumes)
    # A list instead of a tuple, or a Tensor instead of a list: the value may be wrong, and not the annotation.
    return fix if _inner(declared) is _inner(actual) else for_a_person(fix)


def _inner(type_: Type) -> type[Type]:
    return type(optional_element(type_) or type_)


def _both(declared: Type, actual: Type) -> Type:
    """Return the type of the value, but keep the annotation for the parts where it is right."""
    maybe, inner = optional_element(declared), optional_element(actual)
    if maybe is not None:
        return declared if actual == NONE else OptionalType(_both(maybe, inner or actual))
    if len(tuple_elements(declared)) == len(tuple_elements(actual)) > 0:
        return TupleType(tuple(map(_both, tuple_elements(declared), tuple_elements(actual))))
    return actual


def _annotated(match: Match, function: cst.FunctionDef, type_: cst.BaseExpression | None) -> tuple[Edit, ...]:
    """Return the edits that annotate a function's result with a type; for None, those that remove the annotation."""
    if type_ is not None and function.returns is not None:
        return match.replace(function.returns.annotation, type_)
    returns = cst.Annotation(type_) if type_ is not None else None
    return match.rewrite(function, function.with_changes(returns=returns))
