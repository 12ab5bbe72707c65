"""Converts positions between tslint (rows and columns from 1, in code points) and the client."""

from __future__ import annotations

from itertools import accumulate

from lsprotocol import types

from tslint.diagnostics import Position
from tslint.sources.file import SourceFile
from tslint.util.record import record


def units(text: str, encoding: str) -> int:
    """Return the length of a text in the client's units."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(character > "\uffff" for character in text)


@record
class Places:
    """Converts positions in one text.

    Args:
        source: the text.
        encoding: the encoding in which the client counts columns: ``utf-8``, ``utf-16`` or ``utf-32``.
    """

    source: SourceFile
    encoding: str

    def line(self, row: int) -> str:
        """Return a line without its end; empty past the last one."""
        lines = self.source.lines
        return lines[row - 1].rstrip("\r\n") if 0 < row <= len(lines) else ""

    def to_client(self, position: Position) -> types.Position:
        """Convert a position for the client; past a line's end it becomes the line's end."""
        if position.row > len(self.source.lines) and self.source.text.endswith(("\n", "\r")):
            return types.Position(line=len(self.source.lines), character=0)
        row = min(position.row, max(len(self.source.lines), 1))
        line = self.line(row) if row == position.row else self.line(row) + " "
        column = position.column - 1 if row == position.row else len(self.line(row))
        return types.Position(line=row - 1, character=units(line[: max(column, 0)], self.encoding))

    def range(self, start: Position, end: Position) -> types.Range:
        """Convert two positions for the client."""
        return types.Range(start=self.to_client(start), end=self.to_client(end))

    def at(self, offset: int) -> types.Position:
        """Convert an index into the text for the client."""
        if offset >= len(self.source.text) and self.source.text.endswith(("\n", "\r")):
            return types.Position(line=len(self.source.lines), character=0)
        return self.to_client(self.source.position(min(offset, len(self.source.text))))

    def to_offset(self, position: types.Position) -> int:
        """Return the index into the text for a client's position.

        A position past the end of a line means the line's end. One past the last line means the end of the text. One
        inside a character means the beginning of that character.
        """
        lines = self.source.lines
        if position.line >= len(lines):
            return len(self.source.text)
        row = max(position.line, 0) + 1
        return self.source.offset(Position(row, self._column(self.line(row), position.character) + 1))

    def from_client(self, position: types.Position) -> Position:
        """Convert a client's position; positions outside the text are handled as in :meth:`to_offset`."""
        if position.line >= len(self.source.lines):
            return Position(len(self.source.lines) + 1, 1)
        row = max(position.line, 0) + 1
        return Position(row, self._column(self.line(row), position.character) + 1)

    def _column(self, line: str, character: int) -> int:
        if self.encoding == "utf-32" or line.isascii():
            return min(max(character, 0), len(line))
        ends = accumulate(units(each, self.encoding) for each in line)
        return sum(end <= character for end in ends)
