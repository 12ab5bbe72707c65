"""Variables that a loop binds: compiled code forgets them when the loop ends."""

from __future__ import annotations

import ast

from tslint import walking
from tslint.border import Match
from tslint.diagnostics import Edit, Fix, Position
from tslint.rule import display, unsafe
from tslint.rules.names._common import alone_on_its_lines, indentation, parent, row

# What a variable is before a loop that binds it.
_FIRST = {"int": "0", "float": "0.0", "bool": "False", "str": '""'}


def around(match: Match, node: ast.AST, kinds: tuple[type[ast.AST], ...]) -> ast.AST | None:
    """The innermost statement of some kinds around a node, within the function."""
    found = parent(match, node)
    while found is not None and not isinstance(found, ast.FunctionDef):
        if isinstance(found, kinds):
            return found
        found = parent(match, found)
    return None


def loop_that_binds(match: Match, stored: ast.AST) -> ast.For | ast.While | None:
    """The loop that binds the name and has ended before it is read: the outermost such."""
    found: ast.For | ast.While | None = None
    loop = around(match, stored, (ast.For, ast.While))
    while isinstance(loop, (ast.For, ast.While)):
        if not any(child is match.event.node for child in walking.walk(loop)):
            found = loop
        loop = around(match, loop, (ast.For, ast.While))
    return found


def bound_before(match: Match, loop: ast.For | ast.While, name: str, type_: str | None) -> Fix | None:
    """Bind a variable before the loop, to an empty value of its type; that is left open where it is not known."""
    if not alone_on_its_lines(match, loop):
        return None
    at = Position(row(match, loop), 1)
    indent = indentation(match.source.lines[at.row - 1])
    first = _FIRST.get(type_ or "")
    imports: tuple[Edit, ...] = ()
    if type_ is not None and type_.startswith("Tensor"):
        torch, imports = match.imported("torch")
        first = f"{torch}.empty(0)"
    line = match.insert(at, f"{indent}{name} = {first or '...'}{match.source.newline}")
    if first is None:
        return display("Bind it before the loop", line)
    said = f"Bind it before the loop (where that never runs, it is `{first}` instead of an error)"
    return unsafe(said, line, *imports)
