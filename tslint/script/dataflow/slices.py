"""Analyses loops over slices of a container of modules."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from tslint.script.dataflow.evaluation import quiet
from tslint.script.dataflow.index_proofs import looks_integer
from tslint.script.dataflow.indices import Place
from tslint.script.dataflow.scopes import function_around
from tslint.script.types import Type
from tslint.util import astwalk


def means_modules(tree: ast.Module, loop: ast.For, name: str, names: Mapping[str, Type], assumed: bool) -> bool:
    """Return whether only loops bind a name, and all others of them get the same fix, or may iterate over a container.

    The compiler does not allow another value for a name to which it has bound a module.

    Args:
        tree: the tree of the file.
        loop: the loop over a slice.
        name: the name that it binds.
        names: the types of variables.
        assumed: whether bounds that only look like ints count as ints.
    """
    bound = [n for n in astwalk.walk(function_around(tree, loop) or loop) if isinstance(n, ast.Name) and n.id == name]
    above = astwalk.parents(tree)
    for each in bound:
        if not isinstance(each.ctx, ast.Store):
            continue
        other = above.get(each)
        while isinstance(other, (ast.Tuple, ast.List)):
            other = above.get(other)
        if not isinstance(other, ast.For) or isinstance(other.iter, (ast.Tuple, ast.List, ast.IfExp)):
            return False
        cuts = [n for n in astwalk.walk(other.iter) if isinstance(n, ast.Slice)]
        parts = [part for cut in cuts for part in (cut.lower, cut.upper, cut.step) if part is not None]
        if other is not loop and (
            any(cut.step for cut in cuts)
            or any(not _is_number(part) and not (assumed and looks_integer(tree, part, names)) for part in parts)
        ):
            return False
    return True


def _is_number(node: ast.expr) -> bool:
    return isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Constant)


def is_steady(where: Place, loop: ast.For, bound: ast.expr) -> bool:
    """Return whether a bound is the same in every iteration as before the loop."""
    if where.value(bound) is not None:
        return quiet(bound)  # the new loop evaluates it again in each iteration
    plain = (ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp)
    if not all(isinstance(part, plain) for part in astwalk.walk(bound)):
        return False
    read = {n.id for n in astwalk.walk(bound) if isinstance(n, ast.Name)}
    return not read & (astwalk.bound(loop) | {n.id for n in astwalk.walk(loop.target) if isinstance(n, ast.Name)})
