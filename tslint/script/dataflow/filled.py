"""Finds containers of modules that are never empty."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tslint.script.dataflow.names import full_name, short_name
from tslint.script.dataflow.stores import CHANGING, Store, file_facts
from tslint.util import astwalk

_READING = frozenset("bool enumerate isinstance len list print str tuple type zip".split())


def never_empty(tree: ast.Module, attribute: str, stores: Sequence[Store]) -> bool:
    """Return whether a container that is stored in an attribute always contains a module. The attribute may also be
    None.

    Args:
        tree: the tree of the file.
        attribute: the name of the attribute.
        stores: everything that stores it.
    """
    if file_facts(tree).changes.get(attribute) or not all(_is_filled(tree, store.value) for store in stores):
        return False
    reads = [each for each in astwalk.of_kind(tree, ast.Attribute) if isinstance(each, ast.Attribute)]
    return all(_only_reads(tree, each) for each in reads if each.attr == attribute and isinstance(each.ctx, ast.Load))


def _is_filled(tree: ast.Module, value: ast.expr | None) -> bool:
    """Return whether a value is None, or a container with at least one module."""
    if isinstance(value, ast.IfExp):
        return _is_filled(tree, value.body) and _is_filled(tree, value.orelse)
    if not isinstance(value, ast.Call):
        return isinstance(value, ast.Constant) and value.value is None
    name = short_name(tree, value.func)
    given = [each for each in value.args if not isinstance(each, ast.Starred)]
    if name == "Sequential":
        # A single argument may be a dict of modules.
        return len(given) > 1 or any(isinstance(each, ast.Call) and _is_torch(tree, each) for each in given)
    if name == "ModuleList" and given and isinstance(given[0], (ast.List, ast.Tuple)):
        return any(not isinstance(each, ast.Starred) for each in given[0].elts)
    return name == "ModuleDict" and bool(given) and isinstance(given[0], ast.Dict) and any(given[0].keys)


def _is_torch(tree: ast.Module, call: ast.Call) -> bool:
    """Return whether a call creates one of torch's modules."""
    return full_name(tree, ast.unparse(call.func)).startswith("torch.nn.")


def _only_reads(tree: ast.Module, node: ast.expr) -> bool:
    """Return whether a use of a container leaves it as it is: it is called, tested, iterated, indexed, or passed to a
    function such as ``len``.
    """
    around = astwalk.parents(tree).get(node)
    if isinstance(around, ast.Call):
        return around.func is node or (isinstance(around.func, ast.Name) and around.func.id in _READING)
    if isinstance(around, ast.Attribute):
        return around.attr not in CHANGING and not around.attr.startswith("_") and isinstance(around.ctx, ast.Load)
    if isinstance(around, (ast.BoolOp, ast.UnaryOp)):
        return _only_reads(tree, around)
    if isinstance(around, (ast.For, ast.comprehension)):
        return around.iter is node
    if isinstance(around, (ast.If, ast.IfExp, ast.While, ast.Assert)):
        return around.test is node
    return isinstance(around, ast.Compare) or (isinstance(around, ast.Subscript) and isinstance(around.ctx, ast.Load))
