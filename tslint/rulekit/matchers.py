"""Implements patterns for libcst nodes, with the names of ``libcst.matchers``: ``m.matches(node, m.Name("x"))``.

Importing ``libcst.matchers`` takes longer than importing libcst and analysing a small file. This module has the parts
that rules need: a pattern for each node class, ``|``, ``~``, and the functions and special patterns below.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import cache, partial
from typing import Any

import libcst as cst

from tslint.rulekit.cstwalk import walk
from tslint.rulekit.parts import UnparsedBlock

Saved = dict[str, Any]


class Pattern(ABC):
    """A condition for a node, or for the value of one of its fields."""

    kinds: frozenset[type[cst.CSTNode]] | None = None
    """The classes of the nodes that may match; None for all classes."""

    @abstractmethod
    def found(self, value: Any) -> Saved | None:
        """Return the nodes to save for a value that matches; None if it does not match."""

    def __or__(self, other: Pattern) -> Pattern:
        return OneOf(self, other)

    def __invert__(self) -> Pattern:
        return _Not(self)


class _Node(Pattern):
    """Matches a node of a class whose fields match the given patterns; other fields may have any value."""

    def __init__(self, kind: type[cst.CSTNode], *values: Any, **named: Any) -> None:
        same: list[type[cst.CSTNode]] = [kind, UnparsedBlock] if kind is cst.IndentedBlock else [kind]
        self.kinds = self._kinds = frozenset(same)
        self._fields: Mapping[str, Any] = dict(zip(_fields(kind), values)) | named
        unknown = self._fields.keys() - set(_fields(kind))
        if unknown:
            raise TypeError(f"{kind.__name__} has no {', '.join(sorted(unknown))}")

    def found(self, value: Any) -> Saved | None:
        if type(value) not in self._kinds:
            return None
        saved: Saved = {}
        for name, wanted in self._fields.items():
            inner = _found(getattr(value, name), wanted)
            if inner is None:
                return None
            saved |= inner
        return saved


class OneOf(Pattern):
    """Matches any of several patterns."""

    def __init__(self, *patterns: Pattern) -> None:
        self._patterns = patterns
        kinds = [each.kinds for each in patterns if each.kinds is not None]
        self.kinds = frozenset[type[cst.CSTNode]]().union(*kinds) if len(kinds) == len(patterns) else None

    def found(self, value: Any) -> Saved | None:
        for each in self._patterns:
            found = each.found(value)
            if found is not None:
                return found
        return None


class _Not(Pattern):
    def __init__(self, pattern: Pattern) -> None:
        self._pattern = pattern

    def found(self, value: Any) -> Saved | None:
        return {} if self._pattern.found(value) is None else None


class MatchIfTrue(Pattern):
    """Matches a value for which a function returns true."""

    def __init__(self, test: Callable[[Any], bool]) -> None:
        self._test = test

    def found(self, value: Any) -> Saved | None:
        return {} if self._test(value) else None


class MatchRegex(Pattern):
    """Matches text with a regular expression, as a whole."""

    def __init__(self, regex: str) -> None:
        self._regex = re.compile(regex)

    def found(self, value: Any) -> Saved | None:
        return {} if isinstance(value, str) and self._regex.fullmatch(value) else None


class DoNotCare(Pattern):
    """Matches anything."""

    def found(self, value: Any) -> Saved | None:
        return {}


class ZeroOrMore:
    """Matches any number of elements in a sequence; with a pattern, only elements that match it."""

    def __init__(self, pattern: Pattern | None = None) -> None:
        self.pattern = pattern or DoNotCare()


class SaveMatchedNode(Pattern):
    """Saves the node that matches a pattern under a name; :func:`extract` returns it."""

    def __init__(self, pattern: Pattern, name: str) -> None:
        self._pattern, self._name = pattern, name
        self.kinds = pattern.kinds

    def found(self, value: Any) -> Saved | None:
        inner = self._pattern.found(value)
        return None if inner is None else {**inner, self._name: value}


def matches(node: cst.CSTNode | None, pattern: Pattern) -> bool:
    """Return whether a node matches a pattern; false for None."""
    return node is not None and pattern.found(node) is not None


def extract(node: cst.CSTNode | None, pattern: Pattern) -> Saved | None:
    """Return the nodes that :class:`SaveMatchedNode` names in a pattern; None if the node does not match."""
    return pattern.found(node) if node is not None else None


def findall(node: cst.CSTNode, pattern: Pattern) -> list[cst.CSTNode]:
    """Return the nodes that match a pattern, at or below a node, in source order."""
    nodes, kinds = walk(node), pattern.kinds
    if kinds is not None:
        nodes = [each for each in nodes if each.__class__ in kinds]
    return [each for each in nodes if pattern.found(each) is not None]


def __getattr__(name: str) -> Callable[..., Pattern]:
    kind = getattr(cst, name, None)
    if not isinstance(kind, type) or not issubclass(kind, cst.CSTNode):
        raise AttributeError(f"libcst has no node {name}")
    return partial(_Node, kind)


@cache
def _fields(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind))


def _found(value: Any, wanted: Any) -> Saved | None:
    if isinstance(wanted, Pattern):
        return wanted.found(value)
    if isinstance(wanted, (list, tuple)):
        return _sequence(value, wanted) if isinstance(value, (list, tuple)) else None
    return {} if value == wanted else None


def _sequence(values: Sequence[Any], wanted: Sequence[Any]) -> Saved | None:
    if not wanted:
        return {} if not values else None
    first, rest = wanted[0], wanted[1:]
    if isinstance(first, ZeroOrMore):
        for taken in range(len(values) + 1):
            found = _sequence(values[taken:], rest)
            if found is not None:
                return found
            if taken == len(values) or first.pattern.found(values[taken]) is None:
                return None
    if not values:
        return None
    inner, others = _found(values[0], first), _sequence(values[1:], rest)
    return None if inner is None or others is None else {**inner, **others}
