"""Moves a nested function to module level or into the class."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.rewrite.removal import removed
from tslint.rewrite.rows import has_long_text
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe
from tslint.script.dataflow.hoisting import can_be_method, module_place


def to_module(match: Match, around: cst.FunctionDef, node: cst.FunctionDef) -> Fix | None:
    """Move a function that uses no names of the enclosing function to module level, above the outermost definition
    around it.
    """
    if not _can_move(node):
        return None
    place = module_place(match.file.tree, match.model(around), match.model(node))
    top = match.line(match.libcst(place)) if place is not None else None
    if top is None:
        return None
    return safe(
        f"Move `{node.name.value}` to module level",
        lambda: [match.insert_before(top, _alone(node), blank=2)],
        lambda: removed(match, node),
    )


def as_method(match: Match, around: cst.FunctionDef, node: cst.FunctionDef) -> Fix | None:
    """Turn a local function that uses only ``self`` from outside into a method."""
    old = node.name.value
    name = "_" + old.lstrip("_")
    if not _can_move(node) or not can_be_method(match.file.tree, match.model(around), match.model(node), name):
        return None
    calls = [each.func for each in m.findall(around, m.Call(m.Name(old))) if isinstance(each, cst.Call)]
    if any(match.enclosing(cst.FormattedStringExpression, each) is not None for each in calls):
        return None

    def called() -> list[Edit]:
        method = cst.Attribute(cst.Name("self"), cst.Name(name))
        return [edit for each in calls for edit in match.replace(each, method)]

    def defined() -> list[Edit]:
        params = node.params.with_changes(params=[cst.Param(cst.Name("self")), *node.params.params])
        method = _alone(node).with_changes(name=cst.Name(name), params=params)
        return [match.insert_before(around, method, blank=1)]

    return safe(f"Make `{old}` a method", defined, lambda: removed(match, node), called)


def _can_move(node: cst.FunctionDef) -> bool:
    return isinstance(node.body, cst.IndentedBlock) and not has_long_text(node)


def _alone(node: cst.FunctionDef) -> cst.FunctionDef:
    """Return a function without the comments above it."""
    return node.with_changes(leading_lines=[])
