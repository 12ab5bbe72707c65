"""Modules with several mistakes, written to a file by the tests of ``--all-errors``."""

SOURCE = """\
import numpy as np
import torch
from torch import nn
from typing import Callable


def free(x):
    return torch.from_numpy(np.abs(x.numpy()))  # free


def wraps(x):
    return free(x)


class Part(nn.Module):
    def pair(self, x):
        try:  # pair
            return x, 2
        except ValueError:
            return x, 3

    def forward(self, x):
        a, n = self.pair(x)
        if n == 7:
            return a.nothing()  # part
        return a + n


class Quiet(nn.Module):
    def forward(self, x):
        return x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.part = Part()
        self.quiet = Quiet()

    def late(self, x):
        return x.gone()  # late

    def guarded(self, x):
        return np.sum(x.numpy())

    def forward(self, x):
        y = wraps(self.part(x))
        z = self.part.quite(y) if x.dim() == 9 else y  # forward
        if not torch.jit.is_scripting():
            self.guarded(x)
        return z if x.dim() != 5 else self.late(z)


class Chain(nn.Module):
    def first(self, x):
        y = lambda: x  # first
        return self.second(x)

    def second(self, x):
        with open("x") as f:  # second
            return x

    def forward(self, x):
        if x.dim() == 5:
            return self.first(x)
        return x


class Called(nn.Module):
    def first(self, x):
        y = [i for i in range(3) if i]  # called-first
        return self.second(x)

    def second(self, x):
        y = [i for i in range(3) if i]  # called-second
        if not torch.jit.is_scripting():
            self.third(x)
        return x

    def third(self, x):
        y = [i for i in range(3) if i]
        return x

    def forward(self, x):
        return self.first(x)


class Vague(nn.Module):
    def pair(self, x):
        try:  # vague
            return x, object()
        except ValueError:
            return x, None

    def forward(self, x):
        y, _ = self.pair(x)
        return y


class Signature(nn.Module):
    def call(self, x, f: Callable = abs):
        return x + 1

    def other(self, x):
        y = lambda: x  # other
        return x

    def forward(self, x):
        return self.call(self.other(x) if x.dim() == 5 else x)


class Variadic(nn.Module):
    def call(self, *xs):  # variadic
        return xs[0] + 1

    def forward(self, x):
        return self.call(x, x)


class Attribute(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = object()

    def forward(self, x):
        return x if self.table else x  # attribute


class Raising(nn.Module):
    def counted(self, x, fails: bool):
        if fails:
            raise ValueError
        return x.dim()

    def nothing(self):
        pass

    def forward(self, x):
        self.nothing()
        try:
            return x * self.counted(x, True)
        except ValueError:
            return x * self.counted(x, False)


class One(nn.Module):
    def forward(self, x):
        while x.sum() > 10**6:
            x = x - 1
        else:
            x = x + 0
        return x
"""
