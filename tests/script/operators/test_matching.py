"""Tests overload resolution against the installed compiler."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from tslint.script.operators import Arg, Matched, Mismatch, match, parse, schemas
from tslint.script.operators.tables import table
from tslint.script.types import (
    BOOL,
    FLOAT,
    INFERRED_TENSOR,
    INT,
    NONE,
    NUMBER,
    STRING,
    TENSOR,
    DictType,
    ListType,
    TupleType,
    Type,
    optional,
)

COMMON = """
add sub mul div pow eq max sum view size append zeros cat mean reshape permute get index len __contains__ sort sorted
tensor to split expand repeat conv2d clamp where full einsum transpose squeeze norm std _set_item Float Int round arange
randint index_put_ pop setdefault update items extend insert __getitem__ slice list type _pair list_with_default
avg_pool2d format
""".split()


def _live() -> ModuleType:
    spec = importlib.util.spec_from_file_location("live", Path(__file__).with_name("live.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


live = _live()


def _plain(message: str) -> str:
    """Return a message without position, indentation and call path."""
    text = message.strip().split("\n:\n")[0].split("The original call is")[0]
    return "\n".join(line.strip() for line in text.strip().splitlines())


def _disagreement(operator: str, arguments: list[Arg]) -> str:
    result, message = live.compiler(operator, arguments)
    ours = match(schemas(operator), arguments)
    if isinstance(ours, Matched):
        agrees = result is not None and str(ours.return_type) == str(result)
    else:
        agrees = result is None and _plain(message) == _plain(ours.message)
    return "" if agrees else f"{operator}: {live.source(arguments)}{result or message}\n{ours}"


@pytest.mark.parametrize("seed", range(3))
def test_random_calls_have_the_compilers_verdict_result_and_message(seed: int) -> None:
    calls = live.Calls(seed)
    operators = [name for name in table("schemas") if name.startswith("aten::")]
    wrong = []
    for number in range(1500):
        operator = calls.random.choice(operators) if number % 2 else f"aten::{calls.random.choice(COMMON)}"
        disagreement = _disagreement(operator, calls.call(operator))
        if disagreement:
            wrong.append(disagreement)
    assert wrong == [], f"{len(wrong)} of 1500"


@pytest.mark.parametrize("types", [(TENSOR, INFERRED_TENSOR), (INFERRED_TENSOR, TENSOR)])
def test_a_message_does_not_depend_on_earlier_calls(types: tuple[Type, Type]) -> None:
    for type_ in types:
        found = match(schemas("aten::capitalize"), [Arg(type_)])
        assert isinstance(found, Mismatch)
        assert f"instead found type '{type_}'" in found.message


IMPLICIT: list[tuple[Type, Type]] = [
    (actual, formal)
    for formal in (INT, FLOAT, NUMBER, TENSOR, STRING, ListType(INT), ListType(FLOAT))
    for actual in (
        *(INT, FLOAT, BOOL, NUMBER, TENSOR, STRING, NONE, ListType(INT), TupleType((INT, INT)), TupleType(())),
        *(TupleType((INT, FLOAT)), optional(INT), optional(FLOAT), ListType(TENSOR)),
    )
]
ONE_PARAMETER = {
    "int": "aten::chr",
    "float": "aten::modf",
    "number": "aten::scalar_tensor",
    "Tensor": "aten::relu",
    "str": "aten::capitalize",
    "List[int]": "aten::Size",
    "List[float]": "aten::_single",
}


@pytest.mark.parametrize(("actual", "formal"), IMPLICIT, ids=lambda type_: str(type_))
def test_implicit_conversions(actual: Type, formal: Type) -> None:
    assert _disagreement(ONE_PARAMETER[str(formal)], [Arg(actual)]) == ""


def test_a_method_fills_self() -> None:
    matched = match(schemas("aten::append"), [Arg(INT)], ListType(INT))
    assert isinstance(matched, Matched)
    assert matched.return_type == ListType(INT)


def test_the_empty_list_fits_any_list() -> None:
    assert isinstance(match(schemas("aten::zeros"), [Arg(ListType(TENSOR), empty_list=True)]), Matched)
    assert isinstance(match(schemas("aten::zeros"), [Arg(ListType(TENSOR))]), Mismatch)


def test_a_parameter_without_annotation_is_explained() -> None:
    schema = parse("g(Tensor k) -> Tensor")
    argument = type(schema.arguments[0])("k", INFERRED_TENSOR)
    written = type(schema)("g", "", (argument,), (TENSOR,), ("",), "g(Tensor k) -> Tensor")
    mismatch = match([written], [Arg(INT)])
    assert isinstance(mismatch, Mismatch)
    assert mismatch.message == (
        "g(Tensor k) -> Tensor:\n"
        "Expected a value of type 'Tensor (inferred)' for argument 'k' but instead found type 'int'.\n"
        "Inferred 'k' to be of type 'Tensor' because it was not annotated with an explicit type."
    )


def test_an_unknown_argument_that_leaves_one_result() -> None:
    matched = match(schemas("aten::add"), [Arg(TENSOR), Arg(None)])
    assert isinstance(matched, Matched)
    assert (matched.schema, matched.return_type, matched.certain) == (None, TENSOR, False)


def test_an_unknown_argument_that_leaves_several_results() -> None:
    matched = match(schemas("aten::max"), [Arg(TENSOR), Arg(None)])
    assert isinstance(matched, Matched)
    assert matched.return_type is None


def test_an_unknown_argument_never_hides_another_mismatch() -> None:
    mismatch = match(schemas("aten::relu"), [Arg(None), Arg(None), Arg(None)])
    assert isinstance(mismatch, Mismatch)
    assert "Expected at most 1 arguments but found 3 positional arguments." in mismatch.message


def test_an_unknown_argument_is_never_a_mismatch_of_its_own() -> None:
    assert isinstance(match(schemas("aten::append"), [Arg(None)], ListType(INT)), Matched)
    assert isinstance(match(schemas("aten::get"), [Arg(None)], DictType(STRING, INT)), Matched)
    assert isinstance(match(schemas("aten::view"), [Arg(None), Arg(INT)], TENSOR), Matched)


def test_an_unknown_argument_agrees_with_whatever_type_it_has() -> None:
    """If the static model knows a result, the compiler has the same one for every type that compiles."""
    calls = live.Calls(7)
    wrong = []
    for _ in range(400):
        operator = f"aten::{calls.random.choice(COMMON)}"
        arguments = calls.call(operator)
        positional = [index for index, argument in enumerate(arguments) if not argument.empty_list]
        if not positional:
            continue
        hidden = calls.random.choice(positional)
        unknown = [
            Arg(None, argument.name) if index == hidden else argument for index, argument in enumerate(arguments)
        ]
        ours = match(schemas(operator), unknown)
        result, _ = live.compiler(operator, arguments)
        if result is None:
            continue
        if isinstance(ours, Mismatch) or (ours.return_type is not None and str(ours.return_type) != str(result)):
            wrong.append(f"{operator}: {live.source(arguments)}{result}\n{hidden}: {ours}")
    assert wrong == []


@pytest.mark.parametrize("actual", [INT, FLOAT, BOOL, NUMBER, TENSOR, STRING, NONE, optional(INT), optional(FLOAT)])
def test_implicit_conversions_to_an_optional(actual: Type) -> None:
    assert _disagreement("aten::nan_to_num", [Arg(TENSOR), Arg(actual)]) == ""
    assert _disagreement("aten::logit", [Arg(TENSOR), Arg(actual, "eps")]) == ""
