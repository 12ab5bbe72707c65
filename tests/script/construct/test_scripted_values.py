"""Tests what the argument of ``torch.jit.script`` is: each row asks the compiler and the static model."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree
from tests.script.model import events

LAYERS = {
    "in the call": "scripted = torch.jit.script(nn.Dropout({p}))",
    "assigned once": "net = nn.Dropout({p})\nscripted = torch.jit.script(net)",
    "assigned twice": "net = nn.Dropout({p})\nnet = torch.jit.script(net)",
    "after another value": "net = nn.ReLU()\nnet = nn.Dropout({p})\nnet = torch.jit.script(net)",
    "in the mode for inference": "net = nn.Dropout({p})\nnet = net.eval()\nnet = torch.jit.script(net)",
    "in a block": "if True:\n    net = nn.Dropout({p})\n    net = torch.jit.script(net)",
    "before a block": "net = nn.Dropout({p})\nif True:\n    net = torch.jit.script(net)",
    "in a function": "def main():\n    net = nn.Dropout({p})\n    net = torch.jit.script(net)\n\n\nmain()",
}
OTHERS = {
    "replaced": "net = nn.Dropout(0)\nnet = nn.ReLU()\nnet = torch.jit.script(net)",
    "replaced in a block": "net = nn.Dropout(0)\nif True:\n    net = nn.ReLU()\nnet = torch.jit.script(net)",
    "replaced in a loop": "net = nn.Dropout(0)\nfor net in [nn.ReLU()]:\n    pass\nnet = torch.jit.script(net)",
    "defined": "net = nn.Dropout(0)\n\n\ndef net(x):\n    return x\n\n\nscripted = torch.jit.script(net)",
    "of another function": "net = nn.Dropout(0)\n\n\ndef f(net):\n    return torch.jit.script(net)\n\n\nf(nn.ReLU())",
}


@pytest.mark.parametrize("p", ["0", "0.5"])
@pytest.mark.parametrize("name", LAYERS)
def test_a_layer(name: str, p: str) -> None:
    agree("module-argument" if p == "0" else "", LAYERS[name].format(p=p))


@pytest.mark.parametrize("name", OTHERS)
def test_a_variable_that_holds_something_else(name: str) -> None:
    agree("", OTHERS[name])


def test_a_loop_may_replace_it() -> None:
    text = "net = nn.Dropout(0)\nfor other in []:\n    scripted = torch.jit.script(net)\n    net = other\n"
    assert events(text) == []


OBJECT = """
class Counter:
    def __init__(self, start: int):
        self.start = start

    def counted(self, n: int):
        return {returned}


{script}
"""
SCRIPTS = {
    "in the call": "scripted = torch.jit.script(Counter(1))",
    "assigned": "counter = Counter(1)\nscripted = torch.jit.script(counter)",
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_method_of_an_object_is_compiled(name: str) -> None:
    agree("set-literal", OBJECT.format(returned="{n}", script=SCRIPTS[name]))
    agree("", OBJECT.format(returned="n + self.start", script=SCRIPTS[name]))


def test_an_object_that_is_not_scripted_is_not_compiled() -> None:
    agree("", OBJECT.format(returned="{n}", script="counter = Counter(1)"))
