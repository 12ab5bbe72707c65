"""One form for the compiler and the author's own for Python: what eager mode computes stays as it is by construction.

The compiler decides ``torch.jit.is_scripting()`` before it compiles, and looks at the branch for it alone.
"""

from __future__ import annotations

import ast

from tslint import walking
from tslint.diagnostics import Edit, Fix, Position, Risk
from tslint.rewrite.spans import block
from tslint.rewrite.statements import deeper, indentation, lines, movable, whole_lines
from tslint.rewrite.type_wording import place, replace
from tslint.rewrite.when_compiled import is_local
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe, unsafe
from tslint.script.dataflow.scripting_tests import asks_is_scripting
from tslint.script.dataflow.whole_numbers import certain_int, whole_in_python

__all__ = [
    "as_float", "asserted", "before", "both_ways", "certain_int", "either", "either_fix", "is_split", "step_of",
    "whole_in_python",
]  # fmt: skip

# Around these an expression of any kind stands without parentheses.
_OPEN = (ast.Call, ast.keyword, ast.Assign, ast.AnnAssign, ast.Return, ast.List, ast.Tuple)


def is_split(match: Match, node: ast.AST) -> bool:
    """Whether an expression stands in a form for the compiler already."""
    return asks_is_scripting(match.file.tree, node)


def either(match: Match, node: ast.expr, new: str, test: str = "") -> tuple[Edit, ...] | None:
    """``NEW if torch.jit.is_scripting() else OLD`` in the place of an expression.

    Args:
        match: for the file.
        node: the expression.
        new: what the compiler gets.
        test: what else has to hold for that.

    Returns:
        None where it stands in such a form, or the function calls something else ``torch``.
    """
    torch, imports = match.imported("torch")
    if is_split(match, node) or is_local(match, torch):
        return None
    around = walking.parents(match.file.tree).get(node)
    old = match.text(node)
    if "#" in old:
        return None
    if isinstance(node, (ast.IfExp, ast.Lambda, ast.NamedExpr)) or (isinstance(node, ast.Tuple) and old[0] != "("):
        old = f"({old})"
    asked = f"{torch}.jit.is_scripting()" + (f" and {test}" if test else "")
    text = f"{new} if {asked} else {old}"
    closed = (
        isinstance(around, _OPEN) and "\n" not in text and not (isinstance(around, ast.Tuple) and len(around.elts) < 2)
    )
    if isinstance(around, ast.Subscript):
        closed = around.slice is node and "\n" not in text
    return (replace(match, node, text if closed else f"({text})"), *imports)


def either_fix(match: Match, node: ast.expr, new: str, message: str, *risks: Risk, test: str = "") -> Fix | None:
    """The fix that writes :func:`either`; *safe* without risks."""
    edits = either(match, node, new, test)
    if edits is None:
        return None
    return unsafe(message, *edits, risks=risks) if risks else safe(message, *edits)


def both_ways(match: Match, statement: ast.stmt, new: list[str]) -> tuple[Edit, ...] | None:
    """A statement in an ``else``, and others for the compiler in its ``if torch.jit.is_scripting():``.

    Args:
        match: for the file.
        statement: has lines of its own.
        new: lines for the compiler, without indentation.
    """
    if is_split(match, statement) or not movable(match, [statement]) or block(match, statement) is None:
        return None
    torch, imports = match.imported("torch")
    old = lines(match, [statement])
    indent = indentation(old[0])
    step = step_of(match, statement)
    made = [f"{indent}if {torch}.jit.is_scripting():", *(indent + step + line for line in new), f"{indent}else:"]
    made += [step + line if line.strip() else line for line in old]
    start, end = whole_lines(match, [statement])
    return (Edit(start, end, match.source.newline.join(made)), *imports)


def step_of(match: Match, statement: ast.AST) -> str:
    """The step by which the function around a statement indents."""
    for around in walking.around(match.file.tree, statement):
        body = getattr(around, "body", None)
        if isinstance(body, list) and body and body[0].lineno > around.lineno:  # type: ignore[attr-defined]
            inner = indentation(match.source.lines[body[0].lineno - 1])
            outer = indentation(match.source.lines[around.lineno - 1])  # type: ignore[attr-defined]
            if inner.startswith(outer) and len(inner) > len(outer):
                return inner[len(outer) :]
    return deeper(match.source.lines[place(match, statement)[0].row - 1])


def asserted(match: Match, statement: ast.stmt, name: str, *, raises: bool) -> tuple[list[str], tuple[Edit, ...]]:
    """The lines, indented, that make a variable certain before a statement, and the imports that they need.

    Args:
        match: for the file.
        statement: before which they go.
        name: the variable.
        raises: whether Python raises there anyway where it is None; else only compiled code is to.
    """
    row = place(match, statement)[0].row
    indent = indentation(match.source.lines[row - 1])
    if raises:
        return [f"{indent}assert {name} is not None"], ()
    torch, imports = match.imported("torch")
    step = step_of(match, statement)
    return [f"{indent}if {torch}.jit.is_scripting():", f"{indent}{step}assert {name} is not None"], imports


def before(match: Match, statement: ast.stmt, made: list[str]) -> Edit:
    """Put lines before a statement."""
    row = Position(place(match, statement)[0].row, 1)
    return Edit(row, row, match.source.newline.join([*made, ""]))


def as_float(match: Match, node: ast.expr) -> str:
    """An int expression as a float: a literal with a point, ``float(…)`` around anything else."""
    text = match.text(node)
    return f"{text}.0" if text.lstrip("-").isdigit() else f"float({text})"
