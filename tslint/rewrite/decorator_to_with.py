"""What the silent rules share: expressions in messages, and a decorator's effect as a ``with`` around the body."""

from __future__ import annotations

import ast

from tslint import walking
from tslint.diagnostics import Edit, Fix, Position
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe
from tslint.script.dataflow.scopes import bindings
from tslint.script.events import Span

_LONGEST = 48


def shown(text: str) -> str:
    """An author's expression on one line and not too long, in backticks."""
    line = " ".join(text.split())
    return f"`{line if len(line) <= _LONGEST else line[: _LONGEST - 1] + '…'}`"


def move_into_with(match: Match, decorator: ast.expr, manager: str) -> Fix | None:
    """Take a decorator away and put the body into ``with manager:``; None where the lines cannot be moved."""
    function = match.event.unit.function.node if match.event.unit is not None else None
    if function is None or function.body[0].lineno == function.lineno:
        return None
    # Above others, what those do would run outside of it; a generator's body runs later.
    if function.decorator_list[-1] is not decorator or any(
        isinstance(each, (ast.Yield, ast.YieldFrom, ast.Await)) for each in walking.walk(function)
    ):
        return None
    if {each.id for each in walking.walk(decorator) if isinstance(each, ast.Name)} & bindings(function):
        return None
    if isinstance(function, ast.AsyncFunctionDef):
        return None
    arguments = [*decorator.args, *(k.value for k in decorator.keywords)] if isinstance(decorator, ast.Call) else []
    if not all(isinstance(each, (ast.Constant, ast.Attribute)) for each in arguments):
        return None  # they are evaluated once
    body = [statement for statement in function.body if not _is_docstring(function, statement)]
    first, last = body[0].lineno if body else 0, function.end_lineno or 0
    lines = match.source.lines
    if not body or _has_long_text(body) or not lines[decorator.lineno - 1].lstrip().startswith("@"):
        return None
    if body[0].lineno == function.body[0].lineno and body[0] is not function.body[0]:
        return None
    head = lines[first - 1]
    indent = head[: len(head) - len(head.lstrip(" \t"))]
    if len(indent.encode()) != body[0].col_offset:
        return None
    def_line = lines[function.lineno - 1]
    step = indent[len(def_line) - len(def_line.lstrip(" \t")) :] or "    "
    edits = [Edit(Position(decorator.lineno, 1), Position((decorator.end_lineno or decorator.lineno) + 1, 1), "")]
    edits.append(Edit(Position(first, 1), Position(first, 1), f"{indent}with {manager}:{match.source.newline}{step}"))
    for row in range(first + 1, last + 1):
        if lines[row - 1].strip():
            edits.append(Edit(Position(row, 1), Position(row, 1), step))
    return safe(f"Write `with {manager}:` around the body", *edits)


def _is_docstring(function: ast.FunctionDef | ast.AsyncFunctionDef, statement: ast.stmt) -> bool:
    return (
        statement is function.body[0]
        and isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _has_long_text(body: list[ast.stmt]) -> bool:
    """Whether a text goes over several lines: moving them would change it."""
    return any(
        isinstance(node, (ast.JoinedStr, ast.Constant)) and Span.of(node).row != Span.of(node).end_row
        for statement in body
        for node in walking.walk(statement)
    )
