"""Determines which variables a block needs from the code before it, and which variables of the block are read after
it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from enum import Enum

from tslint.script.dataflow.scopes import function_around
from tslint.util import astwalk

_BODIES = ("body", "orelse", "finalbody")


class Use(Enum):
    """The first thing that statements do with a variable."""

    READ = "read"
    STORED = "stored"
    NEITHER = "neither"


def stored_names(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names that statements bind, without the variables of comprehensions."""
    found: set[str] = set()
    pending = list(nodes)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        if isinstance(node, (ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp, ast.Lambda)):
            continue
        pending += astwalk.children(node)
    return found


def surely_stored(statements: Sequence[ast.stmt]) -> set[str]:
    """Return the names that are bound on every path through statements."""
    found: set[str] = set()
    for statement in statements:
        if isinstance(statement, ast.If):
            branches = [surely_stored(b) for b in (statement.body, statement.orelse) if not _ends(b)]
            found |= set.intersection(*branches) if branches else set()
        elif isinstance(statement, ast.With):
            found |= surely_stored(statement.body)
        elif isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
            if not (isinstance(statement, ast.AnnAssign) and statement.value is None):
                found |= stored_names([statement])
    return found


def defined_before(tree: ast.Module, first: ast.stmt) -> set[str]:
    """Return the names that are certainly bound before a statement of a function."""
    found: set[str] = set()
    for statements, statement in blocks_around(tree, first):
        found |= surely_stored(statements[: _position(statements, statement)])
        holder = astwalk.parents(tree).get(statement)
        if isinstance(holder, ast.For):
            found |= stored_names([holder.target])
    function = function_around(tree, first)
    if function is not None:
        spec = function.args
        found |= {argument.arg for argument in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)}
    return found


def read_later(tree: ast.Module, first: ast.stmt, last: ast.stmt, name: str) -> bool:
    """Return whether a variable's value may be read after the given statements of a block, also in a later iteration of
    a loop.

    Args:
        tree: the tree of the file.
        first: the first of the statements.
        last: the last of the statements.
        name: the variable.
    """
    start = last
    for statements, statement in blocks_around(tree, first):
        after = statements[_position(statements, start) + 1 :]
        use = first_use(after, name)
        if use is not Use.NEITHER:
            return use is Use.READ
        holder = astwalk.parents(tree).get(statement)
        if isinstance(holder, (ast.For, ast.While)) and statements is holder.body:
            if isinstance(holder, ast.While) and _reads(holder.test, name):
                return True
            bound = isinstance(holder, ast.For) and name in stored_names([holder.target])
            again = statements[: _position(statements, statement)]
            if not bound and first_use(again, name) is Use.READ:
                return True
        if isinstance(holder, ast.stmt):
            start = holder
    return False


def first_use(statements: Sequence[ast.stmt], name: str) -> Use:
    """Return the first use of a variable in statements: ``READ`` if some path may read it first, ``STORED`` only if all
    paths store it first, or leave the function.
    """
    for statement in statements:
        use = _use(statement, name)
        if use is not Use.NEITHER:
            return use
    return Use.NEITHER


def _use(statement: ast.stmt, name: str) -> Use:
    if isinstance(statement, ast.If):
        if _reads(statement.test, name):
            return Use.READ
        uses = [first_use(statement.body, name), first_use(statement.orelse, name)]
        if Use.READ in uses:
            return Use.READ
        return Use.STORED if uses == [Use.STORED, Use.STORED] else Use.NEITHER
    if isinstance(statement, (ast.For, ast.While)):
        head = statement.iter if isinstance(statement, ast.For) else statement.test
        if _reads(head, name):
            return Use.READ
        bound = isinstance(statement, ast.For) and name in stored_names([statement.target])
        inside = not bound and first_use(statement.body, name) is Use.READ
        return Use.READ if inside or first_use(statement.orelse, name) is Use.READ else Use.NEITHER
    if isinstance(statement, ast.With):
        return Use.READ if any(_reads(item, name) for item in statement.items) else first_use(statement.body, name)
    if _reads(statement, name):
        return Use.READ
    if isinstance(statement, (ast.Return, ast.Raise)):
        return Use.STORED
    return Use.STORED if name in stored_names([statement]) else Use.NEITHER


def _reads(node: ast.AST, name: str) -> bool:
    """Return whether a statement or an expression reads a variable of the function."""
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id == name:
        return True
    if isinstance(node, (ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp)):
        if name in {n.id for g in node.generators for n in astwalk.walk(g.target) if isinstance(n, ast.Name)}:
            return any(_reads(generator.iter, name) for generator in node.generators[:1])
    if isinstance(node, ast.Name):
        return node.id == name and not isinstance(node.ctx, ast.Store)
    return any(_reads(child, name) for child in astwalk.children(node))


def blocks_around(tree: ast.Module, statement: ast.stmt) -> Iterable[tuple[Sequence[ast.stmt], ast.stmt]]:
    """Yield the blocks around a statement up to the function, each with its member that contains the statement."""
    current: ast.AST | None = statement
    while isinstance(current, ast.stmt) and not isinstance(current, ast.FunctionDef):
        holder = astwalk.parents(tree).get(current)
        for field in _BODIES:
            statements = getattr(holder, field, None)
            if isinstance(statements, list) and any(item is current for item in statements):
                yield statements, current
        current = holder


def _position(statements: Sequence[ast.stmt], statement: ast.stmt) -> int:
    return next(i for i, item in enumerate(statements) if item is statement)


def _ends(statements: Sequence[ast.stmt]) -> bool:
    """Return whether nothing after the statements runs."""
    return any(isinstance(s, (ast.Return, ast.Raise, ast.Break, ast.Continue)) for s in statements)
