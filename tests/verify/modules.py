"""Modules to verify: written to a file by the tests, as a user would have them."""

SOURCE = """\
import ctypes
import itertools
import os
import random
import sys
import time

import torch
from torch import nn

NOISE = "noise " * 500_000
CALLS = itertools.count()


class Good(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 2)

    def forward(self, x):
        return torch.relu(self.linear(x))


def good():
    print("said by the user's code")
    return Good(), torch.rand(4, 3)


class Bad(nn.Module):
    def helper(self, x):
        text = "é"; return unknown(x)

    def forward(self, x):
        return self.helper(x) if x is None else self.helper(x)


class Located(nn.Module):
    def forward(self, x):
        return x.nothing(
            1,
        )


class While(nn.Module):
    def forward(self, x):
        while x.sum() > 10**6:
            x = x - 1
        else:
            x = x + 0
        return x


class Abort(nn.Module):
    def forward(self, x):
        os.abort()


class Segfault(nn.Module):
    def forward(self, x):
        ctypes.string_at(0)
        return x


class Exits(nn.Module):
    def forward(self, x):
        sys.exit(3)


class HardExit(nn.Module):
    def forward(self, x):
        os._exit(7)


class Hangs(nn.Module):
    def forward(self, x):
        if os.fork() == 0:
            time.sleep(600)
        while True:
            pass


class Noisy(nn.Module):
    def forward(self, x):
        if not torch.jit.is_scripting():
            os.write(1, NOISE.encode())
            print(NOISE)
        return x


class Unsteady(nn.Module):
    def forward(self, x):
        return x + int.from_bytes(os.urandom(2), "big")


class UnsteadyScripted(nn.Module):
    def forward(self, x):
        if torch.jit.is_scripting():
            return x.double()
        return x * self.drawn()

    @torch.jit.unused
    def drawn(self) -> float:
        return float(int.from_bytes(os.urandom(2), "big"))


class Wavering(nn.Module):
    scale = 1e-3

    def forward(self, x):
        if torch.jit.is_scripting():
            return x
        return x + self.drawn()

    @torch.jit.unused
    def drawn(self) -> float:
        return self.scale * (next(CALLS) % 2)


class Erratic(Wavering):
    scale = 1.0


class Entropy(nn.Module):
    def forward(self, x):
        return x + next(CALLS)


class Draws(nn.Module):
    def forward(self, x):
        return nn.functional.dropout(x)


class Baked(nn.Module):
    def forward(self, x):
        return x * random.random()


class Counts(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(3))

    def forward(self, x):
        self.count += 1
        return x + self.count


class Ignored(nn.Module):
    @torch.jit.ignore
    def debug(self, x):
        return x

    def forward(self, x):
        return self.debug(x)


class Branches(nn.Module):
    def pick(self, x):
        if x.sum() > 0:
            return x
        return -x

    def forward(self, x):
        return self.pick(x)


class Structure(nn.Module):
    def forward(self, x):
        return x, x.shape


class NoGrad(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 2)

    @torch.no_grad()
    def forward(self, x):
        return self.linear(x), x


class Fails(nn.Module):
    def forward(self, x):
        if torch.jit.is_scripting():
            assert x.sum() < 0, "never"
        return x


class Fixed(nn.Module):
    def forward(self, x):
        return x.reshape(4 * int(x.shape[0] / 4), 3)


class NonLeaf(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))
        self.twice = self.weight * 2
        self.register_buffer("count", torch.zeros(3))

    def forward(self, x):
        self.count += 1
        return x * self.twice + self.count


class Writes(nn.Module):
    def forward(self, x):
        return x.mul_(2)


class Nothing(nn.Module):
    def forward(self):
        return torch.ones(2)


class Raises(nn.Module):
    def forward(self, x):
        raise ValueError("no such\\nluck")


class Needs(nn.Module):
    def __init__(self, width):
        super().__init__()


class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x, h):
        return torch.tanh(self.linear(x) + h)


class Loop(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = torch.jit.trace(Cell(), (torch.rand(2, 3), torch.rand(2, 3)))

    def forward(self, xs):
        h = torch.zeros(2, 3)
        for i in range(xs.size(0)):
            h = self.cell(xs[i], h)
        return h


class Wraps(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = torch.jit.script(Branches())

    def forward(self, x):
        return self.gate(x) * 2


class Huge(nn.Module):
    def forward(self, x):
        return torch.zeros(10_000_000_000)


instance = Good()
number = 3


def scripted():
    return torch.jit.script(Good())


def traced():
    return torch.jit.trace(Good(), torch.rand(4, 3))


def nothing():
    return None


def boom():
    raise RuntimeError("boom")


def leaves():
    sys.exit("bye")
"""


def row(text: str) -> int:
    """Return the row of the only line with a text."""
    rows = [number for number, line in enumerate(SOURCE.splitlines(), 1) if text in line]
    assert len(rows) == 1, (text, rows)
    return rows[0]
