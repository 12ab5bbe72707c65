"""Evaluates a method's condition in ``__init__``, and stores it on ``self`` for compiled code."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.rewrite.scripting import either
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.template import Line, expression, statement
from tslint.script.dataflow.methods import method_of
from tslint.util import astwalk

_BASE_INIT = m.SimpleStatementLine(body=[m.Expr(value=m.Call(func=m.Attribute(attr=m.Name("__init__"))))])


def constructor_flag(match: Match, node: cst.BaseExpression, name: str) -> Fix | None:
    """Evaluate the test in ``__init__``, too, and store the result in an attribute for compiled code.

    Python still evaluates the test in every call.
    """
    unit, owner, itself = match.event.unit, match.owner, match.self_name
    method = method_of(owner, "__init__") if owner is not None else None
    if unit is None or itself is None or method is None or method is unit.function.node:
        return None
    init = match.libcst(method)
    if not isinstance(init, cst.FunctionDef) or not init.params.params:
        return None
    wanted = statement("{itself}.{name} = {value}", itself=init.params.params[0].name, name=name, value=node)
    edits: tuple[Edit, ...] = ()
    if not any(isinstance(each, cst.SimpleStatementLine) and _alike(each, wanted) for each in init.body.body):
        named = astwalk.mentions(match.file.tree).get(name, [])
        after = next((each for each in init.body.body if m.matches(each, _BASE_INIT)), None)
        if not isinstance(after, Line) or any(getattr(each, "attr", None) == name for each in named):
            return None
        last = init.body.body[-1]
        # Nothing in the constructor reads the attribute, so the end is the best place; not with an early return, which
        # would skip it.
        if isinstance(last, Line) and not m.findall(init, m.Return()):
            after = last
        edits = (match.insert_after(after, wanted),)
    words = f"Decide it in `__init__`, and read `self.{name}` in compiled code"
    return either(match, node, expression("{itself}.{name}", itself=itself, name=name), words, *edits)


def _alike(one: cst.SimpleStatementLine, other: Line) -> bool:
    """Return whether two lines are the same statement."""
    return isinstance(other, cst.SimpleStatementLine) and one.body[0].deep_equals(other.body[0])
