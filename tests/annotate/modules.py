"""Modules that the compiler rejects without annotations and accepts with them; the tests write them to files."""

SOURCE = '''\
"""A project's modules."""
# A comment of its own.
import enum

import torch
import torch.nn.functional as F
from torch import nn
from typing import NamedTuple

from parts.ops import pooled, shifted


class Mode(enum.Enum):
    PLAIN = 1
    NEGATED = 2


class Pair(NamedTuple):
    left: torch.Tensor
    right: torch.Tensor


class Parameters(nn.Module):
    """Parameters of every plain type."""

    def pick(self, x, count, factor, negate, name, *, among):
        if negate and name == "neg":
            x = -x
        return x * factor + count + among[0]

    def forward(self, x):
        return self.pick(x, 2, 0.5, True, "neg", among=[1, 2])


class Defaults(nn.Module):
    def scaled(self, x, by=2.0, shift=-1, flag=False):
        return x if flag else x * by + shift

    def forward(self, x):
        return self.scaled(x) + self.scaled(x, 0.5)


class MaybeMask(nn.Module):
    def masked(self, x, mask=None):
        if mask is not None:
            x = x * mask
        return x

    def forward(self, x):
        return self.masked(x) + self.masked(x, x)


class NoMask(nn.Module):
    def masked(self, x, mask=None):
        if mask is not None:
            x = x * mask
        return x

    def forward(self, x):
        return self.masked(x)


class MaybeSize(nn.Module):
    def padded(self, x, size=None):
        if size is None:
            return x
        return F.pad(x, [0, size])

    def forward(self, x):
        return self.padded(x), self.padded(x, 2)


class Sizes(nn.Module):
    def forward(self, x):
        found = []
        for row in x:
            found.append(row.size(0))
        return found


class Several(nn.Module):
    def forward(self, x):
        sizes, names = [], {}  # two at once
        for i in range(3):
            sizes.append(i)
            names["n"] = i
        return sizes, names


class Emptied(nn.Module):
    """A stack that is empty again in the end."""

    def forward(self, x):
        stack = []
        total = 0
        for i in range(4):
            stack.append(i)
        while len(stack) > 0:
            total += stack.pop()
        return x + total


class Anew(nn.Module):
    def forward(self, x):
        rows = []
        for i in range(2):
            row = []
            for j in range(3):
                row.append(i * j)
            rows.append(row)
        row = []
        row.append(7)
        return rows, row


class Branches(nn.Module):
    def forward(self, x):
        if x.size(0) > 1:
            found = []
        else:
            found = []
        found.append(3)
        return found


class Last(nn.Module):
    def forward(self, x):
        last = None
        for i in range(3):
            if last is None:
                last = x
            else:
                last = last + x
        return last


class Cache(nn.Module):
    """Attributes are declared at class level."""

    def __init__(self):
        super().__init__()
        self.sizes = []
        self.state = None

    def forward(self, x):
        self.sizes.append(x.size(0))
        self.state = x
        return x + len(self.sizes)


class Shapes(nn.Module):
    def forward(self, x):
        return pooled(x, x.shape), shifted(x, (1, 2)), pooled(x, (2, 3))


class Modes(nn.Module):
    def apply_mode(self, x, mode, pair):
        if mode == Mode.NEGATED:
            return -x + pair.left
        return x + pair.right

    def forward(self, x):
        return self.apply_mode(x, Mode.NEGATED, Pair(x, x))


class Ignored(nn.Module):
    @torch.jit.ignore
    def limit(self, x, size):
        return min(size, int(x.numel()))

    def forward(self, x):
        return x + self.limit(x, 3)


class Mixed(nn.Module):
    """Several types: a Union, and the compiler wants it looked at before it is used."""

    def one(self, x, other):
        if isinstance(other, str):
            return x
        return x + 1

    def forward(self, x):
        return self.one(x, "a"), self.one(x, [1, 2])


class Nested(nn.Module):
    def total(self, table, sizes):
        for key, value in table.items():
            sizes[key] = value[0] + sizes[key]
        return sizes["a"]

    def forward(self, x):
        return self.total({"a": [1, 2], "b": [3]}, {"a": 1, "b": 2})


class Kinds(nn.Module):
    def cast(self, x, kind, where):
        return x.to(where, kind)

    def forward(self, x):
        return self.cast(x, x.dtype, x.device)
'''

OPS = """\
def pooled(x, size):
    return x.reshape(-1)[: size[0] * size[1]]


def shifted(x, by):
    return x.roll(by[0], 0)
"""

INPUTS = "torch.arange(6.0).reshape(2, 3)"
