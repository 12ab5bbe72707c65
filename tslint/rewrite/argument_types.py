"""Fixes arguments whose type the called function does not accept."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.annotate import spelled
from tslint.rewrite.annotate_parameter import annotate_parameter
from tslint.rewrite.compiled_form import as_float, in_compiled_code
from tslint.rewrite.guard_none import without_none_fix
from tslint.rewrite.optional_parameter import may_be_none
from tslint.rewrite.sum_of_tensors import sum_of_tensors
from tslint.rewrite.tuple_annotation import flat
from tslint.rewrite.type_reasons import parameter, unannotated
from tslint.rewrite.whole_numbers import with_whole_powers
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe, unsafe
from tslint.rulekit.template import expression
from tslint.script.dataflow.inferred_parameters import inferred
from tslint.script.dataflow.whole_numbers import certain_int, whole_in_python
from tslint.script.events.calls import OperatorMismatch
from tslint.script.operators.diagnosis import Diagnosis
from tslint.script.types import (
    ANY,
    FLOAT,
    INT,
    NONE,
    TENSOR,
    ListType,
    OptionalType,
    Type,
    holds,
    optional_element,
    tuple_elements,
)

_DEEPEST = 5
_POSITIONAL = m.Arg(keyword=None, star="")
_WRITTEN_INT = m.Integer() | m.UnaryOperation(m.Minus(), m.Integer())
_ARITHMETIC = m.BinaryOperation(
    operator=m.Add() | m.Subtract() | m.Multiply() | m.FloorDivide() | m.Modulo()
)  # fmt: skip
_OF_WHOLE = m.Call(
    m.OneOf(*(m.Name(each) for each in ("list", "tuple", "round", "min", "max", "abs")))
    | m.Attribute(m.Name("math"), m.Name("gcd"))
)
_ANY = m.Name("Any") | m.Attribute(attr=m.Name("Any"))


def argument_fix(match: Match, found: Diagnosis) -> Fix | None:
    """Return the fix for the argument that has the wrong type; None if only the author can decide."""
    node = match.node
    if found.argument is None or not isinstance(node, cst.Call):
        return None
    argument = match.libcst(found.argument)
    actual, expected = found.actual, found.expected
    builtin = isinstance(match.event, OperatorMismatch)
    if m.matches(node.func, m.Name("sum")) and actual == ListType(TENSOR):
        return sum_of_tensors(match, node)
    if actual == NONE and _operator(match) == "aten::get":
        return _without_default(match, node)
    if actual == NONE and not builtin:
        return may_be_none(match, found.parameter)
    if optional_element(actual) in expected and builtin:
        return without_none_fix(match, argument, actual)
    if actual == ANY and TENSOR in expected:
        return _no_any(match, argument)
    if found.parameter == "p" and m.matches(argument, m.SimpleString('"fro"') | m.SimpleString("'fro'")):
        return _frobenius(match, node)
    if found.parameter == "device" and actual == INT:
        return _device(match, argument)
    if _starts_with(actual, INT) and _starts_with(expected[0], FLOAT):
        return _floats(match, argument)
    sized = any(each == INT or holds(each, ListType(INT)) for each in expected)
    if holds(actual, FLOAT) and sized and isinstance(argument, (cst.Tuple, cst.List)):
        return _whole_elements(match, argument)
    if expected[0] == ListType(TENSOR) and _holds_tuples(actual):
        return flat(match, argument) or _certain_elements(match, argument, tuple_elements(actual))
    wants_int = sized or found.reasons[0].broadcasts or any(optional_element(each) == INT for each in expected)
    return whole_numbers(match, argument) if wants_int else None


def _without_default(match: Match, call: cst.Call) -> Fix | None:
    """Write ``table.get(key, None)`` as ``table.get(key)``, which returns the same value."""
    if not m.matches(call, m.Call(args=[_POSITIONAL, _POSITIONAL])):
        return None
    key = call.args[0].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    message = "Remove `None`, which `get` returns anyway"
    return safe(message, lambda: match.replace(call, call.with_changes(args=[key])))


def _operator(match: Match) -> str:
    """Return the name of the operator that the event is about; empty if a function of the project is called."""
    return match.event.operator if isinstance(match.event, OperatorMismatch) else ""


def _starts_with(type_: Type, element: Type) -> bool:
    """Return whether a type is a tuple whose first element has a given type."""
    return tuple_elements(type_)[:1] == (element,)


def _holds_tuples(type_: Type) -> bool:
    return bool(tuple_elements(type_)) or any(_holds_tuples(each) for each in type_.inside)


def _certain_elements(match: Match, argument: cst.CSTNode, types: Sequence[Type]) -> Fix | None:
    """Assert that the first Optional element of a tuple is not None."""
    parts = argument.elements if isinstance(argument, (cst.Tuple, cst.List)) else []
    if len(parts) != len(types):
        return None
    pairs = ((part.value, type_) for part, type_ in zip(parts, types) if isinstance(type_, OptionalType))
    return next((without_none_fix(match, *each) for each in pairs), None)


def _no_any(match: Match, argument: cst.CSTNode) -> Fix | None:
    name = argument.value if isinstance(argument, cst.Name) else ""
    param, function = parameter(match, name, annotated=True), match.function
    if param is None or function is None or param.annotation is None:
        return None
    if not m.matches(param.annotation, m.Annotation(_ANY)):
        return None
    found = inferred(match.file.tree, match.model(function), name)
    written = spelled(match, "Tensor")
    if found is None or found.type != "Tensor" or written is None:
        return None
    old, (new, imports) = param.annotation.annotation, written

    def edits() -> tuple[Edit, ...]:
        return (*match.replace(old, new), *imports)

    message = f"Annotate `{name}: {match.imported('torch', 'Tensor')[0]}`"
    if found.confirmed:
        return safe(message, edits)
    return unsafe(message, edits, risks=(Risk.REFUSES,), assumes="not every call is known to pass a Tensor")


def _frobenius(match: Match, call: cst.Call) -> Fix | None:
    """Write ``x.norm(p="fro")`` as ``torch.norm(x, p="fro")``: the compiler accepts ``"fro"`` only in the function."""
    func = call.func
    if not isinstance(func, cst.Attribute) or _operator(match) != "aten::norm":
        return None
    if sum(each.keyword is None for each in call.args) > 3 or any(each.star for each in call.args):
        return None  # the function and the method differ in their fourth parameter
    torch, imports = match.imported("torch")

    def edits() -> tuple[Edit, ...]:
        made = expression("{torch}.norm({tensor}, rest)", torch=torch, tensor=func.value)
        assert isinstance(made, cst.Call)
        return (*match.replace(call, made.with_changes(args=[made.args[0], *call.args])), *imports)

    return safe("Call `torch.norm`", edits)


def _device(match: Match, argument: cst.CSTNode) -> Fix | None:
    """Write ``device=x.get_device()`` as ``device=x.device`` in compiled code."""
    if not isinstance(argument, cst.Call) or not isinstance(argument.func, cst.Attribute) or argument.args:
        return None
    if argument.func.attr.value != "get_device":
        return None
    func = argument.func
    message = f"Pass `{match.code(func.value)}.device` in compiled code"
    # For a tensor on the CPU, `get_device()` returns -1 in Python, and -1 is not a valid device.
    return in_compiled_code(match, argument, lambda: func.with_changes(attr=cst.Name("device")), message, Risk.DIFFERS)


def _floats(match: Match, argument: cst.CSTNode) -> Fix | None:
    if not isinstance(argument, cst.Tuple):
        return None
    if not all(m.matches(each.value, _WRITTEN_INT) for each in argument.elements):
        return None

    def new() -> cst.BaseExpression:
        elements = [each.with_changes(value=as_float(each.value)) for each in argument.elements]
        return argument.with_changes(elements=elements)

    return in_compiled_code(match, argument, new, "Write the ints as floats in compiled code", Risk.DIFFERS)


def _whole_elements(match: Match, argument: cst.Tuple | cst.List) -> Fix | None:
    """Make an int of each element that uses ``pow``, ``**`` or a rounding function, which may return a float in
    TorchScript: write ``int(…)`` around it, or a square as a product.
    """
    if not _operator(match).startswith(("torch.", "aten::")):
        return None
    values = [each.value for each in argument.elements]
    computed: list[cst.BaseExpression] = [
        each
        for each in values
        if isinstance(each, (cst.BinaryOperation, cst.Call)) and whole_in_python(match.model(each))
    ]
    if not computed or not all(isinstance(each, cst.Element) for each in argument.elements):
        return None

    def whole() -> cst.Tuple | cst.List:
        new = {each: with_whole_powers(match, each) or expression("int({node})", node=each) for each in computed}
        elements = [each.with_changes(value=new.get(each.value, each.value)) for each in argument.elements]
        return argument.with_changes(elements=elements)

    if all(with_whole_powers(match, each) is not None for each in computed):
        return safe("Write the powers so that they are ints", lambda: match.replace(argument, whole()))
    if all(certain_int(match.model(each)) for each in computed):
        return safe("Write `int(…)` around the computed elements", lambda: match.replace(argument, whole()))
    return in_compiled_code(
        match, argument, whole, "Write `int(…)` around the computed elements in compiled code", Risk.DIFFERS
    )


def whole_numbers(match: Match, node: cst.CSTNode, depth: int = 0) -> Fix | None:
    """Return a fix that annotates as int the parameter from which a size is computed, ``n`` in ``2 * n``: without an
    annotation, it is a Tensor. Return None if there is no such parameter.
    """
    if isinstance(node, cst.Name) and depth < _DEEPEST:
        argument = unannotated(match, node)
        if argument is not None and depth:
            return annotate_parameter(match, argument, wanted="int", likely="int")
        value = assigned_value(match, node.value)
        return whole_numbers(match, value, depth + 1) if value is not None else None
    for part in _parts(node):
        fix = whole_numbers(match, part, depth + 1)
        if fix is not None:
            return fix
    return None


def assigned_value(match: Match, name: str) -> cst.BaseExpression | None:
    """Return the value of a variable, if the function assigns to it once. If it assigns several times, return the value
    from the statement directly above the event. Return None if neither exists.
    """
    pattern = m.Assign(targets=[m.AssignTarget(m.Name(name))])
    values = m.findall(match.function, pattern) if match.function is not None else []
    if len(values) > 1 and isinstance(line := match.line(), cst.SimpleStatementLine):
        lines = match.siblings(line.body[0])
        place = next((index for index, each in enumerate(lines) if each is line.body[0]), 0)
        values = [each for each in lines[max(place - 1, 0) : place] if m.matches(each, pattern)]
    return values[0].value if len(values) == 1 and isinstance(values[0], cst.Assign) else None


def _parts(node: cst.CSTNode) -> list[cst.BaseExpression]:
    """Return the parts that determine whether an expression is an int: its operands, arguments or elements."""
    if isinstance(node, (cst.Tuple, cst.List)):
        return [each.value for each in node.elements]
    if isinstance(node, cst.BinaryOperation) and m.matches(node, _ARITHMETIC):
        return [node.left, node.right]
    if isinstance(node, cst.Call) and m.matches(node, _OF_WHOLE):
        return [each.value for each in node.args if m.matches(each, _POSITIONAL)]
    return []
