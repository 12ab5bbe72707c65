"""Tests how recorded kinds are merged, and which types they give."""

from __future__ import annotations

import json
from functools import reduce

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tslint.annotate.kinds import Kinds, dump, load, merge, merged, total
from tslint.annotate.types import NoType, type_of
from tslint.annotate.values import add


def kinds_of(*values: object) -> Kinds:
    kinds: Kinds = {}
    for value in values:
        add(kinds, value)
    return kinds


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1], "int"),
        ([True], "bool"),
        ([torch.rand(1)], "Tensor"),
        ([torch.nn.Parameter(torch.rand(1))], "Tensor"),
        ([None], "None"),
        ([None, 1], "Optional[int]"),
        ([1, 0.5], "float"),
        ([True, 2], "int"),
        (["a", 1], "Union[int, str]"),
        (["a", 1, None], "Union[int, str, None]"),
        ([[]], None),
        ([[], [1]], "List[int]"),
        ([[], None], None),
        ([[1], [0.5]], "List[float]"),
        ([[[], [torch.rand(1)]]], "List[List[Tensor]]"),
        ([[None, torch.rand(1)]], "List[Optional[Tensor]]"),
        ([{}, {"a": [1]}], "Dict[str, List[int]]"),
        ([{"a": []}, {"a": [1]}], "Dict[str, List[int]]"),
        ([(1, "a")], "Tuple[int, str]"),
        ([()], "Tuple[()]"),
        ([(1, None), (1, 2.0)], "Tuple[int, Optional[float]]"),
        ([(1, 2), (1, 2, 3)], "List[int]"),
        ([(1, 2), [1]], "List[int]"),
        ([(1, "a"), (1, "a", 1)], "Union[Tuple[int, str, int], Tuple[int, str]]"),
        ([torch.rand(2, 3).shape], "List[int]"),
        ([torch.rand(2, 3).shape, (1, 2)], "List[int]"),
        ([torch.rand(3).max(0)], "Tuple[Tensor, Tensor]"),
        ([torch.float32], "dtype"),
        ([torch.device("cpu")], "device"),
    ],
)
def test_the_type_of_values(values: list[object], expected: str | None) -> None:
    found = type_of(kinds_of(*values))
    assert (str(found.type) if found else None) == expected


@pytest.mark.parametrize("value", [{1, 2}, b"a", range(3), torch.nn.ReLU(), len, {(1, 2): 3}, [object()]])
def test_values_without_a_type_raise(value: object) -> None:
    with pytest.raises(NoType):
        type_of(kinds_of(value))


def test_int_and_float_come_with_a_note() -> None:
    found = type_of(kinds_of(1, 0.5))
    assert found is not None
    assert found.notes == ("int and float were seen: always pass a float",)


def test_a_list_that_holds_itself_comes_to_an_end() -> None:
    endless: list[object] = []
    endless.append(endless)
    assert total(kinds_of(endless)) == 1


_leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.just(torch.zeros(1))
_values = st.recursive(
    _leaves,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=2), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.lists(st.lists(_values, max_size=3), max_size=4), st.randoms(use_true_random=False))
def test_merging_does_not_depend_on_the_order(runs: list[list[object]], random: object) -> None:
    several = [kinds_of(*run) for run in runs]
    together = kinds_of(*(value for run in runs for value in run))
    mixed = list(several)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    assert merged(mixed) == merged(several) == together
    assert type_of(merged(mixed)) == type_of(together)


@given(st.lists(_values, min_size=3, max_size=3))
def test_merging_is_associative_and_does_not_change_its_arguments(values: list[object]) -> None:
    first, second, third = (kinds_of(value) for value in values)
    copies = [load(dump(each)) for each in (first, second, third)]
    left = reduce(lambda one, other: merged([one, other]), (first, second, third))
    right = merged([first, merged([second, third])])
    assert left == right
    assert [first, second, third] == copies


@given(_values)
def test_kinds_survive_json(value: object) -> None:
    kinds = kinds_of(value)
    assert load(json.loads(json.dumps(dump(kinds)))) == kinds
    twice = load(dump(kinds))
    merge(twice, kinds)
    assert type_of(twice) == type_of(kinds)
    assert total(twice) == 2 * total(kinds)
