"""Tests findings about tensors that compiled code copies or converts: they stand where it differs from Python."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.driver import findings

HEAD = "import torch\n\n\ndef f(x, t):\n    y = x * 1\n    "
TAIL = "\n\n\nscripted = torch.jit.script(f)\ninputs = (torch.arange(6.0).reshape(3, 2), torch.tensor([1, 0]))\n"
# The body of a function, and the code of the finding; none where compiled code does as Python does.
BODIES = {
    "in place": ("y[t[0]].fill_(9)\n    return y", "TS626"),
    "in place, with a number": ("y[0][t[0] - 1].fill_(9)\n    return y", "TS626"),
    "an item of the copy": ("y[t[0]][1] = 9\n    return y", "TS626"),
    "by the largest": ("y[t.argmax()].mul_(2)\n    return y", "TS626"),
    "assigned": ("y[t[0]] = 9\n    return y", ""),
    "with an operator": ("y[t[0]] += 9\n    return y", ""),
    "by several": ("y[t].fill_(9)\n    return y", ""),
    "by an int": ("y[int(t[0])].fill_(9)\n    return y", ""),
    "in place, and the result is used": ("return y + y[t[0]].mul_(1)", ""),
    "not in place": ("return y[t[0]].add(9)", ""),
    "a count into an int": ("n = 0\n    for i in range(2):\n        n += (x[i] == 1).sum().item()\n    return n", ""),
    "an index into an int": ("n = 0\n    for i in range(2):\n        n += x[i].argmax().item()\n    return n", ""),
    "a mean into an int": ("n = 0\n    for i in range(2):\n        n += x[i].mean().item()\n    return n", "TS613"),
    "a type as a name": ("return str(x.type())", "TS615"),
    "the type of a tensor": ("return t.type(x.type())", ""),
    "an old constructor": ("return y[0] + torch.LongTensor(t)", "TS613"),
    "torch.tensor of a Tensor": ("return y[0] + torch.tensor(t)", "TS613"),
    "torch.as_tensor of a Tensor": ("return y[0] + torch.as_tensor(t)", ""),
    "an old constructor of a list": ("return y[0] + torch.LongTensor([1, 2])", ""),
    "an old constructor of sizes": ("return torch.FloatTensor(x.size(0), 2).fill_(1)", ""),
}


@pytest.mark.parametrize("body", BODIES)
def test_the_finding_stands_where_compiled_code_differs(body: str) -> None:
    code, expected = BODIES[body]
    text = HEAD + code + TAIL
    verdict = the_compiler()(text)
    assert verdict.ok, verdict.message
    assert (verdict.scripted == verdict.eager) is not bool(expected), verdict
    assert [each.code for each in findings(text) if each.code.startswith("TS6")] == [expected] * bool(expected)


def test_the_name_of_a_type_in_a_message_is_no_finding() -> None:
    text = """
import torch


def f(x, y):
    if x.dim() > 5:
        raise ValueError(f"not for {x.type()}")
    assert x.dim() > 0, "got " + str(x.type())
    assert x.type() == y.type(), "other types"
    return x


scripted = torch.jit.script(f)
"""
    assert [(each.code, each.start.row) for each in findings(text) if each.code == "TS615"] == [("TS615", 9)]
