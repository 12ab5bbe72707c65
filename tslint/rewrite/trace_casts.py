"""Writes casts so that a trace records them, instead of keeping their dtype or device as a constant."""

from __future__ import annotations

import libcst as cst

from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.script.events.tracing import OfForm

_SHORT = 20
_OF_TENSOR = m.Attribute(attr=m.Name("dtype") | m.Name("device"))


def cast_like(match: Match[OfForm]) -> str:
    """Return ``y.type_as(x)``, the form of ``y.to(x)`` that a trace records; with the author's names if short."""
    node = match.node
    taker, giver = "y", "x"
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.args:
        first = node.args[0].value
        source: cst.BaseExpression | None = first if match.event.form == "to-other" else None
        if isinstance(first, cst.Attribute) and m.matches(first, _OF_TENSOR):
            source = first.value
        if isinstance(source, (cst.Name, cst.Attribute)):
            names = match.code(node.func.value), match.code(source)
            taker, giver = names if all(len(each) <= _SHORT for each in names) else (taker, giver)
    return f"`{taker}.type_as({giver})`"
