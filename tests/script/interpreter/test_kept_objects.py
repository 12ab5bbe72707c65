"""Tests attributes that hold objects of plain classes: the compiler tries the class, and drops the attribute if that
fails.
"""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.script.agreement import agree
from tests.script.model import HEAD, kinds

TEXT = """
class Parent:
    def __init__(self, size: int):
        self.size = size


class Plain{base}:
    def __init__(self, size: int):
        {init}

    {method}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = Plain(3)

    def forward(self, x: Tensor) -> Tensor:
        {line}
        return x


scripted = torch.jit.script(Net())
"""
SIZE = "self.size = size"
# The kind of the event, then the base class, the constructor, a method, and the body of `forward`.
CASES = {
    "one that compiles": ("", "", SIZE, "def f(self) -> int:\n        return self.size", "x = x + self.kept.f()"),
    "a method that does not compile": (
        "attribute-inconvertible", "", SIZE, "def f(self, y):\n        return y.foo()", "x = x + self.kept.size",
    ),
    "a property that does not compile": (
        "attribute-inconvertible", "", SIZE, "@property\n    def f(self):\n        return [i for i in range(3) if i]",
        "x = x + self.kept.size",
    ),
    "a distribution": (
        "attribute-inconvertible", "", "self.normal = torch.distributions.Normal(0.0, 1.0)", "pass",
        "kept = self.kept",
    ),
    "an inherited constructor called": (
        "attribute-inconvertible", "(Parent)", "super().__init__(size)", "pass", "kept = self.kept",
    ),
    "an attribute of another type": (
        "operator-mismatch", "", "self.size = None", "pass", "x = F.linear(x, self.kept.size)",
    ),
    "a dict that compiles": ("script-class-member", "(dict)", SIZE, "pass", "x = x + self.kept['a']"),
    "a dict that does not compile has the type of its items": (
        "", "(dict)", "super().__init__(size=size)", "pass", "x = x + self.kept['size']",
    ),
    "nobody reads it": ("", "", SIZE, "def f(self, y):\n        return y.foo()", "pass"),
    "a static method does not count": (
        "", "", SIZE, "@staticmethod\n    def f(y):\n        return y.foo()", "x = x + self.kept.size",
    ),
    "nor a class method": (
        "", "", SIZE, "@classmethod\n    def f(cls):\n        return cls(2)", "x = x + self.kept.size",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_model_and_the_compiler_say_the_same(name: str) -> None:
    kind, base, init, method, line = CASES[name]
    agree(kind, TEXT.format(base=base, init=init, method=method, line=line))


@pytest.mark.parametrize("base", ["", "(dict)"])
def test_only_the_update_of_a_dict_changes_what_an_attribute_holds(base: str) -> None:
    method = "def update(self, y: Tensor):\n        self.size = y\n        return y"
    text = TEXT.format(base=base, init="self.size = None", method=method, line="x = self.kept.update(x)")
    used = text.replace("torch.jit.script(Net())", "Net()\nscripted(torch.rand(2))\ntorch.jit.script(scripted)")
    assert not the_compiler()(HEAD + used).ok
    assert kinds(used) == (["attribute-inconvertible"] if not base else [])
