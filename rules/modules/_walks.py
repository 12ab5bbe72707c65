"""Modules taken by an index that is only known when the code runs: a walk over the container that compares it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import TypeGuard

from tslint import walking
from tslint.border import Match
from tslint.diagnostics import Edit, Fix, Position
from tslint.rule import unsafe
from tslint.rules.modules._common import (
    compiled_function,
    evaluated,
    fresh_name,
    place,
    replace,
    same,
    singular,
)
from tslint.rules.modules._regions import moved_under, region_of

_ENDS = (ast.Return, ast.Raise)


def walked(match: Match, node: ast.Subscript, keys: bool = False) -> Fix | None:
    """Walk the container, and run what needs the module where the index is the wanted one.

    Args:
        match: for the file and the function.
        node: takes a module out of a container.
        keys: whether the container is a dict.

    Returns:
        None where the statements cannot be moved, or the index might be another one there.
    """
    region = region_of(match, node, node.slice) if _plain(node.value) else None
    if region is None:
        return None
    paths = [node.value, *([] if keys else _beside(match, node, region))]
    uses = [[use for each in region for use in walking.walk(each) if _takes(use, path, node.slice)] for path in paths]
    if any(isinstance(use.ctx, (ast.Store, ast.Del)) for group in uses for use in group):
        return None
    names: list[str] = []
    for group in uses:
        names.append(_name(match, group[0], names))
    texts = [match.text(each) for each in paths]
    if any("\n" in text for text in texts):
        return None
    position = fresh_name(match, "key" if keys else "place", names)
    wanted = " ".join(match.text(node.slice).split())
    if not keys and _from_the_end(node.slice):
        wanted = f"({wanted}) % len({texts[0]})"
    over, binds = texts[0], names[0]
    if len(paths) > 1:
        over, binds = f"zip({', '.join(texts)})", f"({', '.join(names)})"
    header = f"for {position}, {binds} in {f'{over}.items()' if keys else f'enumerate({over})'}:"
    replaced = [replace(match, use, name) for name, group in zip(names, uses) for use in group]
    error = f'raise {"KeyError" if keys else "IndexError"}("{texts[0]} has no such module")'
    return _moved(match, region, [header, f"if {position} == {wanted}:"], replaced, error, texts[0])


def walked_children(match: Match, node: ast.Call) -> Fix | None:
    """Walk the submodules instead of ``getattr(self, name)``, and run what needs one where its name is the wanted one.

    Args:
        match: for the file and the function.
        node: the call of ``getattr``.
    """
    owner, wanted = match.text(node.args[0]), " ".join(match.text(node.args[1]).split())
    region = region_of(match, node, node.args[1])
    if region is None or len(node.args) != 2:
        return None
    uses = [use for each in region for use in walking.walk(each) if isinstance(use, ast.Call) and same(use, node)]
    rivals = [child for child in _inside(match) if isinstance(child, ast.Call) and same(child.func, node.func)]
    child = _numbered(match, "child", rivals, uses[0], ())
    key = fresh_name(match, "key", [child])
    header = f"for {key}, {child} in {owner}.named_children():"
    replaced = [replace(match, use, child) for use in uses]
    error = f"raise AttributeError({wanted})"
    return _moved(match, region, [header, f"if {key} == {wanted}:"], replaced, error, owner)


def _moved(
    match: Match, region: Sequence[ast.stmt], headers: Sequence[str], replaced: Sequence[Edit], error: str, path: str
) -> Fix | None:
    edits = moved_under(match, region, headers)
    if edits is None:
        return None
    if isinstance(region[-1], _ENDS):
        edits.append(_raise(match, region, error))
    return unsafe(f"Walk `{path}`, and compare (where there is no such module, nothing runs)", *edits, *replaced)


def _plain(container: ast.expr) -> bool:
    """``self.a``, ``self.a.b``, ``name``."""
    while isinstance(container, ast.Attribute):
        container = container.value
    return isinstance(container, ast.Name)


def _from_the_end(index: ast.expr) -> bool:
    while isinstance(index, ast.BinOp):
        index = index.left
    return isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.USub)


def _takes(node: ast.AST, container: ast.expr, index: ast.expr) -> TypeGuard[ast.Subscript]:
    return isinstance(node, ast.Subscript) and same(node.value, container) and same(node.slice, index)


def _beside(match: Match, node: ast.Subscript, region: Sequence[ast.stmt]) -> list[ast.expr]:
    """The other containers that are indexed alike."""
    known = match.event.facts.get("containers", ())
    found: list[ast.expr] = []
    for each in region:
        for use in walking.walk(each):
            if isinstance(use, ast.Subscript) and same(use.slice, node.slice) and ast.unparse(use.value) in known:
                if any(same(use.value, path) for path in (node.value, *found)):
                    continue
                # Together they go as far as the shortest one: it has to have what is taken from it.
                if evaluated(region, use) and evaluated(region, node):
                    found.append(use.value)
    return found


def _name(match: Match, node: ast.Subscript, taken: Sequence[str]) -> str:
    one = singular(node.value)
    rivals = [
        child
        for child in _inside(match)
        if isinstance(child, ast.Subscript)
        and not isinstance(child.slice, (ast.Constant, ast.Slice, ast.Tuple))
        and _plain(child.value)
        and singular(child.value) == one
    ]
    return _numbered(match, one, rivals, node, taken)


def _inside(match: Match) -> Iterable[ast.AST]:
    function = compiled_function(match)
    return walking.walk(function) if function is not None else ()


def _numbered(match: Match, wished: str, rivals: Sequence[ast.expr], node: ast.expr, taken: Sequence[str]) -> str:
    """A name for the module that no other walk of the function takes: the fixes of all may be applied at once."""
    ordered = sorted(rivals, key=lambda child: (child.lineno, child.col_offset))
    names: list[str] = []
    for _ in range(next((i for i, rival in enumerate(ordered) if rival is node), 0) + 1):
        names.append(fresh_name(match, wished, [*taken, *names]))
    return names[-1]


def _raise(match: Match, region: Sequence[ast.stmt], error: str) -> Edit:
    """What stands after a walk that returns."""
    row = place(match, region[-1])[1].row
    margin = match.source.lines[region[0].lineno - 1][: place(match, region[0])[0].column - 1]
    newline, last = match.source.newline, match.source.lines[row - 1]
    if last.endswith(("\n", "\r")):
        return Edit(Position(row + 1, 1), Position(row + 1, 1), margin + error + newline)
    return Edit(Position(row, len(last) + 1), Position(row, len(last) + 1), newline + margin + error)
