"""Determines how a file writes its annotations, and which names are bound above a row."""

from __future__ import annotations

import ast

from tslint.util import astwalk

_BUILTIN = frozenset(["list", "dict", "tuple"])


@astwalk.kept
def writes_builtin_types(tree: ast.Module) -> bool:
    """Return whether at least one annotation of a file is written ``list[int]`` and not ``List[int]``."""
    annotations: list[ast.expr | None] = [each.annotation for each in astwalk.of_kind(tree, ast.arg, ast.AnnAssign)]
    annotations += [each.returns for each in astwalk.of_kind(tree, ast.FunctionDef, ast.AsyncFunctionDef)]
    return any(
        isinstance(part, ast.Subscript) and isinstance(part.value, ast.Name) and part.value.id in _BUILTIN
        for annotation in annotations
        if annotation is not None
        for part in astwalk.walk(annotation)
    )


def postpones(tree: ast.Module) -> bool:
    """Return whether a file has ``from __future__ import annotations``: then its annotations are strings at run time,
    which the compiler cannot read in class bodies.
    """
    return any(
        isinstance(each, ast.ImportFrom)
        and each.module == "__future__"
        and any(alias.name == "annotations" for alias in each.names)
        for each in tree.body
    )


def bound_names(tree: ast.Module, row: int | None = None) -> set[str]:
    """Return names that the top level of a file certainly binds above a row; without a row, in the whole file."""
    names: set[str] = set()
    for statement in tree.body:
        if row is not None and (statement.end_lineno or 0) >= row:
            break
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            names |= {alias.asname or alias.name.partition(".")[0] for alias in statement.names}
        elif isinstance(statement, (ast.ClassDef, ast.FunctionDef)):
            names.add(statement.name)
        elif isinstance(statement, ast.Assign):
            names |= {target.id for target in statement.targets if isinstance(target, ast.Name)}
    return names
