"""Evaluates tests of a constructor: to a known result, or to the assumptions for each result."""

from __future__ import annotations

import ast
import operator
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tslint.script.assumptions import NO_ASSUMPTIONS, Assumption, Assumptions, satisfiable
from tslint.script.attributes import (
    PY_UNKNOWN,
    Attribute,
    PyChoice,
    PyConst,
    PyDict,
    PyParameter,
    PySequence,
    PyValue,
)
from tslint.script.construct.arithmetic import fold, python_type
from tslint.script.construct.branch_values import is_flag
from tslint.script.construct.frame import Frame
from tslint.script.construct.pyvalues import cases, none_ness, truth
from tslint.script.dataflow.evaluation import steps
from tslint.util import astwalk

_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_INNER = (
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
    ast.NamedExpr,
)  # nodes that bind names of their own
_OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.IsNot: ast.Is, ast.NotEq: ast.Eq, ast.NotIn: ast.In}


class Conditions(ABC):
    """Evaluates the tests in one frame of a constructor."""

    frame: Frame

    @abstractmethod
    def evaluate(self, node: ast.expr | None) -> PyValue:
        """Return the value of an expression; ``PY_UNKNOWN`` if it is not known."""

    def decide(self, node: ast.expr) -> tuple[bool | None, Assumptions, Assumptions]:
        """Return what :meth:`test` returns for a statement's test; exclude constructions in which the test raises."""
        self.requires_values(node)
        return self.test(node)

    def computed(self, node: ast.expr) -> PyValue:
        """Return the value of a statement's expression; exclude the constructions in which the expression raises."""
        self.requires_values(node)
        return self.evaluate(node)

    def requires_values(self, node: ast.expr) -> None:
        """Exclude the constructions in which an operation that is always evaluated raises because of an operand that is
        None: ``None > 0``, ``dim // None``.
        """
        if not any(isinstance(part, (ast.Compare, ast.BinOp)) for part in astwalk.walk(node)):
            return
        if self.frame.unknown_loops or any(isinstance(part, _INNER) for part in astwalk.walk(node)):
            return
        for part, certain in steps(node):
            if certain and isinstance(part, ast.Compare) and type(part.ops[0]) in _ORDER:
                self._require(part.left, part.comparators[0])
            elif certain and isinstance(part, ast.BinOp) and not set(map(type, astwalk.walk(part))) & {ast.Call}:
                self._require(part.left, part.right, divides=isinstance(part.op, (ast.Div, ast.FloorDiv)))

    def _require(self, first: ast.expr, second: ast.expr, *, divides: bool = False) -> None:
        left, right = self.evaluate(first), self.evaluate(second)
        for value, other in ((left, right), (right, left)):
            for assumptions, leaf in cases(value) if divides or python_type(other) in ("int", "float") else ():
                if assumptions and leaf == PyConst(None):
                    self.frame.run.impossible.append(self.frame.assumptions | assumptions)

    def outcome(self, node: ast.expr) -> PyValue:
        """Return the result of a test: a bool, or a choice with the tests that decide it."""
        known, when_true, when_false = self.test(node)
        if known is not None:
            return PyConst(known)
        return PyChoice(((when_true, PyConst(True)), (when_false, PyConst(False))))

    def test(self, node: ast.expr) -> tuple[bool | None, Assumptions, Assumptions]:
        """Return a test's result (None if it is not known), the assumptions if it is true, and those if it is false."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner, yes, no = self.test(node.operand)
            return (None if inner is None else not inner), no, yes
        value = self._settled(node)
        known = truth(value)
        if known is not None:
            return known, NO_ASSUMPTIONS, NO_ASSUMPTIONS
        sides = _sides(value)
        if sides is not None:
            true, false = (satisfiable(side, self.frame.assumptions) for side in sides)
            return None if true and false else true, *sides
        assumption = self.assumption(node)
        yes, no = frozenset([assumption]), frozenset([assumption.negated()])
        if isinstance(node, ast.BoolOp):
            parts = [self.test(value) for value in node.values]
            if isinstance(node.op, ast.And):
                if any(part[0] is False for part in parts):
                    return False, NO_ASSUMPTIONS, NO_ASSUMPTIONS
                open_parts = [part for part in parts if part[0] is None]
                yes = yes.union(*(_parts(part[1], assumption) for part in open_parts))
                no = open_parts[0][2] if len(open_parts) == 1 else no
            else:
                if any(part[0] is True for part in parts):
                    return True, NO_ASSUMPTIONS, NO_ASSUMPTIONS
                open_parts = [part for part in parts if part[0] is None]
                no = no.union(*(_parts(part[2], assumption) for part in open_parts))
                yes = open_parts[0][1] if len(open_parts) == 1 else yes
        if self._is_declared(node):
            self.frame.run.impossible.append(no)
        self.frame.run.implied[assumption] = yes
        self.frame.run.implied[assumption.negated()] = no
        for given in self.frame.assumptions:
            if given == assumption:
                return True, NO_ASSUMPTIONS, NO_ASSUMPTIONS
            if given == assumption.negated():
                return False, NO_ASSUMPTIONS, NO_ASSUMPTIONS
        if not satisfiable(yes, self.frame.assumptions):
            return False, NO_ASSUMPTIONS, NO_ASSUMPTIONS
        return None, yes, no

    def _is_declared(self, node: ast.expr) -> bool:
        """Return whether a test is ``isinstance(size, int)`` for a parameter ``size: int``, which counts as true."""
        if not isinstance(node, ast.Call) or len(node.args) != 2 or not isinstance(node.func, ast.Name):
            return False
        value = self.evaluate(node.args[0]) if node.func.id == "isinstance" else None
        kinds = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]
        names = frozenset(kind.id for kind in kinds if isinstance(kind, ast.Name))
        return isinstance(value, PyParameter) and self.frame.run.is_declared(value, names)

    def assumption(self, node: ast.expr) -> Assumption:
        """Return the assumption that a test is true, in terms of the caller if the test only reads what the caller
        passed.
        """
        frame = self.frame
        own = [name for name in _variables(node) if name in frame.locals]
        if frame.caller is not None and own and frame.arguments.keys() - frame.versions.keys() >= {*own}:
            if not frame.caller.locals.keys() & {*_variables(node)} - {*own}:
                return frame.caller.assumption(_substituted(node, frame.arguments))
        test, holds = _without_negation(node)
        version = 0
        for name in _variables(test):
            given = isinstance(self.frame.locals.get(name), PyParameter)  # an argument of the constructor never changes
            version = version * 31 + (0 if given else self.frame.versions.get(name, 0))
        return Assumption(self._in_parameters(test), holds, version, place=self._place(test))

    def _place(self, test: ast.expr) -> str:
        """Return the called function whose variables a test reads; empty if it only reads the constructor's."""
        held, function = self.frame.locals, self.frame.function
        if self.frame.caller is None or function is None:
            return ""
        own = {name for name in _variables(test) if name in held and not isinstance(held[name], PyParameter)}
        if not own - {self.frame.self_name}:
            return ""
        return f"{function.owner.name}.{function.name}" if function.owner is not None else function.name

    def _in_parameters(self, test: ast.expr) -> str:
        """Return the text of a test in terms of the constructor's parameters: ``flag`` for ``self.flag`` if the
        attribute stores the parameter ``flag``.
        """
        held, itself = self.frame.locals, self.frame.self_name
        originals = {
            name: value.name
            for name in _variables(test)
            if isinstance(value := held.get(name), PyParameter) and value.name != name
        }
        for attribute in _attributes(test).get(itself, ()):
            source = self._source(attribute)
            if source is not None:
                originals[f"{itself}.{attribute}"] = source
        if not originals:
            return _text(test)
        known, key = _rewritten(test), frozenset(originals.items())
        if key not in known:
            known[key] = ast.unparse(_Originals(originals).visit(ast.parse(_text(test), mode="eval").body))
        return known[key]

    def _source(self, attribute: str) -> str | None:
        """Return the parameter that an attribute of the instance stores unchanged; None if there is none."""
        stored = self.frame.run.stored(self.frame.attribute_name(attribute))
        sources = {source_parameter(each) for each in stored or ()}
        return sources.pop() if len(sources) == 1 else None

    def _settled(self, node: ast.expr) -> PyValue:
        """Return the value of a test. For a comparison, ``and`` or ``or``, return ``PY_UNKNOWN`` unless all
        constructions have the same value.
        """
        if isinstance(node, ast.Compare):
            return self._compared(node)
        return self._joined(node) if isinstance(node, ast.BoolOp) else self.evaluate(node)

    def _boolean(self, node: ast.BoolOp) -> PyValue:
        value = self._joined(node)
        return self.outcome(node) if value is PY_UNKNOWN and self._gives_bool(node) else value

    def _gives_bool(self, node: ast.expr) -> bool:
        """Return whether an expression's value is certainly a bool; for ``a and b``, both operands must be bools."""
        if isinstance(node, ast.BoolOp):
            return all(self._gives_bool(value) for value in node.values)
        if isinstance(node, ast.Name):
            value = self.evaluate(node)
            return isinstance(value, PyParameter) and is_flag(value)
        is_not = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
        return (
            is_not
            or isinstance(node, ast.Compare)
            or (isinstance(node, ast.Call) and astwalk.is_name(node.func, "bool"))
        )

    def _joined(self, node: ast.BoolOp) -> PyValue:
        stop = isinstance(node.op, ast.Or)
        value: PyValue = PY_UNKNOWN
        for operand in node.values:
            value = self.evaluate(operand)
            known = truth(value)
            if known is None:
                return PY_UNKNOWN
            if known is stop:
                return value
        return value

    def _compare(self, node: ast.Compare) -> PyValue:
        value = self._compared(node)
        return self.outcome(node) if value is PY_UNKNOWN else value

    def _compared(self, node: ast.Compare) -> PyValue:
        if len(node.ops) != 1:
            return PY_UNKNOWN
        left, right, test = self.evaluate(node.left), self.evaluate(node.comparators[0]), node.ops[0]
        if isinstance(test, (ast.Is, ast.IsNot)) and isinstance(right, PyConst) and right.value is None:
            return _is_none(left, isinstance(test, ast.Is))
        if isinstance(test, (ast.In, ast.NotIn)) and isinstance(left, PyConst):
            items = right.items if isinstance(right, PySequence) else None
            if isinstance(right, PyDict) and right.items is not None:
                items = tuple(key for key, _ in right.items)
            if items is not None and all(isinstance(item, PyConst) for item in items):
                return PyConst((left in items) is isinstance(test, ast.In))
        if isinstance(left, PyConst) and isinstance(right, PyConst) and type(test) in _COMPARE:
            return fold(_COMPARE[type(test)], left.value, right.value)
        return PY_UNKNOWN


def _is_none(value: PyValue, expected: bool) -> PyValue:
    """Return whether ``value is None`` has the expected result: a bool, or a choice with the tests that decide it;
    ``PY_UNKNOWN`` if that is not known for a case of the value.
    """
    options = value.cases if isinstance(value, PyChoice) else ((NO_ASSUMPTIONS, value),)
    results = tuple((assumptions, none_ness(option)) for assumptions, option in options)
    outcomes = {known for _, known in results}
    if None in outcomes or (len(outcomes) > 1 and len(results) > 2):
        return PY_UNKNOWN
    decided = tuple((assumptions, PyConst(known is expected)) for assumptions, known in results)
    return decided[0][1] if len(outcomes) == 1 else PyChoice(decided)


def _sides(value: PyValue) -> tuple[Assumptions, Assumptions] | None:
    """Return the tests under which a choice is true, and the tests under which it is false; None for a value that is
    not a choice between a true and a false value.
    """
    if not isinstance(value, PyChoice) or len(value.cases) != 2:
        return None
    sides = {truth(case): assumptions for assumptions, case in value.cases}
    return (sides[True], sides[False]) if sides.keys() == {True, False} else None


def _parts(assumptions: Assumptions, whole: Assumption) -> Assumptions:
    """Return the results of tests, marked as implied by the result of a longer test."""
    return frozenset(
        replace(assumption, part_of=assumption.part_of or whole.text, excludes=(), general="")
        for assumption in assumptions
    )


@astwalk.kept
def _without_negation(test: ast.expr) -> tuple[ast.expr, bool]:
    """Return a test without its negation (``a is b`` for ``a is not b``), and whether it had none."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        opposite = _OPPOSITES.get(type(test.ops[0]))
        if opposite is not None:
            return ast.copy_location(ast.Compare(test.left, [opposite()], test.comparators), test), False
    return test, True


def _substituted(test: ast.expr, arguments: dict[str, ast.expr]) -> ast.expr:
    """Return a test with expressions instead of names."""
    known = _in_terms(test)
    key = tuple((name, ast.unparse(arguments[name])) for name in _variables(test) if name in arguments)
    if key not in known:
        known[key] = _Substitution(arguments).visit(ast.parse(_text(test), mode="eval").body)
    return known[key]


@astwalk.kept
def _in_terms(test: ast.expr) -> dict[tuple[tuple[str, str], ...], ast.expr]:
    """Return the cache of :func:`_substituted` for a test."""
    return {}


@astwalk.kept
def _variables(test: ast.expr) -> list[str]:
    """Return the names in a test, except ``self``; a name that occurs twice is returned twice."""
    return [node.id for node in astwalk.walk(test) if isinstance(node, ast.Name) and node.id != "self"]


@astwalk.kept
def _attributes(test: ast.expr) -> dict[str, list[str]]:
    """Return the attributes that a test reads, by the name before the dot."""
    found: dict[str, list[str]] = {}
    for node in astwalk.walk(test):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found.setdefault(node.value.id, []).append(node.attr)
    return found


@astwalk.kept
def _rewritten(test: ast.expr) -> dict[frozenset[tuple[str, str]], str]:
    """Return the cache of a test's texts, by the replacements of its names and attributes."""
    return {}


@astwalk.kept
def _text(test: ast.expr) -> str:
    return ast.unparse(test)


class _Substitution(ast.NodeTransformer):
    """Replaces names by expressions."""

    def __init__(self, arguments: dict[str, ast.expr]) -> None:
        self.arguments = arguments

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self.arguments.get(node.id, node)


class _Originals(ast.NodeTransformer):
    """Rewrites a test in terms of the constructor's parameters that its names and attributes store."""

    def __init__(self, originals: dict[str, str]) -> None:
        self.originals = originals

    def visit_Name(self, node: ast.Name) -> ast.AST:
        original = self.originals.get(node.id)
        return node if original is None else ast.Name(original, ast.Load())

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        original = self.originals.get(f"{node.value.id}.{node.attr}") if isinstance(node.value, ast.Name) else None
        return node if original is None else ast.Name(original, ast.Load())


def source_parameter(attribute: Attribute) -> str | None:
    """Return the constructor's parameter that an attribute stores unchanged; None if there is no such parameter."""
    if isinstance(attribute.value, PyParameter):
        return attribute.value.name
    for assumption in attribute.assumptions:
        name = assumption.text.partition(" is ")[0].partition(" == ")[0]
        if name.isidentifier() and isinstance(attribute.value, PyConst) and len(attribute.assumptions) == 1:
            return name
    return None
