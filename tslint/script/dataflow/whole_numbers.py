"""Finds expressions that are ints in Python: either with certainty, or although the compiler treats them as floats."""

from __future__ import annotations

import ast

from tslint.script.dataflow.index_proofs import is_proven, place_of
from tslint.script.dataflow.indices import Place
from tslint.script.dataflow.instance_stores import instance_stores
from tslint.script.dataflow.local_bindings import is_parameter, only_value
from tslint.script.dataflow.methods import itself
from tslint.script.dataflow.plain_types import is_size
from tslint.script.dataflow.scopes import bound_times, function_around, module_bindings, peeps
from tslint.script.dataflow.shallow import full_name
from tslint.script.dataflow.sure_stores import always_evaluated, surely
from tslint.util import astwalk

_MOST = 3
# Layers whose first two arguments are numbers of features.
_LAYERS = frozenset(f"torch.nn.{each}" for each in ("Linear", "Embedding", "Conv1d", "Conv2d", "Conv3d"))


def certain_int(node: ast.AST, place: Place | None = None) -> bool:
    """Return whether an expression is always an int in Python: sizes, lengths, and values that are computed from them.

    Args:
        node: the expression.
        place: its place in a method, so that the variables of loops over ranges are known.
    """
    if isinstance(node, ast.Constant):
        return type(node.value) is int
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, (ast.USub, ast.UAdd)) and certain_int(node.operand, place)
    if isinstance(node, ast.BinOp):
        if isinstance(node.op, ast.Pow):
            exponent = node.right.value if isinstance(node.right, ast.Constant) else None
            small = type(exponent) is int and 0 <= exponent <= _MOST
            counted = place is not None and certain_int(node.right, place) and place.is_counted(node.right)
            return certain_int(node.left, place) and (small or counted)
        kept = isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod))
        return kept and certain_int(node.left, place) and certain_int(node.right, place)
    if isinstance(node, ast.Name):
        return place is not None and is_proven(place, place.value(node))
    if not isinstance(node, ast.Call) or node.keywords:
        return False
    if isinstance(node.func, ast.Name):
        return node.func.id in ("len", "int") and len(node.args) == 1
    if not isinstance(node.func, ast.Attribute):
        return False
    sized = node.func.attr == "size" and len(node.args) == 1 and isinstance(node.args[0], (ast.Constant, ast.UnaryOp))
    return sized or (node.func.attr in ("dim", "numel") and not node.args)


def is_count(tree: ast.Module, node: ast.AST) -> bool:
    """Return whether an expression is certainly an int that is not negative: a size, a length, a variable that is only
    bound to one, or the number of a layer's features.
    """
    function = function_around(tree, node)
    if isinstance(node, ast.Attribute):
        return _counts_features(tree, node)
    if isinstance(node, ast.Name) and function is not None:
        if is_parameter(function, node.id) or peeps(function) or bound_times(function, node.id) != 1:
            return False
        named = (each for each in astwalk.walk(function) if isinstance(each, ast.Name) and each.id == node.id)
        target = next(each for each in named if isinstance(each.ctx, ast.Store))
        value = only_value(function, target)
        return value is not None and not isinstance(value, ast.Name) and is_count(tree, value)
    if isinstance(node, ast.Subscript) and is_size(node.value):
        return not isinstance(node.slice, (ast.Slice, ast.Tuple))
    called = node.func if isinstance(node, ast.Call) else None
    return called is not None and getattr(called, "id", "len") == "len" and certain_int(node)


def _counts_features(tree: ast.Module, node: ast.Attribute) -> bool:
    """Return whether an attribute stores a parameter that the constructor always passes to a layer as a size. Layers
    only accept an int that is not negative as a size.
    """
    place = place_of(tree, node)
    if place is None or not astwalk.is_name(node.value, itself(place.function)):
        return False
    stores = instance_stores(place.bounds.facts, place.bounds.owner, node.attr) or []
    made, value = (stores[0].function, stores[0].value) if len(stores) == 1 and surely(stores[0]) else (None, None)
    if made is None or not isinstance(value, ast.Name) or value.id in astwalk.bound(made):
        return False
    return any(
        full_name(tree, call.func) in _LAYERS
        and any(astwalk.is_name(each, value.id) for each in call.args[:2])
        and always_evaluated(made, call)
        for call in astwalk.of_kind(made, ast.Call)
    )


def is_rounded(tree: ast.Module, node: ast.AST) -> bool:
    """Return whether an expression is a number that ``round`` rounds to an int in Python."""
    called = isinstance(node, ast.Call) and not node.keywords and len(node.args) == 1
    if not called or not isinstance(node.func, ast.Name) or node.func.id != "round":  # type: ignore[attr-defined]
        return False
    return "round" not in module_bindings(tree) and _is_number(tree, node.args[0])  # type: ignore[attr-defined]


def _is_number(tree: ast.Module, node: ast.expr) -> bool:
    """Return whether an expression is certainly an int or a float in Python."""
    if isinstance(node, ast.Constant):
        return type(node.value) in (int, float)
    if isinstance(node, ast.BinOp):
        kept = isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv))
        return kept and _is_number(tree, node.left) and _is_number(tree, node.right)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "float":
        return True
    function = function_around(tree, node)
    if isinstance(node, ast.Name) and isinstance(function, ast.FunctionDef):
        stores = [each for each in astwalk.of_kind(function, ast.Assign) if node.id in astwalk.bound(each)]
        alone = len(stores) == 1 and not is_parameter(function, node.id) and isinstance(stores[0].targets[0], ast.Name)
        bound = [each for each in astwalk.walk(function) if isinstance(each, ast.Name) and each.id == node.id]
        return alone and sum(not isinstance(each.ctx, ast.Load) for each in bound) == 1 and certain_int(stores[0].value)
    return certain_int(node)


def whole_in_python(node: ast.AST) -> bool:
    """Return whether Python returns an int where the compiler returns a float: for powers and roundings."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("int", "len"):
        return False  # these are ints in TorchScript, too
    inner = astwalk.walk(node)
    rounds = [each.func for each in inner if isinstance(each, ast.Call)]
    names = {getattr(func, "attr", getattr(func, "id", "")) for func in rounds}
    powers = any(isinstance(each, ast.BinOp) and isinstance(each.op, ast.Pow) for each in inner)
    powers = powers or any(isinstance(func, ast.Name) and func.id == "pow" for func in rounds)
    divides = any(isinstance(each, ast.BinOp) and isinstance(each.op, ast.Div) for each in inner)
    return bool(names & {"round", "floor", "ceil"}) or (powers and not divides)
