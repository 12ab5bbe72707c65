"""Breaks lines that fixes made too long; other lines stay as the author wrote them."""

from __future__ import annotations

import tokenize
from collections.abc import Iterator
from difflib import SequenceMatcher, get_close_matches

from tslint.fixing.edits import Change
from tslint.fixing.trees import tree_of
from tslint.rulekit.code import FileCode
from tslint.rulekit.edits import difference
from tslint.rulekit.width import allowed_width, is_wider
from tslint.rulekit.wrapping import broken
from tslint.sources.file import SourceFile

_LAYOUT = (tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
# The similarity from which a new line counts as a version of an old one.
_ALIKE = 0.6


def wrapped(before: SourceFile, after: SourceFile, *, was_long: bool = False) -> list[Change]:
    """Return the changes that break the long lines that fixes wrote, or made long.

    Args:
        before: the file as its author wrote it.
        after: the file with fixes.
        was_long: whether to break changed lines that were too long before, too.
    """
    limit = allowed_width(before)
    rows = _written(before, after, limit, was_long)
    if not rows:
        return []
    step = FileCode(after, tree_of(after.text)).step
    starts = after.lines.starts
    found: list[Change] = []
    for first, last in _logical(after):
        inside = {row - first for row in rows if first <= row <= last}
        old = after.text[starts[first - 1] : starts[last]] if inside else ""
        plain = old.replace(after.newline, "\n")
        if plain.replace("\n", after.newline) != old:
            continue  # skip a text that mixes line ends
        new = broken(plain, limit, step, inside).replace("\n", after.newline) if inside else old
        start = starts[first - 1]
        found += [Change(start + begin, start + end, content) for begin, end, content in difference(old, new)]
    return found


def _written(before: SourceFile, after: SourceFile, limit: int, was_long: bool) -> set[int]:
    """Return the rows that fixes wrote or made too long."""
    known = {line.strip() for line in before.lines if is_wider(line, limit)}
    long = {row for row, line in enumerate(after.lines, 1) if is_wider(line, limit) and line.strip() not in known}
    if not long:
        return long
    old, new = list(before.lines), list(after.lines)
    for tag, first, last, low, high in SequenceMatcher(None, old, new).get_opcodes():
        changed = range(low + 1, high + 1)
        if tag == "equal":
            long.difference_update(changed)
        elif not was_long:
            long -= {row for row in long.intersection(changed) if _was_long(old[first:last], new[row - 1], limit)}
    return long


def _was_long(old: list[str], new: str, limit: int) -> bool:
    """Return whether a line was already too long before the fixes; such lines stay."""
    return any(is_wider(line, limit) for line in get_close_matches(new, old, 1, _ALIKE))


def _logical(source: SourceFile) -> Iterator[tuple[int, int]]:
    """Yield the first and the last row of each logical line: a simple statement, a decorator, or the header of
    a block.
    """
    start = 0
    lines = iter(source.lines)
    try:
        for token in tokenize.generate_tokens(lambda: next(lines, "")):
            if token.type == tokenize.NEWLINE:
                yield start, token.start[0]
                start = 0
            elif not start and token.type not in _LAYOUT:
                start = token.start[0]
    except (tokenize.TokenError, SyntaxError):
        return
