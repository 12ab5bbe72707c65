"""Lists the types that functions of torch accept for an argument, in all overloads."""

from __future__ import annotations

import ast

from tslint.script.dataflow.shallow import called_schemas, full_name
from tslint.script.operators.accepted import accepted


def taken(tree: ast.Module, call: ast.Call, node: ast.AST, keyword: str | None) -> set[str]:
    """Return the types that functions of torch accept for an argument of a call.

    They include ``one`` next to ``int`` if the argument is a list that a single int can fill (``int[2]``).
    """
    found, hidden = called_schemas(tree, call)
    if (full_name(tree, call.func) or "").startswith("torch."):
        # The compiler also has `exp(float)`, for `math.exp`; Python's `torch.exp` takes no number.
        of_tensors = [each for each in found if any("Tensor" in str(one.type) for one in each.arguments)]
        found = [each for each in found if each in of_tensors or "Tensor" in str(each.returns)] if of_tensors else found
    return accepted(found, call, node, keyword, hidden)
