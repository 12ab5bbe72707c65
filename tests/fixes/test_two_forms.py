"""Tests nested fixes that write two forms of an expression: each side contains only its own form."""

from __future__ import annotations

import libcst as cst
import pytest

from tslint.rewrite.decided import decided


@pytest.mark.parametrize(
    ("before", "compiled", "eager"),
    [
        ("f(a if torch.jit.is_scripting() else b)", "f(a)", "f(b)"),
        ("h * (int(u ** 2) if torch.jit.is_scripting() else u ** 2)", "h * int(u ** 2)", "h * (u ** 2)"),
        ("(a + b if torch.jit.is_scripting() else c) * 2", "(a + b) * 2", "c * 2"),
        ("[(f(w) if torch.jit.is_scripting() else sum(w)) for w in x]", "[f(w) for w in x]", "[sum(w) for w in x]"),
        ("(a if t.jit.is_scripting() else b if x else c)", "a", "(b if x else c)"),
        ("-(a if torch.jit.is_scripting() else -b) ** 2", "-a ** 2", "-(-b) ** 2"),
        ("a if torch.jit.is_scripting() and x else b", *["a if torch.jit.is_scripting() and x else b"] * 2),
        ("a if torch.jit.is_tracing() else b", *["a if torch.jit.is_tracing() else b"] * 2),
    ],
)
def test_compiled_and_eager_form_are_separated(before: str, compiled: str, eager: str) -> None:
    node = cst.parse_expression(before)
    said = [cst.Module([]).code_for_node(decided(node, scripting=scripting)) for scripting in (True, False)]
    assert said == [compiled, eager]
