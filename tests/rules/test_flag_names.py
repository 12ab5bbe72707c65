"""Tests of the names of properties that return the results of tests."""

from __future__ import annotations

import ast

import pytest

from tslint.script.dataflow.flag_names import worded


@pytest.mark.parametrize(
    ("test", "name"),
    [
        ("self.downsample", "_has_downsample"),
        ("self.use_se", "_use_se"),
        ("self._use_se", "_has_use_se"),
        ("self.is_last", "_is_last"),
        ("self.stride == 2", "_stride_is_2"),
        ("self.mode in ('a', 'b')", "_mode_in_a_b"),
    ],
)
def test_names(test: str, name: str) -> None:
    assert worded(ast.parse(test, mode="eval").body) == name
