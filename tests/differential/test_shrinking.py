"""Tests shrinking: it finds the smallest program with the same disagreement."""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path

PLACE = Path(__file__).parents[2] / "scripts" / "random_programs" / "shrinking.py"
_spec = importlib.util.spec_from_file_location("shrinking", PLACE)
assert _spec is not None and _spec.loader is not None
shrinking = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(shrinking)

TEXT = """
import math

def target(a: int, b: str = 'x'):
    c = a + 1
    if a > 2:
        for i in range(a):
            print(wrong(c, b))
    else:
        c = 3
    return c
"""


def test_statements_and_expressions_are_removed() -> None:
    small = shrinking.shrunk(TEXT, lambda text: "wrong(" in text)
    assert "wrong()" in small
    assert "import" not in small and "for" not in small and "if" not in small and "c" not in small.split("def")[0]
    ast.parse(small)


def test_a_text_without_the_property_is_left_alone() -> None:
    assert shrinking.shrunk(TEXT, lambda text: False) == TEXT


def test_every_step_is_checked() -> None:
    asked: list[str] = []

    def holds(text: str) -> bool:
        asked.append(text)
        return "range" in text

    small = shrinking.shrunk(TEXT, holds)
    assert small in asked and "range" in small
