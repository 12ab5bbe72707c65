"""Finds tuples that are only passed to torch as sizes or dimensions, so that a list could replace them."""

from __future__ import annotations

import ast

from tslint.script.dataflow.arrays import may_be_for_array
from tslint.script.dataflow.scopes import bound_times, function_around, is_needed_elsewhere
from tslint.script.dataflow.taken import taken
from tslint.util import astwalk
from tslint.util.record import record


@record
class Sizes:
    """Tuples whose sum is only used as sizes.

    Args:
        parts: the calls of ``tuple`` and the literals.
        for_array: whether the sum may be passed to a method of a NumPy array, which may not accept a list.
    """

    parts: list[ast.expr]
    for_array: bool


def only_sizes(tree: ast.Module, node: ast.expr) -> Sizes | None:
    """Return a tuple of unknown length and the tuples that are added to it, if their sum is only used as sizes.

    Args:
        tree: the tree of the file.
        node: a call of ``tuple``, or a tuple with a star in it.

    Returns:
        None if a part is something else, or if the sum is used in another way than as an argument for a list of ints,
        or for its length or its elements.
    """
    whole = _sum_around(tree, node)
    parts, used = _added(whole), _uses(tree, whole)
    if not all(_is_tuple(each) for each in parts) or not all(_is_size(tree, each) for each in used):
        return None
    calls = [above for each in used if isinstance(above := _call(tree, each), ast.Call)]
    return Sizes(parts, any(may_be_for_array(tree, each) for each in calls))


def is_index(tree: ast.Module, node: ast.expr) -> bool:
    """Return whether a tuple, or its sum with others, is an index somewhere: a list there selects rows instead."""
    parents = astwalk.parents(tree)
    for each in _uses(tree, _sum_around(tree, node)):
        above = parents.get(each)
        if isinstance(above, ast.Subscript) and above.slice is each:
            return True
    return False


def _sum_around(tree: ast.Module, node: ast.expr) -> ast.expr:
    parents = astwalk.parents(tree)
    while isinstance(above := parents.get(node), ast.BinOp) and isinstance(above.op, ast.Add):
        node = above
    return node


def _call(tree: ast.Module, node: ast.AST) -> ast.AST | None:
    """Return the call of which a node is an argument, with or without a keyword. If the node is no argument, return its
    parent, or None if it has none.
    """
    parents = astwalk.parents(tree)
    above = parents.get(node)
    return parents.get(above) if isinstance(above, ast.keyword) else above


def _added(node: ast.expr) -> list[ast.expr]:
    return [*_added(node.left), *_added(node.right)] if isinstance(node, ast.BinOp) else [node]


def _is_tuple(node: ast.expr) -> bool:
    if isinstance(node, ast.Tuple):
        return bool(node.elts)
    named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "tuple"
    return named and isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords


def _uses(tree: ast.Module, node: ast.expr) -> list[ast.expr]:
    """Return the places where a value is used: those that mention the variable to which it is assigned, else itself."""
    above, function = astwalk.parents(tree).get(node), function_around(tree, node)
    target = above.targets[0] if isinstance(above, ast.Assign) and len(above.targets) == 1 else None
    if function is None or not isinstance(target, ast.Name):
        return [node]
    if bound_times(function, target.id) != 1 or is_needed_elsewhere(function, target.id):
        return [node]
    named = (each for each in astwalk.walk(function) if isinstance(each, ast.Name) and each.id == target.id)
    return [each for each in named if each is not target]


def _is_size(tree: ast.Module, node: ast.expr) -> bool:
    """Return whether a list could replace a tuple, and compiles: torch takes a list of ints, or only its length or its
    elements are read.
    """
    parents = astwalk.parents(tree)
    above = parents.get(node)
    if isinstance(above, ast.Subscript):
        return above.value is node and isinstance(above.ctx, ast.Load) and not isinstance(above.slice, ast.Slice)
    if isinstance(above, ast.Starred):
        return isinstance(parents.get(above), ast.Call)
    keyword = above.arg if isinstance(above, ast.keyword) else None
    call = _call(tree, node)
    if not isinstance(call, ast.Call) or call.func is node or (call is not above and keyword is None):
        return False
    func = call.func
    if isinstance(func, ast.Name) and func.id == "len":
        return True
    if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Attribute) and _is_self(func.value.value):
        return False  # a method of a submodule
    return not taken(tree, call, node, keyword).isdisjoint(["List[int]", "one"])


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"
