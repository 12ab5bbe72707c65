"""Writes out a loop over a few literal numbers or strings: an index or a name computed from them becomes a literal."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from keyword import iskeyword

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.rewrite.loops import Loop, lines_of, loops_around, names_in
from tslint.rulekit import matchers as m
from tslint.rulekit.definition import without_leading
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe
from tslint.rulekit.template import Line, code, expression
from tslint.script.dataflow.loops import read_after, rebinds
from tslint.script.dataflow.scopes import is_needed_elsewhere, module_bindings

# A longer text is harder to read than a loop.
_MOST, _LINES = 6, 12
_POSITIONAL = m.Arg(keyword=None, star="")
_JUMPS = m.Break() | m.Continue() | m.Yield() | m.Await()
_OTHER_FORM = m.Comparison() | m.ListComp() | m.SetComp() | m.DictComp() | m.GeneratorExp()
_OPERATOR = m.Add() | m.Subtract() | m.Multiply() | m.FloorDivide() | m.Modulo()
_GETATTR = m.Call(m.Name("getattr"), [_POSITIONAL, _POSITIONAL])
Literals = Sequence[int | str]


def unrolled(match: Match, node: cst.CSTNode) -> Fix | None:
    """Write ``for i in range(3): x = self.blocks[f"b{i}"](x)`` as three statements with literal keys.

    Args:
        match: the match of the finding.
        node: the index, key or name that is computed from the loop's variable.

    Returns:
        None if the values of the variable are not literals or too many, if ``node`` also depends on something else, or
        if the variable is needed after the loop.
    """
    loop = _loop_of(match, node)
    values = _values(match, loop.iterable) if loop is not None else ()
    if loop is None or not values or not isinstance(loop.node, cst.For) or not isinstance(loop.target, cst.Name):
        return None
    around, name, tree = loop.node, loop.target.value, match.file.tree
    if not _is_literal(node.visit(_Computed(loop.variables, name, values[0]))):
        return None
    model, function = match.model(around), match.function
    if around.orelse is not None or function is None or len(lines_of(around.body)) != len(around.body.body):
        return None
    body = code(around.body).strip()
    if "#" in body or m.findall(around.body, _JUMPS | _OTHER_FORM):
        return None  # a comment would be repeated
    if not 0 < len(values) <= _MOST or (body.count("\n") + 1) * len(values) > _LINES:
        return None
    if any(match.binds(each) or each in module_bindings(tree) for each in ("range", "str", "getattr")):
        return None
    if rebinds(model, name) or read_after(tree, model, name) or is_needed_elsewhere(match.model(function), name):
        return None

    def edits() -> tuple[Edit, ...]:
        computed = [_Computed(loop.variables, name, value) for value in values]
        new = [line.visit(each) for each in computed for line in lines_of(around.body)]
        first, *rest = (each for each in new if isinstance(each, Line))
        return match.rewrite(around, without_leading(first), *rest)

    return safe("Write the iterations of the loop out", edits)


def _loop_of(match: Match, node: cst.CSTNode) -> Loop | None:
    """Return the innermost loop whose only variable a node reads; None if there is none."""
    names = set(names_in(node))
    for loop in loops_around(match, node):
        if isinstance(loop.target, cst.Name) and loop.target.value in names:
            return loop
    return None


def _values(match: Match, iterable: cst.BaseExpression) -> Literals:
    """Return the literals over which a loop iterates; empty if they are not known."""
    if isinstance(iterable, cst.Call) and m.matches(iterable.func, m.Name("range")):
        bounds = [_literal(each.value) if m.matches(each, _POSITIONAL) else None for each in iterable.args]
        numbers = [each for each in bounds if isinstance(each, int)]
        if len(numbers) != len(bounds) or not 1 <= len(numbers) <= 3 or (len(numbers) == 3 and numbers[2] == 0):
            return ()
        return range(*numbers)[: _MOST + 1]
    if isinstance(iterable, (cst.List, cst.Tuple)):
        found = [_literal(each.value) for each in iterable.elements]
        return [each for each in found if each is not None] if None not in found else ()
    return ()


def _literal(node: cst.BaseExpression) -> int | str | None:
    """Return the value of a literal int or string; None for other expressions."""
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        number = _literal(node.expression)
        return -number if isinstance(number, int) else None
    if isinstance(node, (cst.Integer, cst.SimpleString, cst.ConcatenatedString)):
        value = node.evaluated_value
        return value if isinstance(value, (int, str)) else None
    return None


def _is_literal(node: object) -> bool:
    return isinstance(node, cst.BaseExpression) and _literal(node) is not None


class _Computed(cst.CSTTransformer):
    """Replaces a variable by a literal, and computes what only depends on it.

    Args:
        variables: the nodes of the variables in the loop.
        name: the variable.
        value: its value.
    """

    def __init__(self, variables: Collection[cst.Name], name: str, value: int | str) -> None:
        super().__init__()
        self._uses = {each for each in variables if each.value == name}
        self._value = value
        self._made: set[cst.CSTNode] = set()

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        return self._make(self._value) if original_node in self._uses else updated_node

    def leave_BinaryOperation(
        self, original_node: cst.BinaryOperation, updated_node: cst.BinaryOperation
    ) -> cst.BaseExpression:
        parts = (updated_node.left, updated_node.right)
        return self._computed(updated_node, parts) if m.matches(updated_node.operator, _OPERATOR) else updated_node

    def leave_FormattedString(
        self, original_node: cst.FormattedString, updated_node: cst.FormattedString
    ) -> cst.BaseExpression:
        parts = [each.expression for each in updated_node.parts if isinstance(each, cst.FormattedStringExpression)]
        return self._computed(updated_node, parts)

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        called, parts = updated_node.func, [each.value for each in updated_node.args]
        formats = m.matches(called, m.Attribute(m.SimpleString(), m.Name("format")))
        if (m.matches(called, m.Name("str")) and len(parts) == 1) or formats:
            return self._computed(updated_node, parts)
        if m.matches(updated_node, _GETATTR) and parts[1] in self._made:
            name = _literal(parts[1])
            if isinstance(name, str) and name.isidentifier() and not iskeyword(name) and not name.startswith("__"):
                return expression(f"{{owner}}.{name}", owner=parts[0])
        return updated_node

    def _computed(self, node: cst.BaseExpression, parts: Sequence[cst.BaseExpression]) -> cst.BaseExpression:
        """Return the literal for an expression; the expression itself if its parts are no literals, or the author's."""
        if not self._made.intersection(parts) or not all(map(_is_literal, parts)):
            return node
        try:
            value = eval(code(node), {"__builtins__": {"str": str}})  # of literals only
        except (ArithmeticError, ValueError, TypeError, LookupError):
            return node
        return self._make(value) if type(value) in (int, str) else node

    def _make(self, value: int | str) -> cst.BaseExpression:
        new = expression(f'"{value}"' if isinstance(value, str) and value.isidentifier() else repr(value))
        self._made.add(new)
        return new
