"""Finds the functions of a file that a call may call, and their parameters for its arguments."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.script.dataflow.definitions import FunctionNode
from tslint.util import astwalk


def parameter_for(callee: FunctionNode, call: ast.Call, node: ast.expr) -> str | None:
    """Return the parameter that gets an argument of a call; None if there is none, or if ``*values`` come before it."""
    names = [each.arg for each in (*callee.args.posonlyargs, *callee.args.args)]
    for keyword in call.keywords:
        if keyword.value is node:
            return keyword.arg if keyword.arg in (*names, *(each.arg for each in callee.args.kwonlyargs)) else None
    if names[:1] in (["self"], ["cls"]):
        names = names[1:]
    position = next((index for index, each in enumerate(call.args) if each is node), len(names))
    starred = any(isinstance(each, ast.Starred) for each in call.args[: position + 1])
    return names[position] if position < len(names) and not starred else None


def callees(
    tree: ast.Module, function: FunctionNode, call: ast.Call, node: ast.expr
) -> Iterator[tuple[FunctionNode, bool]]:
    """Yield the functions of the file that a call may call, and whether that is certain.

    It is not certain if several functions have the name. A call of another name, of an item, or of another attribute of
    ``self``, such as ``self.layer(x)``, may call each ``forward`` of the file that has a parameter with the argument's
    keyword, or with the passed variable's name.
    """
    func = call.func
    if isinstance(func, ast.Name):
        named = _functions(tree).get(func.id, [])
        if named:
            yield from ((each, len(named) == 1) for each in named)
            return
    own = astwalk.parents(tree).get(function)
    is_self = isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and func.value.id == "self"
    if is_self and isinstance(own, ast.ClassDef) and own in tree.body and isinstance(func, ast.Attribute):
        methods = [each for each in own.body if isinstance(each, ast.FunctionDef) and each.name == func.attr]
        if methods:
            yield methods[-1], len(methods) == 1
            return
    if is_self or isinstance(func, (ast.Name, ast.Subscript)):
        alike = {each: None for name in passed_names(call, node) for each in _forwards(tree).get(name, ())}
        yield from ((each, False) for each in alike if each is not function)


def passed_names(call: ast.Call, node: ast.expr) -> list[str]:
    """Return the names in an argument, its variable and its keyword: ``["y", "x"]`` for ``x=y``, ``["x"]`` for ``x=1``,
    none for ``1``.
    """
    keyword = next((each.arg for each in call.keywords if each.value is node), None)
    return [each for each in (getattr(node, "id", None), keyword) if each is not None]


@astwalk.kept
def _functions(tree: ast.Module) -> dict[str, list[FunctionNode]]:
    """Return the functions at the top level of a file, by their names."""
    found: dict[str, list[FunctionNode]] = {}
    for each in tree.body:
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.setdefault(each.name, []).append(each)
    return found


@astwalk.kept
def _forwards(tree: ast.Module) -> dict[str, list[ast.FunctionDef]]:
    """Return the ``forward`` methods of a file, by the names of their parameters."""
    found: dict[str, list[ast.FunctionDef]] = {}
    for owner in classes(tree):
        for each in owner.body:
            if isinstance(each, ast.FunctionDef) and each.name == "forward":
                for name in {a.arg for a in (*each.args.posonlyargs, *each.args.args, *each.args.kwonlyargs)}:
                    found.setdefault(name, []).append(each)
    return found


@astwalk.kept
def classes(tree: ast.Module) -> list[ast.ClassDef]:
    """Return the classes at the top level of a file."""
    return [each for each in tree.body if isinstance(each, ast.ClassDef)]


def raises_no_stop(tree: ast.Module, name: str) -> bool:
    """Return whether a name is a function of the file's top level that neither raises an exception nor asks an
    iterator: a StopIteration from it would end the loop or the ``map`` that calls it.
    """
    found = next((each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name == name), None)
    return found is not None and not any(
        isinstance(each, ast.Raise) or getattr(each, "attr", getattr(each, "id", "")) in ("next", "__next__")
        for each in astwalk.walk(found)
    )
