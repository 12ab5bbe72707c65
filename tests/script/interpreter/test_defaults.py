"""Tests defaults of parameters without annotation: a value other than a Tensor or None is rejected."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

NAMED = """
EPS = 1e-5
BELOW = -1
NAME = "a"
NONE = None


def one(x):
    return x


"""


@pytest.mark.parametrize(
    ("default", "kind"),
    [
        ("EPS", "default-without-annotation"),
        ("BELOW", "default-without-annotation"),
        ("NAME", "default-without-annotation"),
        ("1j", "default-without-annotation"),
        ("float('inf')", "default-without-annotation"),
        ("torch.float32", "default-without-annotation"),
        ("torch.inf", "default-without-annotation"),
        ("Optional[Tensor]", "default-without-annotation"),
        ("nn.ReLU", "default-without-annotation"),
        ("F.relu", "default-without-annotation"),
        ("one", "default-without-annotation"),
        ("lambda x: x", "default-without-annotation"),
        ("NONE", ""),
        ("torch.tensor(1.)", ""),
    ],
)
def test_the_default_of_a_parameter_without_annotation(default: str, kind: str) -> None:
    agree(kind, f"{NAMED}@torch.jit.script\ndef f(x, y={default}):\n    return x\n")


@pytest.mark.parametrize(("annotation", "default"), [("int", "torch.float32"), ("float", "EPS"), ("str", "NAME")])
def test_a_named_default_fits_its_annotation(annotation: str, default: str) -> None:
    agree("", f"{NAMED}@torch.jit.script\ndef f(x, y: {annotation} = {default}):\n    return x\n")


def test_a_name_of_the_class_body_hides_the_global_one() -> None:
    net = "class Net(nn.Module):\n    EPS = None\n\n    def forward(self, x, y=EPS):\n        return x\n"
    agree("", f"{NAMED}{net}\n\nscripted = torch.jit.script(Net())\n")


@pytest.mark.parametrize("annotation", ["torch.tensor", "torch.float32", "F.relu", "List[torch.tensor]"])
@pytest.mark.parametrize("signature", ["x: {})", "x: Tensor, y: Optional[{}] = None)", "x) -> {}"])
def test_functions_and_values_of_torch_are_no_types(annotation: str, signature: str) -> None:
    shown = signature.format(annotation)
    agree("unreadable-annotation", f"@torch.jit.script\ndef f({shown}:\n    return x\n")


@pytest.mark.parametrize("default", ["one", "many"])
def test_a_function_as_a_default(default: str) -> None:
    agree("set-comprehension" if default == "many" else "", FUNCTIONS.format(default))


FUNCTIONS = """
def one(x):
    return x


def many(x):
    return {{a for a in x}}


class Net(nn.Module):
    def __init__(self, loss={0}):
        super().__init__()
        self.loss = loss

    def forward(self, x):
        return self.loss(x)


scripted = torch.jit.script(Net())
"""
