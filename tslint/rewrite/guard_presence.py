"""Statements under a test that the compiler decides, with an ``else`` that raises what Python raises."""

from __future__ import annotations

import ast

from tslint import walking
from tslint.diagnostics import Edit, Fix, Position, Risk
from tslint.rewrite.loop_parts import acts_before, evaluated, folded, one_step, parent, place
from tslint.rewrite.regions import bound_inside
from tslint.rewrite.spans import spans_rows
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe, unsafe
from tslint.script.dataflow.bool_attributes import file_facts
from tslint.script.dataflow.first_evaluated import comes_first

_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return)
_HARMLESS = (ast.Name, ast.Constant, ast.Attribute, ast.expr_context)


def where_it_is_set(match: Match) -> Fix | None:
    """Ask whether an attribute is there before it is used, and raise where it is not."""
    node, name = match.event.node, match.event.facts["attribute"]
    if match.event.condition is None or not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
        return None
    if not isinstance(node.ctx, ast.Load) or node.attr != name or name.startswith("__"):
        return None
    if "def __getattr__(" in match.source.text:
        return None
    owner = match.text(node.value)
    return _or_raise(match, node, f'hasattr({owner}, "{name}")', f'AttributeError("{owner}.{name} is not set")', True)


def where_it_is_called(match: Match, callee: ast.expr) -> Fix | None:
    """Ask whether what is called is None, and raise where it is."""
    call = match.event.node
    if match.event.condition is None or not isinstance(callee, ast.Attribute) or not isinstance(callee.value, ast.Name):
        return None
    if not isinstance(call, ast.Call):
        around = parent(match, callee)
        call = around if around is not None else call
    if not isinstance(call, ast.Call) or call.func is not callee or not file_facts(match.file.tree).classes:
        return None
    plain = all(isinstance(part, _HARMLESS) for each in (*call.args, *call.keywords) for part in ast.walk(each))
    text = match.text(callee)
    return _or_raise(match, callee, f"{text} is not None", f'TypeError("{text} is None")', plain)


def _or_raise(match: Match, node: ast.expr, test: str, error: str, exact: bool) -> Fix | None:
    """Put the statement around an expression under a test; without it Python raises an error there, sooner or later."""
    statement: ast.AST | None = node
    while statement is not None and not isinstance(statement, ast.stmt):
        statement = parent(match, statement)
    if not isinstance(statement, _SIMPLE) or not evaluated([statement], node) or spans_rows(statement):
        return None
    if acts_before(statement, node) or _is_asked(match, statement, test):
        return None
    if bound_inside(match, node, statement):
        return None
    start, end = place(match, statement)
    lines, newline = match.source.lines, match.source.newline
    margin = lines[start.row - 1][: start.column - 1]
    behind = lines[end.row - 1][end.column - 1 :]
    if margin.strip() or behind.partition("#")[0].strip() or not behind.endswith(("\n", "\r")):
        return None
    step = one_step(match, margin)
    edits = [Edit(Position(start.row, 1), Position(start.row, 1), f"{margin}if {test}:{newline}{step}")]
    for row in range(start.row + 1, end.row + 1):
        if lines[row - 1].strip():
            edits.append(Edit(Position(row, 1), Position(row, 1), step))
    after = Position(end.row + 1, 1)
    edits.append(Edit(after, after, f"{margin}else:{newline}{margin}{step}raise {error}{newline}"))
    edits = folded(match, [statement], edits)
    message = f"Test `{test}`, and raise otherwise, as Python does"
    if exact and comes_first(statement, node):
        return safe(message, *edits)
    return unsafe(message, *edits, risks=(Risk.EXCEPTION,))


def _is_asked(match: Match, statement: ast.AST, test: str) -> bool:
    """Whether a statement stands under the very test already, which has not helped."""
    asked = ast.dump(ast.parse(test, mode="eval").body)
    for around in walking.around(match.file.tree, statement):
        if isinstance(around, ast.If):
            parts = around.test.values if isinstance(around.test, ast.BoolOp) else [around.test]
            if any(ast.dump(part) == asked for part in parts):
                return True
    return False
