"""Keeps the value of an attribute in a local variable for compiled code; Python sets the attribute as well."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.fresh_names import fresh_name
from tslint.rewrite.removal import removed, removed_with_test
from tslint.rulekit import matchers as m
from tslint.rulekit.cstwalk import all_of
from tslint.rulekit.definition import small
from tslint.rulekit.match import Match
from tslint.rulekit.rule import unsafe
from tslint.rulekit.template import Line, block, statement, substituted
from tslint.script.dataflow.own_values import is_overwritten, named_below, own_value, stored_parameter

_KEPT = m.Assign(targets=[m.AssignTarget(m.Attribute())], value=m.Name())
_ASSIGNS_ONE = m.Assign(targets=[m.DoNotCare()])


def attribute_to_local(match: Match, name: str) -> Fix | None:
    """Let a method use a variable instead of an attribute of ``self``, and set the attribute in eager mode only.

    Args:
        match: the match of the finding, in the method that sets the attribute.
        name: the attribute.

    Returns:
        None if the method may read a value of the attribute that it has not set itself, or if the fix cannot be
        written: the method uses the name ``torch`` for something else, or an assignment shares its line.
    """
    unit, owner = match.event.unit, match.owner
    tree = match.file.tree
    found = own_value(tree, owner, unit.function.node, name) if unit is not None and owner else None
    torch, imports = match.imported("torch")
    if unit is None or found is None or match.binds(torch):
        return None
    named = match.libcst(below) if (below := named_below(unit.function.node, found)) is not None else None
    local = named.targets[0].target if isinstance(named, cst.Assign) else None
    lines = [match.line(match.libcst(each)) for each in found.stores]
    if not isinstance(local, cst.Name):
        local = cst.Name(stored_parameter(unit.function.node, found) or fresh_name(match, name.lstrip("_") or "value"))
    uses = {match.libcst(each): local for each in (*found.stores, *found.reads)}
    if not all(isinstance(each, cst.SimpleStatementLine) for each in lines) or _empties_block(match, found.stores):
        return None
    test = cst.ensure_type(statement("if not {torch}.jit.is_scripting():\n    pass", torch=torch), cst.If)

    def edits() -> tuple[Edit, ...]:
        written: list[Edit] = []
        for store, line in zip(found.stores, lines):
            assert line is not None
            attribute = match.libcst(store)
            assert isinstance(attribute, cst.Attribute)
            if (only := _to_itself(line, attribute)) is not None:
                written += removed_with_test(match, only)
                continue
            sets = statement("{attribute} = {local}", attribute=attribute, local=local)
            kept = None if is_overwritten(tree, store, found) else test.with_changes(body=block([sets]))
            written += _stored(match, line, substituted(line, uses), local, kept)
        if isinstance(named, cst.Assign):
            return (*written, *removed(match, named))
        for read in found.reads:
            if match.line(match.libcst(read)) not in lines:
                written += match.replace(match.libcst(read), local)
        return tuple(written)

    message = f"Keep the value in a variable, `{local.value}`, and set the attribute in eager mode only"
    return unsafe(message, edits, *imports, risks=(Risk.DIFFERS,))


def _to_itself(line: Line, attribute: cst.CSTNode) -> cst.Assign | None:
    """Return the statement of a line if it assigns the attribute to itself, and nothing else."""
    if not isinstance(line, cst.SimpleStatementLine) or not m.matches(line.body[0], _ASSIGNS_ONE):
        return None
    only = cst.ensure_type(line.body[0], cst.Assign)
    return only if only.value.deep_equals(attribute) else None


def _empties_block(match: Match, stores: Iterable[Any]) -> bool:
    """Return whether a block has several statements, all of which assign the attribute to itself."""
    nodes = [match.libcst(each) for each in stores]
    found = [_to_itself(line, node) for node in nodes if (line := match.line(node)) is not None]
    blocks = [match.siblings(each) for each in found if each is not None]
    return any(len(block) > 1 and all(any(each is one for one in found) for each in block) for block in blocks)


def _stored(match: Match, line: Line, new: Line, local: cst.Name, kept: cst.If | None) -> tuple[Edit, ...]:
    """Return the edits for a statement that stores the attribute.

    Args:
        match: the match of the finding.
        line: the statement.
        new: the statement with the variable instead of the attribute.
        local: the variable.
        kept: sets the attribute in eager mode only; None if another statement sets it anyway.
    """
    if m.matches(new, m.SimpleStatementLine([m.Assign([m.AssignTarget(m.Name(local.value))], m.Name(local.value))])):
        return match.rewrite(line, kept) if kept is not None else match.remove(line)  # the variable is a parameter
    last = _last_kept(match, line, kept) if kept is not None else None
    if kept is None or last is None:
        return match.rewrite(line, new, *([kept] if kept is not None else []))
    return (*match.rewrite(line, new), match.insert_after(last, kept))


def _last_kept(match: Match, line: Line, test: cst.If) -> Line | None:
    """Return the last of the blocks right below a statement that set other attributes to variables of this statement in
    eager mode only, so that the attributes of a tuple are set in order; None if there is no such block.
    """
    found: Line | None = None
    assignment = small(line)
    siblings = match.siblings(assignment)
    targets = assignment.targets if isinstance(assignment, cst.Assign) else ()
    bound = {each.value for target in targets for each in all_of(target, cst.Name)}
    for each in siblings[siblings.index(assignment) + 1 :]:
        if not isinstance(each, cst.If) or each.orelse is not None or not each.test.deep_equals(test.test):
            break
        kept = [small(inner) for inner in each.body.body if isinstance(inner, cst.SimpleStatementLine)]
        stores = [cst.ensure_type(inner, cst.Assign) for inner in kept if m.matches(inner, _KEPT)]
        values = [cst.ensure_type(store.value, cst.Name).value for store in stores]
        if len(values) != len(each.body.body) or not bound.issuperset(values):
            break
        found = each
    return found
