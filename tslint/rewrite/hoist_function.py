"""Moves a nested function or a ``namedtuple`` to module level, or a nested function into the class."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.rewrite.removal import removed
from tslint.rewrite.rows import has_long_text
from tslint.rulekit import matchers as m
from tslint.rulekit.cstwalk import variables_in
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe
from tslint.rulekit.template import Line, statement
from tslint.script.dataflow.hoisting import can_be_method, module_place, named_tuple_place


def to_module(match: Match, around: cst.FunctionDef, node: cst.FunctionDef) -> Fix | None:
    """Move a function that uses no names of the enclosing function to module level, above the outermost definition
    around it. It gets a private name if all calls can be renamed and the file does not use that name. Return None if it
    cannot be moved.
    """
    if not _can_move(node):
        return None
    old, calls = node.name.value, _calls(match, around, node)
    for name in dict.fromkeys(["_" + old.lstrip("_"), old]) if calls is not None else [old]:
        place = module_place(match.file.tree, match.model(around), match.model(node), name)
        top = match.line(match.libcst(place)) if place is not None else None
        if top is not None:
            return safe(
                f"Move `{old}` to module level",
                partial(_moved, match, top, node, name),
                lambda: removed(match, node),
                partial(_renamed, match, calls if calls is not None and name != old else [], cst.Name(name)),
            )
    return None


def _moved(match: Match, top: Line, node: cst.FunctionDef, name: str) -> list[Edit]:
    return [match.insert_before(top, _alone(node).with_changes(name=cst.Name(name)), blank=2)]


def _calls(match: Match, around: cst.FunctionDef, node: cst.FunctionDef) -> list[cst.BaseExpression] | None:
    """Return the callees of a local function's calls; None if one is in an f-string."""
    calls = [each.func for each in m.findall(around, m.Call(m.Name(node.name.value))) if isinstance(each, cst.Call)]
    formatted = any(match.enclosing(cst.FormattedStringExpression, each) is not None for each in calls)
    return None if formatted else calls


def _renamed(match: Match, calls: Sequence[cst.CSTNode], name: cst.BaseExpression) -> list[Edit]:
    return [edit for each in calls for edit in match.replace(each, name)]


def named_tuple_to_module(match: Match, call: cst.Call) -> Fix | None:
    """Move ``outputs = namedtuple("Outputs", [...])`` out of its function, as ``Outputs``."""
    around, assigned = match.function, match.parent(call)
    name = call.args[0].value if call.args else None
    if around is None or not isinstance(assigned, cst.Assign) or len(assigned.targets) > 1:
        return None
    target, line = assigned.targets[0].target, match.line(assigned)
    new = name.evaluated_value if isinstance(name, cst.SimpleString) else None
    if not isinstance(target, cst.Name) or line is None or not isinstance(new, str) or not new.isidentifier():
        return None
    place = named_tuple_place(match.file.tree, match.model(around), match.model(assigned), new)
    top = match.line(match.libcst(place)) if place is not None else None
    if top is None:
        return None
    uses = [each for each in variables_in(around) if each.value == target.value and each is not target]
    if any(match.enclosing(cst.FormattedStringExpression, each) is not None for each in uses):
        return None

    def moved() -> list[Edit]:
        definition = statement("{name} = {call}", name=new, call=call)
        renamed = [edit for each in uses for edit in match.replace(each, cst.Name(new))] if new != target.value else []
        return [match.insert_before(top, definition, blank=2), *renamed, *removed(match, assigned)]

    return safe(f"Move `{new}` to module level", moved)


def as_method(match: Match, around: cst.FunctionDef, node: cst.FunctionDef) -> Fix | None:
    """Turn a local function that uses only ``self`` from outside into a method; None if that is not possible."""
    old = node.name.value
    name = "_" + old.lstrip("_")
    if not _can_move(node) or not can_be_method(match.file.tree, match.model(around), match.model(node), name):
        return None
    calls = _calls(match, around, node)
    if calls is None:
        return None
    called = partial(_renamed, match, calls, cst.Attribute(cst.Name("self"), cst.Name(name)))

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
