"""Caches the trees of files' texts while fixes are made and tried."""

from __future__ import annotations

import ast

from tslint.project.trees import KNOWN, parse
from tslint.util import astwalk
from tslint.util.process_pool import without_collection

_MOST = 8_000_000  # the total number of characters of the texts whose trees are kept
_trees = KNOWN


def tree_of(text: str) -> ast.Module:
    """Return the tree of a text, which callers must not change.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: as ``ast.parse`` does.
    """
    tree = _trees.pop(text, None)
    if tree is None:
        with without_collection():
            tree = parse(text, "<fixed>")
    _trees[text] = tree  # keep the new tree, and drop the oldest ones
    size = sum(map(len, _trees))
    while size > _MOST and len(_trees) > 2:
        oldest = next(iter(_trees))
        size -= len(oldest)
        astwalk.forget(_trees.pop(oldest))
    return tree
