"""Decides whether the values that a function reads from a dict by literal keys can be tensors."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.evidence import Evidence, admitted
from tslint.script.dataflow.methods import definitions_of
from tslint.script.dataflow.shallow import Lookup, type_of
from tslint.script.dataflow.uses import Passed, Reader
from tslint.util import astwalk

_TENSOR = "Tensor"
_NO_TENSORS = (ast.List, ast.ListComp, ast.Tuple, ast.Dict, ast.DictComp, ast.Set, ast.SetComp, ast.GeneratorExp)
_MAKERS = frozenset(["list", "dict", "set", "tuple", "len", "int", "float", "bool", "str"])


def holds_no_tensors(tree: ast.Module, function: FunctionNode, name: str, lookup: Lookup, passed: Passed) -> bool:
    """Return whether a dict has a value that is not a Tensor: a use of an item shows it, or the file stores another
    value under one of the keys, or beside one of them in the same dict.

    Args:
        tree: the tree of the file.
        function: the function that has the dict.
        name: the dict, a parameter.
        lookup: returns the types of other names of the function.
        passed: returns the types that functions of the file accept.
    """
    read = _items(function, name)
    if not _mixed_keys(tree).isdisjoint(read):
        return True
    for key, items in read.items():
        reader = Reader(tree, function, name, lookup, passed, Evidence())
        for each in _places(function, items):
            if isinstance(getattr(each, "ctx", None), ast.Store):
                reader.store(each)
                if _is_display(tree, getattr(reader.parent(each), "value", None)):
                    return True
            else:
                reader.use(each)
        found = reader.found
        if {*found.says} - {_TENSOR} or not admitted(found, _TENSOR):
            return True
        if not found.says and (_walked_by_index(function, items) or key in _other_keys(tree)):
            return True
    return False


def _is_display(tree: ast.Module, value: ast.AST | None) -> bool:
    """Return whether a value is the result of a method or function of the file that only returns displays."""
    func = value.func if isinstance(value, ast.Call) else None
    name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
    found = definitions_of(tree, name)
    returned = [each.value for function in found for each in astwalk.of_kind(function, ast.Return)]
    return bool(returned) and all(isinstance(each, _NO_TENSORS) for each in returned)


def _items(function: FunctionNode, name: str) -> dict[str, list[ast.Subscript]]:
    """Return all occurrences of ``name["key"]``, by key."""
    found: dict[str, list[ast.Subscript]] = {}
    for node in astwalk.of_kind(function, ast.Subscript):
        key = _key(node)
        if key is not None and isinstance(node.value, ast.Name) and node.value.id == name:
            found.setdefault(key, []).append(node)
    return found


def _key(node: ast.Subscript) -> str | None:
    """Return the key of an item if it is a string, or the source of an f-string; otherwise None."""
    if isinstance(node.slice, ast.JoinedStr):
        return ast.unparse(node.slice)
    return node.slice.value if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str) else None


def _places(function: FunctionNode, items: list[ast.Subscript]) -> Iterator[ast.expr]:
    """Yield the items, and the uses of variables that are bound only to one of them."""
    names = astwalk.of_kind(function, ast.Name)
    for item in items:
        yield item
        around = astwalk.parents(function).get(item)
        target = around.targets[0] if isinstance(around, ast.Assign) and around.value is item else None
        if isinstance(target, ast.Name):
            uses = [each for each in names if each.id == target.id and each is not target]
            if all(isinstance(each.ctx, ast.Load) for each in uses):
                yield from uses


def _walked_by_index(function: FunctionNode, items: list[ast.Subscript]) -> bool:
    """Return whether the function uses both ``len(d["k"])`` and ``d["k"][i]``, as for a list."""
    counted = indexed = False
    for each in _places(function, items):
        around = astwalk.parents(function).get(each)
        counted |= isinstance(around, ast.Call) and isinstance(around.func, ast.Name) and around.func.id == "len"
        indexed |= isinstance(around, ast.Subscript) and around.value is each and isinstance(around.slice, ast.Name)
    return counted and indexed


@astwalk.kept
def _other_keys(tree: ast.Module) -> frozenset[str]:
    """Return the keys under which functions of a file store something other than tensors."""
    found = set()
    for function in astwalk.of_kind(tree, ast.FunctionDef, ast.AsyncFunctionDef):
        for node in astwalk.of_kind(function, ast.Assign, ast.Dict):
            for key, value in _puts(node):
                if _is_other(tree, function, value):
                    found.add(key)
    return frozenset(found)


@astwalk.kept
def _mixed_keys(tree: ast.Module) -> frozenset[str]:
    """Return the keys of dicts in which another key has a value that is not a tensor."""
    found = set[str]()
    for function in astwalk.of_kind(tree, ast.FunctionDef, ast.AsyncFunctionDef):
        dicts: dict[object, list[tuple[str, ast.expr]]] = {}
        for node in astwalk.of_kind(function, ast.Assign, ast.Dict):
            target = node.targets[0] if isinstance(node, ast.Assign) else None
            held = ast.unparse(target.value) if isinstance(target, ast.Subscript) else node
            dicts.setdefault(held, []).extend(_puts(node))
        for puts in dicts.values():
            others = {key for key, value in puts if _is_other(tree, function, value)}
            found |= {key for key, _ in puts if others - {key}}
    return frozenset(found)


def _puts(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Yield the keys in a dict literal, or the key in an assignment to an item, with their values."""
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield key.value, value
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            key_of = _key(target) if isinstance(target, ast.Subscript) else None
            if key_of is not None:
                yield key_of, node.value


def _is_other(tree: ast.Module, function: FunctionNode, value: ast.expr) -> bool:
    """Return whether a value is clearly not a Tensor; for a variable, whether all its assigned values are not."""
    if isinstance(value, ast.Name):
        bound = [
            each.value for each in astwalk.of_kind(function, ast.Assign)
            if any(isinstance(target, ast.Name) and target.id == value.id for target in each.targets)
        ]  # fmt: skip
        return bool(bound) and all(not isinstance(each, ast.Name) and _is_other(tree, function, each) for each in bound)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return value.func.id in _MAKERS
    return isinstance(value, _NO_TENSORS) or type_of(tree, value) not in (None, _TENSOR)
