"""Finds statements that can be moved together under a loop and a test, because later code does not read
what they bind.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tslint.script.dataflow.index_proofs import place_of
from tslint.script.dataflow.liveness import defined_before, read_later, stored_names
from tslint.script.dataflow.name_patterns import pattern_of
from tslint.script.dataflow.stores import file_facts
from tslint.util import astwalk

_PURE = (
    ast.Name,
    ast.Attribute,
    ast.Constant,
    ast.BinOp,
    ast.UnaryOp,
    ast.Subscript,
    ast.JoinedStr,
    ast.FormattedValue,
)
_FUNCTIONS = ("len", "str", "int", "min", "max", "abs")
_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return)
_BODIES = ("body", "orelse", "finalbody")


def region_of(
    tree: ast.Module, node: ast.expr, index: ast.expr, compared: bool = True, alike: Sequence[ast.AST] = ()
) -> list[ast.stmt] | None:
    """Return the statement with an expression, and the later statements that read a variable that it binds; None if
    they cannot move.

    Args:
        tree: the tree of the file.
        node: the expression.
        index: the value that every iteration of the new loop compares.
        compared: whether the index is evaluated in every iteration; False if it is evaluated once before the loop.
        alike: equal expressions; the next statements that contain one are moved, too, if possible.
    """
    first = simple_statement(tree, node)
    statements = _block(tree, first) if first is not None else None
    if first is None or statements is None or not _pure(index) or bound_inside(tree, node, first):
        return None
    start = next(i for i, item in enumerate(statements) if item is first)
    found = _closed(tree, statements, start, start, node, compared)
    while found is not None and compared and start + len(found) < len(statements):
        following = statements[start + len(found)]
        if not isinstance(following, _SIMPLE) or not any(each in alike for each in astwalk.walk(following)):
            break
        longer = _closed(tree, statements, start, start + len(found), node, compared)
        if longer is None:
            break
        found = longer
    return found


def _closed(
    tree: ast.Module, statements: Sequence[ast.stmt], start: int, end: int, node: ast.expr, compared: bool
) -> list[ast.stmt] | None:
    """Return the statements ``start`` to ``end`` of a block, with those up to the last one that reads a variable that
    they bind; None if all these cannot move together.
    """
    first = statements[start]
    known = defined_before(tree, first)
    while True:
        fresh = stored_names(statements[start : end + 1]) - known
        needed = {name for name in fresh if read_later(tree, first, statements[end], name)}
        later = [
            i
            for i in range(end + 1, len(statements))
            if any(isinstance(n, ast.Name) and n.id in needed for n in astwalk.walk(statements[i]))
        ]
        if not later:
            break
        end = later[0]
    region = list(statements[start : end + 1])
    changed = _changed(region, node) if compared else False
    return None if needed or changed or any(_jumps(statement) for statement in region) else region


def simple_statement(tree: ast.Module, node: ast.AST) -> ast.stmt | None:
    """Return the statement that contains an expression, if it is an assignment, an expression statement or a
    ``return``; otherwise None.
    """
    around = (node, *astwalk.around(tree, node))
    found = next((each for each in around if isinstance(each, ast.stmt)), None)
    return found if isinstance(found, _SIMPLE) else None


def bound_inside(tree: ast.Module, node: ast.expr, statement: ast.stmt) -> bool:
    """Return whether an expression reads a variable of a comprehension or a lambda inside a statement."""
    names = {n.id for n in astwalk.walk(node) if isinstance(n, ast.Name)}
    for each in (node, *astwalk.around(tree, node)):
        if each is statement:
            break
        for generator in getattr(each, "generators", []):
            if names & {n.id for n in astwalk.walk(generator.target) if isinstance(n, ast.Name)}:
                return True
        if isinstance(each, ast.Lambda):
            return True
    return False


def _block(tree: ast.Module, statement: ast.stmt) -> list[ast.stmt] | None:
    """Return the statements of a function's block that contains a statement; None if there is none."""
    above = astwalk.parents(tree)[statement]
    for field in _BODIES:
        statements = getattr(above, field, None)
        if isinstance(statements, list) and any(item is statement for item in statements):
            return statements
    return None


def _pure(index: ast.expr) -> bool:
    for node in astwalk.walk(index):
        if isinstance(node, ast.Call):
            plain = isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS
            formats = isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Constant)
            if not (plain or formats) or node.keywords:
                return False
        elif not isinstance(node, _PURE):
            return False
    return True


def _jumps(statement: ast.AST) -> bool:
    """Return whether a statement contains a ``break`` or ``continue`` of a loop around it."""
    pending: list[tuple[ast.AST, bool]] = [(statement, False)]
    while pending:
        node, looped = pending.pop()
        if isinstance(node, (ast.Break, ast.Continue)) and not looped:
            return True
        inner = looped or isinstance(node, (ast.For, ast.While))
        if not isinstance(node, ast.expr):
            pending += [(child, inner) for child in astwalk.children(node)]
    return False


def _changed(region: Sequence[ast.stmt], node: ast.AST) -> bool:
    """Return whether statements change a variable of an index or of a container, so that a later comparison of the
    index may have another result.
    """
    names = {n.id for n in astwalk.walk(node) if isinstance(n, ast.Name)}
    attributes = {n.attr for n in astwalk.walk(node) if isinstance(n, ast.Attribute)}
    return bool(names & stored_names(region)) or any(
        isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store) and n.attr in attributes
        for statement in region
        for n in astwalk.walk(statement)
    )


def is_steady(tree: ast.Module, index: ast.expr) -> bool:
    """Return whether an index is the same in every iteration if its variables are: it only computes with them, makes a
    string from them, or has a known value.
    """
    plain = (ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp)
    if all(isinstance(part, plain) for part in astwalk.walk(index)):
        return True
    where = place_of(tree, index)
    if where is not None and where.value(index) is not None:
        return True
    # A key such as `"a" + str(i)` depends on names only, too.
    texts = (*plain, ast.Call, ast.JoinedStr, ast.FormattedValue, ast.Attribute)
    if not all(isinstance(part, texts) for part in astwalk.walk(index)):
        return False
    return all(_is_text(part) for part in astwalk.walk(index) if isinstance(part, (ast.Call, ast.Attribute)))


def _is_text(node: ast.AST) -> bool:
    """Return whether a call or attribute only creates a string: ``str(i)``, ``"a{}".format``."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) or getattr(node.func, "id", "") == "str"
    return isinstance(node, ast.Attribute) and node.attr == "format" and isinstance(node.value, ast.Constant)


def returns(region: Sequence[ast.stmt]) -> bool:
    """Return whether the last statement is a ``return`` or a ``raise``."""
    return isinstance(region[-1], (ast.Return, ast.Raise))


def are_modules(tree: ast.Module, name: ast.expr) -> bool:
    """Return whether the file stores only results of calls in the attributes that a computed name may mean, but none of
    calls such as ``torch.…()`` and ``…Parameter()``.
    """
    start, end = pattern_of(name)
    facts = file_facts(tree)
    values = [
        store.value
        for attribute, stores in facts.stores.items()
        if attribute.startswith(start) and attribute.endswith(end)
        for store in stores
    ]
    values += [value for (a, b), value in facts.given if a.startswith(start) or start.startswith(a)]
    calls = [ast.unparse(value.func) for value in values if isinstance(value, ast.Call)]
    return 0 < len(calls) == len(values) and not any(
        (call.startswith("torch.") and not call.startswith("torch.nn."))
        or call.startswith("torch.nn.functional.")
        or call.endswith("Parameter")
        for call in calls
    )
