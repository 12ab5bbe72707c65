"""Computes the order in which the classes of a file look up a method."""

from __future__ import annotations

import ast

from tslint.script.dataflow.scopes import module_bindings


def lookup_order(tree: ast.Module, name: str) -> list[str] | None:
    """Return a class and its bases in Python's lookup order, as they are written in the file; None if it is
    not known.
    """
    known = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    return _linear(known, module_bindings(tree), name, set())


def _linear(known: dict[str, ast.ClassDef], counts: dict[str, int], name: str, above: set[str]) -> list[str] | None:
    node = known.get(name)
    if node is None:
        return [name]
    if name in above or counts.get(name) != 1 or node.keywords:
        return None
    bases = [ast.unparse(base) for base in node.bases]
    lines: list[list[str]] = []
    for base in bases:
        line = _linear(known, counts, base, above | {name})
        if line is None:
            return None
        lines.append(line)
    return _merged(name, [*lines, bases])


def _merged(name: str, lines: list[list[str]]) -> list[str] | None:
    """Merge the lookup orders of the bases as Python does. Return None if that is not possible.

    The next class in the result is always the first class of one of the orders, and is at no later place in any of
    them.
    """
    found = [name]
    lines = [line for line in lines if line]
    while lines:
        head = next((line[0] for line in lines if not any(line[0] in other[1:] for other in lines)), None)
        if head is None:
            return None
        found.append(head)
        lines = [rest for rest in ([each for each in line if each != head] for line in lines) if rest]
    return found
