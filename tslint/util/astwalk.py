"""Walks ``ast`` trees faster than the ``ast`` module does, because many rules walk the same trees many times.

Contexts and operators (``Load``, ``Add``) are left out: they have no place in the source, and are not needed.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from typing import Any, TypeVar, overload

Node = TypeVar("Node", bound=ast.AST)
Other = TypeVar("Other", bound=ast.AST)
Result = TypeVar("Result")

# Fields that never contain nodes, or only contexts and operators.
_BARE = frozenset(
    "ctx id attr arg name module level asname op ops kind type_comment conversion simple is_async lineno tag rest "
    "kwd_attrs str".split()
)
_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {
    ast.Constant: (),
    ast.Global: (),
    ast.Nonlocal: (),
    ast.MatchSingleton: (),
    # An alias has a position, but no child nodes.
    ast.alias: (),
}
_NAMES = frozenset(["id", "attr", "name", "asname"])
_NAMING: dict[type[ast.AST], tuple[str, ...]] = {ast.Constant: ("value",)}
_KEPT = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)


def _fields(kind: type[ast.AST]) -> tuple[str, ...]:
    found = _FIELDS[kind] = tuple(name for name in kind._fields if name not in _BARE)
    return found


def _naming(kind: type[ast.AST]) -> tuple[str, ...]:
    """Return the fields that contain names, for a class of nodes."""
    if kind not in _NAMING:
        _NAMING[kind] = tuple(name for name in kind._fields if name in _NAMES)
    return _NAMING[kind]


def children(node: ast.AST) -> list[ast.AST]:
    """Return the direct children of a node, in the order of the fields, like ``ast.iter_child_nodes``."""
    found: list[ast.AST] = []
    kind = node.__class__
    fields = _FIELDS.get(kind)
    for name in _fields(kind) if fields is None else fields:
        value = getattr(node, name, None)
        if value.__class__ is list:
            found += [item for item in value if item is not None]
        elif value is not None:
            found.append(value)
    return found


def walk(node: ast.AST) -> Sequence[ast.AST]:
    """Return a node and all nodes below it, level by level, like ``ast.walk``.

    The result is cached on function, class and module nodes: the trees of the project index never change.
    """
    kept = node.__dict__.get("_walked")
    if kept is not None:
        return kept  # type: ignore[no-any-return]
    found = [node]
    add = found.append
    for each in found:
        kind = each.__class__
        fields = _FIELDS.get(kind)
        for name in _fields(kind) if fields is None else fields:
            value = getattr(each, name, None)
            if value.__class__ is list:
                for item in value:
                    if item is not None:  # None for the key of `**more`, and for a missing default
                        add(item)
            elif value is not None:
                add(value)
    if isinstance(node, _KEPT):
        node._walked = found  # type: ignore[union-attr]
    return found


def bound(node: ast.AST) -> frozenset[str]:
    """Return the names that are assigned in a node and below it; cached on statements, as in :func:`walk`."""
    kept = node.__dict__.get("_bound")
    if kept is None:
        names: list[Any] = [each for each in walk(node) if each.__class__ is ast.Name]
        kept = frozenset([each.id for each in names if each.ctx.__class__ is ast.Store])
        if isinstance(node, (ast.stmt, ast.Module)):
            node._bound = kept  # type: ignore[union-attr]
    return kept


def kept(function: Callable[[Node], Result]) -> Callable[[Node], Result]:
    """Cache the result of a function for a node on the node itself: a separate cache would keep the trees alive."""
    name = f"_{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def of(node: Node) -> Result:
        known = node.__dict__
        if name not in known:
            known[name] = function(node)
        return known[name]  # type: ignore[no-any-return]

    return of


def forget(tree: ast.Module) -> None:
    """Remove everything that is cached on the nodes of a tree: the caches refer to the nodes, and would keep them alive
    until a search for garbage.
    """
    for node in walk(tree):
        if isinstance(node, _KEPT):
            known = node.__dict__
            for name in [each for each in known if each.startswith("_")]:
                del known[name]


@kept
def parents(tree: ast.AST) -> dict[ast.AST, ast.AST]:
    """Return the parent of each node below a node."""
    above: dict[ast.AST, ast.AST] = {}
    for node in walk(tree):
        fields = _FIELDS[node.__class__]  # walk() has filled it for this class
        for name in fields:
            value = getattr(node, name, None)
            if value.__class__ is list:
                for item in value:
                    above[item] = node
            elif value is not None:
                above[value] = node
    above.pop(None, None)  # type: ignore[call-overload]
    return above


def around(tree: ast.AST, node: ast.AST) -> Iterator[ast.AST]:
    """Yield the ancestors of a node, from the inside out, up to the tree itself."""
    above = parents(tree)
    while node in above:
        node = above[node]
        yield node


@kept
def _by_kind(tree: ast.AST) -> dict[type[ast.AST], list[ast.AST]]:
    found: dict[type[ast.AST], list[ast.AST]] = {}
    for node in walk(tree):
        found.setdefault(node.__class__, []).append(node)
    return found


@overload
def of_kind(tree: ast.AST, kind: type[Node], /) -> Sequence[Node]: ...
@overload
def of_kind(tree: ast.AST, kind: type[Node], other: type[Other], /) -> Sequence[Node | Other]: ...
@overload
def of_kind(tree: ast.AST, /, *kinds: type[ast.AST]) -> Sequence[ast.AST]: ...
def of_kind(tree: ast.AST, /, *kinds: type[ast.AST]) -> Sequence[Any]:
    """Return the nodes of the given classes below a function, class or module, each class in the order of
    :func:`walk`.
    """
    known = _by_kind(tree)
    if len(kinds) == 1:
        return known.get(kinds[0], ())
    return [node for kind in kinds for node in known.get(kind, ())]


@kept
def mentions(tree: ast.AST) -> dict[str, list[ast.AST]]:
    """Return the nodes of each name, in order: those that read, bind, define or import it, or contain it as
    a string.
    """
    found: dict[str, list[ast.AST]] = {}
    for node in walk(tree):
        for field in _naming(node.__class__):
            name = getattr(node, field)
            if isinstance(name, str):
                nodes = found.setdefault(name, [])
                if not nodes or nodes[-1] is not node:
                    nodes.append(node)
                if isinstance(node, ast.alias) and "." in name:
                    found.setdefault(name.partition(".")[0], []).append(node)
    return found


def is_name(node: ast.AST, name: str) -> bool:
    """Return whether a node is an ``ast.Name`` with a given name."""
    return isinstance(node, ast.Name) and node.id == name
