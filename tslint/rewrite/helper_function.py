"""A function that fixes add to a file, once."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from tslint.diagnostics import Edit
from tslint.rulekit.match import Match
from tslint.script.dataflow.top_level import first_definition, is_mentioned, top_function


def helper(match: Match, definition: cst.FunctionDef) -> Callable[[], tuple[Edit, ...]] | None:
    """The edit that puts a function before the first definition of the file; none where it is there already.

    Returns:
        None where something else has its name.
    """
    tree, name = match.file.tree, definition.name.value
    there = top_function(tree, name)
    if there is not None:
        return (lambda: ()) if _words(match.libcst(there)) == _words(definition) else None
    first = first_definition(tree)
    line = match.line(match.libcst(first)) if first is not None else None
    if line is None or is_mentioned(tree, name):
        return None
    return lambda: (match.insert_before(line, definition, blank=2),)


def _words(node: cst.CSTNode) -> list[str]:
    """A definition's text without the comments above it, however it is indented."""
    return cst.Module([]).code_for_node(node.with_changes(leading_lines=[])).split()
