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
# An attribute whose name begins so already has a name for a bool.
_SAYS_YES_OR_NO = ("use_", "uses_", "is_", "has_", "with_", "do_", "apply_", "enable_")


def worded(test: ast.expr) -> str:
    """Return a name for the result of a test: ``_stride_is_2`` for ``self.stride == 2``."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        left, right = _word(test.left), _word(test.comparators[0])
        name = f"_{left}_{_OPERATORS[type(test.ops[0])]}_{right}"
    elif isinstance(test, ast.Attribute):
        word = test.attr.strip("_")
        name = f"_{word}" if word == test.attr and word.startswith(_SAYS_YES_OR_NO) else f"_has_{word}"
    else:
        parts = [part for part in astwalk.walk(test) if isinstance(part, (ast.Attribute, ast.Constant))]
        name = "_" + "_".join(map(_word, parts))
    return name[:48].rstrip("_") if len(name) > 1 else "_decided"


def _word(node: ast.AST) -> str:
    text = ast.unparse(node).replace("self.", "").replace(".", "_")
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        text = text.replace("-", "minus_")
    return re.sub(r"\W+", "_", text).strip("_").lower() or "it"
