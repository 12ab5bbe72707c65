"""The cell, the gate and the loop of the TorchScript tutorial, exported the way that looks right and is not.

``build()`` gives a model that neither compiles (the compiler stops at the first of two mistakes) nor traces well:
a trace keeps the one branch of the gate and the number of steps that its example took, and says so at most in a
warning. after.py is the same model, with each part exported by the means that fits it.
"""

import torch
from torch import nn


class MyDecisionGate(nn.Module):
    """Lets x through as it is, or with its sign turned."""

    def forward(self, x):
        if x.sum() > 0:  # a trace keeps the branch of its example
            return x
        return -x


class MyCell(nn.Module):
    """One step: input and last state to output and next state."""

    def __init__(self, gate, size=4):
        super().__init__()
        self.gate = gate
        self.linear = nn.Linear(size, size)

    def forward(self, x, h=None):  # without an annotation, h=None is a Tensor
        if h is None:
            h = torch.zeros_like(x)
        state = torch.tanh(self.gate(self.linear(x)) + h)
        return state, state


class MyRNNLoop(nn.Module):
    """The cell, once for every step of a sequence."""

    def __init__(self):
        super().__init__()
        self.cell = MyCell(MyDecisionGate())

    def forward(self, xs):
        y, h = self.cell(xs[0])  # without an annotation, h is a Tensor, and a Tensor is never None
        for i in range(1, xs.size(0)):  # a trace keeps the number of steps
            y, h = self.cell(xs[i], h)
        self.last = h  # a compiled module has the attributes that __init__ gave it, and no others
        return y, h


class WrapRNN(nn.Module):
    """What surrounds the loop."""

    def __init__(self):
        super().__init__()
        self.loop = MyRNNLoop()

    def forward(self, xs):
        y, _ = self.loop(xs)
        return torch.relu(y)


def build():
    """The whole model, and one sequence of five steps, three examples at a time."""
    return WrapRNN().eval(), (torch.rand(5, 3, 4),)
