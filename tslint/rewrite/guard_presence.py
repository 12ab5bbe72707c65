"""Tests that the compiler decides before statements that cannot run, which raise what Python raises."""

from __future__ import annotations

from typing import Any

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.compiled_form import small
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe, unsafe
from tslint.rulekit.template import code, expression, statement
from tslint.script.dataflow.bool_attributes import file_facts
from tslint.script.dataflow.evaluation import evaluated
from tslint.script.dataflow.first_evaluated import comes_first, only_names
from tslint.script.dataflow.loops import acts_before, is_stored
from tslint.script.dataflow.needed import is_needed, runs_in_any_case
from tslint.script.dataflow.regions import bound_inside, simple_statement
from tslint.script.events.modules import MissingAttribute


def where_it_is_set(match: Match[MissingAttribute]) -> Fix | None:
    """Raise before an attribute is used that is not there; None where no instance can do without it."""
    name, unit = match.event.attribute, match.event.unit
    if match.event.condition is None or is_stored(match.event.node):
        return None
    node = match.node
    if not isinstance(node, cst.Attribute) or not isinstance(node.value, cst.Name):
        return None
    if node.attr.value != name or name.startswith("__") or "def __getattr__(" in match.source.text:
        return None
    tree, kind = match.file.tree, unit.receiver if unit is not None else None
    own = kind is not None and kind.module.tree is tree and node.value.value == match.self_name
    if own and kind is not None and is_needed(tree, kind.node, name):
        return None
    there = expression("hasattr({owner}, {name})", owner=node.value, name=f'"{name}"')
    test = cst.UnaryOperation(cst.Not(), there)
    text = f"\"'{match.event.class_name}' object has no attribute '{name}'\""
    return _raised_first(match, node, there, test, expression("AttributeError({text})", text=text), True)


def where_it_is_called(match: Match, callee: Any) -> Fix | None:
    """Raise before something is called that is None; None where no instance can do without it.

    Args:
        match: of the call.
        callee: what is called, as the model has it.
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
    model = match.model(call)
    exact = not model.keywords and all(only_names(each) for each in model.args)
    error = expression("TypeError({text})", text="\"'NoneType' object is not callable\"")
    there, test = (expression(words, callee=node) for words in ("{callee} is not None", "{callee} is None"))
    return _raised_first(match, node, there, test, error, exact)


def _raised_first(
    match: Match,
    node: cst.BaseExpression,
    there: cst.BaseExpression,
    missing: cst.BaseExpression,
    error: cst.BaseExpression,
    exact: bool,
) -> Fix | None:
    """Raise before a statement that Python cannot run to its end, under a test that the compiler decides.

    It is what Python raises where that is certain to come first; elsewhere an assertion says the same in one line.

    Args:
        match: of the finding.
        node: the expression of the statement that Python cannot evaluate.
        there: under which it can.
        missing: under which it cannot.
        error: what Python raises then.
        exact: whether nothing else can be raised between the expression and the error.
    """
    tree, model, line = match.file.tree, match.model(node), match.line(node)
    around = simple_statement(tree, model)
    if line is None or around is None or not evaluated([around], model) or acts_before(around, model):
        return None
    asked = [each.test for each in match.siblings(small(line)) if isinstance(each, (cst.If, cst.Assert))]
    if bound_inside(tree, model, around) or any(each.deep_equals(test) for each in asked for test in (there, missing)):
        return None
    if exact and comes_first(around, model):
        raised = statement("if {missing}:\n    raise {error}", missing=missing, error=error)
        message = f"Raise before where `{code(missing)}`, as Python does"
        return safe(message, lambda: (match.insert_before(line, raised),))
    certain = statement("assert {there}", there=there)
    return unsafe(
        f"Put `{code(certain).strip()}` before it",
        lambda: (match.insert_before(line, certain),),
        risks=(Risk.EXCEPTION,),
    )
