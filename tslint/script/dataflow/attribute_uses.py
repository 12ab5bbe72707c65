"""Lists how a file uses the attributes of its instances."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tslint.script.dataflow.stores import is_of_self
from tslint.util import astwalk

_FILLING = frozenset(["append", "extend", "insert", "update", "setdefault"])


@astwalk.kept
def properties(tree: ast.Module) -> frozenset[str]:
    """Return the names of a file's functions with a decorator, which may turn them into properties."""
    functions = astwalk.of_kind(tree, ast.FunctionDef)
    return frozenset(each.name for each in functions if each.decorator_list)


@astwalk.kept
def no_numbers(tree: ast.Module) -> frozenset[str]:
    """Return the attributes that a file uses as no number can be used: it calls them, iterates over them, or reads an
    item or an attribute of them.
    """
    found = set()
    for each in astwalk.of_kind(tree, ast.Call, ast.Attribute, ast.Subscript, ast.For, ast.comprehension):
        inner: ast.AST | None = None
        if isinstance(each, ast.Call):
            inner = each.func
        elif isinstance(each, (ast.Attribute, ast.Subscript)):
            inner = each.value
        elif isinstance(each, (ast.For, ast.comprehension)):
            inner = each.iter
        if isinstance(inner, ast.Attribute):
            found.add(inner.attr)
    return frozenset(found)


def _calls_items(loop: ast.For | ast.comprehension, whole: ast.AST) -> bool:
    """Return whether a loop or comprehension calls its variable, or a method of it."""
    names = {each.id for each in ast.walk(loop.target) if isinstance(each, ast.Name)}
    called = [each.func for each in astwalk.walk(whole) if isinstance(each, ast.Call)]
    owners = [each.value if isinstance(each, ast.Attribute) else each for each in called]
    return any(isinstance(each, ast.Name) and each.id in names for each in owners)


@astwalk.kept
def used_as_modules(tree: ast.AST) -> frozenset[str]:
    """Return the attributes that a file or class calls, or whose items it calls; in a loop over them, a call of an
    item's method counts, too.
    """
    found, parents = set(), astwalk.parents(tree)
    for each in astwalk.of_kind(tree, ast.Call, ast.For, ast.comprehension):
        inner: ast.AST = each
        if isinstance(each, ast.Call):
            inner = each.func
        elif isinstance(each, (ast.For, ast.comprehension)):
            whole = each if isinstance(each, ast.For) else parents[each]
            inner = each.iter if _calls_items(each, whole) else each
        while isinstance(inner, ast.Subscript):
            inner = inner.value
        if isinstance(inner, ast.Attribute):
            found.add(inner.attr)
    return frozenset(found)


@astwalk.kept
def attribute_names(tree: ast.Module) -> frozenset[str]:
    """Return the attributes that a file reads or stores, on any object."""
    return frozenset(each.attr for each in astwalk.of_kind(tree, ast.Attribute))


@astwalk.kept
def read_attributes(tree: ast.AST) -> frozenset[str]:
    """Return the attributes that a file or function may read, on any object, or by a string."""
    return _read(astwalk.walk(tree))


def read_besides(function: ast.AST, statements: Iterable[ast.AST]) -> frozenset[str]:
    """Return the attributes that a function may read outside of the given statements."""
    inside = {each for statement in statements for each in astwalk.walk(statement)}
    return _read(each for each in astwalk.walk(function) if each not in inside)


def _read(nodes: Iterable[ast.AST]) -> frozenset[str]:
    found = set()
    for each in nodes:
        node = each.target if isinstance(each, ast.AugAssign) else each
        if isinstance(node, ast.Attribute) and (node is not each or isinstance(node.ctx, ast.Load)):
            found.add(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
    return frozenset(found)


@astwalk.kept
def filled(tree: ast.Module) -> frozenset[str]:
    """Return the attributes that a file may add elements to: by a method such as ``append``, an augmented assignment,
    or an assignment to an item.
    """
    found = set()
    for node in astwalk.walk(tree):
        holder: ast.AST | None = None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _FILLING:
            holder = node.func.value
        elif isinstance(node, ast.AugAssign):
            holder = node.target
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            holder = node.value
        if isinstance(holder, ast.Attribute):
            found.add(holder.attr)
    return frozenset(found)


def is_read_from_another(tree: ast.Module, attribute: str) -> bool:
    """Return whether a file reads or stores an attribute of this name on anything but ``self``."""
    named = astwalk.mentions(tree).get(attribute, ())
    return any(isinstance(each, ast.Attribute) and not is_of_self(each) for each in named)
