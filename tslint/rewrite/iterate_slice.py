"""Loops over slices of a container: over the whole of it, under a test of the index."""

from __future__ import annotations

import ast

from tslint import walking
from tslint.diagnostics import Fix, Risk
from tslint.rewrite.loop_parts import (
    Loop,
    compiled_function,
    folded,
    fresh_name,
    leaves_turn,
    moved_right,
    parent,
    read_after,
    replace,
)
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe, unsafe
from tslint.script.dataflow.index_proofs import is_proven, looks_integer, may_hold_none, place_of
from tslint.script.dataflow.indices import Place


def walked_slice(match: Match, loop: ast.For, node: ast.Subscript) -> Fix | None:
    """Go over the whole container, and run the body for the modules of a slice.

    Args:
        match: for the file and the function.
        loop: goes over the slice.
        node: the slice.

    Returns:
        None where a bound may be no int, or change in the body, or the loop leaves a turn or its variable is read
        after it.
    """
    cut, where = node.slice, place_of(match.file.tree, loop)
    if not isinstance(cut, ast.Slice) or cut.step is not None or leaves_turn(loop) or loop.orelse or where is None:
        return None
    if may_hold_none(match.file.tree, node.value):
        return None
    names = [n.id for n in walking.walk(loop.target) if isinstance(n, ast.Name)]
    if any(read_after(match, Loop(loop), name) for name in names) or not isinstance(
        node.value, (ast.Name, ast.Attribute)
    ):
        return None
    index, path = fresh_name(match, "i"), match.text(node.value)
    tests, assumed = [], False
    for bound, sign in ((cut.lower, ">="), (cut.upper, "<")):
        if bound is None or (isinstance(bound, ast.Constant) and bound.value is None):
            continue
        proven = is_proven(where, where.value(bound))
        if not proven and not looks_integer(match.file.tree, bound, match.event.names):
            return None
        if not _is_steady(where, loop, bound):
            return None
        tests.append(f"{index} {sign} {_from_the_front(match, where, bound, path)}")
        assumed = assumed or not proven
    if not all(_means_modules(match, loop, name, assumed) for name in names):
        return None
    edits = moved_right(match, loop, f"if {' and '.join(tests)}:")
    if edits is None or not tests or any("\n" in text for text in (*tests, path)):
        return None
    header = [replace(match, loop.target, f"{index}, {match.text(loop.target)}")]
    header.append(replace(match, loop.iter, f"enumerate({path})"))
    message, edits = f"Go over the whole of `{path}`", folded(match, [loop], [*header, *edits])
    return unsafe(message, *edits, risks=(Risk.ASSUMES,)) if assumed else safe(message, *edits)


def _means_modules(match: Match, loop: ast.For, name: str, assumed: bool) -> bool:
    """Whether other loops that bind a name are fixed alike, or go over a container.

    To the compiler a name that stands for a module goes on standing for it where it is bound to what is none.
    """
    function = compiled_function(match)
    bound = [n for n in walking.walk(function or loop) if isinstance(n, ast.Name) and n.id == name]
    bound = [n for n in bound if isinstance(n.ctx, ast.Store)]
    for each in bound:
        other = parent(match, each)
        while isinstance(other, (ast.Tuple, ast.List)):
            other = parent(match, other)
        if not isinstance(other, ast.For) or isinstance(other.iter, (ast.Tuple, ast.List, ast.IfExp)):
            return False
        cuts = [n for n in walking.walk(other.iter) if isinstance(n, ast.Slice)]
        parts = [part for cut in cuts for part in (cut.lower, cut.upper, cut.step) if part is not None]
        if other is not loop and (
            any(cut.step for cut in cuts)
            or any(
                not _is_number(part) and not (assumed and looks_integer(match.file.tree, part, match.event.names))
                for part in parts
            )
        ):
            return False
    return True


def _is_number(node: ast.expr) -> bool:
    return isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Constant)


def _from_the_front(match: Match, where: Place, bound: ast.expr, path: str) -> str:
    """A bound as an index: negative ones count from the end."""
    text = match.text(bound)
    if where.is_counted(bound):
        return text if isinstance(bound, (ast.Name, ast.Attribute, ast.Constant, ast.Call)) else f"({text})"
    value = where.value(bound)
    if value is not None and value.number is not None:
        return f"len({path}) - {-value.number}"
    simple = isinstance(bound, (ast.Name, ast.Attribute))
    whole = text if simple else f"({text})"
    return f"({whole} if {whole} >= 0 else {whole} + len({path}))"


def _is_steady(where: Place, loop: ast.For, bound: ast.expr) -> bool:
    """Whether a bound is the same in every turn as it was before the loop."""
    if where.value(bound) is not None:
        return True
    plain = (ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.expr_context)
    if not all(isinstance(part, plain) for part in ast.walk(bound)):
        return False
    read = {n.id for n in ast.walk(bound) if isinstance(n, ast.Name)}
    return not read & (walking.bound(loop) | {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)})
