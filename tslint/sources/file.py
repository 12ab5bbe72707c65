"""Contains the text of one file, from which every byte can be restored."""

from __future__ import annotations

import codecs
import io
import re
import tokenize
from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import overload

from tslint.diagnostics import Position
from tslint.util.record import record

_END = re.compile(r"\r\n|\r|\n")


class UnreadableSource(Exception):
    """A file that cannot be read or decoded; the message is one line for the user."""


class Lines(Sequence[str]):
    """The lines of a text with their ends, split as Python's tokenizer splits them (not at form feeds or U+2028).

    Only the offset of each line is stored: a million lines as strings would take 100 MB.

    Args:
        text: the text of the file.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self.starts = array("Q", [0])
        self.starts.extend(match.end() for match in _END.finditer(text))
        if self.starts[-1] < len(text) or len(self.starts) == 1:
            self.starts.append(len(text))

    def __len__(self) -> int:
        return len(self.starts) - 1

    @overload
    def __getitem__(self, row: int) -> str: ...
    @overload
    def __getitem__(self, row: slice) -> list[str]: ...
    def __getitem__(self, row: int | slice) -> str | list[str]:
        if isinstance(row, slice):
            return [self[each] for each in range(*row.indices(len(self)))]
        if row < 0:
            row += len(self)
        if not 0 <= row < len(self):
            raise IndexError(row)
        return self._text[self.starts[row] : self.starts[row + 1]]

    def between(self, first: int, end: int) -> str:
        """Return the text of the lines from index ``first`` to ``end``, without the latter."""
        return self._text[self.starts[first] : self.starts[end]]

    def __iter__(self) -> Iterator[str]:
        text, start = self._text, 0
        for end in self.starts[1:]:
            yield text[start:end]
            start = end


@record
class SourceFile:
    """The text of a Python file as Python would decode it, with unchanged line ends.

    Args:
        path: the absolute path; for unsaved text, that of ``--stdin-filename``.
        text: the decoded text, without a byte-order mark, ``\\r\\n`` and ``\\r`` kept.
        encoding: the encoding that the file declares (PEP 263), otherwise ``utf-8``.
        bom: whether the bytes begin with a UTF-8 byte-order mark.
    """

    path: Path
    text: str
    encoding: str = "utf-8"
    bom: bool = False

    @classmethod
    def from_bytes(cls, path: Path, data: bytes) -> SourceFile:
        """Decode ``data``.

        Raises:
            UnreadableSource: the bytes are not text in the declared encoding, or the encoding is not known.
        """
        # Checked before decoding: the codec's message would not help the user with a binary file.
        if b"\0" in data:
            raise UnreadableSource("cannot be parsed: contains null bytes; is it a binary file?")
        try:
            encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
            bom = data.startswith(codecs.BOM_UTF8)
            text = (data[len(codecs.BOM_UTF8) :] if bom else data).decode("utf-8" if bom else encoding)
        except (SyntaxError, UnicodeDecodeError, LookupError) as error:
            raise UnreadableSource(f"cannot be decoded: {str(error).splitlines()[0]}") from error
        return cls(path, text, encoding, bom)

    def encode(self, text: str | None = None) -> bytes:
        """Return the bytes of ``text`` (default: this file's own) in this file's encoding, with its byte-order mark."""
        data = (self.text if text is None else text).encode("utf-8" if self.bom else self.encoding)
        return codecs.BOM_UTF8 + data if self.bom else data

    @cached_property
    def lines(self) -> Lines:
        """Return the lines of the text with their ends; one empty line if there is no text."""
        return Lines(self.text)

    @cached_property
    def has_type_comments(self) -> bool:
        """Return whether the file contains anything like ``# type:``, in a string or elsewhere."""
        return re.search(r"#[\t ]*type[\t ]*:", self.text) is not None

    @cached_property
    def newline(self) -> str:
        r"""Return the first line end in this file; ``\n`` if it has none."""
        match = re.search(r"\r\n|\r|\n", self.text)
        return match.group() if match else "\n"

    @property
    def size(self) -> int:
        """Return about how many characters the text has."""
        return len(self.text)

    def offset(self, position: Position) -> int:
        """Return the index into ``text`` of a position (clamped to the end of the text)."""
        if position.row > len(self.lines):
            return len(self.text)
        return min(self.lines.starts[position.row - 1] + position.column - 1, len(self.text))

    def position(self, offset: int) -> Position:
        """Return the position of an index into ``text``."""
        from bisect import bisect_right

        row = min(bisect_right(self.lines.starts, offset), len(self.lines)) or 1
        return Position(row, offset - self.lines.starts[row - 1] + 1)

    def from_ast(self, lineno: int, col_offset: int) -> Position:
        """Return a position from one of ``ast``: lines from 1, columns from 0 in UTF-8 bytes."""
        line = self.lines[lineno - 1] if 0 < lineno <= len(self.lines) else ""
        if line.isascii():
            return Position(lineno, col_offset + 1)
        return Position(lineno, len(line.encode("utf-8")[:col_offset].decode("utf-8", "ignore")) + 1)

    def blame(self, error: Exception) -> Exception:
        """Return the error to report for a text that Python cannot parse; for a notebook, the error of the first cell
        that cannot be parsed.
        """
        return error

    def slice(self, start: Position, end: Position) -> str:
        """Return the text between two positions."""
        return self.text[self.offset(start) : self.offset(end)]


class LateSource(SourceFile):
    """A file that is stored as bytes, and decoded when its text is first needed.

    Texts with other characters than ASCII take up to four times as much memory as their bytes.
    """

    data: bytes

    @classmethod
    def of(cls, source: SourceFile, data: bytes) -> LateSource:
        """Return a file without its text.

        Args:
            source: the decoded file.
            data: its bytes.
        """
        late = object.__new__(cls)
        vars(late).update(path=source.path, data=data, encoding=source.encoding, bom=source.bom)
        return late

    def __getattr__(self, name: str) -> str:
        if name != "text":
            raise AttributeError(name)
        text = SourceFile.from_bytes(self.path, self.data).text
        vars(self)["text"] = text
        return text

    @property
    def size(self) -> int:
        """Return about how many characters the text has."""
        return len(self.data)
