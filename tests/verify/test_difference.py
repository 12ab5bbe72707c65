"""Tests the description of the first difference."""

from __future__ import annotations

from collections import OrderedDict, namedtuple
from typing import Any

import pytest
import torch

from tslint.verify.difference import Tolerance, first_difference
from tslint.verify.fresh import NotPlain, decode, encode

Pair = namedtuple("Pair", "a b")


def compare(left: Any, right: Any, **options: Any) -> str | None:
    tolerance = Tolerance(options.pop("rtol", None), options.pop("atol", None))
    return first_difference(encode(left), encode(right), "in eager", "after reload", tolerance, **options)


def ones(**options: Any) -> torch.Tensor:
    return torch.ones(2, 2, **options)


NAN = float("nan")


@pytest.mark.parametrize(
    "value",
    [
        None, True, 3, 1.5, "s", NAN, torch.tensor(NAN), ones(), [ones(), {"a": (1,)}], torch.device("cpu"), object(),
        ones().to_sparse(),
    ],
)  # fmt: skip
def test_a_value_is_like_itself(value: Any) -> None:
    assert compare(value, value) is None


def test_sparse_values_are_compared() -> None:
    one, two = ones().to_sparse(), (ones() * torch.tensor([1, 3])).to_sparse()
    assert str(compare(one, two)).startswith("output: 2 of 4 values differ by up to 2")
    assert first_difference(encode(one), encode(two), "", "", Tolerance(steps=1e9)) is None


@pytest.mark.parametrize(
    ("left", "right", "words"),
    [
        ((1, ones()), (1, ones().double()), "output[1]: dtype float32 in eager, float64 after reload"),
        (ones(), torch.ones(2), "output: shape [2, 2] in eager, [2] after reload"),
        (ones(), ones(requires_grad=True), "output: requires_grad False in eager, True after reload"),
        ((1,), [1], "output: a tuple in eager, a list after reload"),
        ((1, 2), (1,), "output: 2 items in eager, 1 after reload"),
        ({"a": 1}, {"b": 1}, "output: has the key 'a' in eager, not after reload"),
        ({"a": [1, None]}, {"a": [1, 2]}, "output['a'][1]: None in eager, an int after reload"),
        (True, 1, "output: a bool in eager, an int after reload"),
        (2, 3, "output: 2 in eager, 3 after reload"),
        (2.0, 2.5, "output: 2.0 in eager, 2.5 after reload"),
        ("a", "b", "output: 'a' in eager, 'b' after reload"),
        (object(), ones(), "output: an object of type object in eager, a tensor after reload"),
        (ones(), ones() * torch.tensor([1, 3]), "output: 2 of 4 values differ by up to 2 at (0, 1) after reload"),
        (torch.tensor(1.0), torch.tensor(2.0), "output: values differ by 1 after reload"),
    ],
)
def test_what_differs_is_told(left: Any, right: Any, words: str) -> None:
    assert compare(left, right) == words


def test_values_that_count_as_equal() -> None:
    assert compare(Pair(1, 2), (1, 2)) is None
    assert compare(OrderedDict(b=1, a=2), {"a": 2, "b": 1}) is None
    assert compare(1.0, 1.0 + 1e-9) is None


def test_tolerances_stand_alone() -> None:
    assert compare(ones(), ones() + 0.01) is not None
    assert compare(ones(), ones() + 0.01, atol=0.1) is None
    assert compare(ones(), ones() + 0.01, rtol=0.1) is None
    assert compare(ones(), ones() + 1e-7, atol=0.0, rtol=0.0) is not None


def test_without_values_the_form_is_still_compared() -> None:
    assert compare(ones(), ones() * 2, values=False) is None
    assert compare(ones(), ones().double(), values=False) is not None


def test_plain_values_survive_encoding() -> None:
    value = (ones(requires_grad=True), [1, None, {"k": torch.device("cpu")}], "s")
    assert compare(value, decode(encode(value))) is None
    with pytest.raises(NotPlain, match="object"):
        decode(encode([object()]))
