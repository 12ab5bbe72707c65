"""Reads the constant parts of names that code computes: ``setattr(self, f"layer{i}", …)``."""

from __future__ import annotations

import ast

from tslint.util import astwalk

_BY_NAME = frozenset("getattr setattr hasattr delattr attrgetter methodcaller vars __dict__ __getattr__".split())


def pattern_of(name: ast.AST | None) -> tuple[str, str]:
    """Return the prefix and suffix of a computed name, as far as they are literal."""
    if isinstance(name, ast.JoinedStr) and name.values:
        ends = [each.value if isinstance(each, ast.Constant) else "" for each in (name.values[0], name.values[-1])]
        return str(ends[0]), str(ends[1])
    if isinstance(name, ast.BinOp):
        if isinstance(name.op, ast.Mod):
            return _text(name.left).partition("%")[0], ""
        if isinstance(name.op, ast.Add):
            return _text(name.left) or pattern_of(name.left)[0], _text(name.right)
    if isinstance(name, ast.Call) and isinstance(name.func, ast.Attribute) and name.func.attr == "format":
        return _text(name.func.value).partition("{")[0], ""
    return "", ""


def _text(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def may_be_computed(tree: ast.Module, name: str) -> bool:
    """Return whether a file may read or set an attribute by a name that it computes: for ``_relu_act``,
    ``getattr(self, f"_{kind}_act")``. Names of which no part is written match all attributes, and do not count.
    """
    return any(name.startswith(start) and name.endswith(end) for start, end in _patterns(tree))


@astwalk.kept
def _patterns(tree: ast.Module) -> list[tuple[str, str]]:
    if _BY_NAME.isdisjoint(astwalk.mentions(tree)):
        return []
    written = (*astwalk.of_kind(tree, ast.JoinedStr, ast.BinOp), *astwalk.of_kind(tree, ast.Call))
    texts = [pattern_of(each) for each in written]
    return [each for each in texts if each != ("", "")]
