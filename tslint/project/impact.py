"""Computes what a change can affect, for the cache, the language server and the rounds of fixes.

A file's findings come from the code in it that something compiles: from its own roots, and from those of the files that
look into it, at any remove. So once files have changed, the findings can be others in all that these files, and those
that look into them, look into. To know the findings of a file, everything that looks into it has to be compiled.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterable, Mapping
from typing import Generic, TypeVar

Node = TypeVar("Node", bound=Hashable)
Edges = Mapping[Node, Collection[Node]]

_SCRIPT = re.compile(r"\b_?script\b")
_CALLS_TRACER, _NAMES_COMPILER = 2, 1


def closure(start: Iterable[Node], edges: Mapping[Node, Iterable[Node]]) -> dict[Node, None]:
    """Where edges lead to from some nodes, at any remove: these nodes first, then the nearest."""
    found = dict.fromkeys(start)
    pending = list(found)
    for node in pending:
        for other in edges.get(node, ()):
            if other not in found:
                found[other] = None
                pending.append(other)
    return found


def role(text: str) -> int:
    """What part a file may have in which modules are only ever traced."""
    if "trace(" in text or "trace_module(" in text:
        return _CALLS_TRACER
    return _NAMES_COMPILER if _SCRIPT.search(text) else 0


def deciding(roles: Mapping[Node, int]) -> set[Node]:
    """The files that decide together which modules are only ever traced, by what :func:`role` says of each.

    One that hands something unknown to the compiler decides it for all, without looking into any of the others. So all
    are read where some are analysed, and where they come to another end than before, all of them have changed.
    """
    return {node for node, part in roles.items() if part} if _CALLS_TRACER in roles.values() else set()


class Impact(Generic[Node]):
    """What a change can affect, and what has to be compiled to know its effect.

    Args:
        edges: by file, those that were looked into on its account, or that its imports name.
        together: files that decide for each other what is compiled; so does what they look into.
    """

    def __init__(self, edges: Edges[Node], together: Collection[Node] = ()) -> None:
        self._edges = edges
        self._importers: dict[Node, list[Node]] = {}
        for node, targets in edges.items():
            for target in targets:
                self._importers.setdefault(target, []).append(node)
        self._together = closure(together, self._importers)

    def dependents(self, changed: Iterable[Node]) -> dict[Node, None]:
        """The files that may compile something else than before; the nearest first."""
        found = closure(changed, self._importers)
        return found if found.keys().isdisjoint(self._together) else found | self._together

    def affected(self, changed: Iterable[Node]) -> dict[Node, None]:
        """The files whose findings may be others than before; those of :meth:`dependents` first."""
        return closure(self.dependents(changed), self._edges)

    def compiled(self, wanted: Iterable[Node]) -> dict[Node, None]:
        """The files that have to be compiled so that the findings in some are known; the nearest first."""
        return closure(wanted, self._importers) | self._together
