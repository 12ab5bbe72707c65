"""How a file writes its annotations."""

from __future__ import annotations

import ast

from tslint import walking

_BUILTIN = frozenset(["list", "dict", "tuple"])


@walking.kept
def writes_builtin_types(tree: ast.Module) -> bool:
    """Whether an annotation of a file says ``list[int]``, and not ``List[int]``."""
    annotations = (
        getattr(node, field, None) for node in walking.walk(tree) for field in ("annotation", "returns")
    )  # fmt: skip
    return any(
        isinstance(part, ast.Subscript) and isinstance(part.value, ast.Name) and part.value.id in _BUILTIN
        for annotation in annotations
        if annotation is not None
        for part in walking.walk(annotation)
    )
