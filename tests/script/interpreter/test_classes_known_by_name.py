"""Tests names of classes of modules in compiled code: the compiler knows those of which it has compiled a module."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

TEXT = """
class Helper(nn.Module):
    @staticmethod
    def twice(x: Tensor) -> Tensor:
        return x * 2

    def forward(self, x: Tensor) -> Tensor:
        return Helper.twice(x)


class Net({base}):
    def __init__(self, deep: bool = False):
        super().__init__()
        self.norm = {norm}

    def forward(self, x: Tensor) -> Tensor:
        {body}


scripted = torch.jit.script({made})
"""
STATIC, RELU = "return Helper.twice(x)", "nn.ReLU()"
TESTED = "if isinstance({}, {}):\n            return x\n        return x + 1"
CASES = {
    "a static method of its own class": ("", "nn.Module", RELU, "return x", "Helper()"),
    "of another class": ("unsupported-external-attribute", "nn.Module", RELU, STATIC, "Net()"),
    "of a base class": ("unsupported-external-attribute", "Helper", RELU, STATIC, "Net()"),
    "of the class of a submodule": ("", "nn.Module", "Helper()", STATIC, "Net()"),
    "a test for another class": (
        "unreadable-annotation", "nn.Module", RELU, TESTED.format("self.norm", "nn.LayerNorm"), "Net()",
    ),
    "a test for the class of a submodule": (
        "", "nn.Module", "nn.LayerNorm(2)", TESTED.format("self.norm", "nn.LayerNorm"), "Net()",
    ),
    "a test of a tensor for another class": (
        "unreadable-annotation", "nn.Module", RELU, TESTED.format("x", "Helper"), "Net()",
    ),
    "a test of a tensor for its own class": ("", "nn.Module", RELU, TESTED.format("x", "Net"), "Net()"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_compiler_knows_the_classes_of_the_modules_it_has_compiled(name: str) -> None:
    kind, base, norm, body, made = CASES[name]
    agree(kind, TEXT.format(base=base, norm=norm, body=body, made=made))


DISTRIBUTION = """
class Own(torch.distributions.{base}):
    def mode(self):
        return self.mean


class Net(nn.Module):
    def forward(self, x: Tensor):
        {body}
        return x


scripted = torch.jit.script(Net())
"""


@pytest.mark.parametrize(
    ("kind", "base", "body"),
    [
        ("module-construction", "Normal", "made = Own(x, x)"),
        ("module-construction", "Categorical", "made = Own(logits=x)"),
        ("module-construction", "normal.Normal", "made = Own(x, x)"),
        ("", "Normal", "if not torch.jit.is_scripting():\n            made = Own(x, x)"),
    ],
)
def test_distributions_of_the_author_do_not_compile(kind: str, base: str, body: str) -> None:
    agree(kind, DISTRIBUTION.format(base=base, body=body))
