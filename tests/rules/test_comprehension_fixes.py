"""Tests comprehensions that become loops: each compiles and computes the same."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.test_container_fixes import fixed
from tslint.diagnostics import Applicability

HEAD = """from typing import Dict, List

import torch


def f(x, sizes: List[int], parts: Dict[str, torch.Tensor]):
"""
TAIL = """

scripted = torch.jit.script(f)
inputs = (torch.arange(6.0).reshape(2, 3), [1, 2, 3], {"a": torch.ones(1), "aux": torch.ones(1)})
"""
BODIES = {
    "assigned": "big = [s * 2 for s in sizes if s > 1]\n    return big",
    "returned": "return [s * 2 for s in sizes if s > 1 if s < 3]",
    "two-loops": "return torch.cat([x[i : i + 1] * k for i in range(2) for k in range(3)], 0)",
    "dict": 'kept = {name: t for name, t in parts.items() if name != "aux"}\n    return kept["a"]',
    "reads-its-target": "sizes = [s for s in sizes if s > 1]\n    return sizes",
    "several": (
        "a = torch.stack([x * s for s in sizes if s > 1])\n"
        "    b = torch.stack([x + s for s in sizes if s > 2])\n"
        "    return a.sum() + b.sum()"
    ),
}


@pytest.mark.parametrize("name", BODIES)
def test_loops_compile_and_compute_the_same(name: str) -> None:
    before = f"{HEAD}    {BODIES[name]}\n{TAIL}"
    text = fixed(before, Applicability.SAFE, Applicability.UNSAFE)
    old, new = the_compiler()(before), the_compiler()(text)
    assert not old.ok
    assert new.ok, text + new.message
    assert old.eager == new.eager == new.scripted
