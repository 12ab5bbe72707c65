"""Computes what a change can affect, for the cache, the language server, the gate and the rounds of fixes.

The findings of a file are about its compiled code. That code is reached from the file's own roots, and from the roots
of files that read it, directly or not. So a change can affect the findings of the changed files, of the files that read
them, and of all files that those read. To know the findings of a file, every file that reads it has to be compiled.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from typing import Generic, TypeVar

Node = TypeVar("Node", bound=Hashable)
Edges = Mapping[Node, Collection[Node]]

_SCRIPT = re.compile(r"\b_?script\b")
_CALLS_TRACER, _NAMES_COMPILER = 2, 1


def closure(start: Iterable[Node], edges: Mapping[Node, Iterable[Node]]) -> dict[Node, None]:
    """Return the nodes that can be reached from the given nodes along edges: first the given nodes, then the
    nearest.
    """
    return reachable(start, lambda node: edges.get(node, ()))


def reachable(start: Iterable[Node], targets: Callable[[Node], Iterable[Node]]) -> dict[Node, None]:
    """Return the nodes that can be reached from the given nodes; ``targets`` is called once for each node."""
    found = dict.fromkeys(start)
    pending = list(found)
    for node in pending:
        for other in targets(node):
            if other not in found:
                found[other] = None
                pending.append(other)
    return found


def calls_tracer(text: str) -> bool:
    """Return whether the text of a file may call the tracer."""
    return "trace(" in text or "trace_module(" in text


def role(text: str) -> int:
    """Return in which way the text of a file may influence which modules are only traced."""
    if calls_tracer(text):
        return _CALLS_TRACER
    return _NAMES_COMPILER if _SCRIPT.search(text) else 0


def deciding(roles: Mapping[Node, int]) -> set[Node]:
    """Return the files that together decide which modules are only traced, by the result of :func:`role` for each.

    If one file passes an unknown value to ``torch.jit.script``, any traced module may be compiled, even one that this
    file does not import. So these files are always read, and if their decision changes, they all count as changed: the
    files that trace a module import it.
    """
    return {node for node, part in roles.items() if part} if _CALLS_TRACER in roles.values() else set()


class Impact(Generic[Node]):
    """What a change can affect, and what has to be compiled to know that.

    Args:
        edges: by file, the files that were read because of it, or that its imports name.
        together: files that are only compiled all at once, such as those that the entry points reach.
    """

    def __init__(self, edges: Edges[Node], together: Collection[Node] = ()) -> None:
        self._edges = edges
        self._importers: dict[Node, list[Node]] = {}
        for node, targets in edges.items():
            for target in targets:
                self._importers.setdefault(target, []).append(node)
        self._together = closure(together, self._importers)

    def dependents(self, changed: Iterable[Node]) -> dict[Node, None]:
        """Return the files that may compile differently, the nearest first."""
        found = closure(changed, self._importers)
        return found if found.keys().isdisjoint(self._together) else found | self._together

    def affected(self, changed: Iterable[Node]) -> dict[Node, None]:
        """Return the files whose findings may differ; those of :meth:`dependents` first."""
        return closure(self.dependents(changed), self._edges)

    def compiled(self, wanted: Iterable[Node]) -> dict[Node, None]:
        """Return the files that have to be compiled to know the findings in the given files; the nearest first."""
        return closure(wanted, self._importers) | self._together
