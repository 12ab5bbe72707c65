"""Which files lead to which: imports, and what follows from them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def closure(start: Iterable[Node], edges: Mapping[Node, Iterable[Node]]) -> set[Node]:
    """Files, and all that edges lead to from them, at any remove."""
    found: set[Node] = set()
    pending = list(start)
    while pending:
        node = pending.pop()
        if node not in found:
            found.add(node)
            pending += edges.get(node, ())
    return found


def reverse(edges: Mapping[Node, Iterable[Node]]) -> dict[Node, set[Node]]:
    """The edges, the other way round."""
    found: dict[Node, set[Node]] = {}
    for node, targets in edges.items():
        for target in targets:
            found.setdefault(target, set()).add(node)
    return found
