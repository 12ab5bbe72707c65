"""Compares the top-level statements of two texts of one file, to see which definitions a change can affect."""

from __future__ import annotations

import ast
import re
from bisect import bisect
from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cached_property
from typing import NamedTuple

from tslint.project.impact import closure
from tslint.sources.file import Lines

_WORD = re.compile(r"[^\W\d]\w*")
_DEFINITIONS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


class Statement(NamedTuple):
    """A top-level statement, with the comments above it; statements that share a line count as one.

    Args:
        rows: its rows, from 1.
        text: their text.
        binds: the names that it binds, each with the text that defines the name.
        words: the identifiers in it; none for imports, which read no names of this file.
    """

    rows: range
    text: str
    binds: Mapping[str, str]
    words: frozenset[str]


def statements(tree: ast.Module, lines: Lines, known: Iterable[Statement] = ()) -> list[Statement]:
    """Return the top-level statements of a file, which together contain all its lines.

    Args:
        tree: its tree.
        lines: its lines.
        known: those of an earlier text, most of which have not changed.
    """
    earlier = {each.text: each for each in known}
    ends: list[int] = []
    groups: list[list[ast.stmt]] = []
    for node in tree.body:
        if ends and node.lineno <= ends[-1]:
            groups[-1].append(node)
            ends[-1] = max(ends[-1], node.end_lineno or node.lineno)
        else:
            groups.append([node])
            ends.append(node.end_lineno or node.lineno)
    if ends:
        ends[-1] = len(lines)
    found = []
    for nodes, first, end in zip(groups, [0, *ends], ends):
        text = lines.between(first, end)
        if text in earlier:
            found.append(earlier[text]._replace(rows=range(first + 1, end + 1)))
            continue
        reads = not all(isinstance(node, (ast.Import, ast.ImportFrom)) for node in nodes)
        binds = {name: meaning for node in nodes for name, meaning in _binds(node, text)}
        found.append(Statement(range(first + 1, end + 1), text, binds, frozenset(_WORD.findall(text) if reads else ())))
    return found


def _binds(node: ast.stmt, text: str) -> Iterable[tuple[str, str]]:
    if isinstance(node, _DEFINITIONS):
        yield node.name, text
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        origin = f"{'.' * node.level}{node.module or ''}" if isinstance(node, ast.ImportFrom) else ""
        for alias in node.names:
            yield alias.asname or alias.name.partition(".")[0], f"{origin} {alias.name} {alias.asname}"
    else:
        for each in ast.walk(node):
            if isinstance(each, _DEFINITIONS):
                yield each.name, text
            elif isinstance(each, (ast.Import, ast.ImportFrom)):
                yield from ((alias.asname or alias.name.partition(".")[0], text) for alias in each.names)
            elif isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                yield each.id, text


class Change:
    """The difference between two texts of one file.

    Args:
        before, after: the top-level statements of both.
    """

    def __init__(self, before: Sequence[Statement], after: Sequence[Statement]) -> None:
        self._after = after
        self._rows: dict[int, int] = {}  # by row of an unchanged statement before, its row after
        matcher = SequenceMatcher(None, [each.text for each in before], [each.text for each in after], autojunk=False)
        old, new = set(range(len(before))), set(range(len(after)))
        for first, second, size in matcher.get_matching_blocks():
            for at in range(size):
                self._rows.update(zip(before[first + at].rows, after[second + at].rows))
            old.difference_update(range(first, first + size))
            new.difference_update(range(second, second + size))
        self._removed = [before[at] for at in old]
        self._new = [after[at] for at in new]

    @property
    def is_of_definitions(self) -> bool:
        """Return whether only statements that bind names have changed: others may call or configure anything."""
        return all(each.binds for each in (*self._removed, *self._new))

    @property
    def binds_others(self) -> bool:
        """Return whether the change adds or removes a name of the file."""
        return _names(self._removed) != _names(self._new)

    def row(self, row: int) -> int | None:
        """Return where a row of the earlier text is in the later one; None if its statement has changed."""
        return self._rows.get(row)

    def statement(self, row: int) -> Statement:
        """Return the statement that contains a row of the later text."""
        return self._after[bisect(self._after, row, key=lambda each: each.rows.start) - 1]

    def affected(self, others: Collection[str] = ()) -> Affected:
        """Return what may compile differently after the change; ``others`` are further names whose meaning has
        changed.
        """
        meanings = [{item for each in part for item in each.binds.items()} for part in (self._removed, self._new)]
        changed = {name for name, _ in meanings[0] ^ meanings[1]}
        found = closure({*changed, *others}, self._users).keys()
        used = {name for each in self._new for name in each.words if name in self._users}
        compiled = found | used
        known = found | {name for name in used if compiled >= closure([name], self._users).keys()}
        rows = {row for each in self._after if each.binds and known.issuperset(each.binds) for row in each.rows}
        return Affected(frozenset(compiled), rows.union(*(each.rows for each in self._new)))

    @cached_property
    def _users(self) -> dict[str, set[str]]:
        """Return, for each name of the file, the names that are bound by the statements that use it."""
        found: dict[str, set[str]] = {name: set() for each in self._after for name in each.binds}
        for each in self._after:
            for name in each.words & found.keys() if each.binds else ():
                found[name].update(each.binds)
        return found


class Affected(NamedTuple):
    """What a change affects.

    Args:
        names: the definitions that may compile differently, and those that changed code uses.
        rows: the rows of code that only ``names`` use: compiling these definitions shows all findings in the rows.
    """

    names: frozenset[str]
    rows: Collection[int]


def _names(found: Iterable[Statement]) -> set[str]:
    return {name for each in found for name in each.binds}
