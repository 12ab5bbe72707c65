"""Tests ``with`` blocks after an ``if`` that leaves the function or the loop, against the compiler."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

FUNCTION = """
@torch.jit.unused
def not_compiled(x):
    return x


def f(x: Tensor, flag: bool, count: Optional[int] = None):
    {}


scripted = torch.jit.script(f)
"""
GUARD = "if flag:\n        return x\n    "
LOOP = "for i in range(3):\n        if i == 1:\n            {}\n        {}\n    return x"
INSIDE = "with torch.no_grad():\n            y = x + 1\n        x = x + y"
KEPT = "with torch.no_grad():\n        y = x + 1\n    return y"
LOST = {
    "a variable that is read later": GUARD + KEPT,
    "in the other branch": "if flag:\n        x = x * 2\n    else:\n        return x\n    " + KEPT,
    "a returned value": GUARD + "with torch.no_grad():\n        return torch.relu(x)",
    "a variable that exists before": GUARD + "with torch.no_grad():\n        x = x + 1\n    return x",
    "in a branch": GUARD + "if x.dim() == 2:\n        with torch.no_grad():\n            x = x + 1\n    return x",
    "in a loop": GUARD + "for i in range(3):\n        with torch.no_grad():\n            x = x + 1\n    return x",
    "in another with": GUARD + "with torch.no_grad():\n        with torch.no_grad():\n            y = x + 1\n"
    "        z = y * 2\n    return x",
    "all in a with": "with torch.no_grad():\n        if flag:\n            return x\n        with torch.no_grad():\n"
    "            y = x + 1\n        return y",
    "the exit is in the with, too": "with torch.no_grad():\n        if flag:\n            return x\n        y = x + 1\n"
    "    return y",
    "a break in the with": "for i in range(3):\n        with torch.no_grad():\n            if flag:\n"
    "                break\n            x = x + 1\n    return x",
    "after a test of an Optional": "if count is None:\n        return x\n    " + KEPT,
    "after continue": LOOP.format("continue", INSIDE),
    "after break": LOOP.format("break", INSIDE),
    "after a return in a loop": LOOP.format("return x", INSIDE),
    "a comprehension": GUARD + "with torch.no_grad():\n        y = [i + 1 for i in range(3)]\n    return x + len(y)",
    "another return before it": GUARD + "if x.dim() == 2:\n        return x * 2\n    " + KEPT,
}
KNOWN = {
    "two ways to leave a loop": LOOP.format("if flag:\n                break\n            return x", INSIDE),
    "a block that never ends": GUARD + "with torch.no_grad():\n        x = x + 1\n        raise ValueError('x')",
    "no early exit": KEPT,
    "an exit after it": "with torch.no_grad():\n        y = x + 1\n    if flag:\n        return x\n    return y",
    "nothing is read later": GUARD + "with torch.no_grad():\n        y = x + 1\n        print(y)\n    return x",
    "in place": GUARD + "with torch.no_grad():\n        x.add_(1)\n    return x",
    "another name for a value": GUARD + "with torch.no_grad():\n        y = x\n    return y",
    "assigned again": GUARD + "with torch.no_grad():\n        y = x + 1\n    y = x\n    return y",
    "an else": "if flag:\n        return x\n    else:\n        with torch.no_grad():\n            return x + 1",
    "a branch that only raises": "if flag:\n        raise ValueError('flag')\n    " + KEPT,
    "a call that always raises": GUARD + "x = x + not_compiled(x)\n    " + KEPT,
    "a test that the compiler decides": "if x is None:\n        return x\n    " + KEPT,
    "an elif that returns, too": "if flag:\n        return x\n    elif x.dim() == 2:\n        return x * 2\n    "
    + KEPT,
    "a branch that returns at times": "if flag:\n        if x.dim() == 2:\n            return x\n    " + KEPT,
    "after a loop that returns": "for i in range(3):\n        if flag:\n            return x\n    " + KEPT,
    "the exit is in the with": "with torch.no_grad():\n        if flag:\n            return x\n        return x + 1",
    "computed before the exit": "with torch.no_grad():\n        y = x + 1\n        if flag:\n            return x\n"
    "    return y",
    "an else in the with": "with torch.no_grad():\n        if flag:\n            return x\n        else:\n"
    "            y = x + 1\n    return y",
    "a nested exit in the with": "with torch.no_grad():\n        if flag:\n            if x.dim() == 2:\n"
    "                return x\n        y = x + 1\n    return y",
    "an else in a loop": LOOP.format("continue", "else:\n            x = x + 1").replace(
        "\n    return x", "\n    " + KEPT
    ),
}


@pytest.mark.parametrize("case", LOST)
def test_a_with_after_an_early_exit_loses_its_values(case: str) -> None:
    agree("with-after-exit", FUNCTION.format(LOST[case]))


@pytest.mark.parametrize("case", KNOWN)
def test_other_values_are_kept(case: str) -> None:
    agree("", FUNCTION.format(KNOWN[case]))
