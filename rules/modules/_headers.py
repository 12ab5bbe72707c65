"""Headers of loops over indices, written as loops over the modules that were indexed."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tslint.border import Match
from tslint.diagnostics import Edit, Fix, Position
from tslint.rule import safe, unsafe
from tslint.rules.modules._common import Loop, called, place, replace, same

Header = tuple[Callable[..., Fix], list[Edit]]


def header_over(
    match: Match, loop: Loop, index: str, paths: list[ast.expr], names: list[str], indexed: bool
) -> Header | None:
    """The kind of the fix and its edits of a loop's header; None where the loop has another shape.

    Args:
        match: for the file; its event knows the containers of the module.
        loop: goes over indices.
        index: what it calls them.
        paths: the containers that are indexed.
        names: what their modules are to be called.
        indexed: whether the index is needed still.
    """
    bounds = called(loop.iterable, "range")
    listed = called(loop.iterable, "enumerate")
    if bounds is not None and isinstance(loop.target, ast.Name):
        length = called(bounds[0], "len")
        exact = length is not None and any(same(length[0], path) for path in paths)
        if not exact and not isinstance(bounds[0], (ast.Name, ast.Attribute)):
            return None  # `range(13)` and `range(len(self.layers) - 1)` may leave some out
        over = _zipped([match.text(path) for path in paths])
        binds = ", ".join(names)
        if indexed or not exact:
            over, binds = f"enumerate({over})", f"{index}, " + (f"({binds})" if len(names) > 1 else binds)
        return (safe if exact else unsafe), [replace(match, loop.target, binds), replace(match, loop.iterable, over)]
    if listed is None or not isinstance(loop.target, ast.Tuple) or len(loop.target.elts) != 2:
        return None
    counter, item = loop.target.elts
    if not (isinstance(counter, ast.Name) and counter.id == index and isinstance(listed[0], (ast.Name, ast.Attribute))):
        return None
    if ast.unparse(listed[0]) in match.event.facts["containers"]:
        over = _zipped([match.text(listed[0]), *(match.text(path) for path in paths)])
        binds = f"{index}, ({match.text(item)}, {', '.join(names)})"
        return safe, [replace(match, loop.target, binds), replace(match, loop.iterable, f"enumerate({over})")]
    return _indexed_item(match, loop, index, item, listed[0], paths, names)


def _indexed_item(
    match: Match, loop: Loop, index: str, item: ast.expr, items: ast.expr, paths: list[ast.expr], names: list[str]
) -> Header | None:
    """Go over the modules, and take the items by the index."""
    if not isinstance(loop.node, ast.For):
        return None
    first = loop.node.body[0]
    margin = match.source.lines[first.lineno - 1][: place(match, first)[0].column - 1]
    if margin.strip():
        return None
    over = _zipped([match.text(path) for path in paths])
    binds = f"{index}, " + (f"({', '.join(names)})" if len(names) > 1 else names[0])
    where = Position(first.lineno, 1)
    line = f"{margin}{match.text(item)} = {match.text(items)}[{index}]{match.source.newline}"
    return unsafe, [
        replace(match, loop.target, binds),
        replace(match, loop.iterable, f"enumerate({over})"),
        Edit(where, where, line),
    ]


def _zipped(texts: list[str]) -> str:
    return texts[0] if len(texts) == 1 else f"zip({', '.join(texts)})"
