"""Lists the types that functions and layers of torch accept for an argument, in all overloads."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tslint.script.dataflow.instance_stores import instance_stores
from tslint.script.dataflow.shallow import called_schemas, full_name
from tslint.script.dataflow.stores import file_facts
from tslint.script.operators.accepted import accepted
from tslint.script.operators.modules import module_class
from tslint.script.operators.schema import Schema
from tslint.util import astwalk


def taken(tree: ast.Module, call: ast.Call, node: ast.AST, keyword: str | None) -> set[str]:
    """Return the types that the called function of torch accepts for an argument; for a call of a layer of torch, the
    types that its ``forward`` accepts.

    If a single int can stand for a list (``int[2]``), they include ``int`` and ``one``.
    """
    found, hidden = called_schemas(tree, call)
    if not found and (layer := _forward_of(tree, call)):
        found, hidden = layer, 1
    if (full_name(tree, call.func) or "").startswith("torch."):
        # The compiler also has `exp(float)`, for `math.exp`; Python's `torch.exp` takes no number.
        of_tensors = [each for each in found if any("Tensor" in str(one.type) for one in each.arguments)]
        found = [each for each in found if each in of_tensors or "Tensor" in str(each.returns)] if of_tensors else found
    return accepted(found, call, node, keyword, hidden)


def _forward_of(tree: ast.Module, call: ast.Call) -> Sequence[Schema]:
    """Return the schemas of ``forward`` if a call is one of a layer of ``torch.nn``, as in ``self.rnn(x, state)``."""
    func = call.func
    owner = next((each for each in astwalk.around(tree, call) if isinstance(each, ast.ClassDef)), None)
    if owner is None or not isinstance(func, ast.Attribute) or not astwalk.is_name(func.value, "self"):
        return ()
    made = {
        full_name(tree, store.value.func) if isinstance(store.value, ast.Call) else None
        for store in instance_stores(file_facts(tree), owner, func.attr) or ()
    }
    layer = module_class(made.pop() or "") if len(made) == 1 else None
    return layer.forward if layer is not None and isinstance(layer.forward, tuple) else ()
