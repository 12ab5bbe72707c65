"""Decides whether nested functions would mean the same outside of the enclosing function."""

from __future__ import annotations

import ast
import builtins
from collections import namedtuple

from tslint.script.dataflow.inlining import is_one
from tslint.script.dataflow.module_members import OF_MODULES
from tslint.script.dataflow.name_patterns import may_be_computed
from tslint.script.dataflow.scopes import bindings, free, module_bindings, own_nodes
from tslint.util import astwalk


def module_place(tree: ast.Module, around: ast.FunctionDef, node: ast.FunctionDef, name: str) -> ast.stmt | None:
    """Return the statement of the file above which a local function can be defined; None if it would not be equivalent
    there.

    Args:
        tree: the tree of the file.
        around: the enclosing function.
        node: the local function, which uses no names of the enclosing one.
        name: the name that it gets there.
    """
    top = next(each for each in tree.body if each.lineno <= node.lineno <= (each.end_lineno or 0))
    inside = astwalk.parents(tree).get(node) is around
    if not inside or not _movable(tree, around, node) or free(node) & bindings(around):
        return None
    if any(hasattr(builtins, each) for each in (name, node.name)) or _mentioned(tree, around, name):
        return None
    if _mentioned(tree, around, node.name, only_variables=name != node.name):
        return None
    if not _defined_above(tree, node, top):
        return None
    names = {each.attr for each in astwalk.walk(node) if isinstance(each, ast.Attribute)} | free(node)
    if any(each.startswith("__") and not each.endswith("__") for each in names):
        return None  # Python would mangle the name inside its class
    return top


def named_tuple_place(tree: ast.Module, around: ast.FunctionDef, made: ast.Assign, name: str) -> ast.stmt | None:
    """Return the statement of the file above which a named tuple can be created once, not in each call of a function.

    Args:
        tree: the tree of the file.
        around: the function.
        made: an assignment of ``namedtuple(...)`` to a local variable.
        name: the name that the class gets there.

    Returns:
        None if the name has a meaning already, if ``namedtuple(...)`` may raise, or if the variable may have another
        value.
    """
    top = next((each for each in tree.body if each.lineno <= made.lineno <= (each.end_lineno or 0)), None)
    call, target = made.value, made.targets[0]
    if top is None or not isinstance(call, ast.Call) or not isinstance(target, ast.Name) or not _is_named_tuple(call):
        return None
    if made not in around.body or not is_one(tree, around, target.id, made):
        return None
    above = module_bindings(ast.Module(body=tree.body[: tree.body.index(top)], type_ignores=[]))
    callee = next(each for each in astwalk.walk(call.func) if isinstance(each, ast.Name)).id
    if callee in bindings(around) or above.get(callee) != 1 or hasattr(builtins, name):
        return None
    own = [*astwalk.walk(call), *(own_nodes(around) if name == target.id else ())]
    return top if all(each in own for each in astwalk.mentions(tree).get(name, ())) else None


def _is_named_tuple(call: ast.Call) -> bool:
    """Return whether the arguments of ``namedtuple`` are constants for which it works."""
    try:
        namedtuple(*map(ast.literal_eval, call.args))
    except (TypeError, ValueError):
        return False
    return len(call.args) == 2 and not call.keywords


def can_be_method(tree: ast.Module, around: ast.FunctionDef, node: ast.FunctionDef, name: str) -> bool:
    """Return whether a local function can become a method: of the enclosing method, it only uses ``self``.

    Args:
        tree: the tree of the file.
        around: the method.
        node: the local function.
        name: its new name.
    """
    owner = astwalk.parents(tree).get(around)
    itself = around.args.args[0].arg if around.args.args else ""
    if not isinstance(owner, ast.ClassDef) or owner not in tree.body or itself != "self" or around.decorator_list:
        return False
    own = {each.arg for each in astwalk.walk(node.args) if isinstance(each, ast.arg)}
    if not _movable(tree, around, node) or free(node) & bindings(around) - {itself} or itself in bindings(node) | own:
        return False
    if name in OF_MODULES or may_be_computed(tree, name):
        return False
    if _mentioned(tree, around, name) or _mentioned(tree, around, node.name):
        return False
    return _defined_above(tree, node, owner) and _stays(around, itself)


def _movable(tree: ast.Module, around: ast.FunctionDef, node: ast.FunctionDef) -> bool:
    """Return whether a function does not depend on when it is defined, and is only called."""
    if node.decorator_list or len(around.body) < 2:
        return False
    defaults = [*node.args.defaults, *(each for each in node.args.kw_defaults if each is not None)]
    if not all(isinstance(each, ast.Constant) for each in defaults) or node.args.vararg or node.args.posonlyargs:
        return False
    if {"super", "__class__", node.name} & free(node) or not is_one(tree, around, node.name, node):
        return False
    inner = astwalk.walk(node)
    if any(isinstance(each, (ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.Await)) for each in inner):
        return False
    called = {id(each.func) for each in astwalk.walk(around) if isinstance(each, ast.Call)}
    uses = [each for each in astwalk.walk(around) if isinstance(each, ast.Name) and each.id == node.name]
    return bool(uses) and all(id(each) in called and not _in_function(tree, each, around) for each in uses)


def _in_function(tree: ast.Module, node: ast.AST, around: ast.FunctionDef) -> bool:
    for each in astwalk.around(tree, node):
        if each is around:
            return False
        if isinstance(each, (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return True
    return True


def _mentioned(tree: ast.Module, around: ast.FunctionDef, name: str, *, only_variables: bool = False) -> bool:
    """Return whether a file uses a name outside of a function or, unless ``only_variables``, anywhere as an attribute,
    an import or a string.
    """
    inner = {id(each) for each in astwalk.walk(around)}
    own = (ast.Name, ast.FunctionDef, ast.ClassDef)
    return any(
        id(each) not in inner
        if isinstance(each, own)
        else isinstance(each, ast.alias) or (isinstance(each, (ast.Attribute, ast.Constant)) and not only_variables)
        for each in astwalk.mentions(tree).get(name, ())
    )


def _defined_above(tree: ast.Module, node: ast.FunctionDef, top: ast.stmt) -> bool:
    """Return whether the names in a function's annotations are defined above its new position, ``top``, or the file's
    annotations are never evaluated.
    """
    future = [each for each in tree.body if isinstance(each, ast.ImportFrom) and each.module == "__future__"]
    if any(alias.name == "annotations" for each in future for alias in each.names):
        return True
    spec = node.args
    arguments = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, *([spec.kwarg] if spec.kwarg else [])]
    written = [each.annotation for each in arguments if each.annotation is not None]
    written += [node.returns] if node.returns is not None else []
    names = {each.id for one in written for each in astwalk.walk(one) if isinstance(each, ast.Name)}
    position = next((index for index, each in enumerate(tree.body) if each is top), 0)
    above = module_bindings(ast.Module(body=tree.body[:position], type_ignores=[]))
    return all(name in above or hasattr(builtins, name) for name in names)


def _stays(around: ast.FunctionDef, itself: str) -> bool:
    """Return whether ``self`` is never rebound, not even in the comprehensions of the function."""
    inner = (each for each in astwalk.walk(around) if isinstance(each, ast.Name) and each.id == itself)
    return all(isinstance(each.ctx, ast.Load) for each in inner)
