"""The border between the two trees: an event's ``ast`` span finds its libcst node, and a rule's edit finds its place.

Only the definition that holds the event is parsed by libcst (never the whole module), and its positions are computed
once for all its events. ``ast`` counts columns in UTF-8 bytes and libcst in code points; everything that leaves this
module is a :class:`tslint.diagnostics.Position`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from tslint import walking
from tslint.diagnostics import Edit, Fix, Position, Severity
from tslint.rulekit.imports import extension, hidden
from tslint.rulekit.rule import Finding
from tslint.script.events import Event, Span
from tslint.sources.file import SourceFile

if TYPE_CHECKING:
    # Imported where a definition is parsed: most runs need none, and it takes as long as all the rest.
    import libcst as cst
    from libcst.metadata import CodeRange

Node = TypeVar("Node", bound="cst.CSTNode")
_Definition = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass
class Chunk:
    """One definition, parsed by libcst, with the places of its nodes in the file."""

    module: cst.Module
    positions: dict[cst.CSTNode, CodeRange]
    row_offset: int
    parents: dict[cst.CSTNode, cst.CSTNode] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str, first_row: int, indented: bool) -> Chunk:
        """Parse lines of a file that begin at row ``first_row``; ``indented`` lines get a block to stand in."""
        import libcst as cst
        from libcst.metadata import MetadataWrapper, PositionProvider

        module = cst.parse_module("if 1:\n" + text if indented else text)
        wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
        positions = dict(wrapper.resolve(PositionProvider))
        chunk = cls(module, positions, first_row - (2 if indented else 1))
        pending: list[cst.CSTNode] = [module]
        while pending:
            node = pending.pop()
            for child in node.children:
                chunk.parents[child] = node
                pending.append(child)
        return chunk

    def range(self, node: cst.CSTNode) -> tuple[Position, Position]:
        """Where a node stands in the file (without the parentheses around it)."""
        place = self.positions[node]
        return (
            Position(place.start.line + self.row_offset, place.start.column + 1),
            Position(place.end.line + self.row_offset, place.end.column + 1),
        )


class Border:
    """Finds libcst nodes and edit places for one file's events.

    Args:
        source: the file.
        tree: its ``ast``.
    """

    def __init__(self, source: SourceFile, tree: ast.Module) -> None:
        self.source = source
        self.tree = tree
        self._chunks: dict[tuple[int, int], Chunk] = {}
        self.imports: dict[tuple[str, str | None], tuple[str, tuple[Edit, ...]]] = {}
        self.outlines: dict[ast.stmt, str] = {}
        """The functions that fixes would make of statements, by the first of these."""

    @cached_property
    def _definitions(self) -> list[tuple[int, int, ast.stmt]]:
        """Row spans of the statements that are parsed on their own: methods, and top-level statements."""
        found: list[tuple[int, int, ast.stmt]] = []
        pending: list[ast.stmt] = list(self.tree.body)
        while pending:
            statement = pending.pop()
            first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", []))])
            found.append((first, statement.end_lineno or statement.lineno, statement))
            if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
                pending += (
                    [each for each in walking.walk(statement) if isinstance(each, ast.stmt) and each is not statement]
                    if not isinstance(statement, ast.ClassDef)
                    else statement.body
                )
        return found

    def definition(self, span: Span) -> tuple[int, int, ast.stmt]:
        """The smallest function or statement outside functions that holds the span, with its first and last row."""
        holding = [entry for entry in self._definitions if entry[0] <= span.row and span.end_row <= entry[1]]
        return min(holding, key=lambda entry: entry[1] - entry[0])

    def chunk(self, span: Span) -> Chunk:
        """The parsed definition that holds a span."""
        first, last, statement = self.definition(span)
        if (first, last) not in self._chunks:
            text = "".join(self.source.lines[first - 1 : last])
            self._chunks[first, last] = Chunk.parse(text, first, indented=statement.col_offset > 0)
        return self._chunks[first, last]

    def place(self, span: Span) -> tuple[Position, Position]:
        """A span as positions."""
        return self.source.from_ast(span.row, span.column), self.source.from_ast(span.end_row, span.end_column)

    def find(self, node: ast.AST) -> cst.CSTNode:
        """The libcst node of an ``ast`` node: the outermost one with its span, or else the smallest around it.

        Tuples and generators count their parentheses in ``ast`` and not in libcst, hence the second choice.
        """
        import libcst as cst

        span = Span.of(node)
        start, end = self.place(span)
        chunk = self.chunk(span)
        statements = (cst.BaseStatement, cst.BaseSmallStatement)
        wanted: tuple[type, ...] = statements if isinstance(node, ast.stmt) else (cst.BaseExpression,)
        if isinstance(node, (ast.arg, ast.keyword, ast.ExceptHandler, ast.alias)):
            wanted = (cst.Param, cst.Arg, cst.ExceptHandler, cst.ImportAlias)
        around: cst.CSTNode = chunk.module
        size = (10**9, 10**9)
        inside: cst.CSTNode | None = None
        pending: list[cst.CSTNode] = [chunk.module]
        while pending:
            candidate = pending.pop(0)
            if candidate in chunk.positions:
                low, high = chunk.range(candidate)
                if candidate is not chunk.module and (high < start or low > end):
                    continue
                if isinstance(candidate, wanted):
                    if (low, high) == (start, end):
                        return candidate
                    if start <= low and high <= end and inside is None:
                        inside = candidate
                    if low <= start and end <= high and (high.row - low.row, high.column - low.column) < size:
                        around, size = candidate, (high.row - low.row, high.column - low.column)
            pending.extend(candidate.children)
        return inside if inside is not None else around


class Match:
    """An event at its place in the author's text: what a rule's ``check`` gets.

    Args:
        event: what the model saw.
        border: of the event's file.
    """

    def __init__(self, event: Event, border: Border) -> None:
        self.event = event
        self.border = border
        self.source = border.source

    @cached_property
    def chunk(self) -> Chunk:
        """The parsed definition around the event."""
        return self.border.chunk(self.event.span)

    @cached_property
    def node(self) -> cst.CSTNode:
        """The libcst node that the event underlines."""
        return self.border.find(self.event.node)

    def find(self, node: ast.AST) -> cst.CSTNode:
        """The libcst node of another ``ast`` node of the same file."""
        return self.border.find(node)

    def ancestors(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The parents of a node, the nearest first."""
        chunk = self.chunk
        while node in chunk.parents:
            node = chunk.parents[node]
            yield node

    def enclosing(self, kind: type[Node], node: cst.CSTNode | None = None) -> Node | None:
        """The nearest parent of a kind (of the event's node by default), the node itself included."""
        start = self.node if node is None else node
        for candidate in (start, *self.ancestors(start)):
            if isinstance(candidate, kind):
                return candidate
        return None

    @property
    def function(self) -> cst.FunctionDef | None:
        """The nearest function around the event."""
        import libcst as cst

        return self.enclosing(cst.FunctionDef)

    @property
    def statement(self) -> cst.SimpleStatementLine | cst.BaseCompoundStatement | None:
        """The statement line or compound statement around the event."""
        import libcst as cst

        for candidate in (self.node, *self.ancestors(self.node)):
            if isinstance(candidate, (cst.SimpleStatementLine, cst.BaseCompoundStatement)):
                return candidate
        return None

    def code(self, node: cst.CSTNode) -> str:
        """A node as the author wrote it."""
        return self.chunk.module.code_for_node(node)

    def text(self, node: ast.AST) -> str:
        """An ``ast`` node as the author wrote it."""
        return self.source.slice(*self.border.place(Span.of(node)))

    def range(self, node: cst.CSTNode) -> tuple[Position, Position]:
        """Where a node of the same definition stands."""
        return self.chunk.range(node)

    def finding(
        self,
        message: str,
        *,
        help: str | None = None,
        fix: Fix | None = None,
        at: cst.CSTNode | None = None,
        severity: Severity | None = None,
    ) -> Finding:
        """A finding on the event's node, or on ``at``."""
        start, end = self.range(at) if at is not None else (None, None)
        return Finding(message, help, fix, start, end, severity)

    # Edits. Each is text for text; libcst nodes say where.

    def replace(self, node: cst.CSTNode, content: str | cst.CSTNode) -> Edit:
        """Put ``content`` in the node's place."""
        start, end = self.range(node)
        return Edit(start, end, content if isinstance(content, str) else self.code(content))

    def insert(self, position: Position, content: str) -> Edit:
        """Insert text at a position."""
        return Edit(position, position, content)

    def indentation(self, node: cst.CSTNode) -> str:
        """The white space before the statement that holds the node."""
        line = self.source.lines[self.range(node)[0].row - 1]
        return line[: len(line) - len(line.lstrip(" \t\f"))]

    def insert_line_before(self, statement: cst.CSTNode, content: str) -> Edit:
        """Insert lines (without indentation or end) before the statement's first line."""
        start = Position(self.range(statement)[0].row, 1)
        return Edit(start, start, self._lines(content, self.indentation(statement)))

    def insert_line_after(self, statement: cst.CSTNode, content: str) -> Edit:
        """Insert lines (without indentation or end) after the statement's last line."""
        row = self.range(statement)[1].row
        last = self.source.lines[row - 1]
        text = self._lines(content, self.indentation(statement))
        if not last.endswith(("\n", "\r")):
            end = Position(row, len(last) + 1)
            return Edit(end, end, self.source.newline + text[: -len(self.source.newline)])
        return Edit(Position(row + 1, 1), Position(row + 1, 1), text)

    def _lines(self, content: str, indent: str) -> str:
        return "".join((indent + line if line else "") + self.source.newline for line in content.split("\n"))

    def delete_lines(self, statement: cst.CSTNode) -> Edit:
        """Delete the statement's lines, their ends included."""
        start, end = self.range(statement)
        return Edit(Position(start.row, 1), Position(end.row + 1, 1), "")

    def imported(self, module: str, name: str | None = None) -> tuple[str, tuple[Edit, ...]]:
        """How to say ``module.name`` (or ``module``) in this file, and the edits that import it where it is not yet.

        Returns:
            The expression to write, and none or one edit.
        """
        known = self.border.imports
        if (module, name) not in known:
            known[module, name] = self._imported(module, name)
        return known[module, name]

    def _imported(self, module: str, name: str | None) -> tuple[str, tuple[Edit, ...]]:
        tree = self.border.tree
        for statement in tree.body:
            if isinstance(statement, ast.Import):
                for alias in statement.names:
                    if hidden(tree, statement, alias.asname or alias.name.partition(".")[0]):
                        continue
                    if alias.name == module and (alias.asname or "." not in module):
                        bound = alias.asname or module
                        return (f"{bound}.{name}" if name else bound), ()
                    if alias.name.startswith(module + ".") and not alias.asname and "." not in module:
                        return (f"{module}.{name}" if name else module), ()
            elif isinstance(statement, ast.ImportFrom) and statement.module == module and not statement.level and name:
                for alias in statement.names:
                    if alias.name in (name, "*"):
                        return alias.asname or name, ()
        extended = extension(self.source, tree, module, name) if name else None
        if extended is not None:
            return name or module, (extended,)
        where = self.import_row()
        text = f"from {module} import {name}" if name else f"import {module}"
        edit = Edit(Position(where, 1), Position(where, 1), text + self.source.newline)
        return name or module, (edit,)

    def import_row(self) -> int:
        """The row before which a new import goes: before the first import that is not from ``__future__``, or after
        the module's docstring and future imports."""
        row = 1
        for statement in self.border.tree.body:
            future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
            docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            if isinstance(statement, (ast.Import, ast.ImportFrom)) and not future:
                return statement.lineno
            if not (future or (docstring and statement is self.border.tree.body[0])):
                break
            row = (statement.end_lineno or statement.lineno) + 1
        if row == 1 and self.source.lines and self.source.lines[0].startswith("#"):
            while row <= len(self.source.lines) and self.source.lines[row - 1].startswith("#"):
                row += 1
        return row
