"""Checks whether an annotation allows the values that were seen; if that is not known, it counts as allowed."""

from __future__ import annotations

import ast

from tslint.annotate.kinds import Count, Kinds, sort_of

# The kinds of values that the compiler accepts for a plain type, after conversion.
_PLAIN = {
    "int": {"int", "bool", "Tensor"},
    "float": {"float", "int", "bool", "Tensor"},
    "bool": {"bool", "Tensor"},
    "complex": {"complex", "float", "int", "Tensor"},
    "str": {"str"},
    "device": {"device", "str"},
}


def allows(annotation: ast.expr, kinds: Kinds) -> bool:
    """Return whether an annotation allows every value that was seen."""
    return all(_allows(annotation, kind, found) for kind, found in kinds.items())


def _allows(node: ast.expr, kind: str, found: Count) -> bool:
    if kind.startswith(("other:", "module:", "class:")):
        return True
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str):
            try:
                return _allows(ast.parse(node.value.strip(), mode="eval").body, kind, found)
            except (SyntaxError, ValueError):
                return True
        return kind == "None" if node.value is None else True
    if isinstance(node, ast.BinOp):
        return _allows(node.left, kind, found) or _allows(node.right, kind, found)
    if isinstance(node, ast.Subscript):
        inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return _generic(_last_name(node.value), list(inner), kind, found)
    name = _last_name(node)
    if name.endswith("Tensor"):
        return kind == "Tensor"
    return kind in _PLAIN[name] if name in _PLAIN else True


def _generic(name: str, inner: list[ast.expr], kind: str, found: Count) -> bool:
    if name == "Optional":
        return kind == "None" or _allows(inner[0], kind, found)
    if name == "Union":
        return any(_allows(part, kind, found) for part in inner)
    if name == "Final":
        return _allows(inner[0], kind, found)
    if name in ("List", "list"):
        if sort_of(kind) == "Size":
            return _allows(inner[0], "int", found)
        return sort_of(kind) in ("List", "Tuple") and all(allows(inner[0], part) for part in found.parts)
    if name in ("Dict", "dict") and len(inner) == 2:
        return kind == "Dict" and all(allows(part, seen) for part, seen in zip(inner, found.parts))
    if name in ("Tuple", "tuple"):
        return _tuple(inner, kind, found)
    return True


def _tuple(inner: list[ast.expr], kind: str, found: Count) -> bool:
    if any(isinstance(part, ast.Constant) and part.value is Ellipsis for part in inner):
        return True
    if kind == f"Size/{len(inner)}":
        return all(_allows(part, "int", found) for part in inner)
    return kind == f"Tuple/{len(inner)}" and all(allows(part, seen) for part, seen in zip(inner, found.parts))


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
