"""Decides whether all calls of a function are visible, so that its signature can change without breaking a caller."""

from __future__ import annotations

import ast

from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.scopes import module_bindings
from tslint.util import astwalk

_MODULES = frozenset(["nn.Module", "torch.nn.Module", "Module"])


def all_calls_seen(tree: ast.Module, function: FunctionNode) -> bool:
    """Return whether a function is called in this file only, under its own name, and never used as a value.

    Private functions and methods are assumed to be called in this file only. So is ``forward``, if the file itself
    creates all instances of the class, stores them as attributes, and only calls these.
    """
    owner = astwalk.parents(tree).get(function)
    name = function.name
    mentions = astwalk.mentions(tree).get(name, [])
    if function.decorator_list or any(isinstance(each, ast.Constant) for each in mentions):
        return False
    if isinstance(owner, ast.ClassDef):
        if module_bindings(tree).get(owner.name) != 1 or owner.decorator_list or owner.keywords:
            return False
        if name == "forward":
            return _is_closed(tree, owner)
        return is_private(name) and _is_only_method(tree, function)
    if not isinstance(owner, ast.Module) or not is_private(name) or module_bindings(tree).get(name) != 1:
        return False
    uses = [each for each in mentions if isinstance(each, ast.Name)]
    reached = any(isinstance(each, ast.Attribute) for each in mentions)
    return bool(uses) and not reached and all(_is_called(tree, each) for each in uses)


def is_private(name: str) -> bool:
    """Return whether a name belongs to its file: no other file is assumed to use it."""
    return name.startswith("_") and not name.endswith("__")


def _is_called(tree: ast.Module, node: ast.expr) -> bool:
    above = astwalk.parents(tree).get(node)
    return isinstance(above, ast.Call) and above.func is node


def _is_only_method(tree: ast.Module, function: FunctionNode) -> bool:
    """Return whether a method's name is defined only once in the file, and the method is only called on ``self``."""
    mentions = astwalk.mentions(tree).get(function.name, [])
    if any(getattr(each, "name", None) == function.name and each is not function for each in mentions):
        return False
    uses = [each for each in mentions if isinstance(each, ast.Attribute)]
    return bool(uses) and all(
        isinstance(each.value, ast.Name) and each.value.id == "self" and _is_called(tree, each) for each in uses
    )


def _is_closed(tree: ast.Module, owner: ast.ClassDef) -> bool:
    """Return whether the file creates and calls all modules of a class itself."""
    if any(ast.unparse(base) not in _MODULES for base in owner.bases):
        return False
    above = astwalk.parents(tree)
    mentions = astwalk.mentions(tree)
    uses = [each for each in mentions.get(owner.name, ()) if isinstance(each, ast.Name)]
    kept: set[str] = set()
    for use in uses:
        made = above.get(use)
        if not isinstance(made, ast.Call) or made.func is not use:
            if isinstance(made, ast.Call) and ast.unparse(made.func) == "super" and made.args[:1] == [use]:
                continue  # `super(Net, self)` does not create an instance
            return False
        around = above.get(made)
        target = around.targets[0] if isinstance(around, ast.Assign) and len(around.targets) == 1 else None
        if not isinstance(target, ast.Attribute) or ast.unparse(target.value) != "self":
            return False
        kept.add(target.attr)
    named = [each for name in sorted(kept) for each in mentions.get(name, ())]
    attributes = [each for each in named if isinstance(each, ast.Attribute)]
    called = [each for each in attributes if isinstance(each.ctx, ast.Load) and _is_called(tree, each)]
    stored = [each for each in attributes if isinstance(each.ctx, ast.Store)]
    spelled = any(isinstance(each, ast.Constant) for each in named)
    return bool(called) and len(called) + len(stored) == len(attributes) and not spelled
