"""Finds attributes that a method only reads after it has set them itself, so that a variable could hold the value."""

from __future__ import annotations

import ast
from itertools import pairwise
from typing import NamedTuple

from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.liveness import defined_before
from tslint.script.dataflow.outlines import block_of
from tslint.script.dataflow.scopes import bound_times
from tslint.script.dataflow.stores import file_facts
from tslint.util import astwalk

_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_PAUSES = (ast.Yield, ast.YieldFrom, ast.Await)
_LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue)
_LOOKUPS = ("__setattr__", "__getattribute__", "__delattr__")
_LOCAL = "_value_of_the_attribute"


class OwnValue(NamedTuple):
    """The uses of an attribute in a function that sets it.

    Args:
        stores: the targets of assignments.
        reads: the expressions after them that read the attribute.
    """

    stores: list[ast.Attribute]
    reads: list[ast.Attribute]


def own_value(tree: ast.Module, owner: ast.ClassDef, function: FunctionNode, name: str) -> OwnValue | None:
    """Return where a method uses an attribute; None if it may read a value that it has not stored itself.

    Args:
        tree: the tree of the file.
        owner: the class of the method.
        function: the method.
        name: the attribute.
    """
    if not function.args.args:
        return None
    itself = function.args.args[0].arg
    found = OwnValue([], [])
    for node in astwalk.walk(function):
        if isinstance(node, _PAUSES) or (isinstance(node, _INNER) and node is not function and _mentions(node, name)):
            return None
        if isinstance(node, ast.Attribute) and node.attr == name and astwalk.is_name(node.value, itself):
            if isinstance(node.ctx, ast.Load):
                found.reads.append(node)
            elif _is_assigned(tree, node):
                found.stores.append(node)
            else:
                return None
    if not found.stores or itself in astwalk.bound(function):
        return None
    if found.reads and (_may_change(tree, owner, function, name) or not _are_stored_first(function, itself, name)):
        return None
    return found


def is_overwritten(tree: ast.Module, store: ast.Attribute, found: OwnValue) -> bool:
    """Return whether another assignment always follows the given one before the method returns. Methods that are called
    in between may still read the value.
    """
    above = astwalk.parents(tree)
    if any(isinstance(each, (ast.Try, ast.With)) and not _only_torch(each) for each in astwalk.around(tree, store)):
        return False  # an exception in between may not leave the method
    others = [above[each] for each in found.stores if each is not store]
    current = above[store]
    while isinstance(current, ast.stmt) and not isinstance(current, _INNER):
        block = block_of(tree, current) or [current]
        for each in block[block.index(current) :]:
            if each in others:
                return True
            if any(isinstance(part, _LEAVING) for part in astwalk.walk(each)):
                return False
        current = above[current]
    return False


def _only_torch(node: ast.Try | ast.With) -> bool:
    """Return whether a statement is a ``with`` whose contexts are those of torch, which catch nothing."""
    return isinstance(node, ast.With) and all(ast.unparse(each).startswith("torch.") for each in node.items)


def named_below(function: FunctionNode, found: OwnValue) -> ast.Assign | None:
    """Return the statement directly below the only assignment to the attribute, if it copies the value to a new
    variable. Return None if anything else reads the attribute.
    """
    for stored, named in pairwise(function.body):
        if not isinstance(named, ast.Assign) or not isinstance(stored, ast.Assign):
            continue
        if stored.targets != found.stores or [named.value] != found.reads or not isinstance(named.targets[0], ast.Name):
            continue
        uses = astwalk.mentions(function).get(named.targets[0].id, ())
        others = [each for each in uses if not isinstance(each, ast.Attribute)]
        new = all(isinstance(each, ast.Name) and each.lineno >= named.lineno for each in others)
        return named if new and len(named.targets) == 1 else None
    return None


def _is_assigned(tree: ast.Module, target: ast.expr) -> bool:
    """Return whether an expression is the only target of a plain assignment, or an element of that target."""
    above = astwalk.parents(tree)
    around = above[target]
    whole = around if isinstance(around, ast.Tuple) else target
    found = above[whole]
    return isinstance(found, ast.Assign) and len(found.targets) == 1 and found.targets[0] is whole


def _may_change(tree: ast.Module, owner: ast.ClassDef, function: FunctionNode, name: str) -> bool:
    """Return whether other code may set the attribute between two statements of a method, or change what it holds."""
    facts = file_facts(tree)
    line = facts.line(owner)
    if line is None or facts.is_set_by_name(name, facts.related(owner)):
        return True
    related = facts.related(owner)
    methods = [each for kind in related for each in kind.body if isinstance(each, FunctionNode)]
    if any(each.name in (*_LOOKUPS, name) for each in methods) or _calls_itself(function):
        return True
    stores = [each for each in facts.stores.get(name, ()) if each.function is not function]
    return any(not each.own or any(each.owner is kind for kind in related) for each in stores)


def _mentions(node: ast.AST, name: str) -> bool:
    return any(isinstance(each, ast.Attribute) and each.attr == name for each in astwalk.walk(node))


def _calls_itself(function: FunctionNode) -> bool:
    """Return whether a method calls itself, or its module, and so may set the attribute again."""
    itself = function.args.args[0].arg
    called = [each.func for each in astwalk.walk(function) if isinstance(each, ast.Call)]
    return any(
        astwalk.is_name(each, itself) or (isinstance(each, ast.Attribute) and each.attr == function.name)
        for each in called
    )


def _are_stored_first(function: FunctionNode, itself: str, name: str) -> bool:
    """Return whether an assignment comes before each read on every path, so that a variable instead of the attribute
    would always have a value there.
    """
    tree = ast.parse(ast.unparse(function))
    copy = tree.body[0]
    for each in [*ast.walk(copy)]:
        for field, value in [*ast.iter_fields(each)]:
            if isinstance(value, list):
                value[:] = [_local(item, itself, name) for item in value]
            else:
                setattr(each, field, _local(value, itself, name))
    above = astwalk.parents(tree)
    for each in astwalk.walk(copy):
        if astwalk.is_name(each, _LOCAL) and isinstance(getattr(each, "ctx", None), ast.Load):
            statement: ast.AST = each
            while not isinstance(statement, ast.stmt):
                statement = above[statement]
            if _LOCAL not in defined_before(tree, statement):
                return False
    return True


def _local(node: object, itself: str, name: str) -> object:
    if isinstance(node, ast.Attribute) and node.attr == name and astwalk.is_name(node.value, itself):
        return ast.copy_location(ast.Name(_LOCAL, node.ctx), node)
    return node


def stored_parameter(function: FunctionNode, found: OwnValue) -> str:
    """Return the parameter that a method stores in an attribute, if that is the only value of the attribute, and the
    method never rebinds the parameter; empty if there is none.
    """
    around = astwalk.parents(function).get(found.stores[0]) if len(found.stores) == 1 else None
    if not isinstance(around, ast.Assign) or len(around.targets) != 1 or not isinstance(around.value, ast.Name):
        return ""
    name, spec = around.value.id, function.args
    given = {each.arg for each in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)}
    return name if name in given and bound_times(function, name) == 1 else ""
