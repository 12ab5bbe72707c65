"""Finds the parameters of a constructor that must be ints because layers of torch take them as sizes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from tslint.project.definitions import Definition, External, FunctionNode
from tslint.script.operators import module_class
from tslint.script.types import INT
from tslint.util import astwalk

_LAYERS = "torch.nn."
INT_ANNOTATION = ast.Name("int", ast.Load())


def sizes(function: FunctionNode, resolve: Callable[[ast.expr], Definition]) -> frozenset[str]:
    """Return the parameters that every call passes to a layer as a size: ``n`` in ``self.fc = nn.Linear(n, 3)``.

    Another number, a tensor or None cannot be compiled as the layer's constant.
    """
    found = {
        name.id
        for statement in function.body
        if isinstance(statement, ast.Assign) and _is_attribute(statement.targets)
        for call in _layers(statement.value, resolve)
        for name in _passed(call, resolve)
    }
    if not found:
        return frozenset()
    changed = {node.id for node in astwalk.walk(function) if isinstance(node, ast.Name) and _is_stored(node)}
    return frozenset(found - changed)


def _is_attribute(targets: list[ast.expr]) -> bool:
    return len(targets) == 1 and isinstance(targets[0], ast.Attribute) and isinstance(targets[0].value, ast.Name)


def _is_stored(node: ast.Name) -> bool:
    return not isinstance(node.ctx, ast.Load)


def _layers(value: ast.expr, resolve: Callable[[ast.expr], Definition]) -> Iterator[ast.Call]:
    """Yield the calls of layers that are an attribute's value, or written out in its ``Sequential`` or
    ``ModuleList``.
    """
    if not isinstance(value, ast.Call):
        return
    found = resolve(value.func)
    if not isinstance(found, External) or not found.name.startswith(_LAYERS):
        return
    yield value
    if found.name.rpartition(".")[2] in ("Sequential", "ModuleList"):
        for argument in value.args:
            for part in argument.elts if isinstance(argument, (ast.List, ast.Tuple)) else [argument]:
                yield from _layers(part, resolve)


def _passed(call: ast.Call, resolve: Callable[[ast.expr], Definition]) -> Iterator[ast.Name]:
    """Yield the names that a call passes to parameters that are required, and constant ints of the layer."""
    found = resolve(call.func)
    layer = module_class(found.name) if isinstance(found, External) else None
    if layer is None or any(isinstance(argument, ast.Starred) for argument in call.args):
        return
    required = {each.name for each in layer.init if each.default is None}
    given = [*zip([each.name for each in layer.init], call.args), *((each.arg, each.value) for each in call.keywords)]
    for parameter, value in given:
        attribute = layer.attributes.get(parameter or "")
        if isinstance(value, ast.Name) and parameter in required and parameter in layer.copies:
            if attribute is not None and attribute.constant and attribute.type == INT:
                yield value
