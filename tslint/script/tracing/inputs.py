"""Determines the tracer's inputs from example inputs: lists, tuples and dicts of tensors, and constants."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tslint.project.definitions import Class, Function, Module
from tslint.project.index import Project
from tslint.script.constructed import Scope, only_value, own_nodes, returned_classes
from tslint.script.tracing.kinds import CONSTANT, TENSOR, UNKNOWN, Kind, few, join_all, many

Inputs = tuple[Kind | None, ...]
"""The kinds of the inputs by position; None for an input whose expression does not show its kind: ``torch.rand(2)``."""
_DEEPEST = 5


def kinds_of(inputs: ast.expr | None, scope: Scope) -> Inputs:
    """Return the kinds of one set of inputs: a tuple contains all arguments; any other value is the only argument."""
    node = _value(inputs, scope) if inputs is not None else None
    if isinstance(node, ast.Tuple):
        return tuple(_kind(each, scope) for each in node.elts)
    return () if node is None else (_kind(node, scope),)


def kinds_of_texts(texts: Sequence[str]) -> Inputs:
    """Return the kinds of a target's configured inputs. An input is unknown if its kind differs between the sets of
    inputs; the result is empty if a set cannot be read, or if the sets have different lengths.
    """
    sets: list[Inputs] = []
    for text in texts:
        try:
            sets.append(kinds_of(ast.parse(text.strip(), mode="eval").body, None))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return ()
    if not sets or len({len(each) for each in sets}) != 1:
        return ()
    return tuple(kinds[0] if len({*kinds}) == 1 else UNKNOWN for kinds in zip(*sets))


def kinds_of_builder(project: Project, modules: Sequence[Module], name: str, definition: Class) -> Inputs:
    """Return the kinds of the inputs that a function returns together with a module: ``return Net(), (x,)``. Empty if
    no function of that name returns such a pair for the class.
    """
    for function in (each for module in modules for each in module.functions() if each.name == name):
        if returned_classes(project, function) == [definition]:
            return _returned(function)
    return ()


def _returned(function: Function) -> Inputs:
    values = [node.value for node in own_nodes(function.node) if isinstance(node, ast.Return)]
    value = values[0] if len(values) == 1 else None
    if isinstance(value, ast.Tuple) and len(value.elts) == 2:
        return kinds_of(value.elts[1], function.node)
    return ()


def _value(node: ast.expr, scope: Scope) -> ast.expr:
    """Return the value of a variable that is assigned once; other expressions unchanged."""
    for _ in range(_DEEPEST):
        found = only_value(scope, node.id) if isinstance(node, ast.Name) and scope is not None else None
        if found is None:
            break
        node = found
    return node


def _kind(node: ast.expr, scope: Scope, depth: int = 0) -> Kind | None:
    node = _value(node, scope)
    if depth > _DEEPEST:
        return UNKNOWN
    if isinstance(node, ast.Constant):
        return CONSTANT
    if isinstance(node, ast.Tuple):
        return few(tuple(_kind(each, scope, depth + 1) or TENSOR for each in node.elts))
    if isinstance(node, ast.List):
        items = tuple(_kind(each, scope, depth + 1) or TENSOR for each in node.elts)
        return many(join_all(items) if items else UNKNOWN, "the number of items")
    if isinstance(node, ast.ListComp):
        return many(_kind(node.elt, scope, depth + 1) or TENSOR, "the number of items")
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Add)):
        sides = [_kind(side, scope, depth + 1) for side in (node.left, node.right)]
        return next((kind for kind in sides if kind is not None and kind != CONSTANT), None)
    return Kind("dict", TENSOR) if isinstance(node, (ast.Dict, ast.DictComp)) else None
