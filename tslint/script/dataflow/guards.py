"""Finds the tests that decide whether a node runs: of the ``if`` statements around it, and of earlier ``if`` statements
that leave the block.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.util import astwalk
from tslint.util.record import record


@record(eq=False)
class Guard:
    """A test, and the result of the test with which the node is not reached."""

    test: ast.expr
    skips: bool


def parents_of(function: ast.AST) -> dict[ast.AST, ast.AST]:
    """Return the parent of each node of a function."""
    return astwalk.parents(function)


def guards(function: ast.AST, node: ast.AST) -> Iterator[Guard]:
    """Yield the tests that decide whether a node of a function runs, the nearest first."""
    parents = parents_of(function)
    current = node
    while current in parents and current is not function:
        around = parents[current]
        for block in blocks(around):
            if any(current is statement for statement in block):
                yield from _leaving(block, current)
        if isinstance(around, ast.If) and current is not around.test:
            yield Guard(around.test, any(current is statement for statement in around.orelse))
        elif isinstance(around, ast.IfExp) and current is not around.test:
            yield Guard(around.test, current is around.orelse)
        current = around


def tests_for(function: ast.AST, *nodes: ast.AST) -> list[ast.expr]:
    """Return the tests that decide whether the given nodes of a function run; each test once."""
    return list(dict.fromkeys(guard.test for node in nodes for guard in guards(function, node)))


def is_condition(function: ast.AST, node: ast.AST) -> bool:
    """Return whether an expression is used as a condition: a tensor with several elements cannot be one."""
    around = parents_of(function).get(node)
    if isinstance(around, (ast.If, ast.While, ast.IfExp, ast.Assert)):
        return around.test is node
    if isinstance(around, ast.UnaryOp) and isinstance(around.op, ast.Not):
        return True
    return isinstance(around, ast.BoolOp) and (around.values[-1] is not node or is_condition(function, around))


def is_asserted(function: ast.AST, node: ast.AST) -> bool:
    """Return whether an ``assert`` requires that an expression is true."""
    parents = parents_of(function)
    around = parents.get(node)
    whole = around if isinstance(around, ast.BoolOp) and isinstance(around.op, ast.And) else node
    asserted = parents.get(whole)
    return isinstance(asserted, ast.Assert) and asserted.test is whole


def _leaving(block: list[ast.stmt], node: ast.AST) -> Iterator[Guard]:
    """Yield the tests of the ``if`` statements before a node, in its block, that return or raise, the nearest first."""
    before = []
    for statement in block:
        if statement is node:
            break
        before.append(statement)
    for statement in reversed(before):
        if isinstance(statement, ast.If):
            if leaves(statement.body):
                yield Guard(statement.test, True)
            elif statement.orelse and leaves(statement.orelse):
                yield Guard(statement.test, False)


def chained(statement: ast.If) -> list[ast.expr]:
    """Return the tests of an ``if`` and of its ``elif``s."""
    tests = [statement.test]
    while len(statement.orelse) == 1 and isinstance(statement.orelse[0], ast.If):
        statement = statement.orelse[0]
        tests.append(statement.test)
    return tests


def blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """Yield the blocks of a statement."""
    for name in ("body", "orelse", "finalbody"):
        statements = getattr(node, name, None)
        if isinstance(statements, list):
            yield statements


def tested_for_none(function: ast.AST, name: str) -> bool:
    """Return whether a function compares a variable by ``is`` or ``is not``, usually with None."""
    return any(
        isinstance(node, ast.Compare)
        and isinstance(node.left, ast.Name)
        and node.left.id == name
        and isinstance(node.ops[0], (ast.Is, ast.IsNot))
        for node in astwalk.walk(function)
    )


def only_tested_for_none(function: ast.AST, name: str) -> bool:
    """Return whether a function compares a variable with None, and does nothing else with it."""
    reads = [node for node in astwalk.walk(function) if astwalk.is_name(node, name)]
    around = [astwalk.parents(function).get(node) for node in reads]
    return bool(reads) and all(isinstance(each, ast.Compare) and _is_identity(each) for each in around)


def _is_identity(node: ast.Compare) -> bool:
    other = node.comparators[0]
    return isinstance(node.ops[0], (ast.Is, ast.IsNot)) and isinstance(other, ast.Constant) and other.value is None


def leaves(block: list[ast.stmt]) -> bool:
    """Return whether no path reaches a block's end."""
    if not block:
        return False
    last = block[-1]
    if isinstance(last, ast.If):
        return leaves(last.body) and leaves(last.orelse)
    return isinstance(last, (ast.Return, ast.Raise))
