"""Finds lists and dicts that a function creates empty, and the values that it adds to them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.shallow import type_of
from tslint.script.dataflow.variable_types import names_of
from tslint.script.type_text import parsed
from tslint.util import astwalk
from tslint.util.astwalk import is_name

_KNOWN = frozenset(["Tensor", "int", "float", "bool", "str", "List[int]", "List[float]", "List[str]", "List[Tensor]"])
_NUMBERS = frozenset(["int", "float", "bool"])
_FORMS: dict[str, type[ast.expr]] = {"list": ast.List, "dict": ast.Dict}


def made_empty(function: FunctionNode, name: str, kind: str) -> tuple[ast.Assign, ast.expr] | None:
    """Return the only assignment to a name in a function and the empty container that it assigns; None if there are
    several assignments, or another value.

    The name may be one of several, ``rows, columns = [], []``.

    Args:
        function: the function that contains the assignment.
        name: the variable.
        kind: ``list`` or ``dict``.
    """
    found: list[ast.Assign] = []
    statements = [each for each in astwalk.walk(function) if isinstance(each, ast.Assign)]
    for node in astwalk.walk(function):
        if isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names:
            return None
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store):
            found += [each for each in statements if any(target is node for target in _targets(each))]
            found += [] if found and any(target is node for target in _targets(found[-1])) else [ast.Assign([], node)]
    if len(found) != 1 or len(found[0].targets) != 1:
        return None
    value = found[0].value
    if isinstance(found[0].targets[0], ast.Tuple):
        names = [each.id if isinstance(each, ast.Name) else "" for each in _targets(found[0])]
        parts = value.elts if isinstance(value, ast.Tuple) else []
        if len(parts) != len(names) or len(set(names)) != len(names) or "" in names:
            return None
        if not all(_is_empty(each, "list") or _is_empty(each, "dict") for each in parts):
            return None
        value = parts[names.index(name)]
    return (found[0], value) if _is_empty(value, kind) else None


def _targets(statement: ast.Assign) -> list[ast.expr]:
    return [
        part for each in statement.targets for part in (each.elts if isinstance(each, ast.Tuple) else [each])
    ]  # fmt: skip


def _is_empty(value: ast.expr, kind: str) -> bool:
    """Return whether a value is ``[]`` or ``list()``, or the same for dicts."""
    literal = isinstance(value, _FORMS[kind]) and not getattr(value, "elts", getattr(value, "keys", None))
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == kind:
        return not value.args and not value.keywords
    return literal


def holds_only(tree: ast.Module, function: FunctionNode, name: str, type_: str, known: ast.AST) -> bool:
    """Return whether only values of the right type are added to a container, as far as their types are known.

    Args:
        tree: the tree of the file.
        function: the function that contains the variable.
        name: the variable.
        type_: the type of the container.
        known: a node whose type the static model knows.
    """
    lookup = names_of(tree, function)
    element = str(parsed(type_).arguments[-1])
    for value, how in _puts(function, name):
        put = type_of(tree, value, lookup)
        wanted = f"List[{element}]" if how == "extend" else element
        if put in _KNOWN and wanted in _KNOWN and put != wanted:
            return False
        if put is None and wanted in _KNOWN - {"Tensor"} and not _is_of(known, value):
            return False
        if wanted in _NUMBERS and isinstance(value, ast.Name) and not _stays_number(tree, function, value.id):
            return False
    return True


def _stays_number(tree: ast.Module, function: FunctionNode, name: str) -> bool:
    """Return whether only numbers are added to a variable: after ``total += loss``, it may be a Tensor in Python."""
    lookup = names_of(tree, function, guess=False)
    added = [each for each in astwalk.of_kind(function, ast.AugAssign) if is_name(each.target, name)]
    return all(type_of(tree, each.value, lookup) in _NUMBERS for each in added)


def appended_type(tree: ast.Module, function: FunctionNode, name: str) -> str | None:
    """Return the type of a list whose appended elements all have one type; None if they have several, or if it is not
    known.
    """
    lookup = names_of(tree, function, guess=False)
    types = {type_of(tree, value, lookup) if how == "append" else None for value, how in _puts(function, name)}
    type_ = types.pop() if len(types) == 1 else None
    return f"List[{type_}]" if type_ in _KNOWN else None


def _puts(function: ast.AST, name: str) -> Iterator[tuple[ast.expr | None, str]]:
    """Yield the values that are added to a list or dict, with the way: ``append``, ``extend``, ``insert``, ``item``."""
    for node in astwalk.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and is_name(node.func.value, name):
            if node.func.attr in ("append", "extend", "insert") and node.args:
                yield node.args[-1], node.func.attr
        elif isinstance(node, ast.AugAssign) and is_name(node.target, name):
            yield node.value, "extend"
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Subscript) and is_name(target.value, name):
                    yield node.value, "item"


def _is_of(known: ast.AST, value: ast.expr | None) -> bool:
    """Return whether one of two nodes contains the other."""
    return any(each is value for each in astwalk.walk(known)) or (
        value is not None and any(each is known for each in astwalk.walk(value))
    )
