"""Declares flags as constants in the class body, and sets them in ``__init__``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.class_body import declared, first_line
from tslint.rewrite.scripting import branch
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import display, safe, unsafe
from tslint.rulekit.template import Line, expression, statement
from tslint.script.dataflow.class_annotations import constants
from tslint.script.dataflow.flags import Method, Plan

_WHERE_IT_HAS_TRUTH = "{value} if isinstance({test}, (int, str, type(None))) else None"
_ONE_COMPARISON = m.Comparison(comparisons=[m.DoNotCare()])
_ORDER = m.ComparisonTarget(operator=m.LessThan() | m.LessThanEqual() | m.GreaterThan() | m.GreaterThanEqual())
Edits = Callable[[], Iterable[Edit]]


def written(match: Match, method: Method, plan: Plan) -> Fix | None:
    """Return a plan as a fix; None if it cannot be written."""
    names = [*plan.flags, *(name for name in plan.made if name not in method.declared())]
    declaration = _declaration(match, method, plan, names) if names else tuple
    lines = _constructor(match, method, plan)
    if declaration is None or lines is None:
        return None
    text = ", ".join(f"`{name}`" for name in [*plan.flags, *plan.made])
    if not plan.made and not plan.replaced:
        what = "constants" if len(plan.flags) > 1 else "a constant"
        return safe(f"Declare {text} as {what}, so that only one branch is compiled", declaration)

    def edits() -> Iterable[Edit]:
        made = [match.insert_after(above, line) for above, line in lines]
        asked = chain.from_iterable(_asked_instead(match, method, plan))
        return dict.fromkeys([*made, *asked, *declaration()])

    if not plan.made:
        message = f"Declare {text or 'the attribute'} constant, and test it in compiled code"
    else:
        lasts = all(method.is_lasting(test) for test, _ in plan.replaced)
        message = f"Store {text} in `__init__`{'' if lasts else ' for compiled code'} (later changes are ignored)"
        if not lasts and len(plan.made) > 1:
            return display(message, edits)  # more code than most authors would add for the compiler
    return unsafe(message, edits, risks=(Risk.DIFFERS,))


def _asked_instead(match: Match, method: Method, plan: Plan) -> Iterable[tuple[Edit, ...]]:
    """Yield edits after which compiled code tests a flag; Python evaluates the original test where its result may have
    changed since.
    """
    for test, name in plan.replaced:
        node = match.libcst(test)
        assert isinstance(node, cst.BaseExpression)
        flag = expression("{itself}.{name}", itself=method.itself, name=name)
        yield match.replace(node, flag) if method.is_lasting(test) else branch(match, node, flag)


def _declaration(match: Match, method: Method, plan: Plan, names: Sequence[str]) -> Edits | None:
    assert plan.target is not None
    listed = constants(plan.target)
    if listed is not None:
        return _listed(match, match.libcst(listed), names)
    first = first_line(match, plan.target)
    if first is None:
        return None
    # The annotations of a class hide those of its base classes, and may be strings; `__constants__` hides only other
    # lists of constants.
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


def _constructor(match: Match, method: Method, plan: Plan) -> list[tuple[Line, Line]] | None:
    """Return the lines that evaluate the tests, each with the line of ``__init__`` after which it goes; None if a test
    cannot be evaluated there.
    """
    found: list[tuple[Line, Line]] = []
    for name, test in method.unmade(plan):
        last = method.last_store(test)
        node = match.libcst(test)
        line = match.line(match.libcst(last)) if last is not None else None
        if line is None or not isinstance(node, cst.BaseExpression) or "\n" in match.code(node):
            return None
        value = _made(node)
        if method.is_truth_of_anything(test):
            # The truth of a module or a tensor may raise: then no flag is set, and the compiler rejects the code as
            # before.
            value = expression(_WHERE_IT_HAS_TRUTH, value=value, test=node)
        found.append((line, statement("{itself}.{name} = {value}", itself=method.itself, name=name, value=value)))
    return found


def _made(test: cst.BaseExpression) -> cst.BaseExpression:
    """Return an expression for a test that is certainly a bool, and that does not raise where the test may raise."""
    if not isinstance(test, cst.Comparison) or not m.matches(test, _ONE_COMPARISON):
        return expression("bool({test})", test=test)
    target = test.comparisons[0]
    if not m.matches(target, _ORDER):
        return test
    # A value that cannot be compared by order (None, a string) must not raise here: the method may never be called.
    found: cst.BaseExpression = test
    for part in (target.comparator, test.left):
        if isinstance(part, cst.Attribute):
            number = expression("isinstance({part}, (int, float))", part=part)
            found = cst.BooleanOperation(number, cst.And(), found)
    return found
