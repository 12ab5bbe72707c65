"""Tests modules and numbers in dict comprehensions of constructors: each row asks the compiler and the static model."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

TEXT = """
class Net(nn.Module):
    def __init__(self, keys=("a", "b")):
        super().__init__()
        self.heads = {made}

    def forward(self, x: Tensor):
        {body}


scripted = torch.jit.script(Net())
"""
ANY = "nn.ModuleDict({key: nn.ReLU() for key in keys})"
NAMED = "nn.ModuleDict({key: nn.ReLU() for key in ('a', 'b')})"
NUMBERS = "{key: len(key) for key in ('a', 'b')}"
# The created dict, its use, and the event at which the compiler stops.
CASES = {
    "a module of any key": (ANY, "return [head(x) for head in self.heads.values()]", ""),
    "what a module of any key returns": (
        ANY,
        "return [head(x).foo for head in self.heads.values()]",
        "no-tensor-member",
    ),
    "a key that there is": (NAMED, "return self.heads['a'](x)", ""),
    "a key that there is not": (NAMED, "return self.heads['c'](x)", "container-missing-key"),
    "what a module returns": (NAMED, "return self.heads['a'](x).foo", "no-tensor-member"),
    "keys that are the same": ("nn.ModuleDict({key: nn.ReLU() for key in ('a', 'a')})", "return len(self.heads)", ""),
    "numbers": (NUMBERS, "return x * self.heads['a']", ""),
    "what a number has not": (NUMBERS, "return x * self.heads['a'].foo", "no-such-member"),
}


@pytest.mark.parametrize("name", CASES)
def test_a_dict_that_a_comprehension_makes(name: str) -> None:
    made, body, kind = CASES[name]
    agree(kind, TEXT.format(made=made, body=body))
