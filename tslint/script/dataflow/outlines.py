"""Determines the inputs, the results and the alternative of statements that could be moved to a function of their own.
The alternative is the code that runs instead of them.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.guards import blocks
from tslint.script.dataflow.liveness import defined_before, read_later, stored_names, surely_stored
from tslint.util import astwalk

_SCOPED = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda, ast.FunctionDef, ast.ClassDef)
_JUMPS = (ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal, ast.NamedExpr)
_RESULTS = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return)

UNCOMPILED = "uncompiled"
"""The suffix in the names of methods for branches that only Python runs."""


def block_of(tree: ast.Module, statement: ast.AST) -> list[ast.stmt] | None:
    """Return the statements of the block that contains a statement; None if there is none."""
    above = astwalk.parents(tree).get(statement)
    if above is None:
        return None
    return next((block for block in blocks(above) if any(each is statement for each in block)), None)


def inputs(tree: ast.Module, run: Sequence[ast.stmt], function: FunctionNode) -> list[str]:
    """Return the function's own variables that statements read before they certainly bind them, in the order of the
    reads; but parameters, among themselves, in the order of the signature.

    Args:
        tree: the tree of the file.
        run: the statements, which are consecutive in a block.
        function: the function that contains them.
    """
    spec = function.args
    given = [argument.arg for argument in [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]]
    own = {*given, *(argument.arg for argument in (spec.vararg, spec.kwarg) if argument is not None)}
    own |= astwalk.bound(function)
    before = defined_before(tree, run[0])
    found: dict[str, None] = {}
    perhaps: set[str] = set()
    for index, each in enumerate(run):
        sure = surely_stored(run[:index])
        reads = [name.id for name in sorted(_free(each), key=lambda name: (name.lineno, name.col_offset))]
        if isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name):
            reads.append(each.target.id)
        perhaps |= stored_names([each])
        found.update(
            dict.fromkeys(
                name for name in reads if name in own and name not in sure and (name in before or name not in perhaps)
            )
        )
    in_order = (each for each in given if each in found)
    return [next(in_order) if each in given else each for each in found]


def needs_definitions(run: Sequence[ast.stmt], function: FunctionNode) -> bool:
    """Return whether statements read names that their function imports or defines elsewhere: these cannot be passed as
    arguments.
    """
    own = {id(node) for each in run for node in astwalk.walk(each)}
    made: set[str] = set()
    for node in astwalk.walk(function):
        if id(node) in own or node is function:
            continue
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            made |= {(each.asname or each.name).partition(".")[0] for each in node.names}
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            made.add(node.name)
    return any(name.id in made for each in run for name in _free(each))


def _free(node: ast.AST) -> list[ast.Name]:
    """Return the names that a node reads, except those that nested comprehensions and functions bind."""
    if isinstance(node, ast.Name):
        return [node] if isinstance(node.ctx, ast.Load) else []
    found = [name for child in astwalk.children(node) for name in _free(child)]
    if isinstance(node, _SCOPED):
        own = astwalk.bound(node) | {each.arg for each in astwalk.walk(node) if isinstance(each, ast.arg)}
        # The first iterable of a comprehension is evaluated outside of it.
        outside = _free(node.generators[0].iter) if hasattr(node, "generators") else []
        found = [*outside, *(name for name in found if name.id not in own)]
    return found


def results(tree: ast.Module, run: Sequence[ast.stmt]) -> list[str]:
    """Return the variables that statements bind and that are read after them."""
    return sorted(name for name in stored_names(run) if read_later(tree, run[0], run[-1], name))


def jumps(run: Sequence[ast.stmt]) -> bool:
    """Return whether statements contain jumps other than ``return``, which would not mean the same in
    another function.
    """
    return any(isinstance(node, _JUMPS) for each in run for node in astwalk.walk(each))


def returns(run: Sequence[ast.stmt]) -> bool:
    """Return whether statements contain a ``return``."""
    return any(isinstance(node, ast.Return) for each in run for node in astwalk.walk(each))


def is_result(node: ast.AST) -> bool:
    """Return whether a node is a variable that is bound, or a statement that binds or returns something."""
    return isinstance(node, _RESULTS) or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))


def taken_sometimes(tree: ast.Module, function: FunctionNode, node: ast.AST) -> list[ast.stmt] | None:
    """Return the nearest block around a node that does not run in every call; None if there is none.

    That is a branch of an ``if``, or the code after an ``if`` that computes something and returns.
    """
    current = node if isinstance(node, ast.stmt) else _statement(tree, node)
    while current is not None:
        block, holder = block_of(tree, current), astwalk.parents(tree).get(current)
        if block is None or isinstance(holder, ast.If):
            return block
        if holder is function:
            return _rest(block, current)
        current = holder if isinstance(holder, ast.stmt) else None
    return None


def _statement(tree: ast.Module, node: ast.AST) -> ast.stmt | None:
    return next((each for each in astwalk.around(tree, node) if isinstance(each, ast.stmt)), None)


def _rest(block: list[ast.stmt], member: ast.stmt) -> list[ast.stmt] | None:
    """Return the statements of a block after the last ``if`` that computes something and returns it; None if there is
    no such ``if``.
    """
    position = next(index for index, each in enumerate(block) if each is member)
    for index in range(position - 1, -1, -1):
        each = block[index]
        if isinstance(each, ast.If) and not each.orelse and _works(each.body):
            return block[index + 1 :]
    return None


def _works(body: Sequence[ast.stmt]) -> bool:
    last = body[-1]
    return isinstance(last, ast.Return) and any(isinstance(child, ast.Call) for child in astwalk.walk(last))


class BranchTest(NamedTuple):
    """The test that decides whether a block runs.

    Args:
        node: the ``if`` statement.
        keyword: ``if`` or ``elif``.
        holds: whether the block runs if the test is true.
    """

    node: ast.If
    keyword: str
    holds: bool


def branch_test(tree: ast.Module, run: Sequence[ast.stmt]) -> BranchTest | None:
    """Return the test of the ``if`` of which a block is a branch; None if it is not a branch."""
    parents = astwalk.parents(tree)
    holder = parents.get(run[0])
    if not isinstance(holder, ast.If):
        return None
    around = parents.get(holder)
    continues = isinstance(around, ast.If) and around.orelse == [holder] and around.col_offset == holder.col_offset
    return BranchTest(holder, "elif" if continues else "if", any(each is run[0] for each in holder.body))


def alternative(tree: ast.Module, run: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Return the code that runs instead of statements: the other branch of their ``if``, or the body of the last ``if``
    before them in the block; empty if there is none.
    """
    holder = astwalk.parents(tree).get(run[0])
    if isinstance(holder, ast.If):
        return holder.orelse if run[0] in holder.body else holder.body
    before = block_of(tree, run[0]) or []
    branches = [each.body for each in before[: before.index(run[0])] if isinstance(each, ast.If)]
    return branches[-1] if branches else []


def names_called(statement: ast.stmt) -> list[str]:
    """Return the last parts of the names that a statement calls."""
    called = [node.func for node in astwalk.walk(statement) if isinstance(node, ast.Call)]
    return [getattr(each, "attr", getattr(each, "id", "")) for each in called]
