"""Represents a definition (a function, or statements outside functions) as libcst nodes: parsed when a rule needs
it, and turned into text for an edit.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

import libcst as cst

from tslint.rulekit.cstwalk import is_kind, walk
from tslint.rulekit.pairing import Pairing
from tslint.rulekit.parts import Line, Parts, UnparsedBlock, parse, statements_of

_kept: dict[tuple[str, str, str, int], Definition] = {}
_MOST = 1000


def definition(text: str, newline: str, step: str, number: int, parts: Sequence[tuple[str, int]] = ()) -> Definition:
    """Return a :class:`Definition`; one that was made for the same text before is reused, because fixes leave most of a
    file unchanged.

    Args:
        text: see :class:`Definition`.
        newline: see :class:`Definition`.
        step: see :class:`Definition`.
        number: how many times the same text occurs in the file before it, because each occurrence needs its own nodes.
        parts: see :class:`Definition`.
    """
    key = (text, newline, step, number)
    found = _kept.pop(key, None) or Definition(text, newline, step, parts)
    if len(_kept) >= _MOST:
        del _kept[next(iter(_kept))]
    _kept[key] = found
    return found


class Definition:
    """A function, or statements outside functions, with their libcst nodes.

    Args:
        text: its lines, as they are in the file, with their indentation.
        newline: the line end of the file.
        step: the indentation of a block in the file.
        parts: for a long function or class, the text of each part of its body, at the end of ``text``, and the number
            of statements there; the parts are only parsed when they are needed.
    """

    def __init__(self, text: str, newline: str, step: str, parts: Sequence[tuple[str, int]] = ()) -> None:
        # A form feed does not indent a line.
        indented = text.lstrip("\f")[:1] in (" ", "\t")
        if parts:
            text = text[: len(text) - sum(len(part) for part, _ in parts)] + _indentation(parts) + "pass" + newline
        parsed = parse(f"if 1:{newline}{text}" if indented else text)
        self._module = cst.Module([], default_indent=step, default_newline=newline)
        body: cst.BaseSuite | cst.Module = parsed
        if indented and isinstance(parsed.body[0], cst.If):
            body = parsed.body[0].body
        self._listed = statements_of(body.body)
        self._parts = Parts(parts, newline, parsed.default_indent)
        self._lines = _Lines(self._parts.blocks)
        if parts:
            self._listed = [UnparsedBlock.into(self._listed[0], self._parts.all_lines)]
            self._lines.add(self._listed[0])
        else:
            self._parts.blocks.append(body)

    def pairing(self, statement: ast.stmt, siblings: list[ast.stmt]) -> Pairing:
        """Return the paired nodes of one statement in both trees; for a function with parts, of its header.

        Args:
            statement: the statement as a node of the static model.
            siblings: all statements on its lines.
        """
        place = next(index for index, each in enumerate(siblings) if each is statement)
        node = self._listed[place]
        divided = isinstance(getattr(node, "body", None), UnparsedBlock)
        return Pairing(statement, node, header_only=divided)

    @property
    def parsed(self) -> list[int]:
        """The numbers of the parts that are parsed."""
        return self._parts.parsed

    def part(self, number: int, found: Sequence[ast.stmt]) -> list[Pairing]:
        """Return the paired nodes of the statements of a part, given as nodes of the static model."""
        return [Pairing(*pair, in_function=True) for pair in zip(found, statements_of(self._parts.lines(number)))]

    def line(self, statement: cst.BaseSmallStatement | cst.BaseCompoundStatement) -> Line | None:
        """Return the line of a statement; None if other statements share it, and for an ``elif``."""
        return self._lines.all().own.get(statement)

    def shared(self, statement: cst.BaseSmallStatement) -> cst.SimpleStatementLine | None:
        """Return the line that a statement shares with others; None if it has its own line, or follows ``if x:``."""
        return self._lines.all().shared.get(statement)

    def code(self, node: cst.CSTNode, indentation: str) -> str:
        """Return an expression or a part of a statement as text.

        Args:
            node: a node of the author, or one that a fix has made.
            indentation: the indentation of the statement, to which further lines of an expression are relative.
        """
        text = self._module.code_for_node(node)
        if not indentation or self._module.default_newline not in text or isinstance(node, Line):
            return text
        written = node.visit(_Indented(indentation))
        assert isinstance(written, cst.CSTNode)
        return self._module.code_for_node(written)

    def block(self, lines: Sequence[Line], indentation: str) -> str:
        """Return statements as text, each line indented."""
        if not indentation:
            return self._module.with_changes(body=lines).code
        held = cst.If(cst.Name("_"), cst.IndentedBlock(lines, indent=indentation))
        return self._module.with_changes(body=[held]).code.partition(self._module.default_newline)[2]


def small(node: cst.CSTNode) -> cst.CSTNode:
    """Return the statement on a line: ``ast`` has no nodes for lines."""
    return node.body[0] if isinstance(node, cst.SimpleStatementLine) else node


def without_leading(line: Line) -> Line:
    """Return a line without the comments and blank lines above it."""
    return line.with_changes(leading_lines=())


def emptied(line: Line) -> Line:
    """Return ``pass`` instead of a line, with the comment after it."""
    if isinstance(line, cst.SimpleStatementLine):
        return line.with_changes(body=[cst.Pass()])
    return cst.SimpleStatementLine([cst.Pass()], leading_lines=line.leading_lines)


def moved(line: Line, leading: Sequence[cst.EmptyLine]) -> Line:
    """Return a line without the comments and blank lines above one of its statements.

    Args:
        line: the line of the statement, or one that contains it.
        leading: the comments and blank lines above that statement.
    """
    found = line.visit(_WithoutLeading(leading))
    assert isinstance(found, Line)
    return found


class _WithoutLeading(cst.CSTTransformer):
    def __init__(self, leading: Sequence[cst.EmptyLine]) -> None:
        super().__init__()
        self.leading = leading

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> cst.CSTNode:  # type: ignore[override]
        if isinstance(original_node, Line) and original_node.leading_lines is self.leading:
            return without_leading(updated_node)  # type: ignore[arg-type]
        return updated_node


class _Indented(cst.CSTTransformer):
    """Adds a statement's indentation to further rows of an expression: libcst only knows it inside statements."""

    def __init__(self, indentation: str) -> None:
        super().__init__()
        self.indentation = indentation

    def leave_ParenthesizedWhitespace(
        self, original_node: cst.ParenthesizedWhitespace, updated_node: cst.ParenthesizedWhitespace
    ) -> cst.ParenthesizedWhitespace:
        if not updated_node.indent:
            return updated_node
        space = cst.SimpleWhitespace(self.indentation + updated_node.last_line.value)
        return updated_node.with_changes(indent=False, last_line=space)

    def leave_EmptyLine(self, original_node: cst.EmptyLine, updated_node: cst.EmptyLine) -> cst.EmptyLine:
        if not updated_node.indent:
            return updated_node
        space = cst.SimpleWhitespace(self.indentation + updated_node.whitespace.value)
        return updated_node.with_changes(indent=False, whitespace=space)


class _Lines:
    """The libcst lines of a definition's statements, and the lines that several statements share.

    Args:
        blocks: the blocks with the lines; more of them are added when they are parsed.
    """

    def __init__(self, blocks: list[cst.CSTNode]) -> None:
        self.own: dict[cst.CSTNode, Line] = {}
        self.shared: dict[cst.CSTNode, cst.SimpleStatementLine] = {}
        self._blocks = blocks

    def all(self) -> _Lines:
        """Add the lines of all blocks."""
        while self._blocks:
            nodes = walk(self._blocks.pop())
            for node in nodes:
                self.add(node)
            for node in nodes:
                if node.__class__ is cst.If and isinstance(node.orelse, cst.If):
                    del self.own[node.orelse]
        return self

    def add(self, node: cst.CSTNode) -> None:
        """Add a node that may be a line."""
        if node.__class__ is cst.SimpleStatementLine:
            if len(node.body) == 1:
                self.own[node.body[0]] = node
            else:
                self.shared.update(dict.fromkeys(node.body, node))
        elif is_kind(node.__class__, cst.BaseCompoundStatement) and isinstance(node, cst.BaseCompoundStatement):
            self.own.setdefault(node, node)


def _indentation(parts: Sequence[tuple[str, int]]) -> str:
    """Return the white space before the first statement of a body."""
    code = next(line for line in parts[0][0].split("\n") if line.strip() and not line.lstrip().startswith("#"))
    return code[: len(code) - len(code.lstrip(" \t\f"))]
