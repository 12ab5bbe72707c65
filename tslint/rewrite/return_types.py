"""Functions whose returns have several types: the test that chooses one, and the annotation that names them all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.annotate import spelled
from tslint.rewrite.static_branch import decided_tests
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe, unsafe
from tslint.rulekit.template import code
from tslint.script.dataflow.guards import leaves, tests_for
from tslint.script.type_text import TypeText, parsed

_RETURNS_VALUE = m.Return(value=m.MatchIfTrue(lambda value: value is not None))


def one_return(match: Match, first: Any, second: Any) -> Fix | None:
    """A fix after which the compiler sees one of two returns only, which are the model's nodes."""
    unit = match.event.unit
    return decided_tests(match, tests_for(unit.function.node, first, second)) if unit is not None else None


def annotated_union(match: Match, returns: Sequence[tuple[object, object, object]]) -> Fix | None:
    """Annotate a function without annotation as a Union of what it returns.

    Args:
        match: the event.
        returns: of every return the tests of the constructor, the type and the statement.
    """
    function, unit = match.function, match.event.unit
    if function is None or unit is None or function.returns is not None or not leaves(unit.function.node.body):
        return None
    # Compiled callers get the Union, and can do little with it.
    if any(reach.caller is not None for reach in unit.reached) or any(type_ is None for _, type_, _ in returns):
        return None
    types = tuple(dict.fromkeys(parsed(str(type_)).plain for _, type_, _ in returns))
    found = spelled(match, str(TypeText("Union", types)))
    if found is None or m.findall(function, m.Yield()):
        return None
    return safe(f"Annotate `-> {code(found[0])}`", lambda: _annotated(match, function, found[0]), *found[1])


def corrected(match: Match, declared: TypeText, actual: TypeText) -> Fix | None:
    """Annotate a function with what its only return gives, where the annotation cannot be meant as it stands.

    Args:
        match: the event.
        declared, actual: the types of the annotation and of the value.
    """
    function = match.function
    if function is None or function.returns is None:
        return None
    returns = m.findall(function, _RETURNS_VALUE)
    found = spelled(match, str(_both(declared, actual.plain)))
    if len(returns) != 1 or found is None:
        return None
    if match.event.condition is not None:
        # Each construction has a type of its own, which the compiler finds.
        return unsafe("Leave out the annotation", lambda: _annotated(match, function, None), risks=(Risk.ASSUMES,))
    message = f"Annotate `-> {code(found[0])}` (callers get that)"
    return unsafe(message, lambda: _annotated(match, function, found[0]), *found[1], risks=(Risk.ASSUMES,))


def _both(declared: TypeText, actual: TypeText) -> TypeText:
    """A type that a value has, as close to its annotation as it can be."""
    maybe, inner = declared.without_none, actual.without_none
    if maybe is not None:
        return declared if actual.is_none else TypeText("Optional", (_both(maybe, inner or actual),))
    if len(declared.elements) == len(actual.elements) > 0:
        return TypeText("Tuple", tuple(map(_both, declared.elements, actual.elements)))
    return actual


def _annotated(match: Match, function: cst.FunctionDef, type_: cst.BaseExpression | None) -> tuple[Edit, ...]:
    """A function with an annotation of what it returns, or with none."""
    if type_ is not None and function.returns is not None:
        return match.replace(function.returns.annotation, type_)
    returns = cst.Annotation(type_) if type_ is not None else None
    return match.rewrite(function, function.with_changes(returns=returns))
