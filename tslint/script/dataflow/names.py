"""What the names of a file stand for, and which of them a statement reads."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint import walking


@walking.kept
def imported_names(tree: ast.Module) -> dict[str, str]:
    """What the names of a file's top level are imports of, by their full names; empty for what is none.

    ``import torch`` is left out: such a name is its own full name.
    """
    found: dict[str, str] = {}
    for each in tree.body:
        if isinstance(each, ast.Import):
            found.update({alias.asname: alias.name for alias in each.names if alias.asname})
        elif isinstance(each, ast.ImportFrom):
            module = f"{'.' * each.level}{each.module or ''}"
            found.update({alias.asname or alias.name: f"{module}.{alias.name}" for alias in each.names})
        elif isinstance(each, (ast.FunctionDef, ast.ClassDef)):
            found[each.name] = ""
        else:
            found.update(dict.fromkeys(walking.bound(each), ""))
    return found


def full_name(tree: ast.Module, name: str) -> str:
    """The full name of what a dotted name of a file stands for: ``nn.Linear`` → ``torch.nn.Linear``.

    What the file binds itself begins with a point.
    """
    root, point, rest = name.partition(".")
    return f"{imported_names(tree).get(root, root)}{point}{rest}"


def names_read(node: ast.AST) -> Iterator[str]:
    """The names that a statement reads, in the order of the text."""
    found = [child for child in walking.walk(node) if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Load)]
    for child in sorted(found, key=lambda name: (name.lineno, name.col_offset)):
        yield child.id
