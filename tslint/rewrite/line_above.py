"""Puts a conditional expression on a line of its own above its statement, where it is easier to read."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Edit
from tslint.rewrite.fresh_names import fresh_name
from tslint.rulekit import matchers as m
from tslint.rulekit.cstwalk import variables_in
from tslint.rulekit.match import Match
from tslint.rulekit.template import parenthesized, statement
from tslint.script.dataflow.evaluation import evaluated, quiet
from tslint.script.dataflow.loops import acts_before, may_raise_before
from tslint.script.dataflow.naming import snake_case
from tslint.script.dataflow.regions import bound_inside

_WHOLE = m.Assign() | m.AnnAssign() | m.Return()


def in_place_or_above(match: Match, node: cst.BaseExpression, new: cst.IfExp) -> tuple[Edit, ...]:
    """Replace an expression by a conditional expression. Inside a larger expression, it would be hard to read, so it
    gets a variable and a line above the statement, if it can be evaluated there.
    """
    around, line = match.parent(node), match.line(node)
    tested = isinstance(around, (cst.If, cst.While)) and around.test is node
    if tested or match.under(node, _WHOLE):
        return match.replace(node, parenthesized(new) if "\n" in match.code(node) else new, copied=True)
    if line is None or not can_come_first(match, node) or _decides(match, node) or _is_empty(new.body):
        return match.replace(node, parenthesized(new), copied=True)
    wished, taken = _wished_name(match, node), {each.value for each in variables_in(new)}
    free = fresh_name(match, wished, taken) == wished
    name = cst.Name(wished if free else fresh_name(match, "value", taken))
    above = match.insert_before(line, statement("{name} = {new}", name=name, new=new))
    return (above, *match.replace(node, name, copied=True))


def can_come_first(match: Match, node: cst.BaseExpression) -> bool:
    """Return whether an expression can be evaluated in a line above its statement: the statement always evaluates it,
    and calls nothing before. If the expression may have an effect, nothing before it may raise either.
    """
    tree, model, found = match.file.tree, match.model(node), match.statement(node)
    if not isinstance(found, (cst.BaseSmallStatement, cst.If)) or isinstance(found, cst.Assert):
        return False  # `python -O` evaluates no assertion
    above = match.parent(found) if isinstance(found, cst.If) else None
    if isinstance(above, cst.If) and above.orelse is found:
        return False  # an `elif`
    around = match.model(found)
    if not evaluated([around], model) or bound_inside(tree, model, around):
        return False
    return not acts_before(around, model) and (quiet(model) or not may_raise_before(around, model))


def _decides(match: Match, node: cst.BaseExpression) -> bool:
    """Return whether an expression alone, or combined with others, decides a branch: the compiler then learns from it
    which values are None, or which code it need not compile.
    """
    below: cst.CSTNode = node
    for around in match.ancestors(node):
        if not isinstance(around, cst.BooleanOperation) and not m.matches(around, m.UnaryOperation(m.Not())):
            return getattr(around, "test", None) is below or isinstance(below, cst.BooleanOperation)
        below = around
    return False


def _is_empty(node: cst.BaseExpression) -> bool:
    """Return whether an expression is an empty list or dict, whose type its place decides."""
    return isinstance(node, (cst.List, cst.Dict)) and not node.elements


def _wished_name(match: Match, node: cst.BaseExpression) -> str:
    """Return a name for the value of an expression: of the parameter to which it is passed, of the constant, of its
    attribute, or of the called method.
    """
    around = match.parent(node)
    if isinstance(around, cst.Arg) and around.keyword is not None:
        return around.keyword.value
    if isinstance(node, cst.Name) and node.value.isupper():
        return node.value.lower()
    named = node.func if isinstance(node, cst.Call) else node
    return snake_case(named.attr.value.strip("_")) if isinstance(named, cst.Attribute) else "value"
