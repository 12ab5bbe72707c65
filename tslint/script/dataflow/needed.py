"""Finds attributes that a module needs, because every call fails without them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tslint.script.dataflow.evaluation import evaluated
from tslint.script.dataflow.guards import blocks
from tslint.script.dataflow.methods import method_of
from tslint.script.dataflow.stores import file_facts
from tslint.util import astwalk

_EVALUATING = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return, ast.Assert, ast.If, ast.For, ast.While)


def is_needed(tree: ast.Module, kind: ast.ClassDef, name: str, use: ast.AST) -> bool:
    """Return whether ``forward`` always raises if an attribute is missing. It then reads this attribute, or an
    attribute that is set only together with this one.

    Args:
        tree, kind: the file, and the class of the instances.
        name: the attribute.
        use: the compiled code that reads it.
    """
    line = file_facts(tree).line(kind) or [kind]
    forward = next((found for each in line if (found := method_of(each, "forward")) is not None), None)
    if forward is None or not forward.args.args:
        return False
    places = _places(tree, line)
    missing = {each for each, found in places.items() if found <= places.get(name, set())} | {name}
    reads = [
        node
        for node in astwalk.walk(forward)
        if isinstance(node, ast.Attribute)
        and node.attr in missing
        and isinstance(node.ctx, ast.Load)
        and isinstance(node.value, ast.Name)
        and node.value.id == forward.args.args[0].arg
    ]
    return _reads_one(forward.body, reads, use)


def _reads_one(statements: Sequence[ast.stmt], reads: Sequence[ast.AST], use: ast.AST) -> bool:
    """Return whether statements always evaluate one of the given reads, in each construction for which ``use`` is
    compiled.
    """
    for part in _certain(statements):
        if any(evaluated([part], each) for each in reads):
            return True
        if isinstance(part, ast.If):
            held = [block for block in (part.body, part.orelse) if any(use in astwalk.walk(each) for each in block)]
            # If the compiler drops the block with the use, it does not report the missing attribute.
            branches = held if held and _is_about_none(part.test) else (part.body, part.orelse)
            if all(_reads_one(block, reads, use) for block in branches):
                return True
    return False


def _is_about_none(test: ast.expr) -> bool:
    """Return whether a test compares an attribute with None, so that the compiler decides it: ``self.norm is not
    None``.
    """
    return (
        isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.Is, ast.IsNot))
        and isinstance(test.left, ast.Attribute) and isinstance(test.left.value, ast.Name)
        and isinstance(test.comparators[0], ast.Constant) and test.comparators[0].value is None
    )  # fmt: skip


def computes_attributes(tree: ast.Module, kind: ast.ClassDef) -> bool:
    """Return whether a class, or one that it inherits from, may define ``__getattr__``."""
    line = file_facts(tree).line(kind)
    return line is None or any(method_of(each, "__getattr__") is not None for each in line)


def runs_in_any_case(function: ast.FunctionDef | ast.AsyncFunctionDef, node: ast.AST) -> bool:
    """Return whether every call that completes has evaluated a node of the function."""
    return any(evaluated([part], node) for part in _certain(function.body))


def _certain(statements: Sequence[ast.stmt]) -> Iterator[ast.AST]:
    """Yield the nodes that statements evaluate before any path may leave them, except by an exception."""
    for statement in statements:
        if isinstance(statement, ast.With):
            yield from (item.context_expr for item in statement.items)
            yield from _certain(statement.body)
        elif isinstance(statement, _EVALUATING):
            yield statement
        if _may_leave(statement):
            return


@astwalk.kept
def _may_leave(statement: ast.AST) -> bool:
    return any(isinstance(inner, (ast.Return, ast.Yield, ast.YieldFrom)) for inner in astwalk.walk(statement))


def _places(tree: ast.Module, line: Sequence[ast.ClassDef]) -> dict[str, set[int]]:
    """Return, for each attribute, the blocks in which methods of the given classes set it."""
    found: dict[str, set[int]] = {}
    parents = astwalk.parents(tree)
    for node in (node for each in line for node in astwalk.walk(each)):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            statement: ast.AST = node
            while not isinstance(statement, ast.stmt):
                statement = parents[statement]
            block = next((each for each in blocks(parents[statement]) if statement in each), [])
            found.setdefault(node.attr, set()).add(id(block))
    return found
