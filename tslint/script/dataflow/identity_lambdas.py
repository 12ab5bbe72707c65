"""Decides whether an ``nn.Identity()`` could replace ``lambda x: x`` in an attribute."""

from __future__ import annotations

import ast
from itertools import combinations, pairwise

from tslint.project.classes import body_names
from tslint.script.dataflow.inheritance import is_plain_module
from tslint.script.dataflow.instance_stores import instance_stores
from tslint.script.dataflow.module_listing import lists_modules
from tslint.script.dataflow.new_attributes import calls_base
from tslint.script.dataflow.stores import Store, file_facts
from tslint.util import astwalk

_KINDS_OF_IDENTITY = ("Module", "Identity")


def identity_lambdas(tree: ast.Module, owner: ast.ClassDef, attribute: str) -> list[ast.Lambda]:
    """Return the lambdas in an attribute that return their argument, if a module could replace them.

    Args:
        tree: the tree of the file.
        owner: the class whose constructor stores them.
        attribute: the attribute that stores them.

    Returns:
        Empty if the replacement would be visible: if a constructor later stores a value that cannot replace a module,
        or if the attribute is used other than in calls with one argument.
    """
    facts = file_facts(tree)
    line, stores = facts.line(owner), instance_stores(facts, owner, attribute) or []
    found = [lambda_ for each in stores for lambda_ in _lambdas(each.value)]
    if not found or line is None or facts.extends_torch(line) or not is_plain_module(line[-1]) or lists_modules(tree):
        return []
    # A variable or method of the class would hide a module.
    if any(attribute in body_names(each) for each in facts.related(owner)) or not all(map(_follows_base, stores)):
        return []
    if not all(_exclude_each_other(tree, one.value, other.value) for one, other in combinations(stores, 2)):
        return []
    reads = [each for each in astwalk.of_kind(tree, ast.Attribute) if each.attr == attribute]
    return found if all(_called(tree, each) for each in reads if isinstance(each.ctx, ast.Load)) else []


def _lambdas(value: ast.expr | None) -> list[ast.Lambda]:
    """Return the lambdas that return their argument, out of the possible values of an expression."""
    if isinstance(value, ast.IfExp):
        return [*_lambdas(value.body), *_lambdas(value.orelse)]
    return [value] if isinstance(value, ast.Lambda) and _returns_argument(value) else []


def _returns_argument(value: ast.Lambda) -> bool:
    given = value.args
    plain = len(given.args) == 1 and not (given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg)
    return plain and not given.defaults and astwalk.is_name(value.body, given.args[0].arg)


def _follows_base(store: Store) -> bool:
    """Return whether a constructor stores an attribute after ``super().__init__()``, so that it may be a module."""
    body = store.function.body if store.function is not None else []
    calls = [each.lineno for each in body if calls_base(each)]
    return store.statement is not None and bool(calls) and calls[0] < store.statement.lineno


def _exclude_each_other(tree: ast.Module, one: ast.expr | None, other: ast.expr | None) -> bool:
    """Return whether two values are in different branches of an ``if``."""
    if one is None or other is None:
        return False
    outer = {each: inner for inner, each in _steps(tree, one)}
    for inner, each in _steps(tree, other):
        if each in outer:
            return isinstance(each, ast.If) and (inner in each.orelse) != (outer[each] in each.orelse)
    return False


def _steps(tree: ast.Module, node: ast.AST) -> list[tuple[ast.AST, ast.AST]]:
    """Return the ancestors of a node, the nearest first, each with its child that contains the node."""
    path = [node, *astwalk.around(tree, node)]
    return list(pairwise(path))


def _called(tree: ast.Module, read: ast.Attribute) -> bool:
    """Return whether an attribute is called with one argument, or tested with ``isinstance``."""
    call = astwalk.parents(tree).get(read)
    if not isinstance(call, ast.Call) or call.keywords or any(isinstance(each, ast.Starred) for each in call.args):
        return False
    if call.func is read:
        return len(call.args) == 1
    asked = astwalk.is_name(call.func, "isinstance") and len(call.args) == 2 and call.args[0] is read
    kind = ast.unparse(call.args[1]) if asked else ""
    # Only tests for torch's module classes are allowed: any other one may be true for a lambda.
    return kind.startswith(("nn.", "torch.nn.")) and kind.rpartition(".")[2] not in _KINDS_OF_IDENTITY
