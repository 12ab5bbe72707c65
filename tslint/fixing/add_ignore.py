"""Adds suppression comments for findings, only in rows where the comment has no other effect."""

from __future__ import annotations

import ast
import re
import token
import tokenize
import warnings
from collections.abc import Iterable
from dataclasses import replace

from tslint.diagnostics import Diagnostic
from tslint.fixing.edits import Change, replaced
from tslint.sources.file import SourceFile
from tslint.sources.suppressions import Suppression, suppressions
from tslint.util.record import record

# A comment cannot suppress these findings, or should not: an unused suppression is better removed.
NEVER = ("TS900", "TS901", "TS902")
_OPENING = {getattr(token, name) for name in ("FSTRING_START", "TSTRING_START") if hasattr(token, name)}
_CLOSING = {getattr(token, name) for name in ("FSTRING_END", "TSTRING_END") if hasattr(token, name)}
# The compiler reads what follows these as part of the type; a `# type: ignore` becomes a type if anything follows it.
_TYPE_COMMENT = re.compile(r"#\s*type:")


@record
class Added:
    """A file with suppressions for its findings.

    Args:
        source: the new text.
        placed: the findings that are suppressed now.
        left: the findings that are not suppressed, each with the reason, in words such as ``a comment there …``.
    """

    source: SourceFile
    placed: tuple[Diagnostic, ...]
    left: tuple[tuple[Diagnostic, str], ...]


def add_ignores(source: SourceFile, diagnostics: Iterable[Diagnostic]) -> Added:
    """Add ``# tslint: ignore[…]`` for the findings of a file; an existing comment gets more rules.

    Args:
        source: the file.
        diagnostics: its findings.
    """
    places = _Places(source)
    codes: dict[int, list[str]] = {}
    placed: list[Diagnostic] = []
    left: list[tuple[Diagnostic, str]] = []
    for each in diagnostics:
        if each.code in NEVER:
            continue
        row = places.row_for(each.start.row)
        if row is None:
            left.append((each, "there is no line on which a comment would suppress it"))
        elif _TYPE_COMMENT.search(places.comments.get(row, "")):
            left.append((each, "a `# type:` comment must stay the last on its line; write `# tslint: off` above"))
        else:
            placed.append(each)
            if each.code not in codes.setdefault(row, []):
                codes[row].append(each.code)
    changes = [places.change(row, sorted(found)) for row, found in codes.items()]
    new = replace(source, text=replaced(source.text, sorted(changes)))
    if changes and not _same_code(source, new):
        left += [(each, "a comment there would change the code") for each in placed]
        return Added(source, (), tuple(left))
    return Added(new, tuple(placed), tuple(left))


class _Places:
    """The rows of a file that can end in a comment.

    Args:
        source: a file that can be parsed.
    """

    def __init__(self, source: SourceFile) -> None:
        self._source = source
        self.comments: dict[int, str] = {}
        self._last: dict[int, int] = {}
        self._inside: set[int] = set()
        self._ignores: dict[int, Suppression] = {}
        for each in suppressions(source):
            if each.kind == "ignore" and not each.bare:
                self._ignores.setdefault(each.start.row, each)
        try:
            self._read()
        except (tokenize.TokenError, SyntaxError):
            self._last.clear()

    def _read(self) -> None:
        # Every kind of line end is replaced by \n, as tslint.sources.suppressions does: the tokenizer accepts them all.
        lines = iter([line.rstrip("\r\n") + "\n" for line in self._source.lines])
        first: int | None = None
        opened: list[int] = []
        for each in tokenize.generate_tokens(lambda: next(lines, "")):
            if each.type == tokenize.COMMENT:
                self.comments[each.start[0]] = each.string
                continue
            if each.type in _OPENING:
                opened.append(each.start[0])
            start = opened.pop() if each.type in _CLOSING and opened else each.start[0]
            if each.type == tokenize.STRING or each.type in _CLOSING:
                self._inside.update(range(start, each.end[0]))
            if each.type == tokenize.NEWLINE:
                for row in range(first or each.start[0], each.start[0] + 1):
                    self._last[row] = each.start[0]
                first = None
            elif first is None and each.type not in (tokenize.NL, tokenize.INDENT, tokenize.DEDENT):
                first = each.start[0]

    def row_for(self, row: int) -> int | None:
        """Return the row whose comment suppresses the findings of a row; None if the row has no code.

        That is the row itself; the last row of the statement if the row is inside a string or in brackets, or ends in
        a backslash.
        """
        last = self._last.get(row)
        if last is None:
            return None
        line = self._source.lines[row - 1].rstrip("\r\n")
        goes_on = row in self._inside or (line.endswith("\\") and row not in self.comments)
        return last if goes_on else row

    def change(self, row: int, codes: list[str]) -> Change:
        """Return the change that adds rules to the comment in a row that :meth:`row_for` returned."""
        known = self._ignores.get(row)
        if known is not None:
            end = self._source.offset(known.rules_end)
            inside = self._source.slice(known.rules_start, known.rules_end).rstrip()
            start = self._source.offset(known.rules_start) + len(inside)
            joint = "" if not known.rules or inside.endswith(",") else ","
            return Change(start, end, f"{joint}{' ' * bool(inside)}{', '.join(codes)}")
        line = self._source.lines[row - 1]
        text = line.rstrip("\r\n")
        start = sum(len(each) for each in self._source.lines[: row - 1]) + len(text)
        blanks = "  " if not text.endswith("  ") else ""
        return Change(start, start, f"{blanks}# tslint: ignore[{', '.join(codes)}]")


def _same_code(before: SourceFile, after: SourceFile) -> bool:
    """Return whether two texts are the same program, and the new text can be encoded."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            after.encode()
            return ast.dump(ast.parse(before.text)) == ast.dump(ast.parse(after.text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
