"""Chooses names for properties that return the results of tests."""

from __future__ import annotations

import ast
import re

from tslint.util import astwalk

_OPERATORS = {
    ast.Eq: "is",
    ast.NotEq: "is_not",
    ast.Lt: "below",
    ast.LtE: "up_to",
    ast.Gt: "above",
    ast.GtE: "from",
    ast.In: "in",
    ast.NotIn: "not_in",
    ast.Is: "is",
    ast.IsNot: "is_not",
}


def worded(test: ast.expr) -> str:
    """Return a name for the result of a test: ``_stride_is_2`` for ``self.stride == 2``."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        left, right = _word(test.left), _word(test.comparators[0])
        name = f"_{left}_{_OPERATORS[type(test.ops[0])]}_{right}"
    elif isinstance(test, ast.Attribute):
        name = f"_has_{test.attr.strip('_')}"
    else:
        parts = [part for part in astwalk.walk(test) if isinstance(part, (ast.Attribute, ast.Constant))]
        name = "_" + "_".join(map(_word, parts))
    return name[:48].rstrip("_") if len(name) > 1 else "_decided"


def _word(node: ast.AST) -> str:
    text = ast.unparse(node).replace("self.", "").replace(".", "_")
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        text = text.replace("-", "minus_")
    return re.sub(r"\W+", "_", text).strip("_").lower() or "it"
