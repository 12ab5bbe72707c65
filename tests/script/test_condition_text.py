"""Tests the conditions of findings, in words."""

from __future__ import annotations

import pytest

from tslint.script.assumptions import HAS_RUN, Assumption, in_words


@pytest.mark.parametrize(
    ("tests", "words"),
    [
        ([("x is None", False)], "`x` is not None"),
        ([("self.layers[i] is None", False)], "`self.layers[i]` is not None"),
        ([("mode == 'a'", True)], "`mode` is 'a'"),
        ([("kind == Kind.WIDE", False)], "`kind` is not `Kind.WIDE`"),
        ([("depth > 1", True)], "`depth > 1`"),
        ([("depth > 1", False)], "`depth <= 1`"),
        ([("mode in ['a']", False)], "`mode not in ['a']`"),
        ([("flag", False)], "`flag` is false"),
        ([("isinstance(x, str)", True)], "`x` is a `str`"),
        ([("isinstance(x, int)", False)], "`x` is not an `int`"),
        ([("isinstance(x, (int, str))", True)], "`isinstance(x, (int, str))` is true"),
        ([(HAS_RUN, False)], "the module has not run before scripting"),
        ([(HAS_RUN, True)], "the module has run before scripting"),
        # What follows from other tests is left out.
        ([("a and not b", True), ("a", True), ("b", False)], "`a` is true and `b` is false"),
        ([("x is None or n == 1", False), ("x is None", False), ("n == 1", False)], "`n` is not 1 and `x` is not None"),
        ([("n != 1 or a", False), ("n == 1", True), ("a", False)], "`a` is false and `n` is 1"),
        ([("a or b", True), ("b", False)], "`a or b` is true and `b` is false"),
    ],
)
def test_a_condition_in_words(tests: list[tuple[str, bool]], words: str) -> None:
    assert in_words([Assumption(text, holds) for text, holds in tests]) == words


def test_equal_tests_of_different_versions_are_stated_once() -> None:
    assert in_words([Assumption("n == 0", False, 1), Assumption("n == 0", False, 2)]) == "`n` is not 0"
