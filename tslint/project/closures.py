"""Resolves the free variables of a nested function."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import takewhile

from tslint.project.definitions import AMBIGUOUS, Class, Definition, Function, GlobalValue
from tslint.util import astwalk


def closure_value(function: Function, node: ast.expr) -> Definition | None:
    """Return the definition of a name that an enclosing function binds; None if there is none.

    Returns:
        A nested function or class, or a literal that is assigned once; ``AMBIGUOUS`` for everything else.
    """
    root = node
    while isinstance(root, ast.Attribute):
        root = root.value
    outer = function.outer
    captured = dict(function.captured)
    if outer is not None and isinstance(node, ast.Name) and node.id in captured:
        return GlobalValue(outer.module, node.id, captured[node.id])
    while outer is not None and isinstance(root, ast.Name):
        found = _bound(outer, root.id)
        if found is not None:
            return found if root is node else AMBIGUOUS
        outer = outer.outer
    return None


def nested_functions(outer: Function) -> Iterator[Function]:
    """Yield the functions that are defined in a function, directly or in a nested one."""
    for statement in _statements(outer.node):
        if isinstance(statement, ast.FunctionDef):
            inner = outer.module.function(statement, None, f"{outer.qualname}.<locals>.", outer)
            yield inner
            yield from nested_functions(inner)


def returned_function(outer: Function, call: ast.Call) -> Function | None:
    """Return the nested function that a call of a function returns, with the constants that the call passes; None if
    not each call returns it.
    """
    returns = [each for each in _statements(outer.node) if isinstance(each, ast.Return)]
    only = returns[0].value if len(returns) == 1 and returns[0] is outer.node.body[-1] else None
    if not isinstance(outer.node, ast.FunctionDef) or outer.node.decorator_list or not isinstance(only, ast.Name):
        return None
    found = _bound(outer, only.id)
    if not isinstance(found, Function) or found.node.decorator_list:
        return None
    return outer.module.function(found.node, None, f"{outer.qualname}.<locals>.", outer, tuple(_captured(outer, call)))


def _captured(outer: Function, call: ast.Call) -> Iterator[tuple[str, ast.Constant]]:
    """Yield the parameters of a function that nothing binds again, with the constants that a call passes for them."""
    spec = outer.node.args
    names = [each.arg for each in (*spec.posonlyargs, *spec.args)]
    plain = takewhile(lambda each: not isinstance(each, ast.Starred), call.args)
    passed = [*zip(names, plain), *((each.arg, each.value) for each in call.keywords if each.arg is not None)]
    shared = {name for each in astwalk.of_kind(outer.node, ast.Nonlocal) for name in each.names}
    for name, value in passed:
        if isinstance(value, ast.Constant) and name not in shared and name not in _binding(outer.node):
            yield name, value


def script_calls(outer: Function) -> Iterator[tuple[ast.Call, Definition | None]]:
    """Yield the calls in a function that have a name as their first argument, each with what the function itself
    binds to this name (None if it does not bind the name).
    """
    for statement in _statements(outer.node):
        if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for node in astwalk.walk(statement):
                if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Name):
                    yield node, _bound(outer, node.args[0].id)


def local_class(node: ast.ClassDef, outer: Function) -> Class | None:
    """Return the class that a function defines; None if its bases are variables of functions, or it has decorators."""
    inner = Function(outer.module, outer.node, outer.qualname, None, outer)
    bases = [each for base in node.bases for each in astwalk.walk(base) if isinstance(each, ast.Name)]
    if node.decorator_list or any(closure_value(inner, each) is not None for each in bases):
        return None
    return outer.module.class_(node, outer)


def _bound(outer: Function, name: str) -> Definition | None:
    spec = outer.node.args
    every = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, *(a for a in (spec.vararg, spec.kwarg) if a is not None)]
    if any(argument.arg == name for argument in every):
        return AMBIGUOUS
    bindings = _binding(outer.node).get(name)
    if not bindings:
        return None
    only = bindings[0]
    if len(bindings) == 1 and only in outer.node.body:
        if isinstance(only, ast.FunctionDef):
            return outer.module.function(only, None, f"{outer.qualname}.<locals>.", outer)
        if isinstance(only, ast.ClassDef):
            return local_class(only, outer) or AMBIGUOUS
        if isinstance(only, ast.Assign) and len(only.targets) == 1 and isinstance(only.targets[0], ast.Name):
            if isinstance(only.value, (ast.Constant, ast.List, ast.Dict, ast.Tuple, ast.Set)):
                return GlobalValue(outer.module, name, only.value)
    return AMBIGUOUS


@astwalk.kept
def _binding(function: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, list[ast.stmt]]:
    """Return the statements of a function that bind each name."""
    found: dict[str, list[ast.stmt]] = {}
    for statement in _statements(function):
        for name in _names(statement):
            found.setdefault(name, []).append(statement)
    return found


@astwalk.kept
def _statements(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.stmt]:
    """Return the statements of a function, except those of nested functions and classes."""
    found: list[ast.stmt] = []
    pending = list(function.body)
    while pending:
        statement = pending.pop()
        found.append(statement)
        if not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for child in astwalk.children(statement):
                if isinstance(child, ast.stmt):
                    pending.append(child)
                elif isinstance(child, ast.ExceptHandler):
                    pending += child.body
    return found


def _names(statement: ast.stmt) -> set[str]:
    """Return the names that a statement itself binds."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {alias.asname or alias.name.split(".")[0] for alias in statement.names}
    names = [node for node in astwalk.walk(statement) if isinstance(node, ast.Name)]
    return {name.id for name in names if isinstance(name.ctx, (ast.Store, ast.Del))}
