"""Resolves the names of a file, and lists those that a function binds and reads."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.script.dataflow.definitions import FunctionNode
from tslint.util import astwalk


@astwalk.kept
def imported_names(tree: ast.Module) -> dict[str, str]:
    """Return the full names of the imports at a file's top level, by name; a name with another binding maps to an empty
    string.
    """
    found: dict[str, str] = {}
    for each in tree.body:
        if isinstance(each, ast.Import):
            for alias in each.names:
                root = alias.name.partition(".")[0]
                found[alias.asname or root] = alias.name if alias.asname else root
        elif isinstance(each, ast.ImportFrom):
            module = f"{'.' * each.level}{each.module or ''}"
            found.update({alias.asname or alias.name: f"{module}.{alias.name}" for alias in each.names})
        elif isinstance(each, (ast.FunctionDef, ast.ClassDef)):
            found[each.name] = ""
        else:
            found.update(dict.fromkeys(astwalk.bound(each), ""))
    return found


def full_name(tree: ast.Module, name: str) -> str:
    """Return the full name for a dotted name of a file: ``torch.nn.Linear`` for ``nn.Linear``.

    If the file itself binds the first part, the result begins with a dot: ``.b`` for ``a.b``.
    """
    root, point, rest = name.partition(".")
    return f"{imported_names(tree).get(root, root)}{point}{rest}"


def short_name(tree: ast.Module, func: ast.expr) -> str:
    """Return the last part of a called name: ``Sequential`` for ``nn.Sequential``, and for ``Seq`` if the file imports
    it under this name; empty for other expressions and for what the file itself defines.
    """
    if isinstance(func, ast.Attribute):
        return func.attr
    return full_name(tree, func.id).rpartition(".")[2] if isinstance(func, ast.Name) else ""


def names_read(node: ast.AST) -> Iterator[str]:
    """Yield the names that a statement reads, in source order."""
    found = [child for child in astwalk.walk(node) if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Load)]
    for child in sorted(found, key=lambda name: (name.lineno, name.col_offset)):
        yield child.id


def variables(function: FunctionNode) -> frozenset[str]:
    """Return the parameters of a function, and all names that are assigned in it, also in nested scopes."""
    return astwalk.bound(function).union(each.arg for each in [*function.args.args, *function.args.kwonlyargs])


def deleted_above(function: ast.AST, name: str, row: int) -> bool:
    """Return whether a ``del`` of a name comes before a row of a function."""
    return any(
        isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Del) and each.lineno < row
        for each in astwalk.walk(function)
    )


@astwalk.kept
def module_names(tree: ast.Module) -> frozenset[str]:
    """Return the names that a file's top level binds outside its blocks, and ``torch``."""
    known = {"torch"}
    for statement in tree.body:
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            known.add(statement.name)
        elif isinstance(statement, (ast.Import, ast.ImportFrom)):
            known.update((alias.asname or alias.name).partition(".")[0] for alias in statement.names)
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
            known |= astwalk.bound(statement)
    return frozenset(known)
