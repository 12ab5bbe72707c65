"""Expressions that compiled code computes in another way, while eager mode goes on as before."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tslint import walking
from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.statements import function, replace
from tslint.rulekit.match import Match
from tslint.rulekit.rule import unsafe
from tslint.script.dataflow.scopes import bindings

# What the compiler's front end refuses wherever it stands, also where nothing compiles it.
_UNPARSED = (
    ast.Lambda, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.Set, ast.SetComp, ast.GeneratorExp,
    ast.JoinedStr,
)  # fmt: skip


def either(
    match: Match, node: ast.expr, compiled: str, message: str, *more: Edit, risks: tuple[Risk, ...] = (Risk.DIFFERS,)
) -> Fix | None:
    """``(COMPILED if torch.jit.is_scripting() else NODE)``: eager mode evaluates what it did.

    Args:
        node: an expression that is read; what stands there stays.
        compiled: what compiled code evaluates in its place.
        message: what the fix does.
        more: further edits, of imports or definitions.
        risks: what compiled code may do otherwise.

    Returns:
        None where the compiler could not even read what stays, or the function calls something else ``torch``.
    """
    edits = branch(match, node, compiled)
    return None if edits is None else unsafe(message, *edits, *more, risks=risks)


def branch(match: Match, node: ast.expr, compiled: str) -> Sequence[Edit] | None:
    """The edits of :func:`either`."""
    torch, imports = match.imported("torch")
    if not readable(match, node) or is_local(match, torch) or "\n" in compiled or "\r" in compiled:
        return None
    text = f"{compiled} if {torch}.jit.is_scripting() else {match.text(node)}"
    around = walking.parents(match.file.tree).get(node)
    alone = isinstance(around, (ast.Assign, ast.AnnAssign, ast.Return)) and around.value is node
    alone = alone or (isinstance(around, (ast.If, ast.While)) and around.test is node)
    one_row = node.end_lineno == node.lineno
    return [replace(match, node, text if alone and one_row else f"({text})"), *imports]


def readable(match: Match, node: ast.AST) -> bool:
    """Whether the front end can read an expression that nothing compiles, and its place in the text is known."""
    if any(isinstance(each, _UNPARSED) for each in walking.walk(node)):
        return False
    # What stands in an f-string has no place of its own before Python 3.12.
    return not any(isinstance(each, ast.JoinedStr) for each in walking.around(match.file.tree, node))


def is_local(match: Match, text: str) -> bool:
    """Whether the function around the event binds the name that an expression begins with."""
    held = function(match)
    return held is not None and text.partition(".")[0] in bindings(held)
