"""Tests that numbers count as rounded alike only if ``math`` and numpy return the same float."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from tslint.util.rounding import rounds_alike


@pytest.mark.parametrize("name", ["sqrt", "exp", "log"])
def test_both_libraries_return_the_same_float(name: str) -> None:
    numbers = random.Random(1)
    values = [numbers.uniform(0.001, 90) for _ in range(3000)]
    alike = [each for each in values if rounds_alike(name, each)]
    assert len(alike) > 1000
    by_numpy = getattr(np, name)(np.array(alike))
    assert [getattr(math, name)(each) for each in alike] == by_numpy.tolist()


@pytest.mark.parametrize(
    ("name", "value", "alike"),
    [("log", 2.0, True), ("log", 10, False), ("log", 0, False), ("sqrt", 2, True), ("sqrt", -2, False),
     ("exp", 1e300, False), ("log", math.inf, False), ("sin", 0.5, False)],
)  # fmt: skip
def test_values_between_two_floats_and_outside_the_domain_do_not_count(name: str, value: float, alike: bool) -> None:
    assert rounds_alike(name, value) is alike
