"""Lists the types that functions of torch accept for an argument, in all overloads."""

from __future__ import annotations

import ast

from tslint.script.dataflow.shallow import called_schemas
from tslint.script.operators.accepted import accepted


def taken(tree: ast.Module, call: ast.Call, node: ast.AST, keyword: str | None) -> set[str]:
    """Return the types that functions of torch accept for an argument of a call.

    They include ``one`` next to ``int`` if the argument is a list that a single int can fill (``int[2]``).
    """
    found, hidden = called_schemas(tree, call)
    return accepted(found, call, node, keyword, hidden)
