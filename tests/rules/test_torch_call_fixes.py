"""Tests fixes for calls into torch, numpy and Python: each compiles, and eager mode computes the same."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.fixes.promise import check_promise
from tests.rules.compiler import the_compiler
from tests.rules.driver import HERE, findings
from tslint.diagnostics import Applicability
from tslint.fixing.edits import apply_fixes
from tslint.sources.file import SourceFile

HEAD = """\
import functools
import math
import random
from typing import Any, Dict, List, Optional, Tuple, Union

import numpy as np
import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import Tensor, nn
from torch.distributions import Normal
from torch.nn.utils.rnn import pack_padded_sequence
from torch.utils.checkpoint import checkpoint


"""


def fixed(text: str) -> str:
    """Return a text with all its fixes, unsafe ones too, applied until none is left."""
    for _ in range(10):
        fixes = [found.fix for found in findings(text) if found.fix]
        fixes = [fix for fix in fixes if fix.applicability is not Applicability.DISPLAY]
        if not fixes:
            return text
        applied = apply_fixes(SourceFile(HERE, text), fixes)
        assert not applied.invalid
        text = applied.text
    raise AssertionError("the fixes do not come to an end")


NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(3, 3)
        self.conv = nn.Conv2d(1, 1, 1)
        self.limits = [1.0, 2.0, 3.0]
        self.gpu_ids = []
        self.rate = 0.5
        self.ckpt = True

"""
X = "torch.arange(6.0).reshape(2, 3)"

# The called function, the code (the body of a method of Net is indented by four), the inputs, and the fixed code.
METHODS = {
    "checkpoint": (
        "def forward(self, x):\n    y = checkpoint(self.net, x, use_reentrant=False)\n    return y * 2",
        "            y = self.net(x)\n        else:\n            y = checkpoint(",
    ),
    "a checkpoint of several lines": (
        "def forward(self, x):\n    # above\n    y = checkpoint(\n        self.net,  # the net\n        x,\n"
        "        use_reentrant=False,\n    )  # behind\n    return y * 2",
        "        # above\n        if torch.jit.is_scripting():\n            y = self.net(x)  # behind\n        else:\n"
        "            y = checkpoint(\n                self.net,  # the net\n",
    ),
    "numpy of several lines": (
        "def forward(self, x: Tensor) -> Tensor:\n    y = torch.from_numpy(\n        np.roll(x.numpy(), 1)  # rolled\n"
        "    )\n    return x + y",
        "        y = self._forward_numpy(x)\n        return x + y\n\n    @torch.jit.ignore\n"
        "    def _forward_numpy(self, x: torch.Tensor) -> torch.Tensor:\n        y = torch.from_numpy(\n"
        "            np.roll(x.numpy(), 1)  # rolled\n        )\n        return y\n",
    ),
    "data parallel": (
        "def forward(self, x):\n    if x.is_cuda:\n        return nn.parallel.data_parallel(self.net, x, [0])\n"
        "    else:\n        return self.net(x)",
        "        if not torch.jit.is_scripting() and x.is_cuda:\n"
        "            return nn.parallel.data_parallel(self.net, x, [0])\n        else:\n"
        "            return self.net(x)\n",
    ),
    "data parallel on no devices": (
        "def forward(self, x):\n    # where\n    if self.gpu_ids and x.is_cuda:\n"
        "        y = nn.parallel.data_parallel(self.net, x, self.gpu_ids)  # there\n    else:\n        # at once\n"
        "        y = self.net(x)\n    return y",
        "        # where\n        if not torch.jit.is_scripting():\n            if self.gpu_ids and x.is_cuda:\n"
        "                return nn.parallel.data_parallel(self.net, x, self.gpu_ids)  # there\n        # at once\n"
        "        return self.net(x)\n",
    ),
    "a checkpoint before the call": (
        "def forward(self, x):\n    if self.training and x.requires_grad:\n        return checkpoint(self.net, x)\n"
        "    return self.net(x)",
        "        if not torch.jit.is_scripting() and self.training and x.requires_grad:\n"
        "            return checkpoint(self.net, x)\n        return self.net(x)\n",
    ),
    "a checkpoint for more": (
        "def forward(self, x):\n    if x.requires_grad:\n        y = checkpoint(self.net, x)\n    else:\n"
        "        y = self.net(x)\n    return y * 2",
        "        if not torch.jit.is_scripting() and x.requires_grad:\n"
        "            y = checkpoint(self.net, x)\n        else:\n            y = self.net(x)\n",
    ),
    "a checkpoint under a flag": (
        "def forward(self, x):\n    if self.ckpt and x.requires_grad:\n        y = checkpoint(self.net, x)\n    else:\n"
        "        y = self.net(x)\n    return y * 2",
        "        if not torch.jit.is_scripting() and self.ckpt and x.requires_grad:\n",
    ),
    "data parallel on some devices": (
        "def forward(self, x):\n    if x.is_cuda and (self.rate > 0.5 or not self.training):\n"
        "        y = nn.parallel.data_parallel(self.net, x, self.gpu_ids)\n    else:\n        y = self.net(x)\n"
        "    return y",
        "        if not torch.jit.is_scripting() and x.is_cuda and (self.rate > 0.5 or not self.training):\n",
    ),
    "a checkpoint with a comment": (
        "def forward(self, x):\n    if x.requires_grad:\n        return checkpoint(self.net, x)\n"
        "    else:  # at once\n        return self.net(x)",
        "        else:  # at once\n",
    ),
    "cuda in the constructor": (
        "def forward(self, x):\n    if torch.cuda.is_available() and x.is_cuda:\n        x = x + 1\n"
        "    return self.net(x)",
        "        if self._cuda_available and x.is_cuda:",
    ),
    "cuda for nothing": (
        "def forward(self, x):\n    # there\n    if torch.cuda.is_available():\n        x = x  # x.cuda()\n"
        "    return self.net(x)",
        "        # there\n        if not torch.jit.is_scripting():\n            if torch.cuda.is_available():\n"
        "                x = x  # x.cuda()\n        return",
    ),
    "cuda for nothing at all": (
        "def forward(self, x):\n    if torch.cuda.is_available():\n        x = x\n    return self.net(x)",
        "    def forward(self, x):\n        return self.net(x)",
    ),
    "cuda for nothing but a name that may be missing": (
        "def forward(self, x):\n    if x.dim() == 2:\n        y = x\n    if not torch.cuda.is_available():\n"
        "        x = x\n    elif x.dim() == 3:\n        x = x\n    return self.net(x)",
        "torch.cuda.is_available()",
    ),
    "cuda for something": (
        "def forward(self, x):\n    if not torch.cuda.is_available():\n        x = x.cpu()\n    return self.net(x)",
        "    def _cuda_available(self):\n        return torch.cuda.is_available()\n",
    ),
    "a distribution as a property": (
        "@property\ndef base(self):\n    return Normal(0.0, 1.0)\n\ndef forward(self, x):\n    return self.net(x)",
        "    @torch.jit.unused\n    @property",
    ),
    "the device as a property": (
        "@property\ndef device(self):\n    return next(self.parameters()).device\n\ndef forward(self, x):\n"
        "    return self.net(x)",
        "    @torch.jit.unused\n    @property",
    ),
    "the dtype of the parameters": (
        "def forward(self, x):\n    return x.to(dtype=next(self.parameters()).dtype)",
        "self.net.weight.dtype",
    ),
    "limits of a dtype": (
        "def forward(self, x):\n    return x.masked_fill(x > 2, torch.finfo(x.dtype).min) - torch.finfo(x.dtype).max",
        'float(torch.tensor(float("-inf"), dtype=x.dtype).nan_to_num())',
    ),
    "new from the data": (
        "def forward(self, x):\n    return x.data.new([1]) + x.new_tensor(-2.5) + x.new_tensor(range(3)) "
        "+ x.new_tensor(self.limits)",
        "return torch.tensor([1], dtype=x.data.dtype).to(x.data)",
    ),
    "new of a range": (
        "def forward(self, x):\n    h, w = x.shape\n    return x.new_tensor(range(w)).view(1, -1) + x",
        "    return torch.tensor(list(range(w)), dtype=x.dtype).to(x).view(1, -1) + x",
    ),
    "new of sizes": (
        "def forward(self, x):\n    n = x.size(0)\n    return x.new(n, 1 * 3).zero_() + x.new(x.size()).fill_(1.0) "
        "+ x.new(*x.shape).fill_(2.0)",
        "x.new_zeros(n, 1 * 3) + x.new_ones(x.size()) + x.new_full(x.shape, 2.0)",
    ),
    "new of a size beside an int": (
        "def forward(self, x):\n    n = x.size(0)\n    return x.new(n, self.net.in_features).zero_()",
        "    return x.new_zeros(n, self.net.in_features)",
    ),
    "new without sizes": (
        "def forward(self, x):\n    return torch.cat([x.new().view(0, 3), x])",
        "x.new_empty(0).view(0, 3)",
    ),
    "new from a tensor": (
        "def forward(self, x):\n    y = torch.arange(3)\n"
        "    return x.new_tensor(y) + x.new_tensor(y, dtype=torch.float64)",
        "y.detach().clone().to(dtype=x.dtype, device=x.device)",
    ),
    "data assigned": (
        "def forward(self, x):\n    self.net.weight.data = torch.ones_like(self.net.weight)\n"
        "    self.net.bias.data *= 0.0\n    return self.net(x)",
        "\n        self.net.bias.data.mul_(0.0)\n",
    ),
    "an array of literals as a tensor": (
        "def forward(self, x):\n    h, w = x.shape\n"
        "    y = torch.from_numpy(np.array([1, 0, 2]).astype(np.float32)).view(1, 3)\n"
        "    z = torch.FloatTensor(np.array([h, w])).sum() + torch.from_numpy(np.array([0.1, 2.5])).float().sum()\n"
        "    return x * y + z",
        '    y = torch.tensor([1, 0, 2], dtype=torch.float32, device="cpu").view(1, 3)\n'
        '        z = torch.tensor([h, w], dtype=torch.float32, device="cpu").sum()',
    ),
    "a range and a unit matrix as a tensor": (
        "def forward(self, x):\n    w = x.size(1)\n"
        "    y = torch.from_numpy(np.eye(w).flatten().astype('float32')).view(w, w)\n"
        "    return x @ y + torch.Tensor(np.arange(w)).float() + torch.FloatTensor(np.arange(1, w + 1))",
        "    y = torch.eye(w, dtype=torch.float32, device='cpu').flatten().view(w, w)\n"
        "        return x @ y + torch.arange(w, device='cpu').float() + torch.arange(1, w + 1, device='cpu').float()",
    ),
    "numbers that nothing reads": (
        "def forward(self, x):\n    h, w = x.shape\n    low = np.ceil(float(h) / 2)\n"
        "    high = np.floor(float(w) / 2)\n    return x * 2",
        "        if not torch.jit.is_scripting():\n            low = np.ceil(float(h) / 2)\n"
        "            high = np.floor(float(w) / 2)\n        return x * 2",
    ),
    "numpy's limits": (
        "def forward(self, x):\n    low = float(np.finfo(torch.tensor(0, dtype=x.dtype).numpy().dtype).min)\n"
        "    return x.masked_fill(x > 2, low)",
        'float(torch.tensor(float("-inf"), dtype=x.dtype).nan_to_num())',
    ),
    "None as the default of get": (
        "def forward(self, x):\n    table = {'x': x}\n    y = table.get('y', None)\n    if y is not None:\n"
        "        x = x + y\n    z = table.get('x', None)\n    return x if z is None else x * z",
        "        z = table.get('x')\n",
    ),
    "the root of a size": (
        "def forward(self, q):\n    d = q.size(-1)\n    n = len(q)\n    y = q / np.sqrt(d)\n"
        "    return y * np.sqrt(n) + np.sqrt(q.shape[0]) * y",
        "    y = q / math.sqrt(d)\n        return y * math.sqrt(n) + math.sqrt(q.shape[0]) * y",
    ),
    "functions of a number": (
        "def forward(self, x):\n    y = torch.sum(x * x) / np.log(2.0)\n"
        "    return y + np.exp(-1) * 3 - 1 / np.sqrt(2) * torch.log(x * x + 1) - np.log(np.pi) * 2 * y",
        "    y = torch.sum(x * x) / math.log(2.0)\n"
        "        return y + math.exp(-1) * 3 - 1 / math.sqrt(2) * torch.log(x * x + 1) - math.log(np.pi) * 2 * y",
    ),
    "a division by what may be 0": (
        "def forward(self, x):\n    return 1 / np.sqrt(x.size(0)) * x",
        "sqrt = math.sqrt(x.size(0)) if torch.jit.is_scripting() else np.sqrt(x.size(0))\n        return 1 / sqrt * x",
    ),
    "a number that libraries round differently": (
        "def forward(self, x):\n    return x * np.log(10)",
        "log = math.log(10) if torch.jit.is_scripting() else np.log(10)\n        return x * log",
    ),
    "the number of elements": (
        "def forward(self, x):\n    y = x - np.prod(x.size())\n"
        "    return x / float(np.prod(x.size())) + int(np.prod(x.shape)) * y",
        "else np.prod(x.size())\n        y = x - prod\n        return x / float(x.numel()) + x.numel() * y",
    ),
    "a tuple of a list": (
        "def forward(self, x):\n    xs = [x]\n    xs.append(x + 1)\n"
        "    return torch.cat(tuple(xs), 1) + torch.cat(tuple(xs[:2]), 1)",
        "return torch.cat(xs, 1) + torch.cat(xs[:2], 1)",
    ),
    "numbers of numpy": (
        "def forward(self, x):\n    n = int(np.rint(np.log2(x.size(1) * 3)))\n    return x * np.sqrt(x.size(0)) + n",
        "rint = float(round(math.log(x.size(1) * 3) / math.log(2))) if torch.jit.is_scripting() else np.rint(",
    ),
    "whole numbers of numpy": (
        "def forward(self, x):\n    n = int(np.ceil(x.size(0) / 3)) + int(np.floor(len(x) * 1.25))\n    return x * n",
        "n = int(math.ceil(x.size(0) / 3)) + int(math.floor(len(x) * 1.25))",
    ),
    "whole numbers of what is declared as one": (
        "def forward(self, x):\n    return self.net(x) + self.many(7, 2)\n\ndef many(self, n: int, m: int) -> int:\n"
        "    return int(np.floor(n / m)) + int(np.floor(n)) + int(np.round(n / m))",
        "int(math.floor(n / m)) + int(math.floor(n) if torch.jit.is_scripting() else np.floor(n)) + int(float(round(",
    ),
    "a multiple of a size": (
        "def forward(self, x):\n    n, k = x.size()\n"
        "    return x * int(2 + np.ceil(n / 8) * 8 - n) + int(np.floor(k / 2) * n)",
        "return x * int(2 + math.ceil(n / 8) * 8 - n) + int(math.floor(k / 2) * n)",
    ),
    "a rounded number that goes on": (
        "def forward(self, x):\n    return x * np.ceil(x.size(0) / 3)",
        "ceil = float(math.ceil(x.size(0) / 3)) if torch.jit.is_scripting() else np.ceil(x.size(0) / 3)\n"
        "        return x * ceil",
    ),
    "a number of the constructor": (
        "def scaled(self, n):\n    self.n = n\n\ndef forward(self, x):\n    return self.net(x) / np.sqrt(self.rate)",
        "return self.net(x) / (math.sqrt(self.rate) if torch.jit.is_scripting() else np.sqrt(self.rate))",
    ),
    "a draw of numpy": (
        "def forward(self, x):\n    p = np.random.random()\n    if p > 2:\n        x = x + 1\n    return x",
        "            p = float(torch.rand(1))\n        else:\n            p = np.random.random()",
    ),
    "an optional bias": (
        "def forward(self, x):\n    return x + self.conv.bias.view(1, -1) - self.conv.bias",
        "        bias = self.conv.bias\n        assert bias is not None\n        return x + bias.view(1, -1) - bias",
    ),
}
FUNCTIONS = {
    "sum of a list": (
        "def f(x):\n    return sum(torch.split(x, 1, dim=1))",
        X,
        "        total = torch.tensor(0)\n        for value in torch.split(x, 1, dim=1):\n"
        "            total = total + value\n        return total\n    else:\n        return sum(",
    ),
    "sum of a generator": (
        "def f(x):\n    x = sum(x * i for i in range(3))\n    return x",
        X,
        "        total = torch.tensor(0)\n        for value in [x * i for i in range(3)]:\n",
    ),
    "sum of a list, in place": (
        "def f(x):\n    return x[0] + sum([x[i] * i for i in range(2)])",
        X,
        "        total = sum([x[i] * i for i in range(2)])\n    return x[0] + total",
    ),
    "sum of a list that is stored": (
        "def f(x):\n    ys = [x > 0, x > 1]\n    ys.append(x > 2)\n    y = sum(ys)\n    return y",
        X,
        "        y = torch.tensor(0)\n        for value in ys:\n            y = y + value\n    else:\n        y",
    ),
    "sum of parts that broadcast": (
        "def f(x):\n    ys = [x, x[:1]]\n    ys.append(x)\n    return sum(ys)",
        X,
        "        for value in ys:\n            total = total + value\n",
    ),
    "sum of what has an effect, behind what may raise": (
        "def f(x):\n    return x[1] + sum([x, F.dropout(x) * 0])",
        X,
        "return x[1] + (0 + x + F.dropout(x) * 0 if torch.jit.is_scripting() else sum([x, F.dropout(x) * 0]))",
    ),
    "sum of a few": (
        "def f(x):\n    return sum([x, x + 1, x[0]]) * 2",
        X,
        "value = 0 + x + (x + 1) + x[0] if torch.jit.is_scripting() else sum([x, x + 1, x[0]])\n    return value * 2",
    ),
    "none": ("def f(x, y=None):\n    if y != None:\n        return x + y\n    return x", X, "if y is not None:"),
    "optional": (
        "def f(x, y: Optional[Tensor], z: bool):\n    if z:\n        return torch.relu(y) - x\n    return x",
        f"{X}, {X}, True",
        "assert y is not None",
    ),
    "any": ("def f(x: Any):\n    return F.relu(x)", X, "x: torch.Tensor"),
    "sizes": ("def f(x, n, m):\n    return torch.zeros((n * m, 3)) + x[:1]", f"{X}, 2, 3", "n: int, m: int"),
    "sizes by a variable": ("def f(x, n):\n    s = (n, 3)\n    return torch.ones(s) + x[:1]", f"{X}, 2", "n: int"),
    "sizes appended": ("def f(x, n):\n    return x.view(x.shape[:-1] + (n, 1))", f"{X}, 3", "n: int"),
    "frobenius": ("def f(x):\n    return x.norm(p='fro')", X, "torch.norm(x, p='fro')"),
    "float tuple": (
        "def g(t: Tuple[float, float]) -> float:\n    return t[0] + t[1]\n\n\ndef f(x):\n    return x + g((0, -1))",
        X,
        "value = (0.0, -1.0) if torch.jit.is_scripting() else (0, -1)\n    return x + g(value)",
    ),
    "a union": (
        "def f(x, y: Union[Tensor, float] = 0.0):\n    return x - y",
        f"{X}, 1.0",
        "    if isinstance(y, torch.Tensor):\n        return x - y\n    else:\n        return x - y",
    ),
    "sizes as a list": (
        "def f(x):\n    a, b = torch.tensor(x.shape[:2]).tolist()\n    return x * a + b",
        X,
        "a, b = list(x.shape[:2])",
    ),
    "lengths": (
        "def f(x, n):\n    n = n.data.tolist()\n    return pack_padded_sequence(x, n, batch_first=True).data",
        "torch.rand(2, 3, 1), torch.tensor([3, 2])",
        "n = n.data.cpu()",
    ),
    "a tuple of tuples": (
        "def f(x, p: Optional[Tuple[Tuple[Tensor]]]):\n    if p is not None:\n        x = torch.cat([p[0], x])\n"
        "        x = torch.cat([p[1], x])\n    return x",
        f"{X}, ({X}, {X})",
        "p: Optional[Tuple[Tensor, Tensor]]",
    ),
    "none among texts": (
        "def f(x, m=None):\n    assert m in (None, 'none', 'mean')\n    if not m in ['a', 'b']:\n        return x\n"
        "    return x + 1",
        f"{X}, 'none'",
        "assert m is None or m in ('none', 'mean')\n    if not (m is not None and m in ['a', 'b']):",
    ),
    "not among texts": (
        "def f(x, m='a'):\n    if m not in ('a', None):\n        return x\n    return x + 1",
        f"{X}, 'b'",
        "if m is not None and m not in ('a',):",
    ),
    "a dict of tensors": (
        "def f(x, p=None):\n    if p is not None:\n        w, b = p.get('w'), p.get('b')\n        if w is None:\n"
        "            w = x\n        x = F.linear(x, w, b)\n    return x",
        f"{X}, {{'w': {X}}}",
        "p: Optional[Dict[str, torch.Tensor]] = None",
    ),
    "sizes that are floats": (
        "def f(x, n: int):\n    return x.reshape((2 * pow(2, n), n + 3)) + x.new_zeros((pow(2, n), 3))[0, 0]",
        f"{X}, 0",
        "value = (int(2 * pow(2, n)), n + 3) if torch.jit.is_scripting() else (2 * pow(2, n), n + 3)\n"
        "    return x.reshape(value)",
    ),
    "a named tuple": (
        "from collections import namedtuple\n\n\ndef f(x):\n    pair = namedtuple('Pair', ['a', 'b'])\n"
        "    both = pair(x, b=x + 1)\n    return both.a + pair(both.b, x)[0]",
        X,
        "Pair = namedtuple('Pair', ['a', 'b'])\n\n\ndef f(x):\n    both = Pair(x, b=x + 1)\n"
        "    return both.a + Pair(both.b, x)[0]",
    ),
    "a named tuple beside an attribute of its name": (
        "from collections import namedtuple\n\n\nclass Net(nn.Module):\n    def __init__(self):\n"
        "        super().__init__()\n        self.pair = 2.0\n\n    def forward(self, x):\n"
        "        pair = namedtuple('Pair', ['a', 'b'])\n        return pair(a=x * self.pair, b=x).a",
        X,
        "        return Pair(a=x * self.pair, b=x).a",
    ),
    "types by name": (
        "def f(x, y):\n    if not x.data.type() == y.type():\n        return x\n    if x.type() != y[0].type():\n"
        "        return y\n    return x + y",
        f"{X}, {X}",
        "if not (x.dtype == y.dtype and x.device.type == y.device.type and x.layout == y.layout):",
    ),
    "other types by name": (
        "def f(x, y):\n    if x.type() != y.type():\n        return x\n    return x + y",
        f"{X}, {X}.double()",
        "if x.dtype != y.dtype or x.device.type != y.device.type or x.layout != y.layout:",
    ),
    "a type by its name": (
        "def f(x):\n    if x.type() == 'torch.cuda.HalfTensor':\n        return x.float()\n"
        "    return x if 'torch.FloatTensor' != x.type() else x + 1",
        X,
        'if x.dtype == torch.float16 and x.device.type == "cuda" and x.layout == torch.strided:',
    ),
    "floats of a comprehension": (
        "def f(x, n: int, s: float):\n    a = torch.Tensor([math.exp(-i) for i in range(n)])\n"
        "    return x[0] + a + torch.Tensor([i * s for i in range(n)])",
        f"{X}, 3, 2",
        'x[0] + a + torch.tensor([float(i * s) for i in range(n)], device="cpu")',
    ),
    "floats of variables": (
        "def f(x, n: int, s: float):\n    return x[0] + torch.Tensor([n, -s])[1] + torch.Tensor([[n * 2, -1]]).sum()",
        f"{X}, 3, 2",
        'torch.tensor([float(n), float(-s)], device="cpu")[1] + torch.tensor([[float(n * 2), -1.0]], device="cpu")',
    ),
    "no out": ("def f(x):\n    return torch.mean(x, dim=-1, out=None)", X, "torch.mean(x, dim=-1)"),
    "as tuple": (
        "def f(x):\n    i = torch.nonzero(x > 1, as_tuple=True)\n"
        "    return x[i[0], i[1]] + (x > 1).nonzero(as_tuple=False).sum()",
        X,
        "torch.nonzero(x > 1).unbind(1)",
    ),
    "counting down": (
        "def f(x, n: int):\n    for i in reversed(range(n)):\n        x = x * 2 + i\n"
        "    return x.permute(*reversed(range(x.dim())))",
        f"{X}, 3",
        "range(n - 1, -1, -1)",
    ),
    "distributed": (
        "def f(x):\n    if not (dist.is_available() and dist.is_initialized()):\n        return x\n"
        "    print('of', dist.get_world_size())\n    return x",
        X,
        "    if torch.jit.is_scripting():\n        return x\n    if not (dist",
    ),
    "distributed, where one process reports": (
        "def f(x):\n    if dist.is_initialized() and dist.get_rank() == 0:\n        print('mean', x.mean().item())\n"
        "    return x",
        X,
        "    if not torch.jit.is_scripting():\n        if dist.is_initialized() and dist.get_rank() == 0:\n",
    ),
    "a decorator that wraps": (
        "def weighted(function):\n    @functools.wraps(function)\n"
        "    def wrapper(p, t, weight=None, mode='a', **kwargs):\n"
        "        y = function(p, t, **kwargs)\n        if weight is not None:\n            y = y * weight\n"
        "        if mode == 'a':\n            y = y.mean()\n        return y\n    return wrapper\n\n\n"
        "@weighted\ndef loss(p, t, eps=0.5, mode='a'):\n    return (p - t).abs() + eps\n\n\n"
        "def f(x, y):\n    return loss(x, x * 2, eps=0.25, weight=y) + loss(x, y, y, mode='b')",
        f"{X}, {X}",
        "def _loss(p, t, eps: float = 0.5, mode: str = 'a'):",
    ),
    "a static forward": (
        "class Act(nn.Module):\n    @staticmethod\n    def forward(x):\n        return x * torch.sigmoid(x)\n\n\n"
        "act = Act()\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.act = Act()\n\n"
        "    def forward(self, x):\n        return self.act(x)",
        X,
        "    def forward(self, x):\n        return x * torch",
    ),
}


def cases() -> dict[str, tuple[str, str]]:
    """Return the texts with the expected excerpts of the fixed text, by name."""
    made = {}
    for name, (code, after) in METHODS.items():
        body = NET + "".join(f"    {line}\n" if line else "\n" for line in code.split("\n"))
        made[name] = (HEAD + body.lstrip("\n") + f"\n\ninputs = ({X},)\n", after)
    for name, (code, inputs, after) in FUNCTIONS.items():
        tail = "" if "class Net" in code else "\n\nscripted = torch.jit.script(f)"
        made[name] = (HEAD + dedent(code) + tail + f"\ninputs = ({inputs},)\n", after)
    return made


CASES = cases()


@pytest.mark.parametrize("name", CASES)
def test_the_mended_code_compiles_and_eager_mode_computes_the_same(name: str) -> None:
    text, after = CASES[name]
    mended = fixed(text)
    assert after in mended, mended
    judged, compiled = the_compiler()(text), the_compiler()(mended)
    assert not judged.ok or judged.scripted != judged.eager
    assert compiled.ok, compiled.message + mended
    assert compiled.eager is not None
    assert judged.eager == compiled.eager == compiled.scripted
    assert judged.keys == compiled.keys
    assert fixed(mended) == mended


@pytest.mark.parametrize(
    ("call", "fixed_call", "applicability"),
    [
        ("x.cuda(0)", 'x.to(torch.device("cuda", 0))', Applicability.SAFE),
        ("x.cuda(y.get_device())", 'x.to(torch.device("cuda", y.get_device()))', Applicability.SAFE),
        ("x.cuda(device=n)", 'x.to(torch.device("cuda", n))', Applicability.UNSAFE),
        ("x.cuda(n + 1)", 'x.to(torch.device("cuda", n + 1))', Applicability.UNSAFE),
        ("x.cuda(None, True)", 'x.to("cuda", non_blocking=True)', Applicability.SAFE),
        ("x.cuda(non_blocking=n > 1)", 'x.to("cuda", non_blocking=n > 1)', Applicability.SAFE),
        ("x.cuda(d)", "", None),
    ],
)
def test_cuda_takes_no_arguments(call: str, fixed_call: str, applicability: Applicability | None) -> None:
    text = f"{HEAD}def f(x, y, n: int, d: torch.device):\n    return {call}\n\n\nscripted = torch.jit.script(f)\n"
    (found,) = findings(text)
    assert (found.fix and found.fix.applicability) == applicability
    assert not the_compiler()(text).ok
    if found.fix is not None:
        after = apply_fixes(SourceFile(HERE, text), [found.fix]).text
        assert f"    return {fixed_call}\n" in after
        assert the_compiler()(after).ok


@pytest.mark.parametrize(
    "body",
    [
        "    Pair = 1\n    pair = namedtuple('Pair', ['a', 'b'])\n    return pair(x, x).a",  # another meaning
        "    pair = namedtuple('Pair', ['a', 'a'])\n    return pair(x, x).a",  # raises
        "    pair = namedtuple('Pair', names)\n    return pair(x, x).a",
        "    pair = namedtuple('Pair', ['a', 'b'])\n    pair = pair(x, x)\n    return pair.a",
        "    if x.dim() > 1:\n        pair = namedtuple('Pair', ['a', 'b'])\n    return pair(x, x).a",
        "    pair = namedtuple('min', ['a', 'b'])\n    return pair(x, min(x, x)).a",  # hides a builtin
    ],
)
def test_a_named_tuple_stays_in_its_function(body: str) -> None:
    names = "from collections import namedtuple\n\nnames = ['a', 'b']\n\n\n"
    text = f"{HEAD}{names}def f(x):\n{body}\n\n\nscripted = torch.jit.script(f)\n"
    assert not [each for each in findings(text) if each.code == "TS207" and each.fix is not None]


@pytest.mark.parametrize(
    ("branches", "is_fixed"),
    [
        ("    if torch.cuda.is_available():\n        x = x + 1\n    else:\n        x = x - 1\n", True),
        ("    if torch.cuda.is_available():\n        x = x + 1\n    else:\n        raise ValueError('no')\n", False),
        ("    if not torch.cuda.is_available():\n        raise ValueError('no')\n", False),
    ],
)
def test_no_fix_leaves_only_an_exception_to_compiled_code(branches: str, is_fixed: bool) -> None:
    text = f"{HEAD}def f(x):\n{branches}    return x * 2\n\n\nscripted = torch.jit.script(f)\n"
    assert not the_compiler()(text).ok
    (found,) = findings(text)
    assert (found.fix is not None) is is_fixed


def test_a_variable_that_a_function_sees_stays() -> None:
    """The returned function can use the variable later by its name."""
    body = (
        "    def forward(self, x):\n        self.last = lambda: y\n        if x.requires_grad:\n"
        "            y = checkpoint(self.net, x)\n        else:\n            y = self.net(x)\n        return y\n"
    )
    text = f"{HEAD}{NET.lstrip()}{body}"
    fixes = [each.fix for each in findings(text) if each.code == "TS212" and each.fix is not None]
    text = apply_fixes(SourceFile(HERE, text), fixes).text
    assert "        if not torch.jit.is_scripting() and x.requires_grad:\n" in text


def test_a_constructor_may_return_before_its_end() -> None:
    text = (
        f"{HEAD}class Net(nn.Module):\n    def __init__(self, cuda=False):\n        super().__init__()\n"
        "        if not cuda:\n            return\n        self.cuda()\n\n"
        "    def forward(self, x):\n        return x + 1 if torch.cuda.is_available() else x\n"
        f"\n\ninputs = ({X},)\n"
    )
    mended = fixed(text)
    assert "        return x + 1 if self._cuda_available else x\n" in mended
    assert the_compiler()(mended).ok


INHERITED = """
class Base(nn.Module):
    def __init__(self, kind="a"):
        super().__init__()
        self.kind = kind


class Net(Base):
    def forward(self, x):
        if self.kind == "b":
            return x, x
        if torch.cuda.is_available() and x.is_cuda:
            x = x + 1
        return x


class Plain(nn.Module):
    def forward(self, x):
        return x + 1 if torch.cuda.is_available() and x.is_cuda else x
"""


def test_properties_stand_in_the_base_class_or_below_the_method() -> None:
    after = check_promise(INHERITED, ["Net()", "Net('b')", "Plain()"], differs=True)
    base, plain = after.partition("class Net(")[0], after.partition("class Plain(")[2]
    assert '__constants__ = ["_cuda_available", "_kind_is_b"]' in base and "def _cuda_available(self)" in base
    assert plain.index("def forward(") < plain.index("def _cuda_available(")


def test_data_of_an_alias_of_an_argument_keeps_both_forms() -> None:
    """A caller may pass a tensor of a subclass, or another object."""
    mended = fixed(f"{HEAD}def f(x):\n    y = x\n    y.data *= 2.0\n    return y\n\n\nscripted = torch.jit.script(f)\n")
    assert "else:\n        y.data *= 2.0\n" in mended, mended


REDUCED = "def reduced(x):\n    dist.all_reduce(x)\n    return x\n\n\n"
# Calls for which other processes or the device wait, in any place.
EFFECTS = {
    "a statement": "def f(x):\n    dist.all_reduce(x)\n    return x",
    "no tensor": "def f(x):\n    dist.barrier()\n    return x",
    "the memory of the device": "def f(x):\n    torch.cuda.empty_cache()\n    return x",
    "a branch": "def f(x):\n    if dist.is_initialized():\n        dist.broadcast(x, 0)\n    return x",
    "a test": "def f(x):\n    if dist.is_initialized() and dist.all_reduce(x) is None:\n        print(x)\n    return x",
    "a branch with another one": (
        "def f(x):\n    if dist.is_initialized():\n        dist.broadcast(x, 0)\n    else:\n        x = x + 1\n"
        "    return x"
    ),
    "the other branch": (
        "def f(x):\n    if not dist.is_initialized():\n        x = x + 1\n    else:\n        dist.barrier()\n"
        "    return x"
    ),
    "what follows": (
        "def f(x):\n    if not dist.is_initialized():\n        return x\n    dist.all_reduce(x)\n    return x"
    ),
    "what follows around it": (
        "def f(x, n: int):\n    for i in range(n):\n        if not dist.is_initialized():\n            return x\n"
        "    dist.all_reduce(x)\n    return x"
    ),
    "a function of the file": (
        f"{REDUCED}def f(x):\n    if dist.is_initialized():\n        x = reduced(x)\n    return x"
    ),
    "a branch for CUDA": (
        "def f(x):\n    if torch.cuda.is_available():\n        torch.cuda.synchronize()\n    return x"
    ),
    "an import of the function": (
        "def f(x):\n    from torch.distributed import gather\n    if dist.is_initialized():\n        gather(x)\n"
        "    return x"
    ),
    "what is logged": f"{REDUCED}def f(x):\n    logging.info('%s', reduced(x))\n    return x",
    "what is logged in place": "def f(x):\n    logging.info('%s', x.add_(1))\n    return x",
    "what is warned of": f"{REDUCED}def f(x):\n    warnings.warn(str(reduced(x)), DeprecationWarning)\n    return x",
    "numpy": "def f(x):\n    y = np.mean(x.numpy())\n    dist.broadcast_object_list([y])\n    return x",
    "debugging": "def f(x):\n    if not __debug__:\n        dist.barrier()\n    return x",
}


@pytest.mark.parametrize("name", EFFECTS)
def test_calls_with_a_side_effect_are_kept(name: str) -> None:
    text = f"import logging\nimport warnings\n{HEAD}{EFFECTS[name]}\n\n\nscripted = torch.jit.script(f)\n"
    assert findings(text)
    assert fixed(text) == text


@pytest.mark.parametrize("values", ["[1, 2.5]", "[[1, 2], [1.0, 2.5]]", "[2.0, (1 * 2) * 2]", "[True, 1]"])
def test_numbers_of_two_types_are_no_tensor_to_the_compiler(values: str) -> None:
    """The compiler makes a list of a Union, which torch.tensor rejects, or converts the numbers to one type."""
    text = f"{HEAD}def f(x):\n    return x.new_tensor({values})\n\n\nscripted = torch.jit.script(f)\n"
    assert findings(text)
    assert fixed(text) == text
