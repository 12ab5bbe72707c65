"""The functions and classes that a fix changes."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from tslint.diagnostics import Diagnostic
from tslint.fixing.trees import tree_of
from tslint.script.refusals import Scope
from tslint.sources.file import SourceFile


def scopes(sources: Mapping[str, SourceFile], finding: Diagnostic) -> Iterator[Scope]:
    """The innermost definition around each edit of a finding's fix, and around the finding; a constructor's class.

    Args:
        sources: the files that it was found in, by name.
        finding: with a fix.
    """
    source = sources[finding.filename]
    rows = [finding.start.row, *(edit.start.row for edit in (finding.fix.edits if finding.fix is not None else ()))]
    known = _definitions(source.text)
    for row in rows:
        holding = [(last - first, name) for name, first, last in known if first <= row <= last]
        if holding:
            yield Path(source.path), min(holding)[1].removesuffix(".__init__")


@lru_cache(maxsize=8)
def _definitions(text: str) -> tuple[tuple[str, int, int], ...]:
    found = []
    pending: list[tuple[ast.stmt, str]] = [(each, "") for each in tree_of(text).body]
    while pending:
        node, prefix = pending.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            found.append((prefix + node.name, first, node.end_lineno or node.lineno))
            if isinstance(node, ast.ClassDef):
                pending += [(each, f"{prefix}{node.name}.") for each in node.body]
    return tuple(found)
