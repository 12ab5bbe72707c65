"""Writes statements differently for compiled code, and leaves what Python runs unchanged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.compiled_form import both_ways
from tslint.rewrite.decided import decided
from tslint.rewrite.scripting import behind_test, eager_only
from tslint.rulekit import matchers as m
from tslint.rulekit.definition import without_leading
from tslint.rulekit.match import Match
from tslint.rulekit.parts import statements_of
from tslint.rulekit.rule import unsafe
from tslint.rulekit.template import Line, bare, block, expression, fitting, holder, statement
from tslint.script.dataflow.bool_attributes import is_bool
from tslint.script.dataflow.instance_stores import instance_stores
from tslint.script.dataflow.left_out import can_be_left_out
from tslint.script.dataflow.scopes import function_around, is_needed_elsewhere
from tslint.script.dataflow.stores import file_facts
from tslint.script.types import TensorType

_Node = TypeVar("_Node", bound=cst.CSTNode)
Truth = Callable[[cst.BaseExpression], "bool | None"]
_SIMPLE = m.Assign() | m.AnnAssign() | m.AugAssign() | m.Expr() | m.Return()
_ORDER = m.LessThan() | m.LessThanEqual() | m.GreaterThan() | m.GreaterThanEqual()
_NUMBER = m.ComparisonTarget(operator=_ORDER, comparator=m.Integer() | m.Float())
# An attribute that is compared with a number by `<` or the like is a number or a tensor.
_ORDERED = m.Comparison(left=m.Attribute(m.Name()), comparisons=[_NUMBER])
_UNREADABLE = m.Lambda() | m.NamedExpr() | m.Await() | m.Yield()


def twice(match: Match, node: cst.BaseExpression, compiled: cst.BaseExpression, message: str) -> Fix | None:
    """Write the event's statement twice: unchanged for Python, and with another expression for compiled code.

    Return None unless it is a simple statement on a line of its own that the compiler can read.

    Args:
        match: the match of the finding.
        node: an expression of the statement.
        compiled: the expression for compiled code.
        message: what the fix does.
    """
    member, line = match.statement(), match.line()
    if line is None or member is None or not m.matches(member, _SIMPLE) or m.findall(member, _UNREADABLE):
        return None
    if match.binds(match.imported("torch")[0]):
        return None

    def edits() -> tuple[Edit, ...]:
        new = fitting(bare(compiled), holder(node, match.parent(node)))
        if node.lpar:
            new = new.with_changes(lpar=node.lpar, rpar=node.rpar)
        return both_ways(match, line, [line.with_changes(body=[member.deep_replace(node, new)])])

    return unsafe(message, edits, risks=(Risk.DIFFERS,))


def decided_test(match: Match, truth: Truth, message: str) -> Fix | None:
    """Decide an ``if`` for compiled code: its test contains the event, and has a known result in compiled code.

    If the test is false, compiled code contains only the ``else``, or nothing. If it is true, compiled code contains
    only the body; without an ``else``, this is only possible if the body leaves the function. Return None if there is
    no such fix.

    Args:
        match: the match of the finding.
        truth: returns whether an expression is true in compiled code; None if that is not known.
        message: what the fix does.
    """
    node, line = match.statement(), match.line()
    if not isinstance(node, cst.If) or line is None:
        return None
    answer = _answer(node.test, truth)
    if answer is None or not can_be_left_out(match.file.tree, _unseen(match, node, answer)):
        return None
    kept = node.body if answer else node.orelse.body if isinstance(node.orelse, cst.Else) else None
    if kept is not None and m.matches(statements_of(kept.body)[-1], m.Raise()):
        return None  # the compiled function would always raise
    if answer is False:
        return eager_only(match, [line], message) if node.orelse is None else else_alone(match, node, message)
    if not isinstance(node.body, cst.IndentedBlock):
        return None
    body = _lines(node.body)
    if node.orelse is not None:
        return unsafe(message, lambda: both_ways(match, line, body), risks=(Risk.DIFFERS,))
    if _leaves(node.body):
        # The compiler does not compile what follows a static branch that returns.
        return unsafe(message, lambda: _first(match, line, body), risks=(Risk.DIFFERS,))
    return None


def _unseen(match: Match, node: cst.If, answer: bool) -> list[Any]:
    """Return the nodes that compiled code no longer contains once the result of a test is known: the test, and the
    branch that is not taken. A true test without an ``else`` has a body that leaves the function: then return the test,
    and the code after the ``if``.
    """
    model = match.model(node)
    if not answer:
        return [model.test, *model.body]
    function = function_around(match.file.tree, model)
    if model.orelse or function is None:
        return [model.test, *model.orelse]
    return [model.test, *(each for each in function.body if (each.end_lineno or 0) > model.end_lineno)]


def else_alone(match: Match, node: cst.If, message: str) -> Fix | None:
    """Compile only the ``else`` of an ``if``; Python still evaluates the test. Return None if there is no ``else``
    block.

    If the compiler can read the test, the fix adds ``not torch.jit.is_scripting()`` to it. Otherwise compiled code gets
    a copy of the ``else``. No copy is needed if the body leaves the function, or if both branches only set the variable
    that the next statement returns.
    """
    line, orelse = match.line(node), node.orelse
    if line is None or not isinstance(orelse, cst.Else) or not isinstance(orelse.body, cst.IndentedBlock):
        return None
    if _is_readable(match, node.test):
        return unsafe(message, lambda: _in_python(match, node.test), risks=(Risk.DIFFERS,))
    body, returned = orelse.body, _returned(match, node)
    commented = any(m.findall(each, m.Comment()) for each in (*orelse.leading_lines, body.header, *body.footer))

    def edits() -> tuple[Edit, ...]:
        if not commented and _leaves(node.body):
            return _tried(match, [line], node, body)
        if not commented and returned is not None:
            return _tried(match, [line, returned], _returning(node), _returning(body))
        return both_ways(match, line, _lines(body))

    return unsafe(message, edits, risks=(Risk.DIFFERS,))


def left_first(match: Match, node: cst.If, other: cst.CSTNode, message: str) -> Fix | None:
    """Remove from compiled code an ``if`` whose body leaves the function, if the next statement is equal to ``other``;
    return None if it is not.
    """
    line, below = match.line(node), _below(match, node)
    if line is None or below is None or not below.deep_equals(other) or not _leaves(node.body):
        return None
    if _is_readable(match, node.test):
        return unsafe(message, lambda: _in_python(match, node.test), risks=(Risk.DIFFERS,))
    return behind_test(match, [line], message)


def _is_readable(match: Match, test: cst.BaseExpression) -> bool:
    """Return whether the compiler is known to accept a test, because the test only reads flags, and compares attributes
    with numbers.
    """
    if isinstance(test, cst.BooleanOperation):
        return _is_readable(match, test.left) and _is_readable(match, test.right)
    if isinstance(test, cst.UnaryOperation):
        return isinstance(test.operator, cst.Not) and _is_readable(match, test.expression)
    if isinstance(test, cst.Attribute) and isinstance(test.value, cst.Name):
        owner, flag = test.value.value, test.attr.value
        tensor = isinstance(match.event.variables.get(owner), TensorType)
        own = owner == match.self_name and (flag == "training" or _is_flag(match, flag))
        return own or (tensor and (flag.startswith("is_") or flag == "requires_grad"))
    return m.matches(test, _ORDERED)


def _is_flag(match: Match, name: str) -> bool:
    """Return whether an attribute of the instance only gets bools."""
    unit, facts = match.event.unit, file_facts(match.file.tree)
    owner = unit.function.owner.node if unit is not None and unit.function.owner is not None else None
    stores = instance_stores(facts, owner, name) if owner is not None else None
    return bool(stores) and all(is_bool(facts, each) for each in stores or ())


def _in_python(match: Match, test: cst.BaseExpression) -> tuple[Edit, ...]:
    """Add ``not torch.jit.is_scripting()`` to a test: the compiler then drops the code under it."""
    torch, imports = match.imported("torch")
    new = expression("not {torch}.jit.is_scripting() and {test}", torch=torch, test=test)
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And) and not test.lpar:
        new = _ahead(cst.ensure_type(new, cst.BooleanOperation).left, test)
    return (*match.replace(test, new), *imports)


def _ahead(first: cst.BaseExpression, test: cst.BaseExpression) -> cst.BaseExpression:
    """Return ``first and a and b`` for ``a and b``, without parentheses."""
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And) and not test.lpar:
        return test.with_changes(left=_ahead(first, test.left))
    return cst.BooleanOperation(first, cst.And(), test)


def _tried(match: Match, lines: Sequence[Line], node: cst.If, rest: cst.IndentedBlock) -> tuple[Edit, ...]:
    """Put ``if not torch.jit.is_scripting():`` around an ``if`` that leaves the function, and its ``else`` after it."""
    torch, imports = match.imported("torch")
    test = statement("if not {torch}.jit.is_scripting():\n    pass", torch=torch)
    asked = decided(without_leading(node).with_changes(orelse=None), scripting=False)
    below = [each for each in rest.body if isinstance(each, Line)]
    return (*match.rewrite_all(lines, test.with_changes(body=block([asked])), *below), *imports)


def _leaves(body: cst.BaseSuite) -> bool:
    """Return whether a block ends in a ``return`` or ``raise``."""
    return isinstance(statements_of(body.body)[-1], (cst.Return, cst.Raise))


def _below(match: Match, node: cst.If) -> cst.CSTNode | None:
    """Return the statement directly below an ``if``; None if the ``if`` is the last of its block."""
    siblings = match.siblings(node)
    return next(iter(siblings[siblings.index(node) + 1 :]), None)


def _returned(match: Match, node: cst.If) -> Line | None:
    """Return the ``return name`` after an ``if`` whose branches only set ``name``, if nothing else reads the name."""
    function, below = match.parent(node), _below(match, node)
    name = below.value if isinstance(below, cst.Return) else None
    line = match.line(below) if below is not None else None
    if not isinstance(function, cst.FunctionDef) or not isinstance(name, cst.Name) or line is None:
        return None
    sets = m.Assign(targets=[m.AssignTarget(target=m.Name(name.value))])
    alone = m.IndentedBlock(body=[m.SimpleStatementLine(body=[sets])])
    if not m.matches(node, m.If(body=alone, orelse=m.Else(body=alone))) or m.findall(line, m.Comment()):
        return None
    return None if is_needed_elsewhere(match.model(function), name.value) else line


def _returning(node: _Node) -> _Node:
    return cast(_Node, node.visit(_Returning()))


class _Returning(cst.CSTTransformer):
    """Replaces an assignment by a return of its value."""

    def leave_Assign(self, original_node: cst.Assign, updated_node: cst.Assign) -> cst.Return:
        return cst.Return(updated_node.value)


def _first(match: Match, line: Line, compiled: Sequence[Line]) -> tuple[Edit, ...]:
    """Insert ``if torch.jit.is_scripting(): COMPILED`` before the statement."""
    torch, imports = match.imported("torch")
    test = statement("if {torch}.jit.is_scripting():\n    pass", torch=torch)
    return (match.insert_before(line, test.with_changes(body=block(compiled))), *imports)


def _lines(body: cst.IndentedBlock) -> list[Line]:
    """Return the statements of a block, without the comments above the first one."""
    first, *rest = (each for each in body.body if isinstance(each, Line))
    return [without_leading(first), *rest]


def _answer(test: cst.BaseExpression, truth: Truth) -> bool | None:
    known = truth(test)
    if known is not None:
        return known
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        inner = _answer(test.expression, truth)
        return None if inner is None else not inner
    if isinstance(test, cst.BooleanOperation):
        parts = [_answer(test.left, truth), _answer(test.right, truth)]
        settles = isinstance(test.operator, cst.Or)
        if settles in parts:
            return settles
        return None if None in parts else not settles
    return None
