"""Statements that move together: under a loop and a test, nothing after them misses what they bind."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tslint import walking
from tslint.diagnostics import Edit, Position
from tslint.rewrite.liveness import defined_before, read_later, stored_names
from tslint.rewrite.loop_parts import one_step, parent, place
from tslint.rewrite.spans import block as block_of
from tslint.rewrite.spans import spans_rows
from tslint.rulekit.match import Match

_PURE = (
    ast.Name,
    ast.Attribute,
    ast.Constant,
    ast.BinOp,
    ast.UnaryOp,
    ast.Subscript,
    ast.JoinedStr,
    ast.FormattedValue,
    ast.operator,
    ast.unaryop,
    ast.expr_context,
)
_FUNCTIONS = ("len", "str", "int", "min", "max", "abs")


def region_of(match: Match, node: ast.expr, index: ast.expr, compared: bool = True) -> list[ast.stmt] | None:
    """The statement around an expression, and those after it that read what it binds; None where they cannot move.

    Args:
        match: for the file and the function.
        node: the expression.
        index: what is to be compared in every turn of the loop around them.
        compared: whether it is; False where it is evaluated once before.
    """
    first = _statement(match, node)
    statements = block_of(match, first) if first is not None else None
    if first is None or statements is None or not _pure(index) or bound_inside(match, node, first):
        return None
    known = defined_before(match, statements, first)
    start = next(i for i, item in enumerate(statements) if item is first)
    end = start
    while True:
        fresh = stored_names(statements[start : end + 1]) - known
        needed = {name for name in fresh if read_later(match, statements, first, statements[end], name)}
        later = [
            i
            for i in range(end + 1, len(statements))
            if any(isinstance(n, ast.Name) and n.id in needed for n in walking.walk(statements[i]))
        ]
        if not later:
            break
        end = later[0]
    region = list(statements[start : end + 1])
    changed = _changed(region, node) if compared else False
    return None if needed or changed or any(_jumps(statement) for statement in region) else region


def moved_under(
    match: Match, statements: Sequence[ast.stmt], headers: Sequence[str], before: str = ""
) -> list[Edit] | None:
    """The edits that put statements of a block under headers, each one deeper; None where they cannot be moved.

    Args:
        match: for the file.
        statements: of one block, one after the other.
        headers: the lines above them.
        before: what is inserted before the first header.
    """
    first, last = statements[0], statements[-1]
    start, lines = place(match, first)[0], match.source.lines
    margin = lines[start.row - 1][: start.column - 1]
    end_row = last.end_lineno or last.lineno
    if margin.strip() or any(spans_rows(statement) for statement in statements):
        return None
    if lines[end_row - 1][place(match, last)[1].column - 1 :].partition("#")[0].strip():
        return None
    step = one_step(match, margin)
    head = before + "".join(f"{margin}{step * depth}{text}{match.source.newline}" for depth, text in enumerate(headers))
    shift = step * len(headers)
    edits = [Edit(Position(start.row, 1), Position(start.row, 1), head + shift)]
    for row in range(start.row + 1, end_row + 1):
        if lines[row - 1].strip():
            edits.append(Edit(Position(row, 1), Position(row, 1), shift))
    return edits


def both_ways(
    match: Match, statements: Sequence[ast.stmt], test: str, headers: Sequence[str], replaced: Sequence[Edit]
) -> list[Edit] | None:
    """The edits that put rewritten statements under a test and headers, and the statements themselves in its else."""
    first, last = statements[0], statements[-1]
    start, lines = place(match, first)[0], match.source.lines
    end_row = last.end_lineno or last.lineno
    margin, newline = lines[start.row - 1][: start.column - 1], match.source.newline
    behind = lines[end_row - 1][place(match, last)[1].column - 1 :].partition("#")[0].strip()
    if margin.strip() or behind or any(spans_rows(statement) for statement in statements):
        return None
    if any(edit.start.row != edit.end.row for edit in replaced) or not lines[end_row - 1].endswith(("\n", "\r")):
        return None
    step = one_step(match, margin)
    before = [line.rstrip("\r\n") for line in lines[start.row - 1 : end_row]]
    after = list(before)
    for edit in sorted(replaced, key=lambda each: each.start, reverse=True):
        row = edit.start.row - start.row
        after[row] = after[row][: edit.start.column - 1] + edit.content + after[row][edit.end.column - 1 :]
    written = [margin + test]
    written += [f"{margin}{step * depth}{text}" for depth, text in enumerate(headers, 1)]
    written += [step * (len(headers) + 1) + line if line.strip() else line for line in after]
    written += [f"{margin}else:", *(step + line if line.strip() else line for line in before)]
    text = "".join(line + newline for line in written)
    return [Edit(Position(start.row, 1), Position(end_row + 1, 1), text)]


def with_last_line(match: Match, statements: Sequence[ast.stmt], edits: list[Edit], line: str) -> list[Edit]:
    """What :func:`both_ways` gives, with a line after its loop."""
    start = place(match, statements[0])[0]
    margin = match.source.lines[start.row - 1][: start.column - 1]
    newline, step = match.source.newline, one_step(match, margin)
    # The only line besides the `if` that is no deeper; others end like it.
    mark = f"{newline}{margin}else:{newline}"
    head, _, tail = edits[0].content.partition(mark)
    text = f"{head}{newline}{margin}{step}{line}{mark}{tail}"
    return [Edit(edits[0].start, edits[0].end, text)]


def _statement(match: Match, node: ast.AST) -> ast.stmt | None:
    """The simple statement around an expression."""
    current: ast.AST | None = node
    while current is not None and not isinstance(current, ast.stmt):
        current = parent(match, current)
    simple = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return)
    return current if isinstance(current, simple) else None


def _pure(index: ast.expr) -> bool:
    for node in walking.walk(index):
        if isinstance(node, ast.Call):
            plain = isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS
            formats = isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Constant)
            if not (plain or formats) or node.keywords:
                return False
        elif not isinstance(node, _PURE):
            return False
    return True


def _jumps(statement: ast.AST) -> bool:
    """Whether a statement may leave the loop around it, or returns on some way only."""
    pending: list[tuple[ast.AST, bool]] = [(statement, False)]
    while pending:
        node, looped = pending.pop()
        if isinstance(node, (ast.Break, ast.Continue)) and not looped:
            return True
        inner = looped or isinstance(node, (ast.For, ast.While))
        if not isinstance(node, ast.expr):
            pending += [(child, inner) for child in walking.children(node)]
    return False


def bound_inside(match: Match, node: ast.expr, statement: ast.stmt) -> bool:
    """Whether the index or the container is a variable of a comprehension inside the statement."""
    names = {n.id for n in walking.walk(node) if isinstance(n, ast.Name)}
    current: ast.AST | None = node
    while current is not None and current is not statement:
        for generator in getattr(current, "generators", []):
            if names & {n.id for n in walking.walk(generator.target) if isinstance(n, ast.Name)}:
                return True
        if isinstance(current, ast.Lambda):
            return True
        current = parent(match, current)
    return False


def _changed(region: Sequence[ast.stmt], node: ast.AST) -> bool:
    """Whether statements bind what the index or the container is made of: the comparison would see the new value."""
    names = {n.id for n in walking.walk(node) if isinstance(n, ast.Name)}
    attributes = {n.attr for n in walking.walk(node) if isinstance(n, ast.Attribute)}
    return bool(names & stored_names(region)) or any(
        isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store) and n.attr in attributes
        for statement in region
        for n in walking.walk(statement)
    )
