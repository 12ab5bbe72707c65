"""Tests the suggestions for misspelt names."""

from __future__ import annotations

import pytest

from tslint.util.suggest import nearest


@pytest.mark.parametrize("known", [["STFT", "stft"], ["stft", "STFT"]])
def test_the_suggestion_does_not_depend_on_the_order(known: list[str]) -> None:
    assert nearest("istft", known) == "stft"
