"""Reads a Jupyter notebook as one module that contains all code cells, and maps positions and changes to the cells."""

from __future__ import annotations

import ast
import codecs
import json
import re
import warnings
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from tslint.diagnostics import Position
from tslint.sources.file import SourceFile, UnreadableSource
from tslint.sources.magics import hidden, is_python, shown
from tslint.util.record import record

_BLANK = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


@record
class Cell:
    """A code cell of the file.

    Args:
        number: its number among all cells of the notebook, from 1, as ruff counts them.
        text: its code, as its author wrote it.
        start, end: the range of the value of ``source`` in the JSON text.
        items: if that is a list, each of its strings with its range in the JSON text.
    """

    number: int
    text: str
    start: int
    end: int
    items: tuple[tuple[int, int, str], ...] | None


@record
class _Part:
    """A cell in the module: its first row, and its code there."""

    cell: Cell
    row: int
    code: str


@record
class Notebook(SourceFile):
    """The code cells of a notebook as one module; each except the first follows a comment that marks its beginning.

    Args:
        raw: the JSON text.
        cells: the cells with Python.
        tag: a text in the comments that mark cells and hide magics; it occurs nowhere in the cells.
        tags: how many times it must occur in the text.
    """

    raw: str = ""
    cells: tuple[Cell, ...] = ()
    tag: str = ""
    tags: int = 0

    @classmethod
    def from_bytes(cls, path: Path, data: bytes) -> Notebook:
        """Read the cells.

        Raises:
            UnreadableSource: the data is not a notebook.
        """
        bom = data.startswith(codecs.BOM_UTF8)
        try:
            raw = data[len(codecs.BOM_UTF8) if bom else 0 :].decode("utf-8")
            cells = tuple(_cells(raw))
        except UnicodeDecodeError as error:
            raise UnreadableSource(f"cannot be decoded: {error}") from error
        except _NotANotebook as error:
            raise UnreadableSource(f"cannot be parsed: {error}") from error
        except RecursionError as error:
            raise UnreadableSource("cannot be parsed: nested too deeply for a notebook") from error
        except ValueError as error:
            raise UnreadableSource(f"cannot be parsed: not the JSON of a notebook: {error}") from error
        tag = "~tslint~"
        while any(tag in cell.text for cell in cells):
            tag += "~"
        codes = [hidden(cell.text, tag) for cell in cells]
        text = codes[0] if codes else ""
        for cell, code in zip(cells[1:], codes[1:]):
            text += f"\n{_mark(tag, cell)}\n{code}"
        return cls(path, text, "utf-8", bom, raw, cells, tag, text.count(tag))

    @cached_property
    def _parts(self) -> list[_Part]:
        """Return the cells with their current code, which fixes may have changed.

        Raises:
            ValueError: a change removed the mark of a cell, or a magic.
        """
        if not self.cells:
            if self.text:
                raise ValueError("a notebook without code has nothing to be changed")
            return []
        begins = [0]
        ends: list[int] = []
        for cell in self.cells[1:]:
            mark = re.compile(rf"^{re.escape(_mark(self.tag, cell))}(?:\r\n|\r|\n)", re.MULTILINE)
            found = mark.search(self.text, begins[-1])
            if found is None:
                raise ValueError(f"cell {cell.number} would be gone")
            ends.append(found.start())
            begins.append(found.end())
        parts: list[_Part] = []
        for cell, begin, end in zip(self.cells, begins, [*ends, None]):
            code = self.text[begin:end]
            # The line end before a mark is part of the mark.
            parts.append(_Part(cell, self.position(begin).row, code if end is None else code.removesuffix("\n")))
        if self.text.count(self.tag) != self.tags:
            raise ValueError("a magic would be gone")
        return parts

    def encode(self, text: str | None = None) -> bytes:
        """Return the bytes of the notebook with the code of ``text`` in its cells; every other byte is kept.

        Raises:
            ValueError: ``text`` has other cells.
        """
        changed = self if text is None else replace(self, text=text)
        pieces: list[str] = []
        done = 0
        for part in changed._parts:
            code = shown(part.code, self.tag)
            if code != part.cell.text:
                pieces += [self.raw[done : part.cell.start], _json(self.raw, part.cell, code, self.cells)]
                done = part.cell.end
        data = "".join([*pieces, self.raw[done:]]).encode("utf-8")
        return codecs.BOM_UTF8 + data if self.bom else data

    def part(self, row: int) -> _Part:
        """Return the cell that contains a row of the module."""
        return self._parts[max(0, bisect_right([part.row for part in self._parts], row) - 1)]

    def in_cell(self, position: Position) -> tuple[int, Position]:
        """Return the number of the cell that contains a position of the module, and the position in the cell.

        The number is 0 in a notebook without code.
        """
        if not self._parts:
            return 0, position
        part = self.part(position.row)
        return part.cell.number, Position(position.row - part.row + 1, position.column)

    def row_in_file(self, row: int) -> int:
        """Return the row of the JSON file for a row of the module."""
        if not self._parts:
            return 1
        part = self.part(row)
        at = part.cell.start
        if part.cell.items is not None:
            lines = SourceFile(self.path, shown(part.code, self.tag)).lines
            before = len("".join(lines[: row - part.row]))
            for start, _, text in part.cell.items:
                at = start
                if before < len(text):
                    break
                before -= len(text)
        return self.raw.count("\n", 0, at) + 1

    def codes(self) -> Iterator[tuple[int, SourceFile]]:
        """Yield the number and the code of each cell, as its author would see it."""
        for part in self._parts:
            yield part.cell.number, SourceFile(self.path, shown(part.code, self.tag))

    def blame(self, error: Exception) -> Exception:
        """Return Python's error for the first cell that it cannot parse, with a row of the module as ``lineno``."""
        for part in self._parts:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    ast.parse(part.code)
            except SyntaxError as own:
                own.lineno = part.row + (own.lineno or 1) - 1
                return own
            except (ValueError, RecursionError, MemoryError) as own:
                found = SyntaxError(str(own) or type(own).__name__)
                found.lineno = part.row
                return found
        return error


def _mark(tag: str, cell: Cell) -> str:
    return f"# {tag} cell {cell.number}"


class _NotANotebook(Exception):
    """Raised for valid JSON that is not a notebook; the message says what is missing."""


def _cells(raw: str) -> Iterator[Cell]:
    """Yield the cells with Python, in order.

    Raises:
        ValueError: the text is not JSON.
        _NotANotebook: the JSON is not a notebook.
    """
    start, end = _value(raw, 0)
    if _BLANK.match(raw, end).end() != len(raw):  # type: ignore[union-attr]
        raise _NotANotebook("something follows the notebook")
    if raw[start] != "{":
        raise _NotANotebook("not a notebook: the JSON is not an object")
    top = _members(raw, start)
    if "cells" not in top or raw[top["cells"][0]] != "[":
        if "worksheets" in top:
            raise _NotANotebook("a notebook of format 3 or older; `jupyter nbconvert --to notebook` makes it a new one")
        raise _NotANotebook("not a notebook: it has no `cells`")
    if _language(_loaded(raw, top.get("metadata"))) != "python":
        return
    for number, (at, _) in enumerate(_elements(raw, top["cells"][0]), 1):
        members = _members(raw, at) if raw[at] == "{" else {}
        if "source" not in members or _loaded(raw, members.get("cell_type")) != "code":
            continue
        editor = _of(_loaded(raw, members.get("metadata")), "vscode")
        if _of(editor, "languageId") not in (None, "python"):
            continue
        low, high = members["source"]
        items: tuple[tuple[int, int, str], ...] | None = None
        if raw[low] == "[":
            items = tuple((first, last, str(_loaded(raw, (first, last)))) for first, last in _elements(raw, low))
            text = "".join(item for _, _, item in items)
        elif raw[low] == '"':
            text = str(_loaded(raw, (low, high)))
        else:
            raise _NotANotebook(f"the `source` of cell {number} is neither a string nor a list of strings")
        if any(raw[first] != '"' for first, _, _ in items or ()):
            raise _NotANotebook(f"the `source` of cell {number} contains something other than strings")
        if is_python(text):
            yield Cell(number, text, low, high, items)


def _language(metadata: object) -> str:
    """Return the language in the metadata; Python if it is missing."""
    for part, name in (("language_info", "name"), ("kernelspec", "language")):
        found = _of(_of(metadata, part), name)
        if isinstance(found, str):
            return "python" if found.lower() in ("python", "ipython", "python3") else found
    return "python"


def _of(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else None


def _value(raw: str, at: int) -> tuple[int, int]:
    """Return the range of the value that begins at or after an index."""
    start = _BLANK.match(raw, at).end()  # type: ignore[union-attr]
    _, end = _DECODER.raw_decode(raw, start)
    return start, end


def _loaded(raw: str, place: tuple[int, int] | None) -> object:
    return None if place is None else _DECODER.raw_decode(raw, place[0])[0]


def _members(raw: str, at: int) -> dict[str, tuple[int, int]]:
    """Return the range of each value of the JSON object at a position, by key; of equal keys, the last one counts."""
    found: dict[str, tuple[int, int]] = {}
    for start, end in _elements(raw, at):
        key = str(_loaded(raw, (start, end)))
        low, high = _value(raw, raw.index(":", end) + 1)
        found[key] = (low, high)
    return found


def _elements(raw: str, at: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges of the values of a valid list, or of the keys of a valid object."""
    pairs = raw[at] == "{"
    at = _BLANK.match(raw, at + 1).end()  # type: ignore[union-attr]
    while raw[at] not in "]}":
        start, end = _value(raw, at)
        yield start, end
        if pairs:
            _, end = _value(raw, raw.index(":", end) + 1)
        at = _BLANK.match(raw, end).end()  # type: ignore[union-attr]
        if raw[at] == ",":
            at = _BLANK.match(raw, at + 1).end()  # type: ignore[union-attr]


def _json(raw: str, cell: Cell, code: str, cells: Iterable[Cell]) -> str:
    """Return the JSON of a cell's new code; unchanged lines keep every byte."""
    escape = raw.isascii() and "\\u" in raw
    if cell.items is None:
        return json.dumps(code, ensure_ascii=escape)
    old = [text for _, _, text in cell.items]
    # Jupyter splits at everything that Python calls a line end, other tools only at line feeds.
    new = code.splitlines(True)
    if "".join(old).splitlines(True) != old:
        new = [line for line in re.split(r"(?<=\n)", code) if line]
    same = 0
    while same < min(len(old), len(new)) and old[same] == new[same]:
        same += 1
    last = 0
    while last < min(len(old), len(new)) - same and old[-1 - last] == new[-1 - last]:
        last += 1
    items = cell.items
    if not items:
        return json.dumps(new, ensure_ascii=escape)
    # The text between two lines is copied from the list itself, or from the list of another cell.
    lead = raw[cell.start + 1 : items[0][0]]
    joints = (raw[each.items[0][1] : each.items[1][0]] for each in (cell, *cells) if each.items and each.items[1:])
    joint = next(joints, "," + lead)
    head = [raw[cell.start + 1 : items[same - 1][1]]] if same else []
    middle = [json.dumps(line, ensure_ascii=escape) for line in new[same : len(new) - last]]
    tail = [raw[items[-last][0] : items[-1][1]]] if last else []
    inside = joint.join([*head, *middle, *tail])
    return "[" + ("" if same or not inside else lead) + inside + raw[items[-1][1] : cell.end]
