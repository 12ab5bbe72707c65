"""Finds the definitions that contain the rows of a text, and the definitions that a fix changes."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from tslint.diagnostics import Diagnostic
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
    yield from _around(source, [finding.start.row])


def written(source: SourceFile, finding: Diagnostic) -> Iterator[Scope]:
    """Yield the innermost definition around each edit of a finding's fix; for a constructor, its class."""
    yield from _around(source, [edit.start.row for edit in (finding.fix.edits if finding.fix is not None else ())])


def _around(source: SourceFile, rows: Iterable[int]) -> Iterator[Scope]:
    known = _named_rows(source.text)
    for row in rows:
        outer = [each for each in known if row in each[1]]
        if outer:
            yield Path(source.path), min(outer, key=lambda each: len(each[1]))[0].removesuffix(".__init__")


@lru_cache(maxsize=2048)
def _named_rows(text: str) -> tuple[tuple[str, range], ...]:
    """Return the names and rows of a text's definitions, without their nodes, so that those of a whole package fit in
    memory.
    """
    return tuple((each.name, each.rows) for each in definitions(text))


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
