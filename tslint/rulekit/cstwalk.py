"""Walks libcst trees without libcst's visitors, which copy nodes and take twenty times as long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from functools import cache, lru_cache
from typing import TypeVar

import libcst as cst

_Kind = TypeVar("_Kind", bound=cst.CSTNode)
# Fields that only contain white space and punctuation.
_BARE = frozenset(
    "lpar rpar lbracket rbracket lbrace rbrace comma colon equal semicolon dot indicator operator header footer"
    " leading_lines lines_after_decorators trailing_whitespace asynchronous".split()
)


@cache
def _fields(kind: type) -> tuple[str, ...] | None:
    """Return the fields that may contain nodes; None if the class is not a node's."""
    if not issubclass(kind, cst.CSTNode):
        return None
    return tuple(each.name for each in fields(kind) if "whitespace" not in each.name and each.name not in _BARE)


def walk(node: cst.CSTNode) -> Sequence[cst.CSTNode]:
    """Return a node and all nodes below it in source order, without white space and punctuation."""
    return _walked(node)


@lru_cache(maxsize=128)
def _walked(node: cst.CSTNode) -> tuple[cst.CSTNode, ...]:
    found: list[cst.CSTNode] = []
    pending: list[cst.CSTNode] = [node]
    while pending:
        each = pending.pop()
        found.append(each)
        below: list[cst.CSTNode] = []
        for name in _fields(each.__class__) or ():
            value = getattr(each, name)
            if _fields(value.__class__) is not None:
                below.append(value)
            elif value.__class__ in (list, tuple):
                below += [item for item in value if _fields(item.__class__) is not None]
        pending += reversed(below)
    return tuple(found)


@cache
def is_kind(kind: type[cst.CSTNode], of: type[cst.CSTNode]) -> bool:
    """Return whether a node class is a subclass of another one; much faster than ``isinstance`` with an
    abstract class.
    """
    return issubclass(kind, of)


def all_of(node: cst.CSTNode, kind: type[_Kind]) -> list[_Kind]:
    """Return the nodes of a class in a node, the node itself included."""
    return [each for each in walk(node) if is_kind(each.__class__, kind)]  # type: ignore[misc]


def variables_in(node: cst.CSTNode) -> list[cst.Name]:
    """Return the variables in an expression or a target; not names of attributes and keywords."""
    nodes = walk(node)
    attributes = {each.attr for each in nodes if each.__class__ is cst.Attribute}
    keywords = {each.keyword for each in nodes if each.__class__ is cst.Arg}
    return [each for each in nodes if each.__class__ is cst.Name and each not in attributes and each not in keywords]
