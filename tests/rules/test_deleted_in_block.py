"""Tests `del` of variables: each row asks the compiler."""

from __future__ import annotations

import pytest

from tests.fixes.promise import check_promise, fixed
from tests.rules.compiler import the_compiler
from tests.rules.driver import findings

TEXT = """\
import torch
from torch import Tensor, nn


class Net(nn.Module):
    def forward(self, x: Tensor, c: bool, n: int) -> Tensor:
{body}
        return x


inputs = (torch.ones(2), True, 2)
"""
NEW = "v = x + 1\n    del v"
# The body, and the code of the finding in the row where the compiler stops.
CASES = {
    "a branch": (f"if c:\n    {NEW}", "TS227"),
    "an else": (f"if c:\n    x = x + 1\nelse:\n    {NEW}", "TS227"),
    "both branches": (f"if c:\n    {NEW}\nelse:\n    v = x\n    del v", "TS227"),
    "a branch that returns": (f"if c:\n    {NEW}\n    return x", "TS227"),
    "an inner branch": ("if c:\n    v = x\n    if n > 1:\n        del v", "TS227"),
    "a for": (f"for i in range(n):\n    {NEW}", "TS227"),
    "a for's variable": ("for i in range(n):\n    del i", "TS227"),
    "a while": (f"while c:\n    {NEW}\n    c = False", "TS227"),
    "two variables": ("if c:\n    v = x\n    w = x\n    del v, w", "TS227"),
    "a with": (f"with torch.no_grad():\n    {NEW}", None),
    "a static branch": (f"if torch.jit.is_scripting():\n    {NEW}", None),
    "an unrolled loop": (f"for i in (1, 2):\n    {NEW}", None),
    "a variable from outside": ("v = x\nif c:\n    del v", None),
    "a variable from outside with another value": ("v = x\nif c:\n    v = x + 1\n    del v", None),
    "an item": ("if c:\n    v = [x, x]\n    del v[0]", None),
    "read after a branch that deletes it": ("v = x\nif c:\n    del v\nx = v", "TS201"),
    "read after a branch that sets and deletes it": ("v = x\nif c:\n    v = x + 1\n    del v\nx = v", "TS201"),
}


def _text(body: str) -> str:
    return TEXT.format(body="\n".join(" " * 8 + row for row in body.split("\n")))


@pytest.mark.parametrize("name", CASES)
def test_variables_that_are_deleted_in_a_block(name: str) -> None:
    body, code = CASES[name]
    verdict, found = the_compiler()(_text(body)), findings(_text(body))
    assert verdict.ok is (code is None)
    assert {each.code for each in found} == ({code} if code else set())
    if code:
        assert verdict.lines[0] == found[0].start.row


def test_the_fix_deletes_it_in_python_only() -> None:
    fixed = check_promise(_text(CASES["a for"][0]), ("Net()",), ("(torch.ones(2), True, 2)",))
    assert "            if not torch.jit.is_scripting():\n                del v\n" in fixed


@pytest.mark.parametrize(
    ("returned", "kept"), [("x", False), ("", False), ("x, c", False), ("x + 1", True), ("self.relu(x)", True)]
)
def test_right_before_a_return_it_is_removed(returned: str, kept: bool) -> None:
    text = f"import torch\n\n\ndef f(x, c: bool):\n    if c:\n        v = x\n        del v\n        return {returned}\n"
    after, _ = fixed(f"{text}\n\ntorch.jit.script(f)\n")
    assert ("del v" in after) is kept
