"""Finds the definitions that contain the rows of a text, and the definitions that a fix changes."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from tslint.diagnostics import Diagnostic, Edit
from tslint.fixing.trees import tree_of
from tslint.script.refusals import Scope
from tslint.sources.file import SourceFile
from tslint.util import astwalk


def scopes(sources: Mapping[str, SourceFile], finding: Diagnostic) -> Iterator[Scope]:
    """Yield the innermost definition around each edit of a finding's fix, and around the finding; for a constructor,
    its class.

    Args:
        sources: the analysed files, by name.
        finding: a finding with a fix.
    """
    source = sources[finding.filename]
    yield from holding(source, finding)
    yield from written(source, finding)


def holding(source: SourceFile, finding: Diagnostic) -> Iterator[Scope]:
    """Yield the innermost definition around a finding; for a constructor, its class."""
    yield from innermost(source)([finding.start.row])


def written(source: SourceFile, finding: Diagnostic) -> Iterator[Scope]:
    """Yield the innermost definition around each edit of a finding's fix; for a constructor, its class. Lines that are
    inserted above a method are part of the class.
    """
    edits = finding.fix.edits if finding.fix is not None else ()
    outer = _outer(source.text)
    above = [each for each in edits if each.start.row in outer and _inserts_lines(each)]
    yield from innermost(source)([each.start.row for each in edits if each not in above])
    yield from ((source.path, name) for name in [outer[each.start.row] for each in above] if name)


def _inserts_lines(edit: Edit) -> bool:
    """Return whether an edit only inserts lines above a line, and no decorator."""
    alone = edit.start == edit.end and edit.start.column == 1 and edit.content.endswith("\n")
    return alone and not edit.content.lstrip().startswith("@")


def innermost(source: SourceFile) -> Callable[[Iterable[int]], Iterator[Scope]]:
    """Return a function that yields the innermost definition around each given row; for a constructor, its class."""
    starts, names = _innermost(source.text)

    def around(rows: Iterable[int]) -> Iterator[Scope]:
        for row in rows:
            name = names[bisect_right(starts, row) - 1]
            if name:
                yield source.path, name.removesuffix(".__init__")

    return around


@lru_cache(maxsize=2048)
def _innermost(text: str) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Return the rows where another definition becomes the innermost one, and its name; `""` outside all definitions.

    The result contains no nodes, so that the results of a whole package fit in memory.
    """
    known = definitions(text)
    at = [""] * (max((each.rows.stop for each in known), default=0) + 1)
    for each in sorted(known, key=lambda each: len(each.rows), reverse=True):
        at[each.rows.start : each.rows.stop] = [each.name] * len(each.rows)
    starts = (0, *(row for row in range(1, len(at)) if at[row] != at[row - 1]))
    return starts, tuple(at[row] for row in starts)


@lru_cache(maxsize=2048)
def _outer(text: str) -> Mapping[int, str]:
    """Return the name of the definition around each definition, by its first row."""
    return {each.rows.start: each.name.rpartition(".")[0] for each in definitions(text)}


class Definition(NamedTuple):
    """A function or class: its qualified name, and its rows with decorators."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    name: str
    rows: range


@lru_cache(maxsize=8)
def definitions(text: str) -> tuple[Definition, ...]:
    """Return the functions and classes of a text, except those inside functions; each after its enclosing class."""
    found = []
    pending: list[tuple[ast.AST, str]] = [(tree_of(text), "")]
    while pending:
        node, prefix = pending.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            found.append(Definition(node, prefix + node.name, range(first, (node.end_lineno or node.lineno) + 1)))
            prefix = f"{prefix}{node.name}."
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.expr)):
            pending += [(child, prefix) for child in astwalk.children(node)]
    return tuple(found)
