"""Tests hooks that are registered on a module before it is scripted: each row asks the compiler and the
static model.
"""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

TEXT = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Part()

    def used(self):
        return 1

    def forward(self, x: str):
        self.used()
        return self.first(x)


class Part(nn.Module):
    def forward(self, x: str) -> str:
        return x


net = Net()


def keep(self, given: Tuple[str], out: str):
    return out


def wrap(self, given: Tuple[str], out: str):
    return (out,)


def untold(self, given, out):
    return out


def alone(self, given: str, out: str):
    return out


def other(self, given: Tuple[int], out: str):
    return out


def unwrapped(self, given: Tuple[str], out: Tuple[str]):
    return out


def used(self, given: Tuple[str], out: str):
    return out


def before(self, given: Tuple[str]) -> {result}:
    return {value}


{code}
torch.jit.script(net)
"""
AGAIN = "def keep(self, given: Tuple[str], out: str):\n    return 'a'\n\n\n"
REJECTED = [
    "net.register_forward_hook(untold)",
    "net.register_forward_hook(alone)",
    "net.first.register_forward_hook(alone)",
    "net.register_forward_hook(other)",
    "net.register_forward_hook(unwrapped)",
    "net.register_forward_hook(wrap)\nnet.register_forward_hook(keep)",
    "net.register_forward_hook(used)",
    "net.register_forward_hook(before)",
    "net.register_forward_hook(lambda net, given, out: out)",
    f"net.register_forward_hook(keep)\n\n\n{AGAIN}net.register_forward_hook(keep)",
]
ACCEPTED = [
    "net.register_forward_hook(keep)",
    "net.first.register_forward_hook(keep)",
    "net.register_forward_hook(keep)\nnet.register_forward_hook(keep)",
    "net.register_forward_hook(wrap)\nnet.register_forward_hook(unwrapped)",
    "net.register_forward_pre_hook(before)",
    "net.register_forward_hook(alone)\nnet = Net()",
]
RESULTS = {
    "None": ("None", True),
    "str": ("given[0]", True),
    "Tuple[str]": ("given", True),
    "int": ("1", False),
    "Tuple[int]": ("(1,)", False),
    "Tuple[str, str]": ("('a', 'a')", False),
}


@pytest.mark.parametrize("code", [*REJECTED, *ACCEPTED])
def test_a_registered_hook(code: str) -> None:
    text = TEXT.format(code=code, result="Tuple[str]", value="given")
    agree("hook-signature" if code in REJECTED else "", text)


@pytest.mark.parametrize("result", RESULTS)
def test_a_pre_hook_returns_what_forward_takes(result: str) -> None:
    value, good = RESULTS[result]
    text = TEXT.format(code="net.register_forward_pre_hook(before)", result=result, value=value)
    agree("" if good else "hook-signature", text)
