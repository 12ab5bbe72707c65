"""Suppression comments: ``# tslint: ignore[TS401]``, ``ignore-file[…]``, ``off`` and ``on``."""

from __future__ import annotations

import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from tslint.diagnostics import Position
from tslint.sources.file import SourceFile
from tslint.util.record import record

KINDS = ("ignore", "ignore-file", "off", "on")
# An unknown word counts as a directive only if nothing but brackets follows it: other comments may mention the tool.
_DIRECTIVE = re.compile(
    r"#\s*tslint:\s*(?:(?P<kind>ignore-file|ignore|off|on)(?![\w-])|(?P<other>[\w-]+)(?=\s*(?:\[[^\]]*\]\s*)?(?:#|$)))"
    r"(?:\s*\[(?P<rules>[^\]\r\n]*)\])?"
)


@record
class Suppression:
    """One directive of a comment.

    Args:
        kind: one of ``KINDS``, or another word, which suppresses nothing.
        rules: codes and names as they are written; empty if ``bare``.
        bare: whether it has no brackets, so that it means every rule.
        start, end: the range of the directive, with the text after it up to the next ``#`` or the line's end.
        rules_start, rules_end: the range of the text between the brackets.
        first_row, last_row: the rows in which it suppresses findings that begin there.
        alone: whether its line contains nothing else.
        matched: False for an ``on`` without an ``off``.
    """

    kind: str
    rules: tuple[str, ...]
    bare: bool
    start: Position
    end: Position
    rules_start: Position
    rules_end: Position
    first_row: int
    last_row: int
    alone: bool
    matched: bool = True


@dataclass
class _Comments:
    """Comments with their positions, and the logical line of each row."""

    found: list[tuple[int, int, str]] = field(default_factory=list)
    statements: dict[int, tuple[int, int]] = field(default_factory=dict)


def suppressions(source: SourceFile) -> list[Suppression]:
    """Return the directives of a file, in order.

    Directives in strings are skipped. If the tokenizer fails, the rest of the file is read line by line.
    """
    if "tslint:" not in source.text:
        return []
    comments = _comments(source)
    directives: list[Suppression] = []
    for row, column, comment in comments.found:
        directives += _directives(source, comments, row, column, comment)
    return _close(directives, len(source.lines))


def _comments(source: SourceFile) -> _Comments:
    comments = _Comments()
    # Python accepts line ends of any kind, but its tokenizer does not accept a bare carriage return.
    lines = iter([line.rstrip("\r\n") + "\n" for line in source.lines])
    row = 0
    first: int | None = None
    try:
        for token in tokenize.generate_tokens(lambda: next(lines, "")):
            row = token.start[0]
            if token.type == tokenize.COMMENT:
                comments.found.append((row, token.start[1], token.string))
            elif token.type == tokenize.NEWLINE:
                for held in range(first or row, row + 1):
                    comments.statements[held] = (first or row, row)
                first = None
            elif first is None and token.type not in (tokenize.NL, tokenize.INDENT, tokenize.DEDENT):
                first = row
    except (tokenize.TokenError, SyntaxError):
        seen = {found for found, _, _ in comments.found}
        for number, line in enumerate(source.lines, 1):
            before, hash_, after = line.rstrip("\r\n").partition("#")
            if hash_ and number > row and number not in seen and '"' not in before and "'" not in before:
                comments.found.append((number, len(before), hash_ + after))
    return comments


def _directives(source: SourceFile, comments: _Comments, row: int, column: int, comment: str) -> Iterator[Suppression]:
    for match in _DIRECTIVE.finditer(comment):
        following = comment.find("#", match.end())
        end = len(comment) if following < 0 else following
        first, last = comments.statements.get(row, (row, row))
        kind = match["kind"] or match["other"]
        if kind == "ignore":
            # At the end of a statement of several rows, the comment applies to all of them.
            rows = (first, last) if row == last else (row, row)
        elif kind == "ignore-file":
            rows = (1, len(source.lines) + 1)
        else:
            rows = (row, row)
        low, high = match.span("rules") if match["rules"] is not None else (match.end(), match.end())
        yield Suppression(
            kind=kind,
            rules=tuple(rule.strip() for rule in (match["rules"] or "").split(",") if rule.strip()),
            bare=match["rules"] is None,
            start=Position(row, column + match.start() + 1),
            end=Position(row, column + len(comment[:end].rstrip()) + 1),
            rules_start=Position(row, column + low + 1),
            rules_end=Position(row, column + high + 1),
            first_row=rows[0],
            last_row=rows[1],
            alone=not source.lines[row - 1][:column].strip(),
        )


def _close(directives: list[Suppression], rows: int) -> list[Suppression]:
    """Set the end of each ``off``: the row of the next ``on`` with the same rules, or of an ``on`` without rules."""
    closed: list[Suppression] = []
    opened: list[int] = []
    for directive in directives:
        if directive.kind == "off":
            opened.append(len(closed))
            directive = replace(directive, last_row=rows + 1)
        elif directive.kind == "on":
            ended = [i for i in opened if directive.bare or set(closed[i].rules) == set(directive.rules)]
            for i in ended:
                closed[i] = replace(closed[i], last_row=directive.first_row)
                opened.remove(i)
            directive = replace(directive, matched=bool(ended))
        closed.append(directive)
    return closed
