"""Statements under a test that the compiler decides, with an ``else`` that raises what Python raises."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe, unsafe
from tslint.rulekit.template import block, code, expression, statement
from tslint.script.dataflow.bool_attributes import file_facts
from tslint.script.dataflow.evaluation import evaluated
from tslint.script.dataflow.first_evaluated import comes_first, only_names
from tslint.script.dataflow.loops import acts_before, is_stored
from tslint.script.dataflow.regions import bound_inside, simple_statement
from tslint.script.events.modules import MissingAttribute


def where_it_is_set(match: Match[MissingAttribute]) -> Fix | None:
    """Ask whether an attribute is there before it is used, and raise where it is not."""
    name = match.event.attribute
    if match.event.condition is None or is_stored(match.event.node):
        return None
    node = match.node
    if not isinstance(node, cst.Attribute) or not isinstance(node.value, cst.Name):
        return None
    if node.attr.value != name or name.startswith("__") or "def __getattr__(" in match.source.text:
        return None
    owner = node.value.value
    test = expression("hasattr({owner}, {name})", owner=owner, name=f'"{name}"')
    asked = m.Call(m.Name("hasattr"), [m.Arg(m.Name(owner)), m.Arg(_text(name))])
    error = expression("AttributeError({text})", text=f'"{owner}.{name} is not set"')
    return _or_raise(match, node, test, asked, error, True)


def where_it_is_called(match: Match, callee: Any) -> Fix | None:
    """Ask whether what is called is None, and raise where it is.

    Args:
        match: of the call.
        callee: what is called, as the model has it.
    """
    if match.event.condition is None:
        return None
    node = match.libcst(callee)
    call = match.parent(node)
    if not isinstance(call, cst.Call) or call.func is not node:
        return None
    if not isinstance(node, cst.Attribute) or not isinstance(node.value, cst.Name):
        return None
    if not file_facts(match.file.tree).classes:
        return None
    model = match.model(call)
    test = expression("{callee} is not None", callee=node)
    asked = m.Comparison(
        m.Attribute(m.Name(node.value.value), m.Name(node.attr.value)), [m.ComparisonTarget(m.IsNot(), m.Name("None"))]
    )
    error = expression("TypeError({text})", text=f'"{match.code(node)} is None"')
    exact = not model.keywords and all(only_names(each) for each in model.args)
    return _or_raise(match, node, test, asked, error, exact)


def _or_raise(
    match: Match,
    node: cst.BaseExpression,
    test: cst.BaseExpression,
    asked: m.Pattern,
    error: cst.BaseExpression,
    exact: bool,
) -> Fix | None:
    """Put the statement around an expression under a test; without it Python raises an error there, sooner or later.

    Args:
        match: of the finding.
        node: the expression.
        test: under which nothing is raised.
        asked: what the test looks like.
        error: what Python raises otherwise.
        exact: whether nothing else can be raised between the expression and the error.
    """
    tree, model, line = match.file.tree, match.model(node), match.line(node)
    around = simple_statement(tree, model)
    if line is None or around is None or not evaluated([around], model) or acts_before(around, model):
        return None
    if bound_inside(tree, model, around) or any(m.matches(each, asked) for each in _tests_around(match, node)):
        return None

    def edits() -> tuple[Edit, ...]:
        new = statement("if {test}:\n    pass\nelse:\n    raise {error}", test=test, error=error)
        return match.rewrite(line, new.with_changes(body=block([line])))

    message = f"Test `{code(test)}`, and raise otherwise, as Python does"
    if exact and comes_first(around, model):
        return safe(message, edits)
    return unsafe(message, edits, risks=(Risk.EXCEPTION,))


def _tests_around(match: Match, node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """What the ``if`` statements of the function around a node ask: one of these tests has not helped."""
    for around in match.ancestors(node):
        if isinstance(around, cst.FunctionDef):
            break
        pending = [around.test] if isinstance(around, cst.If) else []
        while pending:
            test = pending.pop()
            if isinstance(test, cst.BooleanOperation):
                pending += [test.left, test.right]
            else:
                yield test


def _text(value: str) -> m.Pattern:
    """A text that is written out."""
    return m.SimpleString(m.MatchIfTrue(lambda written: written in (f'"{value}"', f"'{value}'")))
