"""Breaks lines that fixes made too long; other lines stay as the author wrote them."""

from __future__ import annotations

import tokenize
from collections.abc import Iterator
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache
from itertools import accumulate, pairwise

from tslint.fixing.edits import Change
from tslint.fixing.trees import tree_of
from tslint.rulekit.code import FileCode
from tslint.rulekit.edits import difference
from tslint.rulekit.width import allowed_width, is_wider
from tslint.rulekit.wrapping import broken
from tslint.sources.file import SourceFile

_LAYOUT = (tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
_HEADERS = frozenset("def async class if elif else for while with try except finally".split())
# The similarity from which a new line counts as a version of an old one.
_ALIKE = 0.6


def wrapped(before: SourceFile, after: SourceFile, *, was_long: bool = False) -> list[Change]:
    """Return the changes that break the long lines that fixes wrote, or made long.

    Args:
        before: the file as its author wrote it.
        after: the file with fixes.
        was_long: whether to break changed lines that were too long before, too.
    """
    return _wrapped(before, after, allowed_width(before), was_long)


@lru_cache(maxsize=64)
def _wrapped(before: SourceFile, after: SourceFile, limit: int, was_long: bool) -> list[Change]:
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
    """Return the too long rows that fixes wrote or lengthened; with `was_long`, also changed rows that were too long
    before.
    """
    known = {line.strip() for line in before.lines if is_wider(line, limit)}
    long = {row for row, line in enumerate(after.lines, 1) if is_wider(line, limit) and line.strip() not in known}
    if not long:
        return long
    old, new = list(before.lines), list(after.lines)
    for tag, first, last, low, high in _opcodes(old, new):
        changed = range(low + 1, high + 1)
        if tag == "equal":
            long.difference_update(changed)
        elif not was_long:
            long -= {row for row in long.intersection(changed) if _was_long(old[first:last], new[row - 1], limit)}
    return long


def _opcodes(old: list[str], new: list[str]) -> Iterator[tuple[str, int, int, int, int]]:
    """Yield the differences of two texts, as ``SequenceMatcher.get_opcodes`` does.

    Whole definitions are compared first: the time for lines grows with the square of their number.
    """
    one, other = _blocks(old), _blocks(new)
    starts = [list(accumulate(map(len, each), initial=0)) for each in (one, other)]
    for tag, first, last, low, high in SequenceMatcher(None, one, other, False).get_opcodes():
        at, to = starts[0][first], starts[1][low]
        lines = old[at : starts[0][last]], new[to : starts[1][high]]
        if tag == "equal":
            yield tag, at, at + len(lines[0]), to, to + len(lines[1])
            continue
        for kind, *ends in SequenceMatcher(None, *lines).get_opcodes():
            yield kind, at + ends[0], at + ends[1], to + ends[2], to + ends[3]


def _blocks(lines: list[str]) -> list[tuple[str, ...]]:
    """Return the lines in groups: each begins with a line that is not indented."""
    starts = [0, *(row for row, line in enumerate(lines) if row and line[:1].strip()), len(lines)]
    return [tuple(lines[start:end]) for start, end in pairwise(starts)]


def _was_long(old: list[str], new: str, limit: int) -> bool:
    """Return whether a line was already too long before the fixes; such lines stay."""
    return any(is_wider(line, limit) for line in get_close_matches(new, old, 1, _ALIKE))


def _logical(source: SourceFile) -> Iterator[tuple[int, int]]:
    """Yield the first and the last row of each logical line: a simple statement, a decorator, or the header of
    a block; without lines that contain several of these, as ``def f(x): return x`` does.
    """
    line: list[tokenize.TokenInfo] = []
    lines = iter(source.lines)
    try:
        for token in tokenize.generate_tokens(lambda: next(lines, "")):
            if token.type == tokenize.NEWLINE:
                header = line[0].string in _HEADERS and line[-1].string != ":"
                if not header and not any(each.string == ";" for each in line):
                    yield line[0].start[0], token.start[0]
                line = []
            elif token.type not in _LAYOUT:
                line.append(token)
    except (tokenize.TokenError, SyntaxError):
        return
