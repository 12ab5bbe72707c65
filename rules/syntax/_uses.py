"""What a function does with a parameter, against the type that somebody wants to give it."""

from __future__ import annotations

import ast
import re

from tslint import walking

_PLAIN: dict[str, type] = {
    "Tuple": tuple,
    "List": list,
    "Dict": dict,
    "int": int,
    "float": float,
    "bool": bool,
    "str": str,
    "complex": complex,
}


def can_be(function: ast.FunctionDef | ast.AsyncFunctionDef, name: str, type_: str) -> bool:
    """Whether a parameter of a type has all the attributes that its function asks of it.

    What one caller passes says little of a function that other callers give something else: one that calls
    ``x.transpose`` does not mean a tuple.
    """
    inner = re.fullmatch(r"Optional\[(.*)\]", type_)
    kind = _PLAIN.get((inner[1] if inner else type_).partition("[")[0])
    if kind is None:
        return True
    return all(
        hasattr(kind, node.attr)
        for node in walking.walk(function)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name
    )
