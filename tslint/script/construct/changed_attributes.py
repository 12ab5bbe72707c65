"""Lists the attributes that a file sets on objects other than ``self``. Code may replace them after the constructor has
run: ``self.block.drop = nn.Identity()``, ``layer.p = 0.5``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.script.construct.aliases import GROWING
from tslint.script.construct.frame import beginning
from tslint.util import astwalk

ADDING = ("add_module", "register_module", "__setitem__")


@astwalk.kept
def changed_attributes(tree: ast.Module) -> frozenset[str]:
    """Return the attributes that a file sets on objects other than ``self``, or whose items it sets on any object."""
    return frozenset(_changed(tree))


def _changed(tree: ast.Module) -> Iterator[str]:
    for node in astwalk.of_kind(tree, ast.Attribute):
        if isinstance(node.ctx, (ast.Store, ast.Del)) and not astwalk.is_name(node.value, "self"):
            yield node.attr
    for item in astwalk.of_kind(tree, ast.Subscript):
        if isinstance(item.ctx, (ast.Store, ast.Del)) and isinstance(item.value, ast.Attribute):
            yield item.value.attr
    for call in astwalk.of_kind(tree, ast.Call):
        if astwalk.is_name(call.func, "setattr") and len(call.args) == 3 and isinstance(call.args[1], ast.Constant):
            yield str(call.args[1].value)


@astwalk.kept
def filled_later(tree: ast.Module) -> frozenset[str]:
    """Return the attributes whose lists, dicts or containers a file changes outside of constructors."""
    places = [each for each in astwalk.of_kind(tree, ast.Subscript) if not isinstance(each.ctx, ast.Load)]
    methods = [call.func for call in astwalk.of_kind(tree, ast.Call) if isinstance(call.func, ast.Attribute)]
    filled = [each.value for each in places] + [m.value for m in methods if m.attr in GROWING or m.attr in ADDING]
    return frozenset(
        each.attr for each in filled if isinstance(each, ast.Attribute) and not _in_constructor(tree, each)
    )


@astwalk.kept
def computed_beginnings(tree: ast.Module) -> frozenset[str]:
    """Return the constant beginnings of attribute names that a file computes outside of constructors: ``layer`` for
    ``setattr(net, f"layer{i}", value)``.
    """
    return frozenset(
        beginning(call.args[1])
        for call in astwalk.of_kind(tree, ast.Call)
        if astwalk.is_name(call.func, "setattr")
        and len(call.args) == 3
        and not isinstance(call.args[1], ast.Constant)
        and not _in_constructor(tree, call)
        and not _names_child(tree, call)
    )


def _in_constructor(tree: ast.Module, call: ast.AST) -> bool:
    return any(isinstance(each, ast.FunctionDef) and each.name == "__init__" for each in astwalk.around(tree, call))


def _names_child(tree: ast.Module, call: ast.Call) -> bool:
    """Return whether a ``setattr`` gets the name from a loop such as ``for name, child in net.named_children()``: then
    it replaces a module or tensor, and not None.
    """
    loops = (each for each in astwalk.around(tree, call) if isinstance(each, ast.For))
    return isinstance(call.args[1], ast.Name) and any(
        isinstance(loop.iter, ast.Call)
        and isinstance(loop.iter.func, ast.Attribute)
        and loop.iter.func.attr.startswith("named_")
        and any(astwalk.is_name(each, call.args[1].id) for each in astwalk.walk(loop.target))
        for loop in loops
    )
