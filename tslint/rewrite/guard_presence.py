"""Adds assertions before statements that fail in some constructions of a module, so that the compiler does not compile
the statements in these constructions.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.compiled_form import small
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import unsafe
from tslint.rulekit.template import code, expression, statement
from tslint.script.assumptions import of_class
from tslint.script.dataflow.absent_attributes import first_store
from tslint.script.dataflow.closed_calls import is_private
from tslint.script.dataflow.evaluation import evaluated
from tslint.script.dataflow.foreign_members import may_hold_function
from tslint.script.dataflow.left_out import can_be_left_out
from tslint.script.dataflow.loops import called_before, is_stored
from tslint.script.dataflow.needed import computes_attributes, is_needed, runs_in_any_case
from tslint.script.dataflow.regions import bound_inside, simple_statement
from tslint.script.dataflow.stores import file_facts
from tslint.script.events.modules import MissingAttribute


def where_it_is_set(match: Match[MissingAttribute]) -> Fix | None:
    """Return a fix that asserts that an attribute exists; None if the assertion may be wrong for an instance."""
    name, unit = match.event.attribute, match.event.unit
    if match.event.condition is None or is_stored(match.event.node):
        return None
    if unit is not None and unit.receiver is not None and match.event.condition == of_class(unit.receiver.name):
        return None  # the class itself never sets it, so a test would be the same for all of its instances
    node = match.node
    if not isinstance(node, cst.Attribute) or not isinstance(node.value, cst.Name):
        return None
    tree, kind = match.file.tree, unit.receiver if unit is not None else None
    if node.attr.value != name or name.startswith("__"):
        return None
    own = kind is not None and kind.module.tree is tree and node.value.value == match.self_name
    computed = not own or kind is None or computes_attributes(tree, kind.node)
    if computed and "def __getattr__(" in match.source.text:
        return None
    if own and kind is not None and is_needed(tree, kind.node, name, match.event.node):
        return None
    there = expression("hasattr({owner}, {name})", owner=node.value, name=f'"{name}"')
    if (
        not own
        or kind is None
        or (isinstance(match.parent(node), cst.Call) and may_hold_function(tree, kind.node, name))
    ):
        return _asserted(match, node, there)
    if (unset := _set_to_none(match, kind.node, name)) is None:
        return _asserted(match, node, there)
    fix = _asserted(match, node, expression("{node} is not None", node=node), unset)
    if fix is None or is_private(name):
        return fix
    return replace(fix, absent=name, risks=(*fix.risks, Risk.ASSUMES))


def _set_to_none(match: Match, kind: Any, name: str) -> Edit | None:
    """Set an attribute to None in the constructor, before it may get its value; return None if other code may notice
    that.
    """
    found = first_store(match.file.tree, kind, name)
    first = match.libcst(found) if found is not None else None
    init = match.enclosing(cst.FunctionDef, first) if first is not None else None
    if (
        init is None
        or not init.params.params
        or not isinstance(first, (cst.SimpleStatementLine, cst.BaseCompoundStatement))
    ):
        return None
    return match.insert_before(first, statement("{itself}.{name} = None", itself=init.params.params[0].name, name=name))


def where_it_is_called(match: Match, callee: Any) -> Fix | None:
    """Return a fix that asserts that the called value is not None; None if the assertion may be wrong for an instance.

    Args:
        match: the match of the call.
        callee: the called expression, a node of the static model.
    """
    unit = match.event.unit
    if match.event.condition is None or unit is None:
        return None
    node = match.libcst(callee)
    call = match.parent(node)
    if not isinstance(call, cst.Call) or call.func is not node:
        return None
    if not isinstance(node, cst.Attribute) or not isinstance(node.value, cst.Name):
        return None
    if not file_facts(match.file.tree).classes:
        return None
    if unit.function.node.name == "forward" and runs_in_any_case(unit.function.node, callee):
        return None
    owner = unit.receiver.node if unit.receiver is not None else None
    if owner is not None and may_hold_function(match.file.tree, owner, node.attr.value):
        return None
    if _is_tested(match, node):
        return None  # another fix turns the enclosing truth test into a test for None
    return _asserted(match, node, expression("{callee} is not None", callee=node))


def _is_tested(match: Match, node: cst.BaseExpression) -> bool:
    """Return whether the test of an enclosing ``if`` tests the truth of the same attribute, or compares it."""
    below: cst.CSTNode = node
    for around in match.ancestors(node):
        if isinstance(around, cst.If) and match.model(below) in match.model(around).body:
            parts = [around.test, *m.findall(around.test, m.BooleanOperation(operator=m.And()) | m.Comparison())]
            sides = [getattr(part, side, part) for part in parts for side in ("left", "right")]
            if any(isinstance(side, cst.Attribute) and match.code(side) == match.code(node) for side in sides):
                return True
        below = around
    return False


def _asserted(match: Match, node: cst.BaseExpression, there: cst.BaseExpression, *also: Edit) -> Fix | None:
    """Put ``assert CONDITION`` before a statement that raises unless the condition is true; the compiler evaluates the
    condition at compile time. Return None if the assertion may come too early, or if it already exists.

    Args:
        match: the match of the finding.
        node: the expression in the statement that raises.
        there: the condition.
        also: further edits that the condition needs: the attribute is set to None in the constructor.
    """
    tree, model, line = match.file.tree, match.model(node), match.line(node)
    around = simple_statement(tree, model)
    if line is None or around is None or not evaluated([around], model):
        return None
    earlier = called_before(around, model, match.self_name)
    # Calls that the statement makes before it evaluates the node would come after the assertion, and may set the
    # attribute. Calls without effects do not, if the constructor sets it.
    if earlier and not (also and can_be_left_out(tree, earlier)):
        return None
    asked = [each.test for each in match.siblings(small(line)) if isinstance(each, cst.Assert)]
    if bound_inside(tree, model, around) or any(each.deep_equals(there) for each in asked):
        return None
    certain = statement("assert {there}", there=there)
    words = f"Put `{code(certain).strip()}` before the statement"
    return unsafe(
        f"{words}, and set the attribute to None first in `__init__`" if also else words,
        lambda: (*also, match.insert_before(line, certain)),
        risks=(Risk.EXCEPTION,),
    )
