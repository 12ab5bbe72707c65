"""Keeps what an analysis of several files knows about the base classes that a file imports."""

from __future__ import annotations

import ast

from tslint.util import astwalk


@astwalk.kept
def stateless_bases(tree: ast.Module) -> set[str]:
    """Return the bases of a file's classes that are defined in other files and store nothing in their instances, as the
    file writes them. An analysis of several files fills the set.
    """
    return set()
