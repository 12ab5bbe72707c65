"""Decides whether a tensor of compiled code may be an array of numpy in Python: nothing checks what callers pass for a
parameter without annotation, and both have many methods of the same names.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.evaluation import evaluated
from tslint.script.dataflow.local_bindings import is_parameter
from tslint.script.dataflow.outlines import block_of
from tslint.script.dataflow.scopes import function_around
from tslint.script.dataflow.shallow import full_name
from tslint.script.dataflow.stores import file_facts
from tslint.script.dataflow.taken import taken
from tslint.script.operators.tables import table
from tslint.util import astwalk

_OF_BOTH = frozenset(
    """
    all any argmax argmin argsort clip conj cumprod cumsum data device diagonal dot dtype flatten imag item itemsize mT
    max mean min nbytes ndim nonzero prod put ravel real repeat reshape resize round shape size sort squeeze std sum
    swapaxes take tolist trace transpose T var view
    """.split()
)
"""The members of a tensor that an array has, too."""
# Fixes of these calls need no care for arrays: their `reshape` takes sizes in the same forms, and calls of `size`, or
# of `view` with sizes, raise.
_ALIKE = frozenset(["reshape", "size", "view"])
_OF_TENSORS = frozenset(["dim", "keepdim"])  # keywords
_THROUGH = frozenset(f"torch.nn.{each}" for each in ("Identity", "Sequential", "ModuleList", "ModuleDict", "Module"))


def may_be_for_array(tree: ast.Module, call: ast.Call) -> bool:
    """Return whether a call may run on an array, for which a fix may be wrong: an array's methods take other keywords
    than a tensor's, and no lists of axes.
    """
    func = call.func
    if not isinstance(func, ast.Attribute) or full_name(tree, func) is not None or func.attr in _ALIKE:
        return False
    if any(each.arg in _OF_TENSORS for each in call.keywords):
        return False
    above = astwalk.parents(tree).get(call)
    missing = isinstance(above, ast.Attribute) and _only_of_tensor(above)
    if not missing and _refuses(tree, call):
        return False  # for an array, what the code does with the result raises a TypeError, as the fixed call will
    return func.attr in _OF_BOTH and may_be_array(tree, func.value)


def may_be_array(tree: ast.Module, node: ast.AST, seen: frozenset[str] = frozenset()) -> bool:
    """Return whether an expression, which is a tensor in compiled code, may be an array in Python.

    Args:
        tree: the tree of the file.
        node: the expression.
        seen: variables that the search has already followed; for these, the result is False.
    """
    if isinstance(node, ast.Name):
        return node.id not in seen and _may_hold_array(tree, node, seen | {node.id})
    if isinstance(node, ast.Attribute):
        own = isinstance(node.value, ast.Name) and node.value.id == "self"
        return not own and not _only_of_tensor(node) and may_be_array(tree, node.value, seen)
    if isinstance(node, ast.Call):
        if (full_name(tree, node.func) or "").startswith("torch.") or _is_layer(tree, node.func):
            return False
        if isinstance(node.func, ast.Attribute) and not astwalk.is_name(node.func.value, "self"):
            return not _refuses(tree, node.func) and may_be_array(tree, node.func.value, seen)
        return any(may_be_array(tree, each, seen) for each in (*node.args, *(each.value for each in node.keywords)))
    if isinstance(node, ast.Subscript):
        return may_be_array(tree, node.value, seen)
    if isinstance(node, ast.IfExp):
        return may_be_array(tree, node.body, seen) or may_be_array(tree, node.orelse, seen)
    return any(may_be_array(tree, each, seen) for each in astwalk.children(node))


def _may_hold_array(tree: ast.Module, node: ast.Name, seen: frozenset[str]) -> bool:
    function = function_around(tree, node)
    if function is None:
        return True
    stores = [each for each in _named(function, node.id) if not isinstance(each.ctx, ast.Load)]
    parameter = is_parameter(function, node.id)
    if parameter and not _is_annotated(function, node.id):
        until = min((_statement(tree, each).end_lineno or 0 for each in stores), default=None)
        uses = [each for each in _named(function, node.id) if until is None or each.lineno <= until]
        if not any(_refuses(tree, each) and _comes_first(tree, each, node) for each in uses):
            return True
    values = [_value(function, each) for each in stores]
    return (not parameter and not stores) or any(each is None or may_be_array(tree, each, seen) for each in values)


def _statement(tree: ast.Module, node: ast.AST) -> ast.stmt:
    return next(each for each in astwalk.around(tree, node) if isinstance(each, ast.stmt))


def _named(function: FunctionNode, name: str) -> list[ast.Name]:
    return [each for each in astwalk.mentions(function).get(name, ()) if isinstance(each, ast.Name)]


def _is_annotated(function: FunctionNode, name: str) -> bool:
    spec = function.args
    every = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]
    return any(each.arg == name and each.annotation is not None for each in every) or name == "self"


def _value(function: FunctionNode, target: ast.Name) -> ast.expr | None:
    """Return the expression from which a variable gets its value: ``f()`` in ``a = f()``, ``a, b = f()`` and ``for a in
    f()``. Return None for other bindings, such as ``with``.
    """
    below: ast.AST = target
    for around in astwalk.around(function, target):
        if isinstance(around, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr)):
            return around.value
        if isinstance(around, (ast.For, ast.comprehension)):
            return around.iter if around.target is below else None
        below = around
    return None


def _refuses(tree: ast.Module, node: ast.AST) -> bool:
    """Return whether a use of a value raises for an array: it reads a member that only tensors have, calls a method in
    a form that only tensors accept, or passes the value to a layer, or to a function of torch that needs a Tensor.
    """
    if isinstance(node, ast.Attribute):
        above = astwalk.parents(tree).get(node)
        if not isinstance(above, ast.Call) or above.func is not node:
            return _only_of_tensor(node)
        called = node.attr in ("size", "view") and bool(above.args)
        return called or _only_of_tensor(node) or any(each.arg in _OF_TENSORS for each in above.keywords)
    above = astwalk.parents(tree).get(node)
    if isinstance(above, ast.Attribute):
        return _refuses(tree, above)
    if not isinstance(above, ast.Call) or above.func is node:
        return False
    if _is_layer(tree, above.func):
        return bool(above.args) and above.args[0] is node
    types = taken(tree, above, node, None) if (full_name(tree, above.func) or "").startswith("torch.") else set()
    return bool(types) and all("Tensor" in each for each in types)


def _only_of_tensor(node: ast.Attribute) -> bool:
    return node.attr in table("attributes")["Tensor"] and node.attr not in _OF_BOTH


def _is_layer(tree: ast.Module, node: ast.AST) -> bool:
    """Return whether an expression is an attribute in which only layers of torch are stored."""
    if not isinstance(node, ast.Attribute) or not astwalk.is_name(node.value, "self"):
        return False
    stores = file_facts(tree).stores.get(node.attr, ())
    made = [full_name(tree, each.value.func) or "" if isinstance(each.value, ast.Call) else "" for each in stores]
    return bool(made) and all(each.startswith("torch.nn.") and each not in _THROUGH for each in made)


def _comes_first(tree: ast.Module, use: ast.AST, node: ast.AST) -> bool:
    """Return whether a use is always evaluated before a node, or in the same statement."""
    return any(evaluated(block, use) for block in _before(tree, node))


def _before(tree: ast.Module, node: ast.AST) -> Iterator[list[ast.stmt]]:
    """Yield, for each statement around a node, the statements of its block up to and including that statement."""
    for around in astwalk.around(tree, node):
        if isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return
        block = block_of(tree, around) if isinstance(around, ast.stmt) else None
        if block is not None:
            yield block[: block.index(around) + 1]  # type: ignore[arg-type]
