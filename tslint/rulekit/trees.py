"""Pairs the two trees of a file: ``ast`` for the static model, libcst for rules and fixes.

libcst parses only what a rule reads, once: of a function, the header, and each part of the body. Its nodes get their
positions from ``ast``. ``ast`` counts columns in UTF-8 bytes and libcst in code points; everything that leaves
:class:`tslint.rulekit.code.FileCode` is a :class:`tslint.diagnostics.Position`.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from tslint.diagnostics import Position
from tslint.rulekit.body_parts import Part, body_parts, rows
from tslint.script.events import Span
from tslint.sources.file import SourceFile
from tslint.util import astwalk

if TYPE_CHECKING:
    # Imported only when a definition is parsed: most runs parse none, and the import takes as long as the rest of a
    # run.
    import libcst as cst

    from tslint.rulekit.definition import Definition
    from tslint.rulekit.pairing import Pairing

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_WITH_PARTS = (*_FUNCTIONS, ast.ClassDef)
_BLOCKS = ("body", "orelse", "finalbody")


class Trees:
    """The two trees of one file.

    Args:
        source: the text of the file.
        tree: its ``ast``.
    """

    def __init__(self, source: SourceFile, tree: ast.Module) -> None:
        self.source = source
        self.tree = tree
        self._libcst: dict[ast.AST, cst.CSTNode] = {}
        self._model: dict[cst.CSTNode, ast.AST] = {}
        self._parsed: dict[tuple[int, int], Definition] = {}
        self._definitions: dict[ast.AST, Definition] = {}
        self._parts: dict[ast.AST, list[Part]] = {}
        """The statements of each part of a function."""
        self._paired: set[tuple[ast.AST, int]] = set()
        """The functions and the numbers of the parts whose nodes are in the tables."""
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
        found = self.origin(node)
        if found is None:
            raise KeyError(node)
        return found

    def origin(self, node: cst.CSTNode) -> ast.AST | None:
        """Return the static model's node for a libcst node; None for one that a fix has made, and if only libcst has
        such a node.
        """
        if node not in self._model:
            # A rule may have read the body of a function, so that libcst has parsed other parts of it.
            for holder in self._parts:
                found = self._definitions[holder]
                for part in found.parsed:
                    self._pair(found, holder, part)
        return self._model.get(node)

    def definition(self, node: ast.AST) -> Definition:
        """Return the parsed definition that contains a node: the outermost function, or a statement outside
        functions. Its part with the node is parsed.
        """
        inside: list[ast.AST] = []
        for holder in chain([node], astwalk.around(self.tree, node)):
            found = self._definitions.get(holder)
            if found is not None:
                break
            inside.append(holder)
        else:
            holder, found = self._first_parsed(inside)
            if not isinstance(holder, _FUNCTIONS):
                return found
            del inside[inside.index(holder) :]
        if inside and holder in self._parts:
            part = next((place for place, part in enumerate(self._parts[holder]) if inside[-1] in part), None)
            if part is not None:
                self._pair(found, holder, part)
        # All nodes inside a function have the same definition. The search stops at a node whose definition is known:
        # many findings may be in the same deeply nested code.
        self._definitions.update(dict.fromkeys(inside, found))
        return found

    def _first_parsed(self, around: Sequence[ast.AST]) -> tuple[ast.stmt, Definition]:
        """Parse the definition that contains a node, given the nodes around that node: only its header if it has parts.
        Return its statement, too.
        """
        holder, siblings = self._holder(around)
        first, last = rows(siblings[0])[0], rows(siblings[-1])[1]
        found = self._parsed.get((first, last))
        if found is None:
            from tslint.rulekit.definition import definition

            lines = self.source.lines
            parts = body_parts(holder, lines) if isinstance(holder, _WITH_PARTS) else []
            ends = [*(start for start, _ in parts[1:]), last + 1]
            texts = [("".join(lines[start - 1 : end - 1]), len(part)) for (start, part), end in zip(parts, ends)]
            text = "".join(lines[first - 1 : last])
            number = self._texts[text]
            self._texts[text] += 1
            found = self._parsed[first, last] = definition(text, self.source.newline, self.step, number, texts)
            if parts and isinstance(holder, _FUNCTIONS):
                self._parts[holder] = [part for _, part in parts]
        if holder not in self._libcst:
            self._add(found.pairing(holder, siblings))
        if isinstance(holder, _FUNCTIONS):
            self._definitions[holder] = found
        return holder, found

    def _pair(self, found: Definition, holder: ast.AST, part: int) -> None:
        if (holder, part) not in self._paired:
            self._paired.add((holder, part))
            for pairing in found.part(part, self._parts[holder][part]):
                self._add(pairing)

    def _add(self, pairing: Pairing) -> None:
        self._libcst.update(pairing.libcst)
        self._model.update(pairing.model)

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
        line = self.source.lines[rows(statement)[0] - 1]
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
        first, last = rows(statement)
        block = self.block(statement)
        low = high = next(index for index, each in enumerate(block) if each is statement)
        while low > 0 and rows(block[low - 1])[1] >= first:
            low -= 1
        while high + 1 < len(block) and rows(block[high + 1])[0] <= last:
            high += 1
        found = block[low : high + 1]
        start, _ = self.place(found[0])
        line = self.source.lines[rows(found[0])[0] - 1]
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

    def block(self, statement: ast.AST) -> list[ast.stmt]:
        """Return the statements of the block that contains a statement."""
        holder = astwalk.parents(self.tree)[statement]
        blocks: list[list[ast.stmt]] = [getattr(holder, field, []) for field in _BLOCKS]
        return next(block for block in blocks if any(each is statement for each in block))


@astwalk.kept
def _on_rows(tree: ast.Module) -> dict[int, list[ast.expr | ast.stmt]]:
    """Return the expressions and statements of a file by their first row."""
    found: dict[int, list[ast.expr | ast.stmt]] = {}
    for each in astwalk.walk(tree):
        if isinstance(each, (ast.expr, ast.stmt)):
            found.setdefault(each.lineno, []).append(each)
    return found
