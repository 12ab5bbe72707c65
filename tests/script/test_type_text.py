"""Tests parsing printed types."""

from __future__ import annotations

import pytest

from tslint.script.type_text import TypeText, parsed
from tslint.script.types import (
    ANYTHING,
    FLOAT,
    INFERRED_TENSOR,
    INT,
    NONE,
    STRING,
    TENSOR,
    ClassType,
    DictType,
    FutureType,
    ListType,
    TupleType,
    Type,
    optional,
    union,
)

TYPES: list[Type] = [
    TENSOR,
    INFERRED_TENSOR,
    NONE,
    ANYTHING,
    ListType(INFERRED_TENSOR),
    DictType(STRING, ListType(TupleType((INT, TENSOR)))),
    TupleType(()),
    ListType(TupleType(())),
    TupleType((TupleType((TENSOR,)), optional(FLOAT))),
    optional(DictType(STRING, TENSOR)),
    union([INT, TENSOR, NONE, STRING]),
    FutureType("Future", ListType(TENSOR)),
    ClassType("__torch__.pkg.net.___torch_mangle_1.Net", "module"),
    ClassType("__torch__.pkg.Colour", "enum"),
]


@pytest.mark.parametrize("type_", TYPES, ids=str)
def test_a_type_reads_as_it_was_printed(type_: Type) -> None:
    assert str(parsed(str(type_))) == str(type_)


@pytest.mark.parametrize("text", ["t[]", "t", "Dict(str, t)", "List[Dict(str, t)]", "Tensor[](a!)", "number"])
def test_what_only_schemas_print_stays_in_one_piece(text: str) -> None:
    assert str(parsed(text)) == text


def test_the_parts_of_a_type() -> None:
    type_ = parsed("Optional[Tuple[int, Dict[str, Tensor]]]")
    inner = type_.without_none
    assert inner is not None and [str(each) for each in inner.arguments] == ["int", "Dict[str, Tensor]"]
    assert type_.may_be_none and not type_.is_none and not inner.may_be_none
    assert parsed("int").without_none is None


def test_inferred_is_not_part_of_the_name() -> None:
    assert parsed("Tensor (inferred)") == TypeText("Tensor", inferred=True)
    assert parsed("Tensor (inferred)").plain == parsed("Tensor")
    assert str(parsed("Tuple[Tensor (inferred), int]").plain) == "Tuple[Tensor, int]"
