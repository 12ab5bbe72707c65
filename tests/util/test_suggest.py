"""Tests the suggestions for misspelt names."""

from __future__ import annotations

import pytest

from tslint.util.suggest import nearest


@pytest.mark.parametrize("known", [["STFT", "stft"], ["stft", "STFT"]])
def test_of_two_spellings_it_is_the_same_one_in_any_order(known: list[str]) -> None:
    assert nearest("istft", known) == "stft"
