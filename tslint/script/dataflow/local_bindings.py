"""Finds the binding of a local variable: a parameter, a loop, or an assignment before its use."""

from __future__ import annotations

import ast

from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.plain_types import is_size
from tslint.util import astwalk


def is_parameter(function: FunctionNode | ast.Lambda, name: str) -> bool:
    """Return whether a function has a parameter of a name."""
    spec = function.args
    every = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg]
    return any(argument is not None and argument.arg == name for argument in every)


def loop_that_binds(function: FunctionNode, node: ast.Name) -> ast.For | ast.comprehension | None:
    """Return the innermost loop or comprehension around a name that binds the name; None if there is none, if the name
    is in the ``else`` of the loop, or if the comprehension has several ``for``.
    """
    below: ast.AST = node
    for around in astwalk.around(function, node):
        if isinstance(around, ast.For) and below is not around.iter and bindings_in(around, node.id):
            return None if below in around.orelse else around
        for generator in getattr(around, "generators", ()):
            if below is not generator and bindings_in(generator, node.id):
                return generator if len(around.generators) == 1 else None  # type: ignore[attr-defined]
        below = around
    return None


def bindings_in(loop: ast.For | ast.comprehension, name: str) -> list[ast.Name]:
    """Return the places where a loop's target binds a name."""
    return [n for n in astwalk.walk(loop.target) if isinstance(n, ast.Name) and n.id == name]


def inside(loop: ast.For | ast.comprehension, node: ast.AST, function: FunctionNode) -> bool:
    """Return whether a node is in a loop."""
    holder = loop if isinstance(loop, ast.For) else astwalk.parents(function).get(loop)
    return any(each is holder for each in astwalk.around(function, node))


def binds(node: ast.Name) -> bool:
    """Return whether a name is bound or deleted at a node, and not read."""
    return not isinstance(node.ctx, ast.Load)


def only_value(function: FunctionNode, target: ast.Name) -> ast.expr | None:
    """Return the value that a plain assignment gives a name; None if the name is bound in another way."""
    around = astwalk.parents(function).get(target)
    if isinstance(around, ast.Assign) and target in around.targets:
        return around.value
    if isinstance(around, ast.AnnAssign) and around.target is target:
        return around.value
    if isinstance(around, ast.Tuple):
        above = astwalk.parents(function).get(around)
        if isinstance(above, ast.Assign) and above.targets == [around] and isinstance(above.value, ast.Tuple):
            if len(above.value.elts) == len(around.elts):
                return above.value.elts[around.elts.index(target)]
    return None


def rests_on_parameter(function: FunctionNode, node: ast.AST, seen: frozenset[str] = frozenset()) -> bool:
    """Return whether a number or string may come from a parameter or an attribute, whose annotation Python does not
    enforce. Sizes and casts do not count: their type is certain.
    """
    if isinstance(node, ast.Name):
        return node.id not in seen and _bound_to_parameter(function, node.id, seen | {node.id})
    if isinstance(node, ast.Attribute) or is_size(node):
        return isinstance(node, ast.Attribute) and astwalk.is_name(node.value, "self")
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name):
            cast = node.func.id in ("len", "int", "float", "str", "bool", "range")
            return not cast and any(rests_on_parameter(function, each, seen) for each in node.args)
        return rests_on_parameter(function, node.func, seen)
    parts = [node.value] if isinstance(node, ast.Subscript) else astwalk.children(node)
    return any(rests_on_parameter(function, each, seen) for each in parts)


def _bound_to_parameter(function: FunctionNode, name: str, seen: frozenset[str]) -> bool:
    named = [each for each in astwalk.mentions(function).get(name, ()) if isinstance(each, ast.Name)]
    targets = [each for each in named if binds(each)]
    for target in targets:
        around = astwalk.parents(function).get(target)
        if isinstance(around, (ast.For, ast.comprehension)):
            value: ast.expr | None = around.iter
        else:
            value = around.value if isinstance(around, ast.AugAssign) else only_value(function, target)
        if value is None or rests_on_parameter(function, value, seen):
            return True
    return is_parameter(function, name) or not targets


def comes_before(function: FunctionNode, stored: ast.AST, use: ast.AST) -> bool:
    """Return whether a name is stored before a use of it, by a statement in one of the blocks around the use."""
    parents = astwalk.parents(function)
    statement: ast.AST | None = stored
    while statement is not None and not isinstance(statement, ast.stmt):
        statement = parents.get(statement)
    block = parents.get(statement) if statement is not None else None
    if statement is None or block is None or statement.lineno > getattr(use, "lineno", 0):
        return False
    around = [use, *astwalk.around(function, use)]
    for field in ("body", "orelse", "finalbody"):
        statements = getattr(block, field, None)
        if isinstance(statements, list) and statement in statements:
            return any(each in statements for each in around) and statement not in around
    return False
