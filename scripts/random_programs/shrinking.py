"""Reduces a program while it still shows the same disagreement."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator

MOST_TRIES = 250


def shrunk(text: str, holds: Callable[[str], bool], most: int = MOST_TRIES) -> str:
    """Return the smallest text that is found by dropping statements and replacing expressions by their parts.

    Args:
        text: the program.
        holds: returns whether a smaller text still shows the disagreement.
        most: how many texts are tried.
    """
    tries = 0
    best = ast.unparse(ast.parse(text))
    if not holds(best):
        return text
    changed = True
    while changed:
        changed = False
        for candidate in _smaller(best):
            tries += 1
            if tries > most:
                return best
            if len(candidate) < len(best) and holds(candidate):
                best, changed = candidate, True
                break
    return best


def _smaller(text: str) -> Iterator[str]:
    """Yield every text that is one step smaller, the largest steps first."""
    tree = ast.parse(text)
    count = sum(1 for _ in ast.walk(tree))
    for i in range(count):
        for step in (_without_statements, _with_parts):
            yield from step(tree, i)


def _written(tree: ast.AST) -> str | None:
    try:
        return ast.unparse(ast.fix_missing_locations(tree))
    except (ValueError, AttributeError, TypeError, RecursionError):
        return None


def _nth(tree: ast.AST, index: int) -> ast.AST:
    for i, node in enumerate(ast.walk(tree)):
        if i == index:
            return node
    raise IndexError(index)


def _without_statements(tree: ast.AST, index: int) -> Iterator[str]:
    node = _nth(tree, index)
    for name in ("body", "orelse", "args", "elts", "keywords", "decorator_list"):
        children = getattr(node, name, None)
        if not isinstance(children, list):
            continue
        for i in range(len(children) - 1, -1, -1):
            other = copy.deepcopy(tree)
            place = getattr(_nth(other, index), name)
            child = place.pop(i)
            inner = [*getattr(child, "body", []), *getattr(child, "orelse", [])] if isinstance(child, ast.stmt) else []
            if isinstance(child, (ast.If, ast.For, ast.While, ast.With)):
                hoisted = copy.deepcopy(other)
                getattr(_nth(hoisted, index), name)[i:i] = inner
                text = _written(hoisted)
                if text is not None:
                    yield text
            if name == "body" and not place:
                if isinstance(child, ast.Pass):
                    continue
                place.append(ast.Pass())
            text = _written(other)
            if text is not None:
                yield text
    arguments = getattr(node, "args", None)
    if isinstance(arguments, ast.arguments):
        for i in range(len(arguments.args) - 1, -1, -1):
            other = copy.deepcopy(tree)
            place = _nth(other, index).args
            place.args.pop(i)
            if len(place.defaults) > len(place.args):
                place.defaults.pop(0)
            text = _written(other)
            if text is not None:
                yield text


def _with_parts(tree: ast.AST, index: int) -> Iterator[str]:
    node = _nth(tree, index)
    for name, value in ast.iter_fields(node):
        values = value if isinstance(value, list) else [value]
        for i, child in enumerate(values):
            if not isinstance(child, ast.expr) or isinstance(child, (ast.Constant, ast.Name)):
                continue
            if not isinstance(getattr(child, "ctx", ast.Load()), ast.Load):
                continue
            parts: list[ast.expr] = [one for one in ast.iter_child_nodes(child) if isinstance(one, ast.expr)]
            parts += [ast.Constant(0), ast.Constant(0.5), ast.Constant("a"), ast.Constant(True)]
            for part in parts:
                other = copy.deepcopy(tree)
                place = _nth(other, index)
                if isinstance(value, list):
                    getattr(place, name)[i] = copy.deepcopy(part)
                else:
                    setattr(place, name, copy.deepcopy(part))
                text = _written(other)
                if text is not None:
                    yield text
