"""What a module's class binds without a plain `def`, and what it overrides of a class of torch."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

STATE = (
    "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.t = torch.rand(2)\n\n"
    "    def forward(self, x):\n        return x\n\n"
    "    @torch.jit.export\n    def __getstate__(self):\n        return self.t, self.training\n\n"
    "    @torch.jit.export\n    def __setstate__(self, state):\n        self.t = state[{}]\n"
    "        self.training = state[1]\n"
)
CONV = (
    "class Net(nn.Conv1d):\n    def __init__(self):\n        super().__init__(1, 1, 1)\n\n"
    "    def _conv_forward(self, x: Tensor, weight: Tensor, bias: Optional[Tensor]) -> Tensor:\n        return {}\n"
)
# The event's kind, and the text with the class `Net`.
CASES = {
    "a function as forward": ("", "def run(self, x):\n    return x\n\n\nclass Net(nn.Module):\n    forward = run\n"),
    "one that does not compile": (
        "no-tensor-member",
        "def run(self, x):\n    return x.foo()\n\n\nclass Net(nn.Module):\n    forward = run\n",
    ),
    "an annotated one": (
        "variadic-parameter",
        "def run(self, *args: Any):\n    raise NotImplementedError()\n\n\nclass Net(nn.Module):\n"
        "    forward: Any = run\n",
    ),
    "what torch's forward calls": ("", CONV.format("torch.conv1d(x, weight, bias)")),
    "what torch's forward calls, wrong": ("no-tensor-member", CONV.format("torch.conv1d(x, weight, bias).foo()")),
    "super() in it": ("super-call", CONV.format("super()._conv_forward(x, weight, bias)")),
    "the state as it was saved": ("", STATE.format("0")),
    "another state": ("attribute-retyped", STATE.format("1")),
}


@pytest.mark.parametrize("name", CASES)
def test_the_model_and_the_compiler_say_the_same(name: str) -> None:
    kind, text = CASES[name]
    agree(kind, f"{text}\n\nscripted = torch.jit.script(Net())\n")
