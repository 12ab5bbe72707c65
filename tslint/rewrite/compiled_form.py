"""Writes one form of some code for the compiler, and keeps the author's own for Python.

The compiler decides ``torch.jit.is_scripting()`` at compile time, and only reads the branch for compiled code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.decided import decided
from tslint.rewrite.scripting import branch
from tslint.rulekit import matchers as m
from tslint.rulekit.definition import without_leading
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe, unsafe
from tslint.rulekit.template import Line, block, expression, statement
from tslint.script.dataflow.scripting_tests import asks_is_scripting

Made = Callable[[], cst.BaseExpression]


def is_split(match: Match, node: cst.CSTNode) -> bool:
    """Return whether a node is in code that already has two forms, one for the compiler and one for Python."""
    return asks_is_scripting(match.file.tree, match.model(node))


def in_compiled_code(
    match: Match, node: cst.CSTNode, new: Made, message: str, *risks: Risk, test: cst.BaseExpression | None = None
) -> Fix | None:
    """Replace an expression by ``NEW if torch.jit.is_scripting() else NODE``; *safe* if there are no risks.

    Args:
        match: the match of the finding.
        node: the expression, which Python still evaluates.
        new: creates the expression for compiled code.
        message: what the fix does.
        risks: how compiled code may differ.
        test: a further condition for the new expression.

    Returns:
        None if the expression already has two forms, or the function uses the name ``torch`` for something else.
    """
    torch, _ = match.imported("torch")
    if not isinstance(node, cst.BaseExpression) or is_split(match, node) or match.binds(torch):
        return None

    def edits() -> tuple[Edit, ...]:
        return branch(match, node, new(), test=test)

    return unsafe(message, edits, risks=risks) if risks else safe(message, edits)


def can_go_both_ways(match: Match, line: Line | None) -> bool:
    """Return whether a statement can be written twice, for compiled code and for Python: it has lines of its own, and
    does not already have two forms.
    """
    return line is not None and not is_split(match, small(line))


def both_ways(match: Match, line: Line, new: Sequence[Line]) -> tuple[Edit, ...]:
    """Write ``if torch.jit.is_scripting():`` with new statements for the compiler, and put the author's statement under
    ``else:``; an ``if`` becomes an ``elif``.
    """
    torch, imports = match.imported("torch")
    test = statement("if {torch}.jit.is_scripting():\n    pass", torch=torch)
    compiled, eager = [decided(each, scripting=True) for each in new], decided(line, scripting=False)
    orelse = without_leading(eager) if isinstance(eager, cst.If) else cst.Else(block([eager]))
    both = test.with_changes(body=block(compiled), orelse=orelse)
    return (*match.rewrite(line, both, copied=True), *imports)


def asserted(match: Match, name: str, *, raises: bool) -> tuple[Line, tuple[Edit, ...]]:
    """Return the statement that asserts that a variable is not None, and the imports that it needs.

    Args:
        match: the match of the finding.
        name: the variable.
        raises: whether Python raises there anyway if the variable is None; otherwise only compiled code asserts it.
    """
    line = statement("assert {name} is not None", name=name)
    if raises:
        return line, ()
    torch, imports = match.imported("torch")
    test = statement("if {torch}.jit.is_scripting():\n    pass", torch=torch)
    return test.with_changes(body=block([line])), imports


def small(line: Line) -> cst.CSTNode:
    """Return the statement on a line; of several statements, the first."""
    return line.body[0] if isinstance(line, cst.SimpleStatementLine) else line


def as_float(node: cst.BaseExpression) -> cst.BaseExpression:
    """Return an int expression as a float: a literal with a decimal point, another expression in ``float(…)``."""
    if isinstance(node, cst.Integer) and node.value.isdigit():
        return cst.Float(f"{node.value}.0")
    if m.matches(node, m.UnaryOperation(m.Minus(), m.Integer())) and isinstance(node, cst.UnaryOperation):
        return node.with_changes(expression=as_float(node.expression))
    return expression("float({node})", node=node)


def int_of(node: cst.CSTNode) -> Made:
    """Return a function that puts ``int(…)`` around an expression."""
    assert isinstance(node, cst.BaseExpression)
    return lambda: expression("int({node})", node=node)
