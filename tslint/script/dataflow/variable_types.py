"""Infers the types of a function's variables from what the function binds to them."""

from __future__ import annotations

import ast

from tslint.script.dataflow.callees import classes
from tslint.script.dataflow.definitions import FunctionNode, default_of
from tslint.script.dataflow.shallow import Lookup, annotation_type, type_of
from tslint.script.type_text import parsed
from tslint.util import astwalk


def names_of(tree: ast.Module, function: FunctionNode, *, guess: bool = True) -> Lookup:
    """Return the types of a function's names; with ``guess``, parameters without annotation and default are Tensors."""
    known: dict[str, str | None] = {}
    spec = function.args
    for argument in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs):
        default = default_of(function, argument.arg)
        if argument.annotation is not None:
            known[argument.arg] = annotation_type(tree, argument.annotation)
        elif default is None:
            # The compiler treats it as a Tensor; if calls pass another type, another rule reports that.
            known[argument.arg] = "Tensor" if guess and argument.arg not in ("self", "cls") else None
        else:
            shown = type_of(tree, default)
            known[argument.arg] = None if shown == "NoneType" else shown
    stores = _stores(function)

    def lookup(name: str) -> str | None:
        if name.startswith("self."):
            # The result of a member that is not a method of the file: modules return tensors.
            return "Tensor" if guess and name[len("self.") : -2] not in _methods(tree) else None
        if name not in known:
            known[name] = None  # the result if the type of the name depends on itself
            types = {_stored(tree, function, each, lookup) for each in stores.get(name, [])}
            types -= {None} if guess else set()
            known[name] = types.pop() if len(types) == 1 else None
        return known[name]

    return lookup


@astwalk.kept
def _stores(function: FunctionNode) -> dict[str, list[ast.AST]]:
    """Return the places where a function binds each name."""
    found: dict[str, list[ast.AST]] = {}
    for node in astwalk.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.setdefault(node.id, []).append(node)
    return found


def _stored(tree: ast.Module, function: FunctionNode, node: ast.AST, lookup: Lookup) -> str | None:
    """Return the type of the value that one place binds to a name; None if it is not known."""
    parents = astwalk.parents(function)
    around = parents.get(node)
    if isinstance(around, ast.Assign):
        return type_of(tree, around.value, lookup)
    if isinstance(around, ast.AnnAssign):
        return annotation_type(tree, around.annotation)
    if isinstance(around, (ast.For, ast.comprehension)) and around.target is node:
        if isinstance(around.iter, ast.Call) and getattr(around.iter.func, "id", "") == "range":
            return "int"
        listed = type_of(tree, around.iter, lookup)
        kind = parsed(listed) if listed is not None else None
        return str(kind.arguments[0]) if kind is not None and kind.name == "List" else None
    if isinstance(around, ast.Tuple):
        unpacked = parents.get(around)
        value = unpacked.value if isinstance(unpacked, ast.Assign) else None
        if isinstance(value, ast.Tuple) and len(value.elts) == len(around.elts) and isinstance(node, ast.expr):
            part = value.elts[around.elts.index(node)]
            return type_of(tree, part, lookup) if not any(isinstance(e, ast.Starred) for e in value.elts) else None
        if isinstance(unpacked, ast.Assign) and type_of(tree, unpacked.value, lookup) == "List[int]":
            return "int"
    return None


def appends_tensors(tree: ast.Module, function: FunctionNode, name: str) -> bool:
    """Return whether only tensors are appended to a list, as far as that is visible."""
    lookup = names_of(tree, function)
    for node in astwalk.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == name:
            if node.func.attr in ("append", "insert") and node.args:
                if type_of(tree, node.args[-1], lookup) not in (None, "Tensor"):
                    return False
    return True


@astwalk.kept
def _methods(tree: ast.Module) -> frozenset[str]:
    """Return the names of all methods of a file."""
    inner = [each for owner in classes(tree) for each in owner.body]
    return frozenset(each.name for each in inner if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)))
