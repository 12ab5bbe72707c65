"""Tests the promise of fixes for modules: eager code does the same in every construction, and raises in the same cases.

Each row is a class ``Net`` with constructions and inputs. Every combination runs before and after, in Python and
compiled. The rows are code that a fix once broke, or might break.
"""

from __future__ import annotations

from itertools import product

import pytest

from tests.rules.compiler import Verdict, the_compiler
from tests.rules.driver import findings
from tests.rules.test_container_fixes import fixed
from tslint.diagnostics import Applicability, Risk

HEAD = """from functools import partial
from typing import Dict, List, Optional, Tuple

import torch
from torch import nn


"""

MOST = 8
FIXED: dict[str, tuple[str, list[str], list[str]]] = {
    "a-loop-that-ends-at-a-size": (
        """
class Net(nn.Module):
    def __init__(self, n=3):
        super().__init__()
        self.heads = nn.ModuleList([nn.Linear(2, 2) for _ in range(n)])
        self.tails = nn.ModuleList()
        for _ in range(n):
            self.tails.append(nn.Linear(2, 2))

    def forward(self, x):
        y = x[0, 0]
        for i in range(x.shape[1]):
            y = y + self.heads[i](x[:, i])
        for i in range(x.size(1) - 1):
            z = y * 2 + torch.relu(y)
            y = self.tails[i](z + i)
        return y
""",
        ["", "1", "0", "2"],
        ["torch.ones(2, 3, 2)", "torch.ones(2, 1, 2)", "torch.ones(2, 2, 2)"],
    ),
    "a-loop-that-ends-at-a-size-and-changes-it": (
        """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleList([nn.Linear(2, 2) for _ in range(3)])

    def forward(self, x):
        y = torch.zeros(2)
        for i in range(x.shape[1]):
            y = y + self.heads[i](x[0, i])
            x = x[:, :2]
        return y
""",
        [""],
        ["torch.ones(2, 3, 2)", "torch.ones(2, 2, 2)", "torch.ones(2, 4, 2)"],
    ),
    "sums-that-start-as-a-number": (
        """
class Net(nn.Module):
    def __init__(self, n=3):
        super().__init__()
        self.n = n
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])
        self.skips = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])

    def forward(self, x):
        out, last = 0, None
        for i in range(self.n):
            x = torch.tanh(self.layers[i](x))
            out = out + self.skips[i](x)
            last = x if last is None else last * x
        return torch.relu(out) + last
""",
        ["", "1", "2"],
        ["torch.ones(2, 3)"],
    ),
    "the-last-module": (
        """
class Net(nn.Module):
    def __init__(self, n=3, more=0):
        super().__init__()
        self.n = n
        self.layers = nn.ModuleList()
        for _ in range(n):
            self.layers.append(nn.Linear(3, 3))
        self.heads = nn.ModuleList([nn.Linear(3, 3) for _ in range(n + more)])

    def forward(self, x: torch.Tensor, i: int = 0):
        if i > 2:
            x = self.heads[self.n - 1](x)
        return torch.relu(self.layers[self.n - 1](x)) + self.heads[len(self.heads) - 1](x)
""",
        ["", "2, 1", "1", "0, 2", "-2, 4"],
        ["torch.ones(2, 3)", "torch.ones(2, 3), 3"],
    ),
    "loops-that-share-a-name": (
        """
class Net(nn.Module):
    def __init__(self, n=3):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])

    def forward(self, x: torch.Tensor, i: int = 0):
        xs = [self.layers[k](x) for k in range(len(self.layers))]
        if i > 0:
            x = self.layers[i](x)
        else:
            x = self.layers[i + 1](x)
        for k in range(len(self.layers)):
            x = self.layers[k](x)
        if i > 1:
            x = self.layers[i](x) * 2
            xs.append(self.layers[i](x))
        return x, xs
""",
        ["", "2", "0"],
        ["torch.ones(2, 3)", "torch.ones(2, 3), 1", "torch.ones(2, 3), 2", "torch.ones(2, 3), -1"],
    ),
    "two-lists-from-the-second-one": (
        """
class Net(nn.Module):
    def __init__(self, n=3, m=0):
        super().__init__()
        self.sides = nn.ModuleList([])
        self.outs = nn.ModuleList([])
        for _ in range(n):
            self.sides.append(nn.Linear(3, 3))
            self.outs.append(nn.Linear(3, 3))
        self.more = nn.ModuleList([nn.Linear(3, 3) for _ in range(m)])

    def forward(self, features: List[torch.Tensor]):
        features = features[::-1]
        out = features[0]
        for i in range(1, len(features)):
            out = torch.sin(out)
            out = out + self.sides[i](features[i])
            out = self.outs[i](out)
        for i in range(2, len(features) - 1):
            out = self.more[i](out)
        return out
""",
        ["", "1", "0", "3, 3", "2, 3"],
        ["[torch.ones(2, 3)]*3", "[torch.ones(2, 3)]", "[torch.ones(2, 3)]*2", "[torch.ones(2, 3)]*4"],
    ),
    "two-lists-beside-the-items-of-another": (
        """
class Net(nn.Module):
    def __init__(self, n=3, m=3):
        super().__init__()
        self.locs = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])
        self.confs = nn.ModuleList([nn.Linear(3, 3) for _ in range(m)])

    def forward(self, xs: List[torch.Tensor]):
        ys = []
        zs = []
        for i, x in enumerate(xs):
            y = self.locs[i](x)
            ys.append(y.view(-1, 3))
            zs.append(self.confs[i](x))
        return torch.cat(ys, 1), zs
""",
        ["", "2", "3, 2", "4, 3"],
        ["[torch.ones(2, 3)]*3", "[torch.ones(2, 3)]*2"],
    ),
    "a-slice-that-is-counted": (
        """
class Net(nn.Module):
    def __init__(self, n=3):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])

    def forward(self, x):
        for _, layer in enumerate(self.layers[:-1]):
            x = torch.tanh(layer(x))
        for k, layer in enumerate(self.layers[:2]):
            x = layer(x) + k
        for j, layer in enumerate(self.layers[1:]):
            x = layer(x) - 1
        return x
""",
        ["", "1", "0", "2", "5"],
        ["torch.ones(2, 3)"],
    ),
    "keys-that-are-counted": (
        """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleDict({"a": nn.Linear(3, 3), "b": nn.Linear(3, 3)})

    def forward(self, x):
        out = {}
        for i, name in enumerate(self.heads):
            x = self.heads[name](x) * i
        for i, name in enumerate(self.heads.keys()):
            out[name] = self.heads[name](x) + i
        return x, out
""",
        [""],
        ["torch.ones(2, 3)"],
    ),
    "pools-between-layers": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])
        self.pools = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])
        self.some = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])

    def forward(self, x, y):
        out: List[torch.Tensor] = []
        for i, layer in enumerate(self.layers):
            if i != 0:
                x = self.pools[i - 1](x)
                y = self.pools[i - 1](y)
            x = layer(x) + y
        for i, layer in enumerate(self.layers):
            if i == 0:
                x = layer(x)
            else:
                x = self.some[i - 1](x)
                out.append(self.some[i - 1](y))
        for i in range(3):
            if not i:
                continue
            y = self.pools[i - 1](y) + self.layers[i](x)
        return x, y, out
""",
        ["", "1", "3"],
        ["torch.ones(2, 3), torch.zeros(2, 3)"],
    ),
    "heads-of-three-features": (
        """
class Net(nn.Module):
    def __init__(self, n=3):
        super().__init__()
        self.heads = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])
        self.outs = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])

    def forward(self, x):
        features = [x, x + 1, x * 2]
        y = torch.cat([self.heads[i](feature) for i, feature in enumerate(features)], dim=1)
        z = [self.outs[i](each) + i * each for i, each in enumerate(features)]
        u = [self.outs[i](x) for i in range(2)]
        return y, z, u
""",
        ["", "2", "4"],
        ["torch.ones(2, 3)"],
    ),
    "a-list-that-has-grown-on-a-path": (
        """
class Net(nn.Module):
    def __init__(self, n=3):
        super().__init__()
        self.heads = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])

    def forward(self, x):
        features = [x, x + 1]
        if x.sum() > 0:
            features.append(x)
        return [self.heads[i](feature) for i, feature in enumerate(features)]
""",
        ["", "2"],
        ["torch.ones(2, 3)", "torch.zeros(2, 3)"],
    ),
    "counters-that-the-author-names": (
        """
class Net(nn.Module):
    def __init__(self, n=3):
        super().__init__()
        self.scale = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])
        self.shift = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])
        self.first = nn.Linear(3, 3)

    def forward(self, x):
        out: List[torch.Tensor] = []
        for index, each in enumerate(x):
            y = self.first(each)
            out.append(self.scale[index](y))
            y = self.shift[index](y)
            out.append(y)
        return out
""",
        ["", "1"],
        ["torch.ones(2, 3)", "torch.ones(4, 3)"],
    ),
    "all-but-the-first": (
        """
class Net(nn.Module):
    def __init__(self, n=3):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])

    def forward(self, x):
        for k in range(1, len(self.layers)):
            x = self.layers[k](x) + k
        return x
""",
        ["", "1", "0"],
        ["torch.ones(2, 3)"],
    ),
    "modules-that-a-turn-unpacks": (
        """
class Net(nn.Module):
    def __init__(self, depth=2):
        super().__init__()
        self.layers = nn.ModuleList([])
        for _ in range(depth):
            self.layers.append(nn.ModuleList([nn.LayerNorm(3), nn.Linear(3, 3)]))

    def forward(self, x):
        for i, (norm, linear) in enumerate(self.layers):
            x = linear(norm(x)) * i + x
        return x
""",
        ["", "0", "3"],
        ["torch.ones(2, 3)"],
    ),
    "sizes-beside-tuples": (
        """
class Net(nn.Conv2d):
    def __init__(self, offsets=(1, 2), *args):
        super().__init__(3, 4, *args)
        self.offsets = offsets

    def forward(self, x):
        sizes = [i + 2 * p - k for i, p, k in zip(x.shape[-2:], self.padding, self.kernel_size)]
        for a, b in zip(self.offsets, x.shape):
            x = x + a * b
        return x, sizes
""",
        ["(1, 2), 3", "(1, 2, 3), (3, 1), 1, (0, 2)", "[2, 1], 1"],
        ["torch.ones(2, 3, 5, 6)", "torch.ones(0, 3, 5, 5)"],
    ),
    "kept-for-a-person-to-look-at": (
        """
class Net(nn.Module):
    def forward(self, x):
        weights = torch.softmax(x, -1)
        self.weights = weights.detach()  # to look at
        self.entered = x
        x = x + 1
        self.left = weights
        return weights * x
""",
        [""],
        ["torch.ones(2, 3)", "torch.rand(3)"],
    ),
    "walk-that-counts-from-an-attribute": (
        """
class Net(nn.Module):
    def __init__(self, n=2, first: int = 1, less=0):
        super().__init__()
        self.first = first
        self.blocks = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])
        self.others = nn.ModuleList([nn.Linear(3, 3) for _ in range(n - first - less)])

    def forward(self, x):
        out = [x]
        for i in range(len(self.blocks)):
            x = self.blocks[i](x)
            if i - self.first >= 0:
                out.append(self.others[i - self.first](x))
        return torch.cat(out)
""",
        ["", "2, 0", "4, 2", "3, 1, 1", "3, -1"],
        ["torch.ones(2, 3)"],
    ),
    "two-lists-of-a-number-that-branches-set": (
        """
class Net(nn.Module):
    def __init__(self, n=3):
        super().__init__()
        if n == 1:
            self.count = 1
        else:
            self.count = n - 1
        ones, others = [], []
        for i in range(self.count):
            ones.append(nn.Linear(3, 3))
            others.append(nn.Linear(3, 3))
        self.ones = nn.ModuleList(ones)
        self.others = nn.ModuleList(others)

    def forward(self, x):
        for i in range(self.count):
            x = self.ones[i](x) * i
            x = self.others[i](x)
        return x
""",
        ["", "1", "0"],
        ["torch.ones(2, 3)"],
    ),
    "two-lists-of-a-number-that-changes-in-between": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.count = n
        ones, others = [], []
        for i in range(self.count):
            ones.append(nn.Linear(3, 3))
        self.count = n - 1
        for i in range(self.count):
            others.append(nn.Linear(3, 3))
        self.count = n
        self.ones = nn.ModuleList(ones)
        self.others = nn.ModuleList(others)

    def forward(self, x):
        for i in range(self.count):
            x = self.ones[i](x)
            x = self.others[i](x)
        return x
""",
        ["", "1", "0"],
        ["torch.ones(2, 3)"],
    ),
    "two-lists-of-a-number-that-a-function-sets-later": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.count = n

        def more():
            self.count = n + 1

        self.ones = nn.ModuleList([nn.Linear(3, 3) for _ in range(self.count)])
        more()

    def forward(self, x):
        for i in range(self.count):
            x = self.ones[i](x)
        return x
""",
        ["", "0"],
        ["torch.ones(2, 3)"],
    ),
    "walk-that-returns-behind-an-else": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])

    def forward(self, x, index):
        h = self.layers[index](x)
        if x.dim() > 1:
            out = h
        else:
            out = h + 1
        return out + h
""",
        ["", "3"],
        ["torch.ones(2, 3), 0", "torch.ones(3), 1"],
    ),
    "range-n-other-length": (
        """
class Net(nn.Module):
    def __init__(self, n=3):
        super().__init__()
        self.n = n
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])

    def forward(self, x):
        for i in range(self.n):
            x = self.layers[i](x)
        return x
""",
        ["3", "2", "5", "0", "-1", "n=4"],
        ["torch.ones(2, 3)"],
    ),
    "range-stage": (
        """
class Net(nn.Module):
    def __init__(self, n=3):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])

    def forward(self, x, stage: int):
        for i in range(stage):
            x = self.layers[i](x)
        return x
""",
        ["", "2"],
        [
            "torch.ones(2, 3), 1",
            "torch.ones(2, 3), 0",
            "torch.ones(2, 3), 3",
            "torch.ones(2, 3), 4",
            "torch.ones(2, 3), -1",
        ],
    ),
    "built-n+1": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.n = n
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(n + 1)])

    def forward(self, x):
        for i in range(self.n):
            x = self.layers[i](x)
        return x
""",
        ["2", "0", "-1"],
        ["torch.ones(2, 3)"],
    ),
    "built-n-exact": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.n = n
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])

    def forward(self, x):
        for i in range(self.n):
            x = self.layers[i](x)
        return x
""",
        ["2", "0", "-1"],
        ["torch.ones(2, 3)"],
    ),
    "built-n-then-append": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.n = n
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])
        self.layers.append(nn.Linear(3, 3))

    def forward(self, x):
        for i in range(self.n):
            x = self.layers[i](x)
        return x
""",
        ["2", "0", "-1"],
        ["torch.ones(2, 3)"],
    ),
    "n-changed-by-sub": (
        """
class Base(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.n = n
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])

    def forward(self, x):
        for i in range(self.n):
            x = self.layers[i](x)
        return x


class Net(Base):
    def __init__(self, n=2):
        super().__init__(n)
        self.n = n - 1
""",
        ["2", "3"],
        ["torch.ones(2, 3)"],
    ),
    "sub-replaces-layers": (
        """
class Base(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.n = n
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])

    def forward(self, x):
        for i in range(self.n):
            x = self.layers[i](x)
        return x


class Net(Base):
    def __init__(self, n=2):
        super().__init__(n)
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(n+2)])
""",
        ["2", "3"],
        ["torch.ones(2, 3)"],
    ),
    "index-read-after": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.n = n
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])

    def forward(self, x):
        i = 7
        for i in range(self.n):
            x = self.layers[i](x)
        return x * i
""",
        ["2", "3"],
        ["torch.ones(2, 3)"],
    ),
    "stage-read-after": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(4)])

    def forward(self, x, stage: int):
        i = 7
        for i in range(stage):
            x = self.layers[i](x)
        return x * i
""",
        ["2", "3"],
        ["torch.ones(2, 3), 1", "torch.ones(2, 3), 2"],
    ),
    "conditional": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.n = n
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])

    def forward(self, x):
        for i in range(self.n):
            if i < 3:
                x = self.layers[i](x)
            x = x + i
        return x
""",
        ["2", "3", "5"],
        ["torch.ones(2, 3)"],
    ),
    "return-inside": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.n = n
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])

    def forward(self, x):
        for i in range(self.n):
            x = self.layers[i](x)
            if i == 2:
                return x
        return x + 1
""",
        ["2", "3", "5"],
        ["torch.ones(2, 3)"],
    ),
    "negative-index": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])

    def forward(self, x, i: int):
        x = self.layers[i](x)
        return x + 1
""",
        ["2", "3", "5"],
        [
            "torch.ones(2, 3), -1",
            "torch.ones(2, 3), 1",
            "torch.ones(2, 3), -3",
            "torch.ones(2, 3), -4",
            "torch.ones(2, 3), 3",
        ],
    ),
    "negative-return": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])

    def forward(self, x, i: int):
        return self.layers[i](x)
""",
        ["2", "3", "5"],
        [
            "torch.ones(2, 3), -1",
            "torch.ones(2, 3), 1",
            "torch.ones(2, 3), -3",
            "torch.ones(2, 3), -4",
            "torch.ones(2, 3), 3",
        ],
    ),
    "cond-expr": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])

    def forward(self, x, i: int, flag: bool):
        x = self.layers[i](x) if flag else x
        return x
""",
        ["2", "3", "5"],
        [
            "torch.ones(2, 3), -1, True",
            "torch.ones(2, 3), 1, True",
            "torch.ones(2, 3), 9, False",
            "torch.ones(2, 3), 9, True",
        ],
    ),
    "two-lists": (
        """
class Net(nn.Module):
    def __init__(self, n=2, m=3):
        super().__init__()
        self.a = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])
        self.b = nn.ModuleList([nn.Linear(3, 3) for _ in range(m)])

    def forward(self, x):
        for i in range(len(self.a)):
            x = self.a[i](x) + self.b[i](x)
        return x
""",
        ["2,3", "3,2", "2,2"],
        ["torch.ones(2, 3)"],
    ),
    "two-lists-same": (
        """
class Net(nn.Module):
    def __init__(self, n=2, m=3):
        super().__init__()
        self.n = n
        self.a = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])
        self.b = nn.ModuleList()
        for i in range(n):
            self.b.append(nn.Linear(3, 3))

    def forward(self, x):
        for i in range(len(self.a)):
            x = self.a[i](x) + self.b[i](x)
            if i < self.n - 1:
                x = x + self.b[i + 1](x)
        return x
""",
        ["2,3", "3,2", "2,2"],
        ["torch.ones(2, 3)"],
    ),
    "enumerate-list": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.a = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])

    def forward(self, xs: List[torch.Tensor]):
        out = []
        for i, x in enumerate(xs):
            out.append(self.a[i](x))
        return out
""",
        ["2", "3"],
        ["[torch.ones(2, 3)]", "[torch.ones(2, 3)]*2", "[torch.ones(2, 3)]*3", "[]"],
    ),
    "enumerate-modules": (
        """
class Net(nn.Module):
    def __init__(self, n=2, m=3):
        super().__init__()
        self.a = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])
        self.b = nn.ModuleList([nn.Linear(3, 3) for _ in range(m)])

    def forward(self, x):
        for i, a in enumerate(self.a):
            x = a(x)
            x = self.b[i](x)
        return x
""",
        ["2,3", "3,2", "2,2"],
        ["torch.ones(2, 3)"],
    ),
    "order-list": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.a = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])

    def forward(self, x):
        order = [1, 0]
        for j in range(2):
            x = self.a[order[j]](x)
        return x
""",
        ["2", "3"],
        ["torch.ones(2, 3)"],
    ),
    "key-missing": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.a = nn.ModuleDict({"a": nn.Linear(3, 3), "b": nn.Linear(3, 3)})

    def forward(self, x, k: str):
        x = self.a[k](x)
        return x
""",
        ["2", "3"],
        ['torch.ones(2, 3), "a"', 'torch.ones(2, 3), "z"'],
    ),
    "key-return": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.a = nn.ModuleDict({"a": nn.Linear(3, 3), "b": nn.Linear(3, 3)})

    def forward(self, x, k: str):
        return self.a[k](x)
""",
        ["2", "3"],
        ['torch.ones(2, 3), "a"', 'torch.ones(2, 3), "z"'],
    ),
    "float-n": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.n = n
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])

    def forward(self, x):
        for i in range(1, self.n):
            x = self.layers[i](x)
        return x
""",
        ["2", "2.0"],
        ["torch.ones(2, 3)"],
    ),
    "in-code-for-the-compiler": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])

    def forward(self, x, i: int = 1):
        if torch.jit.is_scripting():
            x = self.first(x) + self.layers[i](x)
        else:
            x = self.first(x) + self.layers[i](x)
        return x
""",
        ["2", "3"],
        ["torch.ones(2, 3)"],
    ),
    "nested-loops": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.n = n
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])
        self.heads = nn.ModuleList([nn.Linear(3, 3) for _ in range(4)])

    def forward(self, x):
        for i in range(self.n):
            for j in range(i):
                x = self.layers[i](x) + self.heads[j](x)
                x = self.layers[j](x)
            x = self.heads[i + 1](x)
        return x
""",
        ["2", "3"],
        ["torch.ones(2, 3)"],
    ),
    "slice-n": (
        """
class Net(nn.Module):
    def __init__(self, n: int = 2):
        super().__init__()
        self.n = n
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])

    def forward(self, x):
        for layer in self.layers[:self.n]:
            x = layer(x)
        for layer in self.layers[self.n:]:
            x = layer(x)
        for layer in self.layers[1:self.n]:
            x = layer(x)
        return x
""",
        ["2", "3", "0", "-1", "-5", "9"],
        ["torch.ones(2, 3)"],
    ),
    "added-in-both-branches-and-by-another-class": (
        """
class Other(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers_one = nn.ModuleList()
        self.layers_one.append(nn.Linear(3, 3))


class Net(nn.Module):
    def __init__(self, skip=2):
        super().__init__()
        self.skip = skip
        self.layers_one = nn.ModuleList()
        self.layers_one.append(nn.Linear(3, 3))
        for i in range(1, 4):
            if i == skip:
                self.layers_one.append(nn.Linear(6, 3))
            else:
                self.layers_one.append(nn.Linear(3, 3))

    def forward(self, x):
        for i in range(4):
            if i == self.skip:
                x = self.layers_one[i](torch.cat((x, x), -1))
            else:
                x = self.layers_one[i](x)
        return x
""",
        ["", "3", "0", "9"],
        ["torch.ones(2, 3)"],
    ),
    "added-in-all-turns-but-the-last": (
        """
class Net(nn.Module):
    def __init__(self, n=3):
        super().__init__()
        self.n = n
        self.heads = nn.ModuleList()
        self.steps = nn.ModuleList()
        for i in range(self.n):
            self.heads.append(nn.Linear(3, 3))
            if i < self.n - 1:
                self.steps.append(nn.Linear(3, 3))

    def forward(self, x):
        y = x
        for i in range(self.n):
            y = self.heads[i](x)
            if i < self.n - 1:
                x = self.steps[i](y)
        for i in range(self.n - 1):
            x = self.steps[i](x)
        return y
""",
        ["", "1", "0", "-1"],
        ["torch.ones(2, 3)"],
    ),
    "the-next-module-and-the-one-before": (
        """
class Net(nn.Module):
    def __init__(self, n=3):
        super().__init__()
        self.n = n
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])
        self.steps = nn.ModuleList([nn.Linear(3, 3) for _ in range(n - 1)])
        self.four = nn.ModuleList([nn.Linear(3, 3) for _ in range(4)])

    def forward(self, x):
        out = x
        for i in range(len(self.layers) - 1):
            out = out + self.layers[i + 1](x)
        for i in range(1, self.n):
            out = out + self.steps[i - 1](x)
        for i in range(1, self.n):
            out = out + self.steps[i - 1](x) * i
        for i in range(2):
            out = out + self.four[i + 1](x) * i
        for i in range(1, 3):
            out = out + self.four[i - 1](x)
        return out
""",
        ["", "2", "1", "0", "-1"],
        ["torch.ones(2, 3)"],
    ),
    "powers-of-a-loop's-variable": (
        """
class Net(nn.Module):
    def __init__(self, depth=2):
        super().__init__()
        self.depth = depth

    def forward(self, x):
        end = 2
        for i in range(self.depth):
            x = x + x[:end].sum()
            end = end + 2 ** (i + 1)
        return x
""",
        ["", "0", "3"],
        ["torch.ones(3)"],
    ),
    "added-in-some-turns": (
        """
class Net(nn.Module):
    def __init__(self, n=3, most=2):
        super().__init__()
        self.n, self.most = n, most
        self.layers = nn.ModuleList()
        for i in range(n):
            if i < most:
                self.layers.append(nn.Linear(3, 3))

    def forward(self, x):
        for i in range(self.n):
            x = self.layers[i](x)
        return x
""",
        ["3, 3", "3, 2", "0, 0", "1, -1"],
        ["torch.ones(2, 3)"],
    ),
    "reversed": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])

    def forward(self, x):
        for layer in reversed(self.layers):
            x = layer(x)
        return x
""",
        ["2", "0"],
        ["torch.ones(2, 3)"],
    ),
    "one-branch-fills-a-list-and-the-other-stores-none": (
        """
class Net(nn.Module):
    def __init__(self, n=3, norm=True):
        super().__init__()
        self.layers = nn.ModuleList()
        for i in range(n):
            self.layers.append(nn.Linear(3, 3))
        if norm:
            self.norms = nn.ModuleList()
            for i in range(n - 1):
                self.norms.append(nn.LayerNorm(3))
        else:
            self.norms = None

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            x = layer(x)
            if i < len(self.layers) - 1:
                if self.norms is not None:
                    x = self.norms[i](x)
        return x
""",
        ["", "n=1", "norm=False", "n=0"],
        ["torch.ones(2, 3)"],
    ),
    "a-branch-of-the-constructor-raises": (
        """
class Net(nn.Module):
    def __init__(self, sizes=(3, 3, 3), kind="plain"):
        super().__init__()
        self.depth = len(sizes) - 1
        self.layers = nn.ModuleList()
        for i in range(self.depth):
            if kind == "plain":
                self.layers.append(nn.Linear(sizes[i], sizes[i + 1]))
            elif kind == "none":
                self.layers.append(nn.Identity())
            else:
                raise NotImplementedError(kind)

    def forward(self, x):
        for i in range(self.depth):
            x = torch.relu(x)
            y = self.layers[i](x)
            x = y + i
        return x
""",
        ["", 'kind="none"', "sizes=()"],
        ["torch.ones(2, 3)"],
    ),
    "modules-that-are-added-to-others": (
        """
class Other(nn.Module):
    def __init__(self, names=("a",)):
        super().__init__()
        self.inner = nn.Sequential()
        for name in names:
            self.inner.add_module(name, nn.ReLU())
            self.add_module(name, nn.ReLU())


class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.n = n
        self.layers = nn.ModuleList()
        for _ in range(n):
            self.layers.append(nn.Linear(3, 3))

    def forward(self, x):
        for i in range(self.n):
            x = self.layers[i](x)
        return x
""",
        ["", "n=0", "n=-1"],
        ["torch.ones(2, 3)"],
    ),
    "zip-shorter": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])

    def forward(self, xs: List[torch.Tensor]):
        out = []
        for layer, x in zip(self.layers, xs):
            out.append(layer(x))
        return out
""",
        ["2", "3"],
        ["[torch.ones(2, 3)]", "[torch.ones(2, 3)]*2", "[torch.ones(2, 3)]*4", "[]"],
    ),
    "truth-module": (
        """
class Net(nn.Module):
    def __init__(self, m=None):
        super().__init__()
        self.m = m

    def forward(self, x):
        if self.m:
            x = x + 1
        if not self.m:
            x = x * 3
        return x
""",
        ["", "nn.Linear(3,3)", "nn.Sequential()", "nn.Sequential(nn.ReLU())", "0", "0.0", "nn.ModuleList()"],
        ["torch.ones(2, 3)"],
    ),
    "truth-proven": (
        """
class Net(nn.Module):
    def __init__(self, use=True):
        super().__init__()
        self.m = nn.Linear(3, 3) if use else None

    def forward(self, x):
        if self.m:
            x = self.m(x)
        if not self.m:
            x = x * 3
        return x
""",
        ["True", "False"],
        ["torch.ones(2, 3)"],
    ),
    "truth-own-len": (
        """
class Sub(nn.Module):
    def __len__(self):
        return 0

    def forward(self, x):
        return x


class Net(nn.Module):
    def __init__(self, use=True):
        super().__init__()
        self.m = Sub() if use else None

    def forward(self, x):
        if self.m:
            x = self.m(x) + 1
        return x
""",
        ["True", "False"],
        ["torch.ones(2, 3)"],
    ),
    "truth-container": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.m = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])

    def forward(self, x):
        if self.m:
            x = x + 1
        y = x if not self.m else x * 2
        return y
""",
        ["0", "2"],
        ["torch.ones(2, 3)"],
    ),
    "truth-params": (
        """
class Net(nn.Module):
    def forward(self, x, m: Optional[torch.Tensor] = None):
        if m:
            x = x + 1
        return x
""",
        ["", ""],
        [
            "torch.ones(2, 3)",
            "torch.ones(2, 3), torch.tensor(0.)",
            "torch.ones(2, 3), torch.tensor(1.)",
            "torch.ones(2, 3), torch.ones(2)",
        ],
    ),
    "truth-params-number": (
        """
class Net(nn.Module):
    def forward(self, x, m: Optional[float] = None):
        if not m:
            x = x + 1
        if m and x.sum() > 0:
            x = x * 2
        return x
""",
        ["", ""],
        ["torch.ones(2, 3)", "torch.ones(2, 3), 0", "torch.ones(2, 3), 0.0", "torch.ones(2, 3), 2.0"],
    ),
    "flag-mode": (
        """
class Net(nn.Module):
    def __init__(self, mode="a"):
        super().__init__()
        self.mode = mode
        if mode == "a":
            self.l = nn.Linear(3, 3)

    def forward(self, x):
        if self.mode == "a":
            x = self.l(x)
        return x
""",
        ['"a"', '"b"', "None", "3"],
        ["torch.ones(2, 3)"],
    ),
    "flag-order": (
        """
class Net(nn.Module):
    def __init__(self, k=1):
        super().__init__()
        self.k = k
        self.l = nn.Linear(3, 3) if isinstance(k, int) and k > 1 else None

    def forward(self, x):
        if self.k is not None and self.k > 1:
            x = self.l(x)
        return x
""",
        ["1", "2", "None", '"s"', "2.5"],
        ["torch.ones(2, 3)"],
    ),
    "getattr-flag": (
        """
class Net(nn.Module):
    def __init__(self, flag=True):
        super().__init__()
        self.flag = flag
        if flag:
            self.l = nn.Linear(3, 3)

    def forward(self, x):
        if getattr(self, "flag", False):
            x = self.l(x)
        return x
""",
        ["True", "False"],
        ["torch.ones(2, 3)"],
    ),
    "flag-truth": (
        """
class Net(nn.Module):
    def __init__(self, norm="x"):
        super().__init__()
        self.norm = norm
        if norm:
            self.l = nn.Linear(3, 3)

    def forward(self, x):
        if self.norm:
            x = self.l(x)
        return x
""",
        ['"x"', "None", '""'],
        ["torch.ones(2, 3)"],
    ),
    "placeholder": (
        """
class Net(nn.Module):
    def __init__(self, flag=True):
        super().__init__()
        if flag:
            self.l = nn.Linear(3, 3)

    def forward(self, x, k: int):
        if k > 0:
            x = self.l(x)
        return x
""",
        ["True", "False"],
        ["torch.ones(2, 3), 0", "torch.ones(2, 3), 1"],
    ),
    "placeholder-missing-value": (
        """
class Net(nn.Module):
    def __init__(self, flag=True):
        super().__init__()
        if flag:
            self.k = 3

    def forward(self, x, k: int):
        if k > 0:
            x = x * self.k
        return x
""",
        ["True", "False"],
        ["torch.ones(2, 3), 0", "torch.ones(2, 3), 1"],
    ),
    "none-called": (
        """
class Net(nn.Module):
    def __init__(self, norm: Optional[nn.Module] = None):
        super().__init__()
        self.norm = norm

    def forward(self, x, k: int):
        if k > 0:
            x = self.norm(x)
        return x
""",
        ["", "nn.Linear(3,3)"],
        ["torch.ones(2, 3), 0", "torch.ones(2, 3), 1"],
    ),
    "none-called-return": (
        """
class Net(nn.Module):
    def __init__(self, use=False):
        super().__init__()
        self.norm = nn.ReLU() if use else None

    def forward(self, x, k: int):
        if k > 0:
            y = self.norm(x)
            return y + 1
        return x
""",
        ["True", "False"],
        ["torch.ones(2, 3), 0", "torch.ones(2, 3), 1"],
    ),
    "mangled-sub": (
        """
class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.__k = 2

    def __step(self, x):
        return x + self.__k

    def forward(self, x):
        return self.__step(x)


class Net(Base):
    def __step(self, x):
        return x - 1
""",
        [""],
        ["torch.ones(2, 3)"],
    ),
    "class-var-sub": (
        """
class Base(nn.Module):
    k = 2

    def forward(self, x):
        return x * self.k


class Net(Base):
    k = 5
""",
        [""],
        ["torch.ones(2, 3)"],
    ),
    "a-lambda-in-a-module's-place": (
        """
class Net(nn.Module):
    def __init__(self, stride=1, act=None, last=nn.ReLU):
        super().__init__()
        self.act = act() if act is not None else lambda x: x
        if stride != 1:
            self.skip = nn.Sequential(nn.AvgPool2d(stride), nn.Conv2d(2, 2, 1))
        elif last is None:
            self.skip = nn.Hardtanh()
        else:
            self.skip = lambda x: x
        if last is None:
            self.last = lambda it: it
        else:
            self.last = last()

    def forward(self, x):
        return self.last(self.act(self.skip(x)))

    def strides(self):
        return isinstance(self.skip, nn.Sequential)
""",
        ["", "2", "1, nn.Tanh", "1, None, None", "2, nn.Tanh, None"],
        ["torch.rand(1, 2, 4, 4) - 0.5"],
    ),
    "kept-and-read": (
        """
class Net(nn.Module):
    def forward(self, x):
        self.mean = x.mean()
        return x - self.mean
""",
        [""],
        ["torch.ones(2, 3)"],
    ),
    "kept-and-drawn": (
        """
class Net(nn.Module):
    def forward(self, x):
        self.noise = torch.rand(3)
        return x + torch.rand(3)
""",
        [""],
        ["torch.ones(2, 3)"],
    ),
    "an-attribute-of-some-constructions-in-a-file-with-setattr": (
        """
def drop(module, name):
    setattr(module, name, getattr(module, name).detach())


class Net(nn.Module):
    def __init__(self, general=False, gated=False):
        super().__init__()
        self.general = general
        if general:
            if not gated:
                self.inner = nn.Linear(3, 3)
        if gated:
            self.inner = nn.ReLU()

    def forward(self, x):
        if self.general:
            x = self.inner(x)
        return x
""",
        ["", "True", "True, True", "False, True"],
        ["torch.ones(2, 3)"],
    ),
    "stored-parameters-of-which-one-is-deleted": (
        """
class Net(nn.Module):
    def forward(self, x, a, b):
        self.a = a
        self.b = b
        del b
        return x + self.a * self.b
""",
        [""],
        ["torch.ones(2, 3), torch.ones(3), torch.rand(3)"],
    ),
    "a-list-of-this-name-that-another-class-extends": (
        """
class Other(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList()
        self.layers += [nn.ReLU()]


class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.n = n
        assert n > 1
        self.layers = nn.ModuleList()
        self.layers.append(nn.ReLU())
        for _ in range(n - 1):
            self.layers.append(nn.Linear(3, 3))

    def forward(self, x):
        for i in range(self.n):
            x = self.layers[i](x)
        return x
""",
        ["2", "3"],
        ["torch.ones(2, 3)"],
    ),
    "parameters-at-computed-indices": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.scales = nn.ParameterList([nn.Parameter(torch.full((3,), float(i))) for i in range(n)])

    def forward(self, x):
        for i, scale in enumerate(self.scales):
            x = x + scale * self.scales[i // 2]
        return x
""",
        ["2", "3", "0"],
        ["torch.ones(2, 3)"],
    ),
}
REFUSED: dict[str, tuple[str, list[str], list[str]]] = {
    "a partial whose keyword the call passes by position": (
        """
def scaled(x, scale: float, shift: float = 0.0):
    return x * scale + shift


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = partial(scaled, scale=2.0)

    def forward(self, x):
        return self.f(x, 3.0)
""",
        [""],
        ["torch.ones(2)"],
    ),
    "an-int-argument-that-other-code-reads": (
        """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0)

    def forward(self, x):
        return self.drop(x).repeat(5 - self.drop.p)
""",
        [""],
        ["torch.ones(2)"],
    ),
    "none-called-or-a-function": (
        """
class Net(nn.Module):
    def __init__(self, norm=None):
        super().__init__()
        self.norm = norm

    def forward(self, x, k: int):
        if k > 0:
            x = self.norm(x)
        return x
""",
        ["", "nn.Linear(3,3)", "torch.nn.functional.silu"],
        ["torch.ones(2, 3), 0", "torch.ones(2, 3), 1"],
    ),
    "what-may-be-any-iterable": (
        """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(2)])

    def forward(self, xs):
        total = torch.zeros(2)
        for x, layer in zip(xs, self.layers):
            total = total + layer(x)
        return total
""",
        [""],
        ["(each for each in torch.ones(3, 2))"],
    ),
    "a-lambda-that-a-function-replaces": (
        """
class Net(nn.Module):
    def __init__(self, scale=1):
        super().__init__()
        self.skip = lambda x: x
        if scale != 1:
            self.skip = lambda x: x * scale

    def forward(self, x):
        return self.skip(x)
""",
        ["", "2"],
        ["torch.ones(2)"],
    ),
    "a-lambda-that-is-called-by-keyword": (
        """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.skip = lambda x: x

    def forward(self, x):
        return self.skip(x=x)
""",
        [""],
        ["torch.ones(2)"],
    ),
    "a-lambda-before-the-base": (
        """
class Net(nn.Module):
    def __init__(self):
        object.__setattr__(self, "a", 1)
        self.skip = lambda x: x
        super().__init__()

    def forward(self, x):
        return self.skip(x)
""",
        [""],
        ["torch.ones(2)"],
    ),
    "a-lambda-behind-a-class-variable": (
        """
class Net(nn.Module):
    skip = abs

    def __init__(self):
        super().__init__()
        self.skip = lambda x: x

    def forward(self, x):
        return self.skip(x)
""",
        [""],
        ["torch.ones(2)"],
    ),
    "a-lambda-that-is-asked-for-as-a-function": (
        """
class Net(nn.Module):
    def __init__(self, deep=False):
        super().__init__()
        self.skip = nn.ReLU() if deep else lambda x: x

    def forward(self, x):
        if isinstance(self.skip, type(abs.__call__)) or isinstance(self.skip, type(lambda: 0)):
            x = x + 1
        return self.skip(x)
""",
        ["", "True"],
        ["torch.ones(2)"],
    ),
    "a-lambda-that-is-asked-for": (
        """
class Net(nn.Module):
    def __init__(self, deep=False):
        super().__init__()
        self.skip = nn.ReLU() if deep else lambda x: x

    def forward(self, x):
        if isinstance(self.skip, nn.Module):
            x = x + 1
        return self.skip(x)
""",
        ["", "True"],
        ["torch.ones(2)"],
    ),
    "modules-that-a-turn-unpacks-and-another-line-reads": (
        """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.ModuleList([nn.ReLU(), nn.Linear(3, 3)])])

    def forward(self, x):
        for act, linear in self.layers:
            x = linear(x)
        return act(x)
""",
        [""],
        ["torch.ones(2, 3)"],
    ),
    "fewer-names-than-modules": (
        """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.ModuleList([nn.ReLU(), nn.Linear(3, 3), nn.Tanh()])])

    def forward(self, x):
        for act, linear in self.layers:
            x = act(linear(x))
        return x
""",
        [""],
        ["torch.ones(2, 3)"],
    ),
    "none-among-the-modules": (
        """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([None if i == 1 else nn.Linear(3, 3) for i in range(3)])

    def forward(self, x):
        for i in range(3):
            if i != 1:
                x = self.layers[i](x)
        return x
""",
        [""],
        ["torch.ones(2, 3)"],
    ),
    # Compiled code leaves out the None, so that the indices after it differ.
    "none-among-modules": (
        """
class Net(nn.Module):
    def __init__(self, flag=False):
        super().__init__()
        self.a = nn.ModuleList([nn.Linear(3, 3), nn.Tanh() if flag else None, nn.Linear(3, 3)])

    def forward(self, x):
        for i in range(2):
            x = self.a[i](x)
        return x
""",
        ["", "True"],
        ["torch.ones(2, 3)"],
    ),
    "none-is-appended": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.a = nn.ModuleList([nn.Linear(3, 3)])
        for _ in range(n):
            self.a.append(None)
        self.a.append(nn.Linear(3, 3))

    def forward(self, x, k: int):
        return self.a[k](x)
""",
        ["0", "1"],
        ["torch.ones(2, 3), 0", "torch.ones(2, 3), 1"],
    ),
    "index-attr-changes": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.k = 0
        self.a = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])

    def step(self, x):
        self.k += 1
        return x

    def forward(self, x):
        x = self.step(x) + self.a[self.k](x)
        return x
""",
        ["2", "3"],
        ["torch.ones(2, 3)"],
    ),
    "getattr-same-module-twice": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.l0 = nn.Linear(3, 3)
        self.l1 = self.l0

    def forward(self, x):
        for i in range(x.dim()):
            x = getattr(self, "l" + str(i))(x)
        return x
""",
        ["2", "3"],
        ["torch.ones(2, 3)"],
    ),
    # The loop over the children would include the new module.
    "list-of-modules-beside-children": (
        """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.ReLU(), nn.Tanh()]

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x + len(list(self.children()))
""",
        [""],
        ["torch.ones(2, 3)"],
    ),
    "slice-read-after": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])

    def forward(self, x, n: int):
        for layer in self.layers[:n]:
            x = layer(x)
        return layer(x)
""",
        ["2", "3"],
        ["torch.ones(2, 3), 1", "torch.ones(2, 3), 2", "torch.ones(2, 3), -1"],
    ),
    "slice-bound-changed": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])

    def forward(self, x, n: int):
        for layer in self.layers[:n]:
            x = layer(x)
            n += 1
        return x
""",
        ["2", "3"],
        ["torch.ones(2, 3), 1", "torch.ones(2, 3), 2", "torch.ones(2, 3), -1"],
    ),
    "reversed-read-after": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])

    def forward(self, x):
        for layer in reversed(self.layers):
            x = layer(x)
        return layer(x)
""",
        ["2"],
        ["torch.ones(2, 3)"],
    ),
    "zip-mutated": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])

    def forward(self, xs: List[torch.Tensor]):
        y = torch.zeros(2, 3)
        for layer, x in zip(self.layers, xs):
            y = y + layer(x)
            xs.append(y)
        return y
""",
        ["2", "3"],
        ["[torch.ones(2, 3)]", "[torch.ones(2, 3)]*2", "[torch.ones(2, 3)]*4"],
    ),
    "zip-slice-upper": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])

    def forward(self, xs: List[torch.Tensor]):
        y = torch.zeros(2, 3)
        for layer, x in zip(self.layers, xs[1:3]):
            y = y + layer(x)
        return y
""",
        ["2", "3", "4"],
        ["[torch.ones(2, 3)]*5", "[torch.ones(2, 3)]*2", "[torch.ones(2, 3)]*4"],
    ),
    "truth-prop": (
        """
class Net(nn.Module):
    def __init__(self, n=1):
        super().__init__()
        self.n = n
    @property
    def m(self):
        return None if self.n else 0

    def forward(self, x):
        if self.m:
            x = x + 1
        return x
""",
        ["0", "1"],
        ["torch.ones(2, 3)"],
    ),
    "list-of-modules": (
        """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = [nn.Dropout(0.5), nn.ReLU()]
        self.b = [nn.ReLU(), nn.Tanh()]
        self.c = [nn.ReLU(), nn.Tanh()]

    def forward(self, x):
        for l in self.a:
            x = l(x)
        for l in self.b + self.c:
            x = l(x)
        return x
""",
        [""],
        ["torch.ones(2, 3)"],
    ),
    "a-slice-whose-bound-draws-random-numbers": (
        """
class Net(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])
        self.drops = nn.ModuleList([nn.Dropout(0.5)])

    def forward(self, x):
        for layer in self.layers[len([drop(x) for drop in self.drops]):]:
            x = layer(x)
        return x
""",
        ["2", "1"],
        ["torch.ones(2, 3)"],
    ),
}


def verdict(text: str, construction: str, inputs: str) -> Verdict:
    """Return the verdict of the compiler and Python on one construction and one input."""
    case = f"\n\nclass Case(Net):\n    def __init__(self):\n        super().__init__({construction})\n"
    return the_compiler()(f"{text}{case}\n\ninputs = ({inputs},)\n")


@pytest.mark.parametrize("name", FIXED)
def test_python_computes_the_same_in_every_construction(name: str) -> None:
    body, constructions, inputs = FIXED[name]
    before = HEAD + body.strip("\n") + "\n"
    for levels in ([Applicability.SAFE], [Applicability.SAFE, Applicability.UNSAFE]):
        after = fixed(before, *levels)
        if after == before:
            assert Applicability.UNSAFE not in levels, "there is no fix"
            continue
        risks = {risk for finding in findings(before) if finding.fix for risk in finding.fix.risks}
        for construction, given in [*product(constructions, inputs)][:MOST]:
            old, new = verdict(before, construction, given), verdict(after, construction, given)
            assert old.keys == new.keys
            if "raises" in str(old.eager) and Applicability.UNSAFE in levels:
                assert "raises" in str(new.eager), (construction, given, after)
            else:
                assert old.eager == new.eager, (construction, given, after)
            if new.ok and Risk.DIFFERS not in risks and "raises" not in str(new.eager):
                assert new.scripted == new.eager, (construction, given, after)


WRITTEN = {
    "the-last-module": [
        "            for index, head in enumerate(self.heads):\n"
        "                if index == (self.n - 1) % len(self.heads):\n",
        "        return torch.relu(self.layers[-1](x)) + self.heads[-1](x)\n",
    ],
    "loops-that-share-a-name": [
        "        xs = [layer(x) for layer in self.layers]\n",
        "            for index, layer in enumerate(self.layers):\n                if index == i:\n"
        "                    x = layer(x)\n",
        "                if index == (i + 1) % len(self.layers):\n                    x = layer(x)\n",
        "        for layer in self.layers:\n            x = layer(x)\n",
        "            for index, chosen_layer in enumerate(self.layers):\n                if index == i:\n",
    ],
    "in-code-for-the-compiler": [
        "        if torch.jit.is_scripting():\n            for index, layer in enumerate(self.layers):\n"
        "                if index == i or index - len(self.layers) == i:\n"
        "                    x = self.first(x) + layer(x)\n",
    ],
    "a-loop-that-ends-at-a-size": [
        "        for i, head in enumerate(self.heads):\n            if i < x.shape[1]:\n"
        "                y = y + head(x[:, i])\n"
        "        if x.shape[1] > len(self.heads):\n",
        "            if i < x.size(1) - 1:\n                z = y * 2 + torch.relu(y)\n"
        "                y = tail(z + i)\n",
    ],
    "two-lists-from-the-second-one": [
        "in enumerate(zip(self.sides, self.outs)):\n            if 1 <= i < len(features):",
        "        if len(features) > max(1, len(self.sides)):\n",
        "        if len(features) - 1 > max(2, len(self.more)):\n",
    ],
    "two-lists-beside-the-items-of-another": [
        "        for i, (loc, conf) in enumerate(zip(self.locs, self.confs)):\n            if i < len(xs):\n"
        "                x = xs[i]\n                y = loc(x)\n",
        "        if len(xs) > len(self.locs):\n",
        "        if len(xs) > len(self.confs):\n",
    ],
    "a-slice-that-is-counted": [
        "in enumerate(self.layers):\n            if i < len(self.layers) - 1:",
        "        for k, layer in enumerate(self.layers):\n            if k < 2:\n                x = layer(x) + k",
        "        for j, layer in enumerate(self.layers):\n            if j >= 1:",
    ],
    "keys-that-are-counted": [
        "for i, head in enumerate(self.heads.values()):",
        "for i, (name, head) in enumerate(self.heads.items()):",
    ],
    "pools-between-layers": [
        "                for index, pool in enumerate(self.pools, start=1):\n                    if index == i:\n"
        "                        x = pool(x)\n                        y = pool(y)\n",
        "                for index, some in enumerate(self.some, start=1):\n                    if index == i:\n"
        "                        x = some(x)\n                        out.append(some(y))\n",
    ],
    "heads-of-three-features": [
        "y = torch.cat([self.heads[0](features[0]), self.heads[1](features[1]), self.heads[2](features[2])], dim=1)",
        "        u = [self.outs[0](x), self.outs[1](x)]\n",
    ],
    "a-list-that-has-grown-on-a-path": [
        "        for i, head in enumerate(self.heads):\n            if i < len(features):"
    ],
    "counters-that-the-author-names": [
        "            for j, scale in enumerate(self.scale):\n                if j == index:"
    ],
    "all-but-the-first": ["        for k, layer in enumerate(self.layers):\n            if k >= 1:\n"],
    "the-next-module-and-the-one-before": [
        "        for i, layer in enumerate(self.layers):\n            if i >= 1:\n                out = out + layer(x)",
        "        for step in self.steps:\n            out = out + step(x)\n",
        "        for i, step in enumerate(self.steps, start=1):\n            out = out + step(x) * i",
        "in enumerate(self.four, start=-1):\n            if 0 <= i < 2:",
        "in enumerate(self.four, start=1):\n            if i < 3:",
    ],
    "kept-for-a-person-to-look-at": [
        "        if not torch.jit.is_scripting():\n            self.weights = weights.detach()  # to look at\n"
        "            self.entered = x\n",
    ],
    "powers-of-a-loop's-variable": ["            end = end + int(2 ** (i + 1))"],
    "added-in-both-branches-and-by-another-class": ["        for i, layer_one in enumerate(self.layers_one):"],
    "added-in-all-turns-but-the-last": [
        "        for i, head in enumerate(self.heads):\n            y = head(x)",
        "                for index, step in enumerate(self.steps):\n                    if index == i:",
        "        for step in self.steps:\n            x = step(x)",
    ],
    "added-in-some-turns": ['raise IndexError("self.layers has fewer modules")'],
    "walk-that-counts-from-an-attribute": [
        'raise IndexError(f"index {i - self.first} is out of range")',
        "for index, other in enumerate(self.others, start=self.first):",
        "if index == i:",
    ],
    "one-branch-fills-a-list-and-the-other-stores-none": [
        "                if self.norms is not None:\n                    for index, norm in enumerate(self.norms):",
    ],
    "a-branch-of-the-constructor-raises": [
        "        for i, layer in enumerate(self.layers):\n            x = torch.relu(x)"
    ],
    "modules-that-are-added-to-others": ["        for layer in self.layers:\n            x = layer(x)"],
    "an-attribute-of-some-constructions-in-a-file-with-setattr": [
        "        self.inner = None\n        if general:",
        "            assert self.inner is not None\n            x = self.inner(x)",
    ],
    "stored-parameters-of-which-one-is-deleted": ["            self.a = a", "        b_2 = b", "return x + a * b_2"],
    "a-list-of-this-name-that-another-class-extends": ["        for layer in self.layers:\n            x = layer(x)"],
    "parameters-at-computed-indices": ["            x = x + scale * list(self.scales)[i // 2]"],
    "two-lists-of-a-number-that-branches-set": ["for i, (one, other) in enumerate(zip(self.ones, self.others)):"],
}


@pytest.mark.parametrize("name", WRITTEN)
def test_the_written_lines(name: str) -> None:
    after = fixed(HEAD + FIXED[name][0].strip("\n") + "\n", Applicability.SAFE, Applicability.UNSAFE)
    assert [line for line in WRITTEN[name] if line not in after] == [], after


@pytest.mark.parametrize("name", FIXED)
def test_a_construction_that_was_rejected_compiles(name: str) -> None:
    body, constructions, inputs = FIXED[name]
    before = HEAD + body.strip("\n") + "\n"
    after = fixed(before, Applicability.SAFE, Applicability.UNSAFE)
    rejected = [each for each in constructions if not verdict(before, each, inputs[0]).ok]
    assert rejected
    assert any(verdict(after, each, inputs[0]).ok for each in rejected), after


@pytest.mark.parametrize("name", REFUSED)
def test_refused_cases_have_no_fix(name: str) -> None:
    before = HEAD + REFUSED[name][0].strip("\n") + "\n"
    found = [finding for finding in findings(before) if finding.code.startswith("TS4") or finding.code == "TS218"]
    applied = (Applicability.SAFE, Applicability.UNSAFE)
    assert found
    assert not [finding for finding in found if finding.fix is not None and finding.fix.applicability in applied]


@pytest.mark.parametrize("name", [*FIXED, *REFUSED])
def test_every_unsafe_fix_says_what_may_differ(name: str) -> None:
    body, _, _ = {**FIXED, **REFUSED}[name]
    for finding in findings(HEAD + body.strip("\n") + "\n"):
        if finding.code.startswith("TS4") and finding.fix is not None:
            unsafe = finding.fix.applicability is Applicability.UNSAFE
            assert bool(finding.fix.risks) is unsafe


@pytest.mark.parametrize(("parameter", "walked"), [("n: int = 2", True), ("n=2", False)])
def test_a_slice_becomes_a_loop_only_if_its_bound_is_not_none(parameter: str, walked: bool) -> None:
    text = HEAD + FIXED["slice-n"][0].replace("n: int = 2", parameter)
    fixes = [finding.fix.message for finding in findings(text) if finding.fix is not None]
    assert ("Iterate over the whole `self.layers`" in fixes) is walked
