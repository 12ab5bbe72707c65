"""Loops around an event: what they bind and go over, what is read after them, and moving a body to the right."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from tslint import walking
from tslint.diagnostics import Edit, Position
from tslint.rewrite.spans import compiled_function, parent, place, spans_rows
from tslint.rulekit.match import Match

_COMPREHENSIONS = (ast.ListComp, ast.DictComp, ast.GeneratorExp, ast.SetComp)
Comprehension = ast.ListComp | ast.DictComp | ast.GeneratorExp | ast.SetComp


class Loop:
    """A ``for`` statement, or a comprehension with one ``for``.

    Args:
        node: the statement or the comprehension.
        target: what it binds.
        iterable: what it goes over.
        inside: everything that runs once per turn.
    """

    def __init__(self, node: ast.For | Comprehension) -> None:
        self.node = node
        if isinstance(node, ast.For):
            self.target, self.iterable = node.target, node.iter
            self.inside: list[ast.AST] = [*node.body]
        else:
            self.target, self.iterable = node.generators[0].target, node.generators[0].iter
            parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
            self.inside = [*parts, *node.generators[0].ifs]

    def walk(self) -> Iterable[ast.AST]:
        """Every node of a turn."""
        for part in self.inside:
            yield from walking.walk(part)

    def stores(self, name: str) -> bool:
        """Whether a turn rebinds a name."""
        return any(
            isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, (ast.Store, ast.Del)) for n in self.walk()
        )


def every_turn(loop: Loop, node: ast.AST) -> bool:
    """Whether every turn of a loop evaluates an expression in it."""
    if isinstance(loop.node, ast.For) and leaves_turn(loop.node):
        return False
    return evaluated(loop.inside, node)


def evaluated(parts: Sequence[ast.AST], node: ast.AST) -> bool:
    """Whether statements or expressions evaluate one inside them whichever way they go."""
    first = {ast.If: "test", ast.IfExp: "test", ast.While: "test", ast.For: "iter"}
    pending: list[ast.AST] = [*parts]
    while pending:
        current = pending.pop()
        if current is node:
            return True
        if isinstance(current, ast.BoolOp):
            pending.append(current.values[0])
        elif type(current) in first:
            pending.append(getattr(current, first[type(current)]))
        elif not isinstance(current, (ast.Try, ast.Lambda, *_COMPREHENSIONS)):
            pending += ast.iter_child_nodes(current)
    return False


def loops_around(match: Match, node: ast.AST) -> list[Loop]:
    """The loops around a node of the same function, the innermost first."""
    found: list[Loop] = []
    current: ast.AST | None = node
    while current is not None and not isinstance(current, (ast.FunctionDef, ast.AsyncFunctionDef)):
        around = parent(match, current)
        if isinstance(around, ast.For) and current is not around.iter:
            found.append(Loop(around))
        elif isinstance(around, (ast.ListComp, ast.DictComp, ast.GeneratorExp, ast.SetComp)):
            if len(around.generators) == 1 and current is not around.generators[0]:
                found.append(Loop(around))
        current = around
    return found


def loop_over(match: Match, node: ast.AST) -> Loop | None:
    """The loop whose iterable a node is."""
    around = parent(match, node)
    if isinstance(around, ast.comprehension):
        # It has no place of its own, by which its parent could be found.
        function = compiled_function(match)
        every = walking.walk(function) if function is not None else iter(())
        around = next((each for each in every if around in getattr(each, "generators", [])), None)
    if isinstance(around, ast.For) and around.iter is node:
        return Loop(around)
    if isinstance(around, (ast.ListComp, ast.GeneratorExp)) and len(around.generators) == 1:
        return Loop(around)
    return None


def loop_of(match: Match, name: str, node: ast.AST) -> Loop | None:
    """The innermost loop around a node that binds a name."""
    for loop in loops_around(match, node):
        if any(isinstance(child, ast.Name) and child.id == name for child in walking.walk(loop.target)):
            return loop
    return None


def read_after(match: Match, loop: Loop, name: str) -> bool:
    """Whether a loop's variable may be read after the loop."""
    function = compiled_function(match)
    inside = {id(child) for child in walking.walk(loop.node)}
    pending: list[ast.AST] = [function] if function is not None and isinstance(loop.node, ast.For) else []
    while pending:
        node = pending.pop()
        if id(node) in inside:
            continue
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
            return True
        binds = [node.target] if isinstance(node, ast.For) else [g.target for g in getattr(node, "generators", [])]
        names = [child for target in binds for child in walking.walk(target) if isinstance(child, ast.Name)]
        if not any(child.id == name for child in names):
            pending += walking.children(node)
        elif isinstance(node, ast.For):
            # With no turn at all the name keeps what it had.
            pending += [node.iter, *node.orelse]
        else:
            pending += [generator.iter for generator in getattr(node, "generators", [])]
    return False


def moved_right(match: Match, loop: ast.For, header: str, before: Sequence[str] = ()) -> list[Edit] | None:
    """The edits that put a loop's body under one more header; None where a body cannot be moved.

    Args:
        match: for the file.
        loop: the loop.
        header: the ``if`` or ``for`` under which the body goes.
        before: lines that go before the body, under the header.
    """
    first, last = loop.body[0], loop.body[-1]
    start = place(match, first)[0]
    lines = match.source.lines
    margin = lines[start.row - 1][: start.column - 1]
    end_row = last.end_lineno or last.lineno
    if margin.strip() or loop.orelse or any(spans_rows(statement) for statement in loop.body):
        return None
    outer = lines[loop.lineno - 1]
    step = margin.removeprefix(outer[: len(outer) - len(outer.lstrip())]) or "    "
    newline = match.source.newline
    head = f"{margin}{header}{newline}" + "".join(f"{margin}{step}{line}{newline}" for line in before)
    edits = [Edit(Position(start.row, 1), Position(start.row, 1), head)]
    for row in range(start.row, end_row + 1):
        if lines[row - 1].strip():
            edits.append(Edit(Position(row, 1), Position(row, 1), step))
    # Two insertions at one place: the header and its first line's margin are one.
    return [Edit(edits[0].start, edits[0].end, edits[0].content + step), *edits[2:]]


def folded(match: Match, statements: Sequence[ast.AST], edits: Iterable[Edit]) -> list[Edit]:
    """The same edits, those in the rows of statements as a single one.

    Lines that move are no place for edits of other fixes: what these write would not move with them. So they clash, and
    wait for the next round.
    """
    lines = match.source.lines
    first = min(place(match, statement)[0].row for statement in statements)
    last = max(place(match, statement)[1].row for statement in statements)
    inside: list[Edit] = []
    rest: list[Edit] = []
    for edit in edits:
        mine = Position(first, 1) <= edit.start and edit.end <= Position(last + 1, 1)
        (inside if mine else rest).append(edit)
    text = "".join(lines[first - 1 : last])
    offsets = [0]
    for line in lines[first - 1 : last]:
        offsets.append(offsets[-1] + len(line))
    for edit in sorted(inside, key=lambda each: (each.start, each.end), reverse=True):
        low, high = (offsets[p.row - first] + p.column - 1 for p in (edit.start, edit.end))
        text = text[:low] + edit.content + text[high:]
    ends = lines[last - 1].endswith(("\n", "\r"))
    end = Position(last + 1, 1) if ends else Position(last, len(lines[last - 1]) + 1)
    return [*rest, Edit(Position(first, 1), end, text)]


def raised_before(match: Match, statement: ast.stmt, test: str, error: str) -> Edit | None:
    """The lines before a statement that raise an error under a test; None where nothing can stand there."""
    start = place(match, statement)[0]
    margin = match.source.lines[start.row - 1][: start.column - 1]
    if margin.strip():
        return None
    where, newline = Position(start.row, 1), match.source.newline
    return Edit(where, where, f"{margin}if {test}:{newline}{margin}{one_step(match, margin)}raise {error}{newline}")


def raised_after(match: Match, loop: ast.For, test: str, error: str) -> Edit | None:
    """The lines after a loop that raise an error under a test; None where nothing can stand there."""
    start, end = place(match, loop)
    margin = match.source.lines[start.row - 1][: start.column - 1]
    last = match.source.lines[end.row - 1]
    if margin.strip() or last[end.column - 1 :].partition("#")[0].strip():
        return None
    newline = match.source.newline
    text = f"{margin}if {test}:{newline}{margin}{one_step(match, margin)}raise {error}"
    if not last.endswith(("\n", "\r")):
        where = Position(end.row, len(last) + 1)
        return Edit(where, where, newline + text)
    return Edit(Position(end.row + 1, 1), Position(end.row + 1, 1), text + newline)


def acts_before(statement: ast.AST, node: ast.expr) -> bool:
    """Whether a statement calls something before it evaluates an expression: what that does would come too late."""
    first = (node.lineno, node.col_offset)
    acting = (ast.Call, ast.NamedExpr, ast.Await)
    return any(
        isinstance(each, acting) and (each.end_lineno or 0, each.end_col_offset or 0) <= first
        for each in walking.walk(statement)
    )


def one_step(match: Match, margin: str) -> str:
    """By how much the blocks of a file are indented."""
    if margin.endswith("\t"):
        return "\t"
    function = compiled_function(match)
    inner = function.body[0].col_offset - function.col_offset if function is not None else 4
    return (
        " " * inner if 0 < inner <= 8 and function is not None and function.body[0].lineno > function.lineno else "    "
    )


def leaves_turn(loop: ast.For) -> bool:
    """Whether the body has a ``break`` or ``continue`` of this very loop."""
    pending: list[ast.AST] = [*loop.body]
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.Break, ast.Continue)):
            return True
        if not isinstance(node, (ast.For, ast.While, ast.FunctionDef)):
            pending += walking.children(node)
        else:
            pending += getattr(node, "orelse", [])
    return False
