"""The model of before.py with script where there are decisions and trace where there are none, inside each other.

The gate and the loop decide at run time, so they are scripted. The cell only computes, so it is traced: around the
scripted gate, and inside the scripted loop. What wraps the loop may be either.
"""

import torch
from torch import nn


class MyDecisionGate(nn.Module):
    """Lets x through as it is, or with its sign turned."""

    def forward(self, x):
        if x.sum() > 0:
            return x
        return -x


class MyCell(nn.Module):
    """One step: input and last state to output and next state."""

    def __init__(self, gate, size=4):
        super().__init__()
        self.gate = gate
        self.linear = nn.Linear(size, size)

    def forward(self, x, h):
        state = torch.tanh(self.gate(self.linear(x)) + h)
        return state, state


class MyRNNLoop(nn.Module):
    """The cell, once for every step of a sequence: a traced module, called from code that is scripted."""

    def __init__(self):
        super().__init__()
        cell = MyCell(torch.jit.script(MyDecisionGate()))
        self.cell = torch.jit.trace(cell, (torch.rand(3, 4), torch.rand(3, 4)))

    def forward(self, xs):
        h = torch.zeros_like(xs[0])
        y = h
        for i in range(xs.size(0)):
            y, h = self.cell(xs[i], h)
        return y, h


class WrapRNN(nn.Module):
    """What surrounds the loop: may be traced, for the loop stays scripted inside it."""

    def __init__(self):
        super().__init__()
        self.loop = torch.jit.script(MyRNNLoop())

    def forward(self, xs):
        y, _ = self.loop(xs)
        return torch.relu(y)


def build():
    """The whole model, and one sequence of five steps, three examples at a time."""
    return WrapRNN().eval(), (torch.rand(5, 3, 4),)
