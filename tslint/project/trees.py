"""Parses texts, and keeps the trees of those that are analysed again and again."""

from __future__ import annotations

import ast
import warnings

KNOWN: dict[str, ast.Module] = {}
"""The trees of texts that fixes have made, by text: an analysis of the text uses its tree, and what is cached there."""


def parse(text: str, filename: str) -> ast.Module:
    """Run ``ast.parse`` without its warnings about the user's escape sequences.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: as ``ast.parse`` does.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text, filename)
