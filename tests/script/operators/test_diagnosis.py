"""Tests the reported cause of calls that no overload accepts."""

from __future__ import annotations

import ast

import pytest

from tslint.script.operators import Arg, Matched, match, schemas
from tslint.script.operators.diagnosis import Diagnosis, diagnose
from tslint.script.operators.reasons import VARIADIC
from tslint.script.operators.schema import Argument, Schema, parse
from tslint.script.types import BOOL, FLOAT, INFERRED_TENSOR, INT, STRING, TENSOR, ListType, Type

PROJECT = parse("helper(Tensor x, int n) -> Tensor")


def diagnosis(call: str, overloads: tuple[Schema, ...], types: list[Type], operator: str | None) -> Diagnosis:
    """Return the diagnosis of a call with arguments of some types; for a method, the first type is that of
    its object.
    """
    node = ast.parse(call, mode="eval").body
    assert isinstance(node, ast.Call)
    passed: list[tuple[str | None, ast.expr]] = [(None, each) for each in node.args]
    passed += [(each.arg, each.value) for each in node.keywords]
    own, given = types[: len(types) - len(passed)], types[len(types) - len(passed) :]
    arguments = [Arg(type_, name) for type_, (name, _) in zip(given, passed)]
    found = match(overloads, arguments, own[0] if own else None)
    assert not isinstance(found, Matched)
    return diagnose(node, found.reasons, passed, given, operator)


@pytest.mark.parametrize(
    ("call", "operator", "types", "what", "parameter", "argument"),
    [
        ("torch.relu('a')", "torch.relu", [STRING], "type", "self", "'a'"),
        ("torch.relu(x, inplace=True)", "torch.relu", [TENSOR, BOOL], "keyword", "inplace", "True"),
        ("torch.relu(x, y)", "torch.relu", [TENSOR, TENSOR], "count", "", None),
        ("torch.relu()", "torch.relu", [], "missing", "self", None),
        ("x.threshold(1)", "aten::threshold", [TENSOR, INT], "missing", "value", None),
        ("x.permute(y)", "aten::permute", [TENSOR, FLOAT], "type", VARIADIC, "y"),
        ("torch.cat(xs)", "torch.cat", [ListType(INT)], "type", "tensors", "xs"),
    ],
)
def test_what_is_wrong_with_a_call_of_an_operator(
    call: str, operator: str, types: list[Type], what: str, parameter: str, argument: str | None
) -> None:
    found = diagnosis(call, schemas(operator.replace("torch.", "aten::")), types, operator)
    assert (found.what, found.parameter) == (what, parameter)
    assert (ast.unparse(found.argument) if found.argument is not None else None) == argument


@pytest.mark.parametrize(
    ("call", "types", "what", "parameter"),
    [
        ("helper(x, 1.0)", [TENSOR, FLOAT], "type", "n"),
        ("helper(1, 2)", [INT, INT], "type", "x"),
        ("helper(x)", [TENSOR], "missing", "n"),
        ("helper(x, 1, k=2)", [TENSOR, INT, INT], "keyword", "k"),
        ("helper(x, 1, 2)", [TENSOR, INT, INT], "count", ""),
    ],
)
def test_what_is_wrong_with_a_call_of_the_project(call: str, types: list[Type], what: str, parameter: str) -> None:
    found = diagnosis(call, (PROJECT,), types, None)
    assert (found.what, found.parameter) == (what, parameter)


def test_a_parameter_without_annotation_is_a_tensor_to_the_compiler() -> None:
    unannotated = Schema("helper", "", (Argument("x", INFERRED_TENSOR),), (TENSOR,), ("",), "")
    found = diagnosis("helper(1)", (unannotated,), [INT], None)
    assert (found.what, found.parameter, found.actual) == ("unannotated", "x", INT)


def test_an_int_for_a_float_is_a_cause_of_its_own() -> None:
    found = diagnosis("torch.dropout(x, 1, True)", schemas("aten::dropout"), [TENSOR, INT, BOOL], "torch.dropout")
    assert (found.what, found.parameter) == ("float", "p")


def test_the_cause_of_an_operator_is_an_operand() -> None:
    node = ast.parse("x + 'a'", mode="eval").body
    assert diagnose(node, (), (), [TENSOR, STRING], "aten::add").what == "operand"
