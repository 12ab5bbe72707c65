"""Joins neighbouring blocks that fixes put under the same test of ``torch.jit.is_scripting()``."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from tslint.fixing.edits import Change
from tslint.fixing.trees import tree_of
from tslint.sources.file import SourceFile
from tslint.util import astwalk

_TESTS = ("torch.jit.is_scripting()", "not torch.jit.is_scripting()")  # their result is the same for both blocks


@lru_cache(maxsize=64)
def joined(before: SourceFile, after: SourceFile) -> list[Change]:
    """Return the changes that join a block with another one before it that has the same test.

    Args:
        before: the file as its author wrote it.
        after: the file with fixes.
    """
    if after.text.count("is_scripting()") < 2:
        return []
    own = _written_pairs(before.text)
    starts, lines = after.lines.starts, list(after.lines)
    headers = [f"if {test}:" for test in _TESTS]
    found: list[Change] = []
    for one, other in sorted(_pairs(tree_of(after.text)), key=lambda pair: pair[0].lineno):
        if (ast.unparse(one), ast.unparse(other)) in own or lines[other.lineno - 1].strip() not in headers:
            continue
        if not one.orelse:
            found.append(Change(starts[other.lineno - 1], starts[other.lineno], ""))
        elif not found or found[-1].end <= starts[one.lineno - 1]:  # of three blocks, the next round joins the third
            first, second = one.orelse[0].lineno - 1, other.orelse[0].lineno - 1
            if lines[first - 1].strip() == lines[second - 1].strip() == "else:":
                parts = [*lines[other.lineno : second - 1], *lines[first - 1 : one.end_lineno]]
                found.append(Change(starts[first - 1], starts[second], "".join(parts)))
    return found


@lru_cache(maxsize=64)
def _written_pairs(text: str) -> frozenset[tuple[str, str]]:
    """Return the blocks that the author has written next to each other."""
    if text.count("is_scripting()") < 2:
        return frozenset()
    return frozenset((ast.unparse(one), ast.unparse(other)) for one, other in _pairs(tree_of(text)))


def _pairs(tree: ast.Module) -> Iterator[tuple[ast.If, ast.If]]:
    """Yield pairs of adjacent blocks that can be joined."""
    for node in {astwalk.parents(tree)[each]: None for each in astwalk.of_kind(tree, ast.If)}:
        for name in ("body", "orelse", "finalbody"):
            statements = getattr(node, name, None)
            for one, other in pairwise(statements if isinstance(statements, list) else ()):
                if isinstance(one, ast.If) and isinstance(other, ast.If) and _alike(one, other):
                    yield one, other


def _alike(one: ast.If, other: ast.If) -> bool:
    """Return whether two statements can be joined: they have the same test, which is in ``_TESTS``; both or neither
    have an ``else``; and there is nothing between them.
    """
    if bool(one.orelse) != bool(other.orelse) or other.lineno != (one.end_lineno or 0) + 1:
        return False
    first, second = one.body[0], other.body[0]
    if one.lineno == first.lineno or second.lineno != other.lineno + 1 or first.col_offset != second.col_offset:
        return False
    tests = [ast.unparse(each.test) for each in (one, other)]
    return tests[0] == tests[1] and tests[0] in _TESTS
