"""Tests which code would notice an additional submodule without parameters."""

from __future__ import annotations

import ast

import pytest

from tslint.script.dataflow.module_listing import lists_modules

HEAD = """
import torch
from torch import nn


class Reverse(torch.autograd.Function): ...


def init(m):
    if isinstance(m, nn.Linear) or isinstance(m, nn.Conv2d) and m.bias is not None:
        m.bias.data.zero_()


def count(m):
    if isinstance(m, nn.Linear):
        m.bias.data.zero_()
    m.seen = True


"""
# Code, and whether it may notice the module.
CASES = {
    "for m in net.modules():\n    if isinstance(m, nn.Conv2d):\n        f(m)": False,
    "for n, m in net.named_modules():\n    if isinstance(m, (nn.Conv2d, nn.LSTM)):\n        f(n)": False,
    "for m in net.children():\n    if isinstance(m, nn.GRU):\n        f()\n    elif isinstance(m, nn.LSTM): ...": False,
    "for m in net.modules():\n    if isinstance(m, nn.Conv2d):\n        f(m)\n    else:\n        g(m)": True,
    "for m in net.modules():\n    if isinstance(m, (nn.Conv2d, nn.ReLU)):\n        f(m)": True,
    "for m in net.modules():\n    if isinstance(m, Block):\n        f(m)": True,
    "for m in net.modules():\n    if not isinstance(m, nn.Conv2d):\n        f(m)": True,
    "for m in net.modules():\n    if isinstance(n, nn.Conv2d):\n        f(m)": True,
    "for m in net.modules():\n    if isinstance(m, nn.Conv2d):\n        f(m)\n    i += 1": True,
    "for i, m in enumerate(net.modules()):\n    if isinstance(m, nn.Conv2d):\n        f(i)": True,
    "for n, m in net.named_modules():\n    if isinstance(n, nn.Conv2d):\n        f(m)": True,
    "len(list(net.children()))": True,
    "net.apply(init)": False,
    "net.apply(self.init)": False,
    "net.apply(count)": True,
    "net.apply(unknown)": True,
    "net.apply(lambda m: f(m))": True,
    "Reverse.apply(x)": False,
    "Reverse.apply(x, 2)": False,
    "Other.apply(x, 2)": True,
}


@pytest.mark.parametrize("code", CASES)
def test_code_that_goes_through_submodules(code: str) -> None:
    assert lists_modules(ast.parse(HEAD + code)) is CASES[code]
