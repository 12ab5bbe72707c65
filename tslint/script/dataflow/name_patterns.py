"""Reads the constant parts of names that code computes: ``setattr(self, f"layer{i}", …)``."""

from __future__ import annotations

import ast


def pattern_of(name: ast.expr | None) -> tuple[str, str]:
    """Return the prefix and suffix of a computed name, as far as they are literal."""
    if isinstance(name, ast.JoinedStr) and name.values:
        ends = [each.value if isinstance(each, ast.Constant) else "" for each in (name.values[0], name.values[-1])]
        return str(ends[0]), str(ends[1])
    if isinstance(name, ast.BinOp) and isinstance(name.left, ast.Constant) and isinstance(name.left.value, str):
        return (name.left.value.partition("%")[0] if isinstance(name.op, ast.Mod) else name.left.value), ""
    if isinstance(name, ast.Call) and isinstance(name.func, ast.Attribute) and name.func.attr == "format":
        text = name.func.value
        if isinstance(text, ast.Constant) and isinstance(text.value, str):
            return text.value.partition("{")[0], ""
    return "", ""
