"""Contains the code of one file as two trees: ``ast`` for the static model, libcst for rules and fixes.

libcst parses only the definition that contains a finding, once, and only when a rule reads it; its nodes get their
positions from ``ast``. ``ast`` counts columns in UTF-8 bytes and libcst in code points; everything that leaves this
module is a :class:`tslint.diagnostics.Position`.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import chain, takewhile
from typing import TYPE_CHECKING

from tslint.diagnostics import Edit, Position
from tslint.rulekit.edits import difference, together
from tslint.script.events import Span
from tslint.sources.file import SourceFile
from tslint.util import astwalk

if TYPE_CHECKING:
    # Imported only when a definition is parsed: most runs parse none, and the import takes as long as the rest of a
    # run.
    import libcst as cst

    from tslint.rulekit.definition import Definition, Line

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_BLOCKS = ("body", "orelse", "finalbody")


class FileCode:
    """The code of one file, for all its findings.

    Args:
        source: the text of the file.
        tree: its ``ast``.
    """

    def __init__(self, source: SourceFile, tree: ast.Module) -> None:
        self.source = source
        self.tree = tree
        self.imports: dict[tuple[str, str | None], tuple[str, tuple[Edit, ...]]] = {}
        self.outlines: dict[ast.stmt, str] = {}
        """The names of functions into which fixes would move statements, by the first of these statements."""
        self.uncompilable: set[ast.AST] = set()
        """The functions that contain code which cannot be compiled with any types, and for which there is no fix."""
        self._libcst: dict[ast.AST, cst.CSTNode] = {}
        self._model: dict[cst.CSTNode, ast.AST] = {}
        self._parsed: dict[tuple[int, int], Definition] = {}
        self._definitions: dict[ast.AST, Definition] = {}
        self._texts: Counter[str] = Counter()

    def libcst(self, node: ast.AST) -> cst.CSTNode:
        """Return the libcst node for a node of the static model.

        Raises:
            KeyError: libcst has no such node, as for a pattern of a ``case``.
            libcst.ParserSyntaxError: libcst cannot parse the definition.
        """
        if node not in self._libcst:
            node = self._written(node)
        if node not in self._libcst:
            self.definition(node)
        return self._libcst[node]

    def partner(self, node: ast.AST) -> cst.CSTNode | None:
        """Return the libcst node; None if only ``ast`` has such a node, as for the tuple in ``Dict[str, int]``."""
        if node not in self._libcst:
            self.definition(node)
        return self._libcst.get(node)

    def _written(self, node: ast.AST) -> ast.AST:
        """Return the node of the file's tree from which the static model made a node.

        For ``x += 1``, the static model makes a node that reads ``x``; for ``getattr(x, "a")``, it makes an attribute.
        """
        above = astwalk.parents(self.tree)
        if node in above or not isinstance(node, (ast.expr, ast.stmt)):
            return node
        span = Span.of(node)
        found = [each for each in _on_rows(self.tree).get(span.row, ()) if Span.of(each) == span]
        return next((each for each in found if type(each) is type(node)), found[0] if found else node)

    def model(self, node: cst.CSTNode) -> ast.AST:
        """Return the static model's node for a libcst node of the author's code.

        Raises:
            KeyError: only libcst has such a node, as for a comma or an ``else:``.
        """
        return self._model[node]

    def definition(self, node: ast.AST) -> Definition:
        """Return the parsed definition that contains a node: the outermost function, or a statement outside
        functions.
        """
        around: list[ast.AST] = []
        for each in chain([node], astwalk.around(self.tree, node)):
            known = self._definitions.get(each)
            if known is not None:
                # Stop at a node whose definition is known: many findings may be in the same deeply nested code.
                self._definitions.update(dict.fromkeys(around, known))
                return known
            around.append(each)
        holder, siblings = self._holder(around)
        first, last = _rows(siblings[0])[0], _rows(siblings[-1])[1]
        found = self._parsed.get((first, last))
        if found is None:
            from tslint.rulekit.definition import definition

            text = "".join(self.source.lines[first - 1 : last])
            number = self._texts[text]
            self._texts[text] += 1
            found = self._parsed[first, last] = definition(text, self.source.newline, self.step, number)
        if holder not in self._libcst:
            pairing = found.pairing(holder, siblings)
            self._libcst.update(pairing.libcst)
            self._model.update(pairing.model)
        if isinstance(holder, _FUNCTIONS):
            # All nodes inside a function have the same definition.
            self._definitions[holder] = found
        return found

    @cached_property
    def step(self) -> str:
        """Return the indentation of a block, as in the first block of the file."""
        for each in astwalk.walk(self.tree):
            inner = getattr(each, "body", None)
            if isinstance(each, ast.stmt) and isinstance(inner, list) and inner[0].lineno > each.lineno:
                outer, deeper = self.indentation(each), self.indentation(inner[0])
                if deeper.startswith(outer) and deeper != outer:
                    return deeper[len(outer) :]
        return "    "

    def indentation(self, statement: ast.stmt) -> str:
        """Return the white space at the beginning of the line of a statement."""
        line = self.source.lines[_rows(statement)[0] - 1]
        return line[: len(line) - len(line.lstrip(" \t\f"))]

    def _holder(self, around: Sequence[ast.AST]) -> tuple[ast.stmt, list[ast.stmt]]:
        """Return the definition that contains a node, given the nodes around that node; also return the statements that
        share lines with the definition.
        """
        functions = [each for each in around if isinstance(each, _FUNCTIONS)]
        statements = [each for each in around if isinstance(each, ast.stmt)]
        for each in functions[-1:] or statements:
            siblings = self._on_same_lines(each)
            if siblings is not None:
                return each, siblings
        return statements[-1], [statements[-1]]

    def _on_same_lines(self, statement: ast.stmt) -> list[ast.stmt] | None:
        """Return the statements of a block that share lines with a statement; None if the block's header shares them,
        too.
        """
        first, last = _rows(statement)
        block = self.block(statement)
        low = high = next(index for index, each in enumerate(block) if each is statement)
        while low > 0 and _rows(block[low - 1])[1] >= first:
            low -= 1
        while high + 1 < len(block) and _rows(block[high + 1])[0] <= last:
            high += 1
        found = block[low : high + 1]
        start, _ = self.place(found[0])
        line = self.source.lines[_rows(found[0])[0] - 1]
        before = line[: start.column - 1]
        if isinstance(statement, ast.If) and line.startswith("elif", start.column - 1):
            return None
        return found if not before.strip() or before.strip() == "@" else None

    def place(self, node: ast.AST) -> tuple[Position, Position]:
        """Return the positions of a node of the static model."""
        return self.span(Span.of(node))

    def span(self, span: Span) -> tuple[Position, Position]:
        """Return a span of the static model as positions."""
        return self.source.from_ast(span.row, span.column), self.source.from_ast(span.end_row, span.end_column)

    # Rules ask the following about libcst nodes.

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
        start = self.source.offset(self.place(self._model[outer])[0]) + len(before)
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
        start = self.source.offset(self.place(self._model[node])[0])
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
        start = self.source.lines.starts[_rows(statement)[0] - 1] + len(indentation)
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
        start = Position(_rows(statement)[0] - len(list(own)), 1)
        text = self._definition(line).block(new, self.indentation(statement))
        return Edit(start, start, text + blank * self.source.newline)

    def insert_after(self, line: Line, new: Sequence[Line]) -> Edit:
        """Return the edit that inserts statements below another one."""
        statement = self._statement(line)
        row = _rows(statement)[1]
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
        first, last = _rows(statement)
        lines, inside = list(self.source.lines), astwalk.parents(self.tree)[statement] is not self.tree
        leads, defines = statement is self.block(statement)[0], isinstance(statement, _DEFINITIONS)
        while inside and (leads or defines) and not lines[first - 2].strip():
            first -= 1  # the statement that becomes the first of the block needs no blank line above it
        while inside and leads and defines and not lines[last].strip():
            last += 1
        return (Edit(Position(first, 1), Position(last + 1, 1), ""),)

    def _definition(self, node: cst.CSTNode) -> Definition:
        from tslint.rulekit.definition import small

        return self.definition(self._model[small(node)])

    def _margin(self, node: cst.CSTNode) -> str:
        """Return the indentation of the statement that contains a node."""
        from tslint.rulekit.definition import small

        found = self._model[small(node)]
        around = chain([found], astwalk.around(self.tree, found))
        return next((self.indentation(each) for each in around if isinstance(each, ast.stmt)), "")

    def _statement(self, line: Line) -> ast.stmt:
        from tslint.rulekit.definition import small

        found = self._model[small(line)]
        assert isinstance(found, ast.stmt)
        return found

    def block(self, statement: ast.AST) -> list[ast.stmt]:
        """Return the statements of the block that contains a statement."""
        holder = astwalk.parents(self.tree)[statement]
        blocks: list[list[ast.stmt]] = [getattr(holder, field, []) for field in _BLOCKS]
        return next(block for block in blocks if any(each is statement for each in block))

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
            model = self._model.get(small(node))
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


def _rows(statement: ast.stmt) -> tuple[int, int]:
    """Return the first and the last row of a statement, decorators included."""
    decorators = getattr(statement, "decorator_list", ())
    return min([statement.lineno, *(each.lineno for each in decorators)]), statement.end_lineno or statement.lineno


@astwalk.kept
def _on_rows(tree: ast.Module) -> dict[int, list[ast.expr | ast.stmt]]:
    """Return the expressions and statements of a file by their first row."""
    found: dict[int, list[ast.expr | ast.stmt]] = {}
    for each in astwalk.walk(tree):
        if isinstance(each, (ast.expr, ast.stmt)):
            found.setdefault(each.lineno, []).append(each)
    return found
