"""Chooses names for the variables that fixes add."""

from __future__ import annotations

import ast
import builtins
import itertools
import keyword
import re
from collections.abc import Iterable, Iterator

from tslint.util import astwalk


def used_names(node: ast.AST) -> set[str]:
    """Return the variables and parameters that a piece of code mentions, also in inner functions."""
    nodes = astwalk.walk(node)
    return {each.id for each in nodes if isinstance(each, ast.Name)} | {
        each.arg for each in nodes if isinstance(each, ast.arg)
    }


def unused_names(function: ast.AST, wished: str, taken: Iterable[str] = ()) -> Iterator[str]:
    """Yield those of ``wished``, ``wished_2``, ``wished_3`` … that the function does not use and that Python does not
    reserve.
    """
    used = used_names(function).union(taken, keyword.kwlist, dir(builtins))
    numbered = (f"{wished}_{number}" for number in itertools.count(2))
    return (name for name in itertools.chain([wished], numbered) if name not in used)


def unused_name(function: ast.AST, wished: str, taken: Iterable[str] = ()) -> str:
    """Return the first name from :func:`unused_names`."""
    return next(unused_names(function, wished, taken))


def counter_name(function: ast.AST, node: ast.AST, wished: str) -> str:
    """Return a name for the counter of a new loop around a node: a new one, or that of another loop of the function.

    Compiled code allows a common name only if both counters are ints.
    """
    used = used_names(function)
    free = (each for each in (wished, "j", "k") if each not in used or _only_counts(function, node, each))
    return next(free, None) or unused_name(function, wished)


def _only_counts(function: ast.AST, node: ast.AST, name: str) -> bool:
    """Return whether a name is only used as the counter of loops, and a node is in none of them."""
    counting = [each for each in astwalk.walk(function) if isinstance(each, ast.For) and _counts(each, name)]
    inside = {each for loop in counting for each in astwalk.walk(loop)}
    named = [each for each in astwalk.walk(function) if name in (getattr(each, "id", ""), getattr(each, "arg", ""))]
    return node not in inside and bool(named) and all(each in inside for each in named)


def _counts(loop: ast.For, name: str) -> bool:
    """Return whether a loop is over ``enumerate(…)`` with a given variable as its counter."""
    counter = loop.target.elts[0] if isinstance(loop.target, ast.Tuple) else None
    counted = isinstance(loop.iter, ast.Call) and getattr(loop.iter.func, "id", "") == "enumerate"
    return counted and getattr(counter, "id", "") == name


def snake_case(name: str) -> str:
    """Return the name of an attribute for an instance of a class: ``scaled_product`` for ``ScaledProduct``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().lstrip("_")
