"""Finds attributes that a method only reads after it has set them itself, so that a variable could hold the value."""

from __future__ import annotations

import ast
from typing import NamedTuple

from tslint.script.dataflow.liveness import defined_before
from tslint.script.dataflow.scopes import FunctionNode
from tslint.script.dataflow.stores import file_facts
from tslint.util import astwalk

_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_PAUSES = (ast.Yield, ast.YieldFrom, ast.Await)
_LOOKUPS = ("__setattr__", "__getattribute__", "__delattr__")
_LOCAL = "_value_of_the_attribute"


class OwnValue(NamedTuple):
    """Where a function uses an attribute that it sets.

    Args:
        stores: the assignments.
        reads: the expressions after them that read the attribute.
    """

    stores: list[ast.Assign]
    reads: list[ast.Attribute]


def own_value(tree: ast.Module, owner: ast.ClassDef, function: FunctionNode, name: str) -> OwnValue | None:
    """Return where a method uses an attribute; None if it may read a value that it has not stored itself.

    Args:
        tree: the tree of the file.
        owner: the class of the method.
        function: the method.
        name: the attribute.
    """
    facts = file_facts(tree)
    line = facts.line(owner)
    if line is None or facts.is_set_by_name(name) or not function.args.args:
        return None
    if any(isinstance(each, FunctionNode) and each.name in (*_LOOKUPS, name) for kind in line for each in kind.body):
        return None
    related = facts.related(owner)
    for store in facts.stores.get(name, ()):
        elsewhere = store.own and not any(store.owner is each for each in related)
        if not elsewhere and store.function is not function:
            return None
    itself = function.args.args[0].arg
    found = OwnValue([], [])
    for node in astwalk.walk(function):
        if isinstance(node, _PAUSES) or (isinstance(node, _INNER) and node is not function and _mentions(node, name)):
            return None
        if isinstance(node, ast.Attribute) and node.attr == name and astwalk.is_name(node.value, itself):
            around = astwalk.parents(tree).get(node)
            if isinstance(node.ctx, ast.Load):
                found.reads.append(node)
            elif isinstance(around, ast.Assign) and len(around.targets) == 1 and around.targets[0] is node:
                found.stores.append(around)
            else:
                return None
    if _calls_itself(function, itself) or itself in astwalk.bound(function):
        return None
    return found if found.stores and _are_stored_first(function, itself, name) else None


def _mentions(node: ast.AST, name: str) -> bool:
    return any(isinstance(each, ast.Attribute) and each.attr == name for each in astwalk.walk(node))


def _calls_itself(function: FunctionNode, itself: str) -> bool:
    """Return whether a method calls itself, or its module, and so may set the attribute again."""
    called = [each.func for each in astwalk.walk(function) if isinstance(each, ast.Call)]
    return any(
        astwalk.is_name(each, itself) or (isinstance(each, ast.Attribute) and each.attr == function.name)
        for each in called
    )


def _are_stored_first(function: FunctionNode, itself: str, name: str) -> bool:
    """Return whether each read follows an assignment on every path: with a variable in place of the attribute, it would
    be bound.
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
