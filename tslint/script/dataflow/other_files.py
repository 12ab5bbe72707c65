"""Finds other files that set or change an attribute on whose value a fix relies."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache

from tslint.project.trees import parse
from tslint.script.dataflow.stores import file_facts, kind_of
from tslint.util import astwalk

_CLASS = re.compile(r"^[ \t]*class[ \t]+(\w+)[ \t]*\(([^)]*)\)", re.MULTILINE)
_WORD = re.compile(r"\w+")


def is_set_elsewhere(text: str, others: tuple[str, ...], name: str) -> bool:
    """Return whether another file may set or change an attribute on instances of the classes of a file: on an object
    that may be such an instance, or on ``self`` in a class that extends such a class.

    Args:
        text: the text of the file with the class.
        others: the texts of the other files.
        name: the attribute.
    """
    suspects = [each for each in others if name in each]
    return bool(suspects) and any(_sets(each, name, _extending(text, others)) for each in suspects)


@lru_cache(maxsize=256)
def _extending(text: str, others: tuple[str, ...]) -> frozenset[str]:
    """Return the names of the classes of a file, and of those in other files that extend them."""
    bases = {name: set(_WORD.findall(given)) for each in others for name, given in _CLASS.findall(each)}
    found = set(re.findall(r"^[ \t]*class[ \t]+(\w+)", text, re.MULTILINE))
    while new := {name for name, given in bases.items() if name not in found and given & found}:
        found |= new
    return frozenset(found)


@lru_cache(maxsize=1024)
def _sets(text: str, name: str, kinds: frozenset[str]) -> bool:
    try:
        tree = parse(text, "")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    return any(each is None or _may_be(tree, each, kinds) for each in _holders(tree, name))


def _holders(tree: ast.Module, name: str) -> Iterator[ast.expr | None]:
    """Yield the objects on which a file sets or changes an attribute; None for an unknown object."""
    yield from file_facts(tree).named.get(name, ())
    for each in astwalk.mentions(tree).get(name, ()):
        if isinstance(each, ast.Attribute) and not isinstance(each.ctx, ast.Load):
            yield each.value
    for change in file_facts(tree).changes.get(name, ()):
        held = change.func if isinstance(change, ast.Call) else change
        held = held.value if isinstance(held, (ast.Attribute, ast.Subscript)) else held
        if isinstance(held, ast.Attribute):
            yield held.value


def _may_be(tree: ast.Module, held: ast.expr, kinds: frozenset[str]) -> bool:
    """Return whether an object may be one of the given classes, or an instance of one of them."""
    facts, kind = file_facts(tree), kind_of(tree, held)
    if kind is None:
        return not facts.is_another(tree, held, None)
    pending, seen = [kind], set[str]()
    while pending:
        bases = {word for base in pending.pop().bases for word in _WORD.findall(ast.unparse(base))} - seen
        seen |= bases
        pending += [facts.classes[each] for each in bases if each in facts.classes]
    return not seen.isdisjoint(kinds)
