"""What several rules of this family need: where a keyword stands, and edits by the span of an ``ast`` node."""

from __future__ import annotations

import ast

from tslint import walking
from tslint.diagnostics import Edit, Fix, Position
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding
from tslint.script.events import Span


def at_keyword(match: Match, keyword: str, message: str, help: str, fix: Fix | None = None) -> Finding:
    """A finding that underlines the keyword with which the event's statement begins, as the compiler does."""
    start, _ = match.file.span(match.event.span)
    return Finding(message, help, fix, start, Position(start.row, start.column + len(keyword)))


def place(match: Match, node: ast.AST) -> tuple[Position, Position]:
    """Where an ``ast`` node stands."""
    return match.file.span(Span.of(node))


def replace(match: Match, node: ast.AST, content: str) -> Edit:
    """Put text in the place of an ``ast`` node."""
    return Edit(*place(match, node), content)


def delete(match: Match, start: int, end: int) -> Edit:
    """Delete the text between two offsets of the file."""
    return Edit(match.source.position(start), match.source.position(end), "")


def compiled_function(match: Match, node: ast.AST | None = None) -> ast.FunctionDef | None:
    """The innermost function that holds the event's node (or another one), or is it."""
    wanted = match.event.node if node is None else node
    if isinstance(wanted, ast.FunctionDef):
        return wanted
    return next((each for each in walking.around(match.file.tree, wanted) if isinstance(each, ast.FunctionDef)), None)


def parent(match: Match, node: ast.AST) -> ast.AST | None:
    """The ``ast`` node right around another one of the same function."""
    around = walking.parents(match.file.tree).get(node)
    inside = isinstance(around, ast.FunctionDef) or compiled_function(match, around) if around is not None else None
    return around if inside else None


def block(match: Match, statement: ast.AST) -> list[ast.stmt] | None:
    """The list of statements that a statement stands in."""
    around = parent(match, statement)
    for field in ("body", "orelse", "finalbody"):
        statements = getattr(around, field, None)
        if isinstance(statements, list) and any(item is statement for item in statements):
            return statements
    return None


def alone_on_its_lines(match: Match, statement: ast.AST) -> bool:
    """Whether nothing but white space and a comment shares the statement's lines."""
    start, end = place(match, statement)
    before = match.source.lines[start.row - 1][: start.column - 1]
    after = match.source.lines[end.row - 1][end.column - 1 :].strip()
    return not before.strip() and (not after or after.startswith("#"))


def remove_statement(match: Match, statement: ast.AST) -> Edit:
    """Delete a statement with its lines, or put ``pass`` where a block would be left empty."""
    statements = block(match, statement)
    if statements is not None and len(statements) > 1 and alone_on_its_lines(match, statement):
        start, end = place(match, statement)
        return Edit(Position(start.row, 1), Position(end.row + 1, 1), "")
    return replace(match, statement, "pass")


def operand(match: Match, node: ast.expr) -> str:
    """The text of an expression, parenthesised where it would not bind as tightly as a name."""
    text = match.text(node)
    tight = isinstance(node, (ast.Name, ast.Constant, ast.Call, ast.Attribute, ast.Subscript, ast.List))
    return text if tight and "\n" not in text else f"({text})"


def spans_rows(node: ast.AST) -> bool:
    """Whether a string literal inside goes over several rows, so that moving its lines would change it."""
    return any(
        isinstance(child, (ast.Constant, ast.JoinedStr)) and (child.end_lineno or 0) > child.lineno
        for child in walking.walk(node)
    )
