"""Decides whether a constructor can set an attribute to None in the cases in which it sets nothing so far."""

from __future__ import annotations

import ast

from tslint.script.dataflow.closed_calls import is_private
from tslint.script.dataflow.shallow import full_name
from tslint.script.dataflow.stores import Store, file_facts, instance_stores, pattern_of
from tslint.util import astwalk

# What finds out whether an attribute exists, or lists all of them.
_ASKING = frozenset(["__dict__", "__getattr__", "__getattribute__", "__dir__", "__slots__", "__setattr__"])
_ASKING_CALLS = frozenset(["vars", "dir"])
_BY_NAME = frozenset(["hasattr", "getattr"])


def first_store(tree: ast.Module, kind: ast.ClassDef, name: str) -> ast.stmt | None:
    """Return the statement of a constructor before which it can set an attribute to None, for the instances that lack
    it; None if code could notice that, except by another exception.

    The attribute is private: another file may ask whether a public one exists.

    Args:
        tree: the tree of the file.
        kind: the class of the instances.
        name: the attribute, which only some constructions set.
    """
    if not is_private(name):
        return None
    facts = file_facts(tree)
    if facts.line(kind) is None or facts.may_gain_module(tree, kind, name):
        return None
    stores = instance_stores(facts, kind, name) or []
    first = stores[0] if stores else None
    if first is None or first.statement is None or first.function is None or first.owner is None:
        return None
    if any(each.function is not first.function or not _sets_a_value(each) for each in stores):
        return None
    if not any(first.owner is each for each in facts.line(kind) or ()):
        return None  # only a subclass sets it
    if _is_looked_up(tree, kind, name) or not all(_raises_for_none(tree, each) for each in _reads(tree, first, name)):
        return None
    return first.statement


def _sets_a_value(store: Store) -> bool:
    return store.value is not None and not store.is_always()


def _is_looked_up(tree: ast.Module, kind: ast.ClassDef, name: str) -> bool:
    """Return whether the file may check whether instances have an attribute, or uses its name for something else."""
    facts = file_facts(tree)
    for node in astwalk.of_kind(tree, ast.Attribute, ast.FunctionDef, ast.Call, ast.Name):
        if isinstance(node, ast.Attribute) and node.attr in _ASKING and not facts.is_another(tree, node.value, kind):
            return True
        if isinstance(node, ast.FunctionDef) and node.name in (*_ASKING, name):
            return True
        if isinstance(node, ast.Name) and node.id == "AttributeError":
            return True
        if isinstance(node, ast.Call) and _may_look_up(tree, node, name):
            if not (node.args and facts.is_another(tree, node.args[0], kind)):
                return True
    return any(name in astwalk.bound(each) for owner in astwalk.of_kind(tree, ast.ClassDef) for each in owner.body)


def _may_look_up(tree: ast.Module, call: ast.Call, name: str) -> bool:
    """Return whether a call may look up an attribute of its first argument by a written or computed name."""
    if any(isinstance(each, ast.Constant) and each.value == name for each in call.args):
        return True
    if not isinstance(call.func, ast.Name) or call.func.id not in (*_ASKING_CALLS, *_BY_NAME):
        return False
    if call.func.id in _ASKING_CALLS or len(call.args) < 2:
        return True
    start, end = pattern_of(call.args[1])
    computed = not isinstance(call.args[1], ast.Constant) and name.startswith(start) and name.endswith(end)
    return computed and full_name(tree, call.args[0]) is None


def _reads(tree: ast.Module, store: Store, name: str) -> list[ast.Attribute]:
    """Return the places that may read the attribute from an instance that lacks it, without those that certainly read
    another class's attribute.
    """
    facts, owner = file_facts(tree), store.owner
    assert owner is not None
    others = [each for each in facts.classes.values() if facts.line(each) is not None]
    others = [each for each in others if not any(each is kind for kind in facts.related(owner))]
    elsewhere = {id(node) for each in others for node in astwalk.walk(each) if _is_of_self(node)}
    return [
        each
        for each in astwalk.of_kind(tree, ast.Attribute)
        if each.attr == name and isinstance(each.ctx, ast.Load) and id(each) not in elsewhere
    ]


def _is_of_self(node: ast.AST) -> bool:
    """Return whether a node is an attribute of ``self``."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"


def _raises_for_none(tree: ast.Module, node: ast.Attribute) -> bool:
    """Return whether an expression certainly raises if its operand is None: a call, or an access to a part."""
    around = astwalk.parents(tree).get(node)
    if isinstance(around, ast.Call):
        return around.func is node
    if isinstance(around, ast.Subscript):
        return around.value is node
    if isinstance(around, (ast.For, ast.comprehension)):
        return around.iter is node
    return isinstance(around, ast.Attribute) and not hasattr(None, around.attr)
