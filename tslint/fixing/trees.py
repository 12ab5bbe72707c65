"""Caches the parsed trees of intermediate texts during fixing."""

from __future__ import annotations

import ast
from functools import lru_cache

from tslint.project.index import parse
from tslint.util.process_pool import without_collection


@lru_cache(maxsize=8)
def tree_of(text: str) -> ast.Module:
    """The tree of a text; nobody changes it.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: as ``ast.parse`` does.
    """
    with without_collection():
        return parse(text, "<fixed>")
