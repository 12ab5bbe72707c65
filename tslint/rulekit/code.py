"""Contains the code of one file: its two trees, and the edits of its text."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import chain, takewhile
from typing import TYPE_CHECKING

from tslint.diagnostics import Edit, Position
from tslint.rulekit.body_parts import rows
from tslint.rulekit.edits import difference, together
from tslint.rulekit.trees import Trees
from tslint.sources.file import SourceFile
from tslint.util import astwalk

if TYPE_CHECKING:
    # Imported only when a definition is parsed: most runs parse none, and the import takes as long as the rest of a
    # run.
    import libcst as cst

    from tslint.rulekit.definition import Definition
    from tslint.rulekit.parts import Line

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class FileCode(Trees):
    """The code of one file, for all its findings.

    Args:
        source: the text of the file.
        tree: its ``ast``.
    """

    def __init__(self, source: SourceFile, tree: ast.Module) -> None:
        super().__init__(source, tree)
        self.imports: dict[tuple[str, str | None], tuple[str, tuple[Edit, ...]]] = {}
        self.outlines: dict[ast.stmt, str] = {}
        """The names of functions into which fixes would move statements, by the first of these statements."""
        self.uncompilable: set[ast.AST] = set()
        """The functions that contain code which cannot be compiled with any types, and for which there is no fix."""

    def code(self, node: cst.CSTNode) -> str:
        """Return a node's text, without the line's end and without parentheses around an expression."""
        return self._definition(node).code(node, self._margin(node))

    def within(self, outer: cst.CSTNode, inner: cst.CSTNode) -> tuple[Position, Position]:
        """Return the position of a part of an expression, found in its text: before Python 3.12, ``ast`` has no
        positions in f-strings.
        """
        import libcst as cst

        definition, margin = self._definition(outer), self._margin(outer)
        mark = "__here__"
        before, found, _ = definition.code(outer.deep_replace(inner, cst.Name(mark)), margin).partition(mark)
        assert found, "the part is not in the expression"
        start = self.source.offset(self.place(self.model(outer))[0]) + len(before)
        return self.source.position(start), self.source.position(start + len(definition.code(inner, margin)))

    def line(self, statement: cst.BaseSmallStatement | cst.BaseCompoundStatement) -> Line | None:
        """Return the line of a statement; None if other statements share it."""
        return self._definition(statement).line(statement)

    def shared_line(self, statement: cst.BaseSmallStatement) -> cst.SimpleStatementLine | None:
        """Return the line that a statement shares with others."""
        return self._definition(statement).shared(statement)

    def replace(
        self, node: cst.CSTNode, new: cst.CSTNode, parent: cst.CSTNode | None, *, copied: bool = False
    ) -> tuple[Edit, ...]:
        """Return the edits that replace a node; see :meth:`tslint.rulekit.match.Match.replace`."""
        import libcst as cst

        from tslint.rulekit.template import bare, fitting, holder, whole

        definition, margin, author = self._definition(node), self._margin(node), node
        start = self.source.offset(self.place(self.model(node))[0])
        if isinstance(node, cst.BaseExpression) and isinstance(new, cst.BaseExpression):
            inside = bare(node) is not node
            new = bare(new) if inside else fitting(whole(new), holder(node, parent))
            node = bare(node)
            text = f"({definition.code(node, margin)})"
            if inside and isinstance(new, cst.Call) and self.source.text[start - 2 : start - 1] in " ([=,":
                if not isinstance(node, cst.Call) and self.source.text.startswith(text, start - 1):
                    # A call needs no parentheses, so those of the old lambda or comparison are removed.
                    return self._edits(start - 1, text, [(0, len(text), definition.code(new, margin))])
        elif isinstance(node, cst.Param) and isinstance(node.star, str):
            start -= len(node.star)
        for separator in ("semicolon", "comma"):
            # The comma or semicolon after the node stays.
            if hasattr(node, separator) and hasattr(new, separator):
                new = new.with_changes(**{separator: getattr(node, separator)})
        old = definition.code(node, margin)
        if not self.source.text.startswith(old, start) and self.source.text.startswith("(" + old, start):
            start += 1  # a generator that is the only argument shares the parentheses of the call
        wanted = definition.code(new, margin)
        if copied:
            return self._edits(start, old, [(0, len(old), wanted)])
        parts = self._kept(old, difference(old, wanted), [author], parent, start, margin)
        return self._edits(start, old, parts)

    def rewrite(self, lines: Sequence[Line], new: Sequence[Line], *, copied: bool = False) -> tuple[Edit, ...]:
        """Return the edits that replace consecutive statements of one block; see
        :meth:`tslint.rulekit.match.Match.replace` for ``copied``.
        """
        from tslint.rulekit.definition import moved, without_leading

        first = lines[0]
        statement = self._statement(first)
        definition, indentation = self._definition(first), self.indentation(statement)
        # Comments above the first statement stay there.
        lead = first.leading_lines
        written = [moved(each, lead) for each in new] if lead else new
        old = definition.block([without_leading(first), *lines[1:]], indentation).removeprefix(indentation)
        wanted = definition.block(written, indentation).removeprefix(indentation)
        start = self.source.lines.starts[rows(statement)[0] - 1] + len(indentation)
        if len(self.source.text) < start + len(old):
            old, wanted = old.removesuffix(self.source.newline), wanted.removesuffix(self.source.newline)
        if copied:
            return self._edits(start, old, [(0, len(old), wanted)])
        parts = self._kept(old, difference(old, wanted), lines, None, start, indentation)
        return self._edits(start, old, together(old, parts, indentation))

    def insert_before(self, line: Line, new: Sequence[Line], blank: int = 0, *, comments: bool = False) -> Edit:
        """Return the edit that inserts statements above another one (with ``comments``, above its comments, too), and
        blank lines between them.
        """
        statement = self._statement(line)
        own = takewhile(lambda each: each.comment is not None, reversed(line.leading_lines)) if comments else ()
        start = Position(rows(statement)[0] - len(list(own)), 1)
        text = self._definition(line).block(new, self.indentation(statement))
        return Edit(start, start, text + blank * self.source.newline)

    def insert_after(self, line: Line, new: Sequence[Line]) -> Edit:
        """Return the edit that inserts statements below another one."""
        statement = self._statement(line)
        row = rows(statement)[1]
        text = self._definition(line).block(new, self.indentation(statement))
        last = self.source.lines[row - 1]
        if last.endswith(("\n", "\r")):
            return Edit(Position(row + 1, 1), Position(row + 1, 1), text)
        end = Position(row, len(last) + 1)
        return Edit(end, end, self.source.newline + text.removesuffix(self.source.newline))

    def remove(self, line: Line) -> tuple[Edit, ...]:
        """Return the edits that remove a statement with its lines; the only statement of a block becomes ``pass``."""
        from tslint.rulekit.definition import emptied

        statement = self._statement(line)
        if len(self.block(statement)) == 1 and astwalk.parents(self.tree)[statement] is not self.tree:
            return self.rewrite([line], [emptied(line)])
        first, last = rows(statement)
        lines, inside = list(self.source.lines), astwalk.parents(self.tree)[statement] is not self.tree
        leads, defines = statement is self.block(statement)[0], isinstance(statement, _DEFINITIONS)
        while inside and (leads or defines) and not lines[first - 2].strip():
            first -= 1  # the statement that becomes the first of the block needs no blank line above it
        while inside and leads and defines and not lines[last].strip():
            last += 1
        return (Edit(Position(first, 1), Position(last + 1, 1), ""),)

    def _definition(self, node: cst.CSTNode) -> Definition:
        from tslint.rulekit.definition import small

        return self.definition(self.model(small(node)))

    def _margin(self, node: cst.CSTNode) -> str:
        """Return the indentation of the statement that contains a node."""
        from tslint.rulekit.definition import small

        found = self.model(small(node))
        around = chain([found], astwalk.around(self.tree, found))
        return next((self.indentation(each) for each in around if isinstance(each, ast.stmt)), "")

    def _statement(self, line: Line) -> ast.stmt:
        from tslint.rulekit.definition import small

        found = self.model(small(line))
        assert isinstance(found, ast.stmt)
        return found

    def _kept(
        self,
        old: str,
        parts: list[tuple[int, int, str]],
        nodes: Sequence[cst.CSTNode],
        parent: cst.CSTNode | None,
        start: int,
        indentation: str,
    ) -> list[tuple[int, int, str]]:
        """Extend differences over expressions that another fix must not change at the same time."""
        from tslint.rulekit.definition import small
        from tslint.rulekit.kept import together_with_kept

        def where(node: cst.CSTNode) -> tuple[int, int, ast.AST] | None:
            model = self.origin(small(node))
            if model is None or not hasattr(model, "lineno"):
                return None
            first, last = (self.source.offset(position) - start for position in self.place(model))
            return first, last, model

        return together_with_kept(old, parts, nodes, parent, where, indentation)

    def _edits(self, start: int, old: str, parts: Sequence[tuple[int, int, str]]) -> tuple[Edit, ...]:
        """Return the edits that change code at an offset.

        Raises:
            ValueError: the old code is not at the offset.
        """
        if not self.source.text.startswith(old, start):
            raise ValueError(f"{self.source.path} does not read {old!r} at {start}")
        place = self.source.position
        return tuple(Edit(place(start + first), place(start + last), content) for first, last, content in parts)
