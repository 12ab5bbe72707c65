"""Declares flags as constants in the class body, and stores the results of tests, or adds properties for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import chain

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.class_body import declared, first_line
from tslint.rewrite.none_test import NOT_AN_ARRAY, by_identity
from tslint.rulekit.match import Match
from tslint.rulekit.rule import display, safe, unsafe
from tslint.rulekit.template import Line, expression, statement
from tslint.script.dataflow.class_annotations import constants
from tslint.script.dataflow.flags import Method, Plan
from tslint.util import astwalk
from tslint.util.record import record

_PROPERTY = "@{torch}.jit.unused\n@property\ndef {name}({itself}):\n    return {value}"
Edits = Callable[[], Iterable[Edit]]


def written(match: Match, method: Method, plan: Plan) -> Fix | None:
    """Return a plan as a fix; None if it cannot be written.

    The fix relies on the values of the attributes: a constant of a compiled module cannot be set.
    """
    fix = _fix(match, method, plan)
    return replace(fix, unset=(*plan.flags, *_asked(method, plan))) if fix is not None else None


def _asked(method: Method, plan: Plan) -> list[str]:
    """Return the attributes in the tests of a plan."""
    found = (method.own(part) for test in plan.made.values() for part in astwalk.walk(test))
    return list(dict.fromkeys(filter(None, found)))


def _fix(match: Match, method: Method, plan: Plan) -> Fix | None:
    names = [*plan.flags, *(name for name in plan.made if name not in method.declared())]
    declaration = _declaration(match, method, plan, names) if names else tuple
    results = _results(match, method, plan)
    if declaration is None or results is None:
        return None
    if plan.compared and not plan.made:
        what = "Compare with None by `is` or `is not`, so that the compiler drops code that cannot run"
        return unsafe(what, lambda: [*declaration(), *_by_identity(match, plan)], assumes=NOT_AN_ARRAY)
    if not plan.made:
        text = ", ".join(f"`{name}`" for name in plan.flags)
        what = "constants" if len(plan.flags) > 1 else "a constant"
        return safe(f"Declare {text} as {what}, so that the compiler drops code that cannot run", declaration)

    def edits() -> Iterable[Edit]:
        replaced = chain.from_iterable(_asked_instead(match, method, plan))
        return dict.fromkeys([*results.edits(), *replaced, *_by_identity(match, plan), *declaration()])

    added = ", ".join(f"`{name}`" for name in plan.made)
    if len(plan.made) > 1 and results.properties:
        message = f"Add the properties {added}, which are constants for the compiler, and test them"
        return display(message, edits)  # more code than most authors would add for the compiler
    assumes = NOT_AN_ARRAY if plan.compared else ""
    if results.properties:
        message = f"Add the property {added}, a constant for the compiler, and test it"
        return unsafe(message, edits, risks=(Risk.DIFFERS,), assumes=assumes)
    stored = ", ".join(f"`{method.itself}.{name}`" for name in plan.made)
    if not method.unmade(plan):
        return unsafe(f"Test {stored}, a constant for the compiler", edits, risks=(Risk.DIFFERS,), assumes=assumes)
    message = f"Store the result of the test in {stored}, a constant for the compiler"
    later = f"other code may set {' or '.join(f'`{method.itself}.{name}`' for name in _asked(method, plan))} later"
    return unsafe(message, edits, risks=(Risk.DIFFERS,), assumes=assumes or later)


def _by_identity(match: Match, plan: Plan) -> Iterable[Edit]:
    for test in plan.compared:
        node = match.libcst(test)
        assert isinstance(node, cst.Comparison)
        yield from match.replace(node, by_identity(node))


def _asked_instead(match: Match, method: Method, plan: Plan) -> Iterable[tuple[Edit, ...]]:
    """Yield the edits that replace each test by its property."""
    for test, name in plan.replaced:
        node = match.libcst(test)
        assert isinstance(node, cst.BaseExpression)
        flag = expression("{itself}.{name}", itself=method.itself, name=name)
        yield match.replace(node, flag)


def _declaration(match: Match, method: Method, plan: Plan, names: Sequence[str]) -> Edits | None:
    assert plan.target is not None
    listed = constants(plan.target)
    if listed is not None:
        return _listed(match, match.libcst(listed), names)
    first = first_line(match, plan.target)
    if first is None:
        return None
    # Annotations in a class hide those of its base classes, and the compiler cannot read them as strings (`from
    # __future__ import annotations`); `__constants__` only hides the `__constants__` of base classes.
    if method.may_list_constants():
        texts = cst.List([cst.Element(cst.SimpleString(f'"{name}"')) for name in names])
        return lambda: declared(match, first, statement("__constants__ = {names}", names=texts))
    if not method.may_annotate(plan.target):
        return None
    final, imports = match.imported("typing", "Final")
    lines = [statement("{name}: {final}[bool]", name=name, final=final) for name in names]
    return lambda: (*declared(match, first, *lines), *imports)


def _listed(match: Match, listed: cst.CSTNode, names: Sequence[str]) -> Edits | None:
    if not isinstance(listed, (cst.List, cst.Tuple)) or not listed.elements:
        return None
    last = listed.elements[-1]
    mark = last.value.quote if isinstance(last.value, cst.SimpleString) else '"'
    comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    more = [cst.Element(cst.SimpleString(f"{mark}{name}{mark}"), comma) for name in names]
    more[-1] = more[-1].with_changes(comma=last.comma)
    elements = [*listed.elements[:-1], last.with_changes(comma=comma), *more]
    return lambda: match.replace(listed, listed.with_changes(elements=elements))


@record
class _Results:
    """Where the results of tests are kept for the compiler.

    Args:
        edits: creates the edits.
        properties: whether some of them add properties.
    """

    edits: Edits
    properties: bool


def _results(match: Match, method: Method, plan: Plan) -> _Results | None:
    """Return the edits that store the result of each test in the constructor, or add a property for it below the method
    that stores the attributes in the test; None if they cannot be written.

    With a property, Python evaluates the test as often as before; the compiler reads both once, as constants.
    """
    found: list[tuple[Line, Line]] = []
    properties = False
    torch, imports = match.imported("torch")
    for name, test in method.unmade(plan):
        node, below, asked = match.libcst(test), method.stored_below(plan, name), method.not_none(plan, name)
        if asked is None or not isinstance(node, cst.BaseExpression) or "\n" in match.code(node):
            return None
        value = _value(node, [match.libcst(part) for part in asked])
        line = match.line(match.libcst(below)) if below is not None else None
        if line is not None:
            stored = statement("{itself}.{name} = {value}", itself=method.itself, name=name, value=value)
            found.append((line, stored))
            continue
        place = method.place(plan, test)
        above = match.libcst(place) if place is not None else None
        if not isinstance(above, cst.FunctionDef):
            return None
        made = statement(_PROPERTY, torch=torch, name=name, itself=method.itself, value=value)
        found.append((above, made.with_changes(leading_lines=[cst.EmptyLine(indent=False)])))
        properties = True

    def edits() -> Iterable[Edit]:
        yield from (match.insert_after(above, made) for above, made in found)
        yield from imports if properties else ()

    return _Results(edits, properties)


def _value(node: cst.BaseExpression, not_none: Sequence[cst.CSTNode]) -> cst.BaseExpression:
    """Return the expression that the property returns, which is certainly a bool.

    Args:
        node: the test.
        not_none: the operands of the test that may be None.
    """
    if not isinstance(node, cst.Comparison):
        return node if isinstance(node, cst.Call) else expression("bool({test})", test=node)
    found: cst.BaseExpression = node
    for part in reversed(not_none):
        assert isinstance(part, cst.BaseExpression)
        there = expression("{part} is not None", part=part)
        found = cst.BooleanOperation(there, cst.And(), found)
    return found
