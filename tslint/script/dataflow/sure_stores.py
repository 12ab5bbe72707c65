"""Finds stores that are executed on every path through a function."""

from __future__ import annotations

import ast
import math

from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.evaluation import evaluated
from tslint.script.dataflow.stores import Store
from tslint.util import astwalk


def surely(store: Store) -> bool:
    """Return whether a constructor stores an attribute on every path."""
    plain = isinstance(store.statement, (ast.Assign, ast.AnnAssign))
    return plain and store.function is not None and store.statement is not None and _unreturned(store)


def in_all_branches(store: Store) -> bool:
    """Return whether an ``if`` directly in the constructor's body stores an attribute in each of its branches."""
    around = store.statement
    if not isinstance(around, ast.If) or not _unreturned(store):
        return False
    pending = [around.body, around.orelse]
    while pending:
        block = pending.pop()
        if len(block) == 1 and isinstance(block[0], ast.If):
            pending += [block[0].body, block[0].orelse]
        elif not any(_assigns(statement, store.attribute) for statement in block):
            return False
    return True


def branch_of(store: Store) -> list[ast.stmt] | None:
    """Return the innermost branch that stores an attribute directly; None if anything but ``if`` is around it."""
    found: list[ast.stmt] | None = None
    pending = [store.statement]
    while pending:
        around = pending.pop()
        for block in (around.body, around.orelse) if isinstance(around, ast.If) else ():
            direct = any(isinstance(each, (ast.Assign, ast.AnnAssign)) and each.value is store.value for each in block)
            found = block if direct and store.value is not None else found
            pending += block
    return found


def _assigns(statement: ast.stmt, attribute: str) -> bool:
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return any(isinstance(n, ast.Attribute) and n.attr == attribute for t in targets for n in astwalk.walk(t))


def surely_at(function: FunctionNode, node: ast.AST) -> bool:
    """Return whether the innermost statement that contains a node is directly in the function's body."""
    around = [each for each in astwalk.around(function, node) if isinstance(each, ast.stmt)]
    return bool(around) and any(around[0] is statement for statement in function.body)


def always_evaluated(function: FunctionNode, node: ast.expr) -> bool:
    """Return whether a function evaluates an expression on every path."""
    statement = next((each for each in astwalk.around(function, node) if isinstance(each, ast.stmt)), None)
    if statement not in function.body or node.lineno > _first_return(function):
        return False
    return evaluated([statement], node)


def _unreturned(store: Store) -> bool:
    assert store.function is not None and store.statement is not None
    return store.statement.lineno <= _first_return(store.function)


@astwalk.kept
def _first_return(function: ast.AST) -> float:
    """Return the row of a function's first ``return``."""
    return min((n.lineno for n in astwalk.walk(function) if isinstance(n, ast.Return)), default=math.inf)
