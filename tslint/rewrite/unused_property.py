"""Marks properties ``@torch.jit.unused`` that are compiled only because the compiler compiles every property."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import unsafe
from tslint.rulekit.template import expression
from tslint.script.events.modules import RaisingProperty

_SETTER = m.Decorator(decorator=m.Attribute(attr=m.Name("setter")))


def unused_property(match: Match) -> Fix | None:
    """Mark the property that contains the event, if no compiled code reads it."""
    unit = match.event.unit
    if isinstance(match.event, RaisingProperty):
        return None  # the compiler reads the property even if it is marked
    if unit is None or unit.role != "property" or any(each.caller is not None for each in unit.reached):
        return None
    if match.file.tree is not unit.function.module.tree:
        return None
    node = match.libcst(unit.function.node)
    if not isinstance(node, cst.FunctionDef) or not node.decorators:
        return None
    if any(m.matches(each, _SETTER) for each in node.decorators):
        return None

    def edits() -> tuple[Edit, ...]:
        torch, imports = match.imported("torch")
        mark = cst.Decorator(expression("{torch}.jit.unused", torch=torch))
        return (*match.rewrite(node, node.with_changes(decorators=[mark, *node.decorators])), *imports)

    # Code that reads the property of the compiled module would fail.
    return unsafe("Mark the property `@torch.jit.unused`", edits, risks=(Risk.RAISES,))
