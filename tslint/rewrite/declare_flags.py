"""Declares flags as constants in the class body, and adds properties that return the results of tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.class_body import declared, first_line
from tslint.rewrite.none_test import by_identity
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import display, safe, unsafe
from tslint.rulekit.template import Line, expression, statement
from tslint.script.dataflow.class_annotations import constants
from tslint.script.dataflow.flags import Method, Plan

_PROPERTY = "@{torch}.jit.unused\n@property\ndef {name}({itself}):\n    return {value}"
_ORDER = m.ComparisonTarget(operator=m.LessThan() | m.LessThanEqual() | m.GreaterThan() | m.GreaterThanEqual())
Edits = Callable[[], Iterable[Edit]]


def written(match: Match, method: Method, plan: Plan) -> Fix | None:
    """Return a plan as a fix; None if it cannot be written."""
    names = [*plan.flags, *(name for name in plan.made if name not in method.declared())]
    declaration = _declaration(match, method, plan, names) if names else tuple
    properties = _properties(match, method, plan)
    if declaration is None or properties is None:
        return None
    if plan.compared and not plan.made:
        what = "Compare with None by `is` or `is not`, so that the compiler drops code that cannot run"
        return unsafe(what, lambda: [*declaration(), *_by_identity(match, plan)], risks=(Risk.ASSUMES,))
    if not plan.made:
        text = ", ".join(f"`{name}`" for name in plan.flags)
        what = "constants" if len(plan.flags) > 1 else "a constant"
        return safe(f"Declare {text} as {what}, so that the compiler drops code that cannot run", declaration)

    def edits() -> Iterable[Edit]:
        asked = chain.from_iterable(_asked_instead(match, method, plan))
        return dict.fromkeys([*properties(), *asked, *_by_identity(match, plan), *declaration()])

    added = ", ".join(f"`{name}`" for name in plan.made)
    if len(plan.made) > 1:
        message = f"Add the properties {added}, which are constants for the compiler, and test them"
        return display(message, edits)  # more code than most authors would add for the compiler
    message = f"Add the property {added}, a constant for the compiler, and test it"
    return unsafe(message, edits, risks=(Risk.DIFFERS, *([Risk.ASSUMES] if plan.compared else [])))


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


def _properties(match: Match, method: Method, plan: Plan) -> Edits | None:
    """Return a function that creates the edits that add a property for each test, below the method that stores the
    attributes in the test; None if a property cannot be written.

    Python evaluates the test as often as before; the compiler reads the property once, as a constant.
    """
    found: list[tuple[Line, str, cst.BaseExpression]] = []
    for name, test in method.unmade(plan):
        node, place = match.libcst(test), method.place(plan, test)
        value = _value(node, method.is_guarded(plan, name))
        above = match.libcst(place) if place is not None else None
        if not isinstance(above, cst.FunctionDef) or value is None or "\n" in match.code(node):
            return None
        found.append((above, name, value))

    def edits() -> Iterable[Edit]:
        torch, imports = match.imported("torch")
        for above, name, value in found:
            made = statement(_PROPERTY, torch=torch, name=name, itself=method.itself, value=value)
            yield match.insert_after(above, made.with_changes(leading_lines=[cst.EmptyLine(indent=False)]))
        yield from imports if found else ()

    return edits


def _value(node: cst.CSTNode, guarded: bool | None) -> cst.BaseExpression | None:
    """Return the expression that the property returns, which is certainly a bool; None if it may raise where compiled
    code did not raise before.

    Args:
        node: the test.
        guarded: True if the test depends on, or stands beside, another test of its attributes in every place, False if
            in no place; None if only in some places.
    """
    if not isinstance(node, cst.BaseExpression):
        return None
    if not isinstance(node, cst.Comparison):
        return node if isinstance(node, cst.Call) else expression("bool({test})", test=node)
    if not m.matches(node.comparisons[0], _ORDER):
        return node
    # `None < 1` raises. A test that comes first may exclude None, but the property is read without that test.
    found: cst.BaseExpression = node
    for part in (node.comparisons[0].comparator, node.left) if guarded else ():
        if isinstance(part, cst.Attribute):
            there = expression("{part} is not None", part=part)
            found = cst.BooleanOperation(there, cst.And(), found)
    return None if guarded is None else found
