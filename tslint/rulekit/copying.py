"""Copies libcst trees without libcst's visitors and checks, which take ten times as long.

A node is checked again (whether it needs a space before it, for example) only if one of its parts was replaced.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

import libcst as cst

_Node = TypeVar("_Node", bound=cst.CSTNode)
Replacement = Callable[[cst.CSTNode, list[cst.CSTNode]], cst.CSTNode | None]
"""Returns the replacement for a node, given the nodes around it; None to keep the node."""


@cache
def _fields(kind: type) -> tuple[str, ...] | None:
    """Return the names of the fields of a node class; None for a class that is not a node's."""
    return tuple(each.name for each in fields(kind)) if issubclass(kind, cst.CSTNode) else None


def clone(node: _Node) -> _Node:
    """Return a deep copy that shares no node with the original, as ``deep_clone`` does."""
    kind = node.__class__
    copy = object.__new__(kind)
    for name in _fields(kind) or ():
        value = getattr(node, name)
        if value.__class__ in (list, tuple):
            value = tuple([clone(each) for each in value])
        elif _fields(value.__class__) is not None:
            value = clone(value)
        object.__setattr__(copy, name, value)
    return copy


def replaced(node: _Node, find: Replacement) -> _Node:
    """Return a copy in which nodes are replaced; ``find`` is not called for nodes below a replaced one."""
    return _replaced(node, find, [])[0]  # type: ignore[return-value]


def _replaced(node: cst.CSTNode, find: Replacement, around: list[cst.CSTNode]) -> tuple[cst.CSTNode, bool]:
    """Return the copy, and whether something in it was replaced."""
    found = find(node, around)
    if found is not None:
        return found, True
    kind, copies, another = node.__class__, {}, False
    around.append(node)
    for name in _fields(kind) or ():
        value = getattr(node, name)
        if value.__class__ in (list, tuple):
            parts = [_replaced(each, find, around) for each in value]
            another = another or any(other for _, other in parts)
            value = tuple([each for each, _ in parts])
        elif _fields(value.__class__) is not None:
            value, other = _replaced(value, find, around)
            another = another or other
        copies[name] = value
    around.pop()
    if another:
        return kind(**copies), True
    copy = object.__new__(kind)
    for name, value in copies.items():
        object.__setattr__(copy, name, value)
    return copy, False


def holds_line_end(node: cst.CSTNode) -> bool:
    """Return whether the text of a node spans several lines."""
    pending: list[Any] = [node]
    while pending:
        each = pending.pop()
        kind = each.__class__
        if kind is str:
            if "\n" in each:
                return True
        elif kind in (list, tuple):
            pending += each
        elif kind is cst.Newline:
            if "\n" in (each.value or "\n"):
                return True
        else:
            pending += [getattr(each, name) for name in _fields(kind) or ()]
    return False
