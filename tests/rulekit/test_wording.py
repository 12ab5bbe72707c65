"""Types in messages, in an author's words."""

from __future__ import annotations

import pytest

from tslint.rulekit.wording import a
from tslint.script.types import (
    ANYTHING,
    BOOL,
    DEVICE,
    INFERRED_TENSOR,
    INT,
    NONE,
    STRING,
    TENSOR,
    ClassType,
    DictType,
    ListType,
    TupleType,
    Type,
    optional,
    union,
)


@pytest.mark.parametrize(
    ("type_", "said"),
    [
        (INFERRED_TENSOR, "a Tensor"),
        (INT, "an int"),
        (BOOL, "a bool"),
        (DictType(STRING, TENSOR), "Dict[str, Tensor]"),
        (union([INT, STRING]), "Union[int, str]"),
        (TupleType((INT, TENSOR), "__torch__.pkg.Point", ("n", "x")), "a Point"),
        (NONE, "None"),
        (DEVICE, "a torch.device"),
        (optional(DEVICE), "Optional[torch.device]"),
        (TupleType((NONE, ANYTHING)), "Tuple[None, …]"),
        (TupleType(()), "Tuple[()]"),
        (ListType(ClassType("__torch__.pkg.Point")), "List[Point]"),
        (ClassType("__torch__.pkg.___torch_mangle_1.Net", "module"), "a Net"),
        (ClassType("__torch__.pkg.Colour", "enum"), "an Enum<Colour>"),
    ],
)
def test_a_type_in_an_author_s_words(type_: Type, said: str) -> None:
    assert a(type_) == said
