"""Decides whether imports inside functions would mean the same at module level."""

from __future__ import annotations

import ast
import builtins
from enum import Enum
from importlib import import_module

from tslint.script.dataflow.scopes import before_all, bound_times, module_bindings, peeps
from tslint.util import astwalk

Import = ast.Import | ast.ImportFrom
# Modules that are imported quickly, depend on nothing, and never rebind their names.
_STANDARD = frozenset(
    "abc collections contextlib copy dataclasses enum functools itertools json logging math numbers operator os random "
    "re string time typing warnings".split()
)
_TORCH = frozenset(["torch", "torch.nn", "torch.nn.functional"])


class Standing(Enum):
    """How an import inside a function can be moved."""

    REPEATED = "the file imports the same before the function"
    MOVABLE = "it can stand at module level"
    UNSURE = "it may be slow or circular there, or miss its package"


def standing(tree: ast.Module, function: ast.FunctionDef, node: Import) -> Standing:
    """Return how an import can be moved to module level without changing the meaning of any name."""
    names = [(alias.asname or alias.name).partition(".")[0] for alias in node.names]
    uses = [each for each in astwalk.walk(function) if isinstance(each, ast.Name) and each.id in names]
    once = all(bound_times(function, name) == 1 for name in names)
    if not once or peeps(function) or not before_all(tree, node, uses):
        return Standing.UNSURE
    if _is_there(tree, node, names, function):
        return Standing.REPEATED
    known = all(_always_there(tree, node, alias.name) for alias in node.names)
    if known and not any(_used_elsewhere(tree, function, name) for name in names):
        return Standing.MOVABLE
    return Standing.UNSURE


def _is_there(tree: ast.Module, node: Import, names: list[str], function: ast.FunctionDef) -> bool:
    """Return whether the file has the same import before the function, and binds the names to nothing else.

    A name that is imported from a module of the project may have another value when the function runs.
    """
    counts = module_bindings(tree)
    fixed = isinstance(node, ast.Import) or (node.module or "").partition(".")[0] in _STANDARD | {"torch"}
    return (
        fixed
        and all(counts.get(name) == 1 for name in names)
        and any(type(each) is type(node) and each.lineno < function.lineno and _same(each, node) for each in tree.body)
    )


def _same(first: ast.AST, second: ast.AST) -> bool:
    return ast.dump(first) == ast.dump(second)


def _always_there(tree: ast.Module, node: Import, name: str) -> bool:
    """Return whether an import cannot fail, is fast, and has the same result at any time."""
    if isinstance(node, ast.Import):
        return name in _STANDARD or (name in _TORCH and _imports_torch(tree))
    if node.level or node.module is None:
        return False
    if node.module in _STANDARD:
        return hasattr(import_module(node.module), name)
    return f"{node.module}.{name}" in _TORCH | {"torch.Tensor"} and _imports_torch(tree)


def _imports_torch(tree: ast.Module) -> bool:
    return any(
        (isinstance(each, ast.Import) and any(alias.name.partition(".")[0] == "torch" for alias in each.names))
        or (isinstance(each, ast.ImportFrom) and not each.level and (each.module or "").partition(".")[0] == "torch")
        for each in tree.body
    )


def _used_elsewhere(tree: ast.Module, function: ast.FunctionDef, name: str) -> bool:
    """Return whether the name has a meaning outside the function."""
    inner = {id(each) for each in astwalk.walk(function)}
    for each in tree.body:
        if isinstance(each, ast.ImportFrom) and any(alias.name == "*" for alias in each.names):
            if each.level or each.module not in _STANDARD or hasattr(import_module(each.module), name):
                return True
    return hasattr(builtins, name) or any(
        (isinstance(each, ast.Name) and each.id == name and id(each) not in inner)
        or ((isinstance(each, ast.alias) and (each.asname or each.name).partition(".")[0] == name)
        and id(each) not in inner)
        or (isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and each.name == name)
        for each in astwalk.walk(tree)
    )  # fmt: skip
