"""Tests signatures in ``# type:`` comments, in the compiler and the static model."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

NET = "class Net(nn.Module):\n"
CASES = {
    "a parameter's type": (
        "operator-mismatch",
        "def f(x):\n    # type: (Tuple[Tensor, Tensor]) -> Tensor\n    return x + 1\n",
    ),
    "what is returned": ("return-type", "def f(x):\n    # type: (Tensor) -> Tuple[Tensor, str]\n    return x, x\n"),
    "what is iterated": (
        "not-iterable",
        "def f(x):\n    # type: (int) -> int\n    total = 0\n    for i in x:\n        total += i\n    return total\n",
    ),
    "over annotations": ("", "def f(x: int) -> int:\n    # type: (Tensor) -> Tensor\n    return x.relu()\n"),
    "over annotations, wrong": (
        "no-such-member",
        "def f(x: Tensor) -> Tensor:\n    # type: (int) -> int\n    return x.relu()\n",
    ),
    "one a row": (
        "operator-mismatch",
        "def f(x,  # type: Tensor\n      n,  # type: Optional[int]\n      ):\n    # type: (...) -> Tensor\n"
        "    return x + n\n",
    ),
    "what a callee returns": (
        "unpack-count",
        "def g(x, y):\n    # type: (Tensor, Tensor) -> Tuple[Tensor, Tensor, Tensor]\n    return x, y, y\n\n\n"
        "def f(x):\n    a, b = g(x, x)\n    return a\n",
    ),
    "what a callee takes": (
        "call-mismatch",
        "def g(x):\n    # type: (str) -> str\n    return x\n\n\ndef f(x):\n    return g(x)\n",
    ),
    "what the compiler knows without an import": (
        "",
        "def f(x):\n    # type: (Optional[Tensor]) -> bool\n    return x is None\n",
    ),
    "type: ignore": ("no-tensor-member", "def f(x):  # type: ignore\n    return x.foo()\n"),
}


@pytest.mark.parametrize("name", CASES)
def test_the_model_and_the_compiler_say_the_same(name: str) -> None:
    kind, text = CASES[name]
    agree(kind, f"{text}\n\nscripted = torch.jit.script(f)\n")


def test_the_type_comment_of_a_method() -> None:
    text = (
        NET + "    def forward(self, x, n):\n        # type: (Tensor, Optional[int]) -> Tensor\n        return x + n\n"
    )
    agree("operator-mismatch", f"{text}\n\nscripted = torch.jit.script(Net())\n")
