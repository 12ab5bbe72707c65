"""Tests what the compiler does with containers of parameters, and what they lack, against the compiler."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.driver import findings

TEXT = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.list = nn.ParameterList([nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(2))])
        self.dict = nn.ParameterDict({{"a": nn.Parameter(torch.ones(2)), "b": nn.Parameter(torch.ones(2))}})
        self.layers = nn.ModuleList([nn.ReLU()])
        self.named = nn.ModuleDict({{"a": nn.ReLU()}})
        self.chain = nn.Sequential(nn.ReLU())

    def forward(self, x):
        {body}
        return x


scripted = torch.jit.script(Net())
"""
LOOP = "for each in {}:\n            x = x + 1"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("x = x + len(self.list)", "TS314"),
        ("x = x + len(self.dict)", "TS314"),
        ("x = x + len(self.layers) + len(self.named) + len(self.chain) + len(self.layers[0:])", ""),
        ('if "a" in self.dict:\n            x = x + 1', "TS314"),
        ('if "a" not in self.dict:\n            x = x + 1', "TS314"),
        ("if x in self.list:\n            x = x + 1", "TS314"),
        ("if x in self.layers:\n            x = x + 1", "TS314"),
        ("if x in self.chain:\n            x = x + 1", "TS314"),
        ('if "a" in self.named:\n            x = x + 1', ""),
        (LOOP.format("self.dict"), "TS415"),
        (LOOP.format("self.dict.items()"), "TS314"),
        (LOOP.format("self.dict.keys()"), "TS314"),
        (LOOP.format("self.dict.values()"), "TS314"),
        (LOOP.format("self.list"), ""),
        (LOOP.format("enumerate(self.list)"), ""),
        (LOOP.format("zip(self.list, self.list)"), ""),
        (LOOP.format("self.named.items()"), ""),
        ('x = x + self.dict.get("a")', "TS314"),
        ('x = x + self.dict["a"] + self.dict.b + self.list[0] + self.list[-1]', ""),
        ("a, b = self.list", "TS432"),
        ("a, b = self.dict", "TS432"),
        ("x = x + [each + 1 for each in self.list][0]", ""),
    ],
)
def test_containers_lack_what_the_compiler_does_not_give_them(body: str, code: str) -> None:
    text = TEXT.format(body=body)
    assert the_compiler()(text).ok is not bool(code)
    assert [each.code for each in findings(text) if each.severity == "error"] == ([code] if code else [])


@pytest.mark.parametrize(
    ("body", "code", "said"),
    [
        (
            "if self.list:\n            x = x + 1",
            "TS414",
            "`self.list` is an nn.ParameterList, which TorchScript cannot",
        ),
        (
            'k = "a" if x.sum() > 0 else "b"\n        x = x + self.dict[k]',
            "TS402",
            "an nn.ParameterDict needs a string",
        ),
    ],
)
def test_there_is_no_fix_that_counts_or_iterates(body: str, code: str, said: str) -> None:
    text = TEXT.format(body=body)
    assert not the_compiler()(text).ok
    (found,) = [each for each in findings(text) if each.code == code]
    assert said in found.message and found.fix is None
