"""What the names of a file stand for, and which of them a function binds and reads."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.script.dataflow.definitions import FunctionNode
from tslint.util import astwalk


@astwalk.kept
def imported_names(tree: ast.Module) -> dict[str, str]:
    """What the names of a file's top level are imports of, by their full names; empty for what is none."""
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
    """The full name of what a dotted name of a file stands for: ``nn.Linear`` → ``torch.nn.Linear``.

    What the file binds itself begins with a point.
    """
    root, point, rest = name.partition(".")
    return f"{imported_names(tree).get(root, root)}{point}{rest}"


def names_read(node: ast.AST) -> Iterator[str]:
    """The names that a statement reads, in the order of the text."""
    found = [child for child in astwalk.walk(node) if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Load)]
    for child in sorted(found, key=lambda name: (name.lineno, name.col_offset)):
        yield child.id


def variables(function: FunctionNode) -> frozenset[str]:
    """The parameters of a function, and all names that are assigned to in it, in scopes inside it too."""
    return astwalk.bound(function).union(each.arg for each in [*function.args.args, *function.args.kwonlyargs])


def deleted_above(function: ast.AST, name: str, row: int) -> bool:
    """Whether a ``del`` of a name stands above a line of a function."""
    return any(
        isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Del) and each.lineno < row
        for each in astwalk.walk(function)
    )


@astwalk.kept
def module_names(tree: ast.Module) -> frozenset[str]:
    """The names that a file's top level binds outside of its blocks, and ``torch``."""
    known = {"torch"}
    for statement in tree.body:
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            known.add(statement.name)
        elif isinstance(statement, (ast.Import, ast.ImportFrom)):
            known.update((alias.asname or alias.name).partition(".")[0] for alias in statement.names)
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
            known |= astwalk.bound(statement)
    return frozenset(known)
