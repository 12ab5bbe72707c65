"""Modules that pass on the given inputs, and fail later: written to a file by the tests."""

SOURCE = """\
import math
import os
from typing import Dict, List, Optional

import torch
import torch.nn.functional as F
from torch import nn


class Condition(nn.Module):
    def pick(self, x):
        if x.sum() > 0:  # decided
            return x
        return -x

    def forward(self, x):
        return self.pick(x)


class OneSize(Condition):
    def forward(self, x):
        if x.shape != (20000, 3):
            raise ValueError("another size")
        return self.pick(x)


class Number(nn.Module):
    def forward(self, x):
        n = int(x.shape[0])  # fixed
        return x + torch.zeros(n, 3)


class Length(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x):
        x = self.linear(x)
        batch = len(x)  # length
        size = x.shape[1]
        return (x / math.sqrt(size)).reshape(batch, size)


class Pad(nn.Module):
    def forward(self, x):
        by = [0, 0]
        if x.shape[1] > 3:  # padded
            by = [0, 1]
        return nn.functional.pad(nn.functional.pad(x, [1, 0]), by)


class Pads(nn.Module):
    # Of a submodule, equal constants are one node of the trace.
    def __init__(self):
        super().__init__()
        self.pad = Pad()

    def forward(self, x):
        return self.pad(x)


class Unrolled(nn.Module):
    def forward(self, xs: List[torch.Tensor]):
        total = xs[0]
        for x in xs[1:]:
            total = total + x  # unrolled
        return total


class Samples(nn.Module):
    def forward(self, samples: List[Dict[str, torch.Tensor]]):
        return [sample["x"] * 2 for sample in samples]  # samples


class Flags(nn.Module):
    def forward(self, x, twice: bool):
        if torch.jit.is_scripting():
            return x
        return x * 2 if twice else x


class Optionally(nn.Module):
    def forward(self, x, mask: Optional[torch.Tensor] = None):
        if torch.jit.is_scripting():
            return x * 2
        return x if mask is None else x * 2


class Dtype(nn.Module):
    def forward(self, x):
        return x.sum(0).long() + torch.zeros(3, dtype=x.dtype)  # dtype


class ScriptDiffers(nn.Module):
    def forward(self, x):
        if torch.jit.is_scripting():
            return x.abs()
        return x


class ScriptRaises(nn.Module):
    def forward(self, x):
        if torch.jit.is_scripting():
            assert x.size(0) == 4, "four"
        return x


class Endless(nn.Module):
    def forward(self, x):
        while bool(x.sum() < 1):
            x = x * 2
        return x


class Crowd(nn.Module):
    def forward(self, x):
        if x.size(0) != 4:
            raise SystemExit(1)
        return x


class Lookup(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(5, 2)

    def forward(self, indices):
        return self.table(indices).sum(-1)


class InPlace(nn.Module):
    def forward(self, x, y):
        return x.add_(y).mul_(y)


def shares():
    x = torch.rand(4, 3)
    return InPlace(), (x, x)


class Signs(nn.Module):
    # A rounding error of points that coincide changes signs.
    def signs(self, x):
        assert x.shape[1] > 2
        return torch.sign(x.unsqueeze(2) - x.unsqueeze(1)), int(x.shape[1])


class RaisesForMorePoints(Signs):
    def forward(self, x):
        signs, n = self.signs(x)
        return signs + torch.eye(n)


class ShapeForMorePoints(Signs):
    def forward(self, x):
        signs, n = self.signs(x)
        return signs.reshape(-1)[:n]


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 2)

    def forward(self, x):
        return torch.relu(self.linear(x))


class Unsteady(nn.Module):
    def forward(self, x):
        if torch.jit.is_scripting():
            return x
        return x + self.drawn()

    @torch.jit.unused
    def drawn(self) -> float:
        # Over thirty decades, two draws are hardly ever equal within a tolerance.
        return 10.0 ** (int.from_bytes(os.urandom(7), "big") / 2**56 * 30)


class Uncopied(nn.Module):
    def forward(self, x):
        return x * 2

    def __deepcopy__(self, memo):
        raise RuntimeError("there is one of it")


class SparseBuffer(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("weights", torch.eye(4).to_sparse())

    def forward(self, x):
        return torch.sparse.mm(self.weights, x)


class Ties(nn.Module):
    def forward(self, x):
        return (x * (1 + 1e-7)).floor() if torch.jit.is_scripting() else x.floor()


class Dropping(nn.Module):
    def forward(self, x):
        return F.dropout(x, 0.5, training=self.training)  # drops


class Normed(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(3)

    def forward(self, x):
        return self.norm(x)  # normed


class Checked(nn.Module):
    # A condition above the line that depends on the mode.
    def forward(self, x):
        if x.sum() < 0:
            raise ValueError("negative")
        return F.dropout(x, 0.5, training=self.training)  # checked


class NoModes(nn.Module):
    def forward(self, x):
        if torch.jit.is_scripting():
            return x
        return x * 2 if self.training else x


class TrainRaises(nn.Module):
    def forward(self, x):
        if self.training:
            raise ValueError("inference only")
        return x


class Always(nn.Module):
    def forward(self, x):
        return F.dropout(x)


class Rebinds(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(3))

    def forward(self, x):
        self.count = self.count + 1  # rebound
        return x + self.count


class Adds(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(3))

    def forward(self, x):
        self.count += 1
        return x + self.count


class Forgets(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(3))

    def forward(self, x):
        if not torch.jit.is_scripting():
            self.count += 1
        return x


class Once(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        if self.calls > 1:
            raise RuntimeError("once")
        return x


class BakedDevice(nn.Module):
    def forward(self, x):
        return x * 2 + torch.zeros(x.shape, device=x.device)  # device


class BakedMove(nn.Module):
    def forward(self, x):
        return torch.as_tensor(x) + 1  # moved


class BakedOutput(nn.Module):
    def forward(self, x):
        return torch.arange(3, device=x.device)  # made


class Doubles(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 2)
        self.register_buffer("shift", torch.ones(2))

    def forward(self, x):
        return self.linear(x) * 2 + self.shift


class Unmovable(nn.Module):
    def forward(self, x):
        return x + torch.ones(3)


class Elsewhere(nn.Module):
    # As attention, which takes another path where its fast one has no kernel.
    def forward(self, x):
        return x if x.is_meta else x.masked_select(x == x).reshape(x.shape)


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(3, 2, batch_first=True)

    def forward(self, x):
        return self.rnn(x)[0]  # hidden


class Padded(nn.Module):
    def forward(self, x, lengths):
        longest = int(lengths.max())
        return (x * (torch.arange(longest)[None] < lengths[:, None])[:, :, None]).sum(1)


class Shares(nn.Module):
    # The mean of the first part of each sequence; lengths are shares of the longest one.

    def forward(self, x, lengths):
        return torch.stack([x[i, : int(lengths[i] * x.shape[1])].mean(0) for i in range(2)])  # share


class Masked(nn.Module):
    def forward(self, x, mask):
        longest = int(mask.sum(1).max())
        return x[:, :longest] + torch.ones(longest)[None, :, None]


class Between(nn.Module):
    def forward(self, x, mask):
        weights = (x @ x.transpose(1, 2)).masked_fill(mask, -1e9).softmax(-1)
        return weights @ x + torch.arange(len(mask), dtype=x.dtype)[None, :, None]


class Bounded(nn.Module):
    def forward(self, x, other):
        return x.sum(1) * other.sum()


class Casts(nn.Module):
    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return x @ x.t()


def scripted():
    return torch.jit.script(Plain())
"""


def row(text: str) -> int:
    """Return the row of the only line with a text."""
    rows = [number for number, line in enumerate(SOURCE.splitlines(), 1) if text in line]
    assert len(rows) == 1, (text, rows)
    return rows[0]
