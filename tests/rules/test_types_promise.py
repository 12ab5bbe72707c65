"""Tests that fixes for types do not change what Python computes: several calls before and after, and the compiler's
verdict.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.fixes.promise import check_promise
from tests.rules.compiler import the_compiler
from tests.rules.driver import HERE, findings
from tslint.diagnostics import Applicability, Risk
from tslint.fixing.edits import apply_fixes
from tslint.sources.file import SourceFile

HEAD = """from typing import Dict, List, Optional, Tuple, Union
import math

import torch
import torch.nn.functional as F
from torch import nn


"""
X = "torch.arange(6.0).reshape(2, 3)"
WHOLE = "torch.arange(6).reshape(2, 3)"
NET = """class Net(nn.Module):
    {fields}

    def __init__(self, value={default}):
        super().__init__()
        self.value = value

    def forward(self, x, n: Optional[int] = None):
"""

# The code before; lines of the fixed text (none if nothing is fixed); the arguments of several calls.
FUNCTIONS: dict[str, tuple[str, list[str], list[str]]] = {
    "several variables that start with None": (
        "def f(x):\n    # the largest, so far\n    a = b = None\n    for i in range(2):\n        if a is None:\n"
        "            a = x + i\n            b = x\n    assert a is not None and b is not None\n    return a + b",
        ["    a: Optional[torch.Tensor] = None", "    b: Optional[torch.Tensor] = None"],
        [X],
    ),
    "a default beside a case for None": (
        "def f(x, pos=0):\n    u = pos\n    match u:\n        case None:\n            x = x + 1\n"
        "        case _:\n            x = x + u\n    return x",
        ["def f(x, pos: Optional[int] = 0):", "    if u is None:"],
        [X, f"{X}, 2", f"{X}, None"],
    ),
    "an assertion, which python -O does not evaluate": (
        "def f(x):\n    n = x.dim()\n    assert 2 ** n > len([x.reshape(-1, 2 ** n)]), 'small'\n    return x",
        [
            "    assert 2 ** n > len([x.reshape(-1, int(2 ** n) if torch.jit.is_scripting() else 2 ** n)]), 'small'",
        ],
        ["torch.ones(2, 8)"],
    ),
    "a list with a dtype of its own": (
        "def f(x):\n    return x.new_tensor([1, 2], dtype=torch.int64), x.new_tensor([1, 2])",
        [
            "    new_tensor = torch.tensor([1, 2], dtype=torch.int64, device=x.device) if torch.jit.is_scripting()"
            " else x.new_tensor([1, 2], dtype=torch.int64)",
            "    return new_tensor, torch.tensor([1, 2], dtype=x.dtype).to(x)",
        ],
        [X],
    ),
    "a sum of a literal": (
        "def f(a, b):\n    return sum([a, b])",
        ["    return 0 + a + b if torch.jit.is_scripting() else sum([a, b])"],
        [f"{X}, {X}", f"{X} > 1, {X} > 1", "1, 2", "0.1, 0.2"],
    ),
    "a sum of a list that may be empty": (
        "def f(x, n: int):\n    ys = []\n    for i in range(n):\n        ys.append(x * i)\n    return sum(ys)",
        ["        total = torch.tensor(0)", "            total = total + value", "        return sum(ys)"],
        [f"{X}, 0", f"{X}, 3", f"{WHOLE}.to(torch.int8), 3"],
    ),
    "sizes that are unpacked with something else": (
        "def f(x, k: int):\n    h, w, n = *x.shape, k\n    return x * h + w * n",
        ["    h, w = x.shape", "    n = k"],
        [f"{X}, 2", "torch.ones(2, 3, 4), 1"],
    ),
    "a part of a tensor that is unpacked with something else": (
        "def f(x, y):\n    q, k, v, n = (y * 2, *x.chunk(2, dim=-1), 3)\n    return q * n, k - v",
        ["    q = y * 2", "    k, v = x.chunk(2, dim=-1)", "    n = 3"],
        ["torch.ones(2, 4), torch.ones(2, 2)", "torch.ones(2, 1), torch.ones(2, 2)"],
    ),
    "sizes that a comprehension reads as well": (
        "def f(x, k: int):\n    h, w, n = *x.shape, k\n    return [x * h + i * n for i in range(w)]",
        ["    h, w = x.shape", "    n = k"],
        [f"{X}, 2"],
    ),
    "the only size that is read": (
        "def f(x):\n    b, *_ = x.shape\n    *_, c = x.size()\n    d, *rest = x.shape\n    return b, c * d, rest",
        ["    b = x.shape[0]", "    c = x.size()[-1]"],
        ["torch.ones(2, 3, 4)", "torch.ones(2)", "torch.tensor(1.0)"],
    ),
    "sizes that are listed already": (
        "def f(x):\n    b, c, *rest = x.shape\n    y = x.reshape(b * c, *rest)\n"
        "    return y.reshape(1, *([1] * 2), *x.shape)",
        ["    y = x.reshape([b * c] + rest)", "    return y.reshape([1] + [1] * 2 + list(x.shape))"],
        ["torch.ones(2, 3, 4)", "torch.ones(2, 3)"],
    ),
    "a list that is returned as a tuple": (
        "def f(x, n: int):\n    out = [x]\n    for _ in range(n):\n        out.append(x + 1)\n    return tuple(out)",
        [],
        [f"{X}, 1"],
    ),
    "lists that are returned as tuples": (
        "def f(x, n: int):\n    out = [x]\n    for _ in range(n):\n        out.append(x + 1)\n"
        "    return tuple(out), (x, tuple(out))",
        [],
        [f"{X}, 1"],
    ),
    "sizes that are unpacked with what a target was before": (
        "def f(x, n: int):\n    h, w, n = *x.shape, n + 1\n    return x * h + w * n",
        ["    (h, w), n = x.shape, n + 1"],
        [f"{X}, 2"],
    ),
    "an Optional that one branch reads": (
        "def f(x, y: Optional[torch.Tensor] = None, use: bool = False):\n    z = x + y if use else x\n    return z",
        ["    if use:", "        if torch.jit.is_scripting():", "            assert y is not None"],
        [X, f"{X}, {X}", f"{X}, {X}, True"],
    ),
    "numbers before tensors": (
        "def f(x, k: int):\n    y = x @ x.t()\n    y.addmm_(1, -2, x, x.t())\n    y = torch.addmm(2, y, 3.0, y, y)\n"
        "    return y.addcmul(-0.5, y, y).addmm_(2, y, y), torch.baddbmm(2, y[None], y[None], y[None])",
        [
            "    y.addmm_(x, x.t(), beta=1, alpha=-2)",
            "    y = torch.addmm(y, y, y, beta=2, alpha=3.0)",
            "    return y.addcmul(y, y, value=-0.5).addmm_(y, y, beta=2),"
            " torch.baddbmm(y[None], y[None], y[None], beta=2)",
        ],
        [f"{X}, 1"],
    ),
    "numbers in places that torch does not take": (
        "def f(x, k: int):\n    return x.addmm(1, x, 3, x), torch.addmm(x, 1, x, x), x.addmm(1, 2, 3, x, x)",
        [],
        [f"{X}, 1"],
    ),
    "a variable that the first iteration sets": (
        "def f(x, n: int):\n    for i in range(n):\n        if i == 0:\n            y = x\n        y = y + x\n"
        "    return y",
        [],
        [f"{X}, 1", f"{X}, 2", f"{X}, 0"],
    ),
    "variables that are read under the test that sets them": (
        "def f(x, on: bool, n: int):\n    if on:\n        k = n\n        if n > 1:\n            ys = [x]\n"
        "    x = x + 1\n"
        "    if on:\n        x = x * k\n        if n > 1:\n            x = x + ys[0]\n    return x",
        ["        k = 0", "        ys: List[torch.Tensor] = []"],
        [f"{X}, True, 1", f"{X}, True, 2", f"{X}, False, 2"],
    ),
    "a variable that one test or its opposite sets": (
        "def f(x, on: bool, n: int):\n    if on:\n        y = x\n    x = x + 1\n    if not on:\n        y = x\n"
        "    return y",
        [],
        [f"{X}, True, 1", f"{X}, False, 2"],
    ),
    "a variable of the same name in another branch": (
        "def f(x, on: bool, n: int):\n    if on:\n        k = n\n        x = x * k\n    else:\n        if n > 1:\n"
        "            k = 2\n        if n > 1:\n            x = x + k\n    return x",
        [],
        [f"{X}, True, 1", f"{X}, False, 2"],
    ),
    "a variable that another branch of a loop sets": (
        "def f(x, n: int):\n    for i in range(n):\n        if i == 0:\n            y = x\n        else:\n"
        "            y = torch.cat([y, x])\n    return y",
        [],
        [f"{X}, 1", f"{X}, 3", f"{X}, 0"],
    ),
    "a variable that another branch of an inner loop sets": (
        "def f(x, n: int):\n    for k in range(2):\n        for i in range(n):\n            if i + k == 0:\n"
        "                m = 2\n            else:\n                x = x * m\n    return x",
        ["    if torch.jit.is_scripting():", "        m = 0"],
        [f"{X}, 1", f"{X}, 2"],
    ),
    "a variable that has a value before the loop on one path": (
        "def f(x, n: int):\n    if n > 2:\n        y = x\n    for i in range(n):\n        if i == 1:\n"
        "            x = x + y\n        else:\n            y = x * 2\n    return x",
        [],
        [f"{X}, 1"],
    ),
    "a sum of sizes": (
        "def f(x):\n    sizes = []\n    for i in range(2):\n        sizes.append(x.size(i))\n    return x + sum(sizes)",
        ["    sizes: List[int] = []", "    return x + sum(sizes)"],
        [X],
    ),
    "a first zero": (
        "def f(x, n: int):\n    total = 0\n    for i in range(n):\n        total = total + 0.5\n    return x * total",
        ["    total = 0.0 if torch.jit.is_scripting() else 0"],
        [f"{WHOLE}, 0", f"{WHOLE}, 2"],
    ),
    "an int that is annotated as a float": (
        "def f(x):\n    y: float = 2\n    return x * y",
        ["    y: float = 2.0 if torch.jit.is_scripting() else 2"],
        [WHOLE],
    ),
    "an int that is returned for a float": (
        "def f(x, n: int) -> float:\n    return n",
        ["    return float(n) if torch.jit.is_scripting() else n"],
        [f"{X}, 2"],
    ),
    "an int beside a float": (
        "def f(x, flag: bool):\n    k = 1 if flag else 0.5\n    return x * k",
        ["    k = (1.0 if torch.jit.is_scripting() else 1) if flag else 0.5"],
        [f"{WHOLE}, True", f"{WHOLE}, False"],
    ),
    "ints that torch itself takes for floats": (
        "def f(x):\n    return F.normalize(x, p=1) + F.layer_norm(x, [3], eps=1) + F.gumbel_softmax(x * 0, 2) * 0",
        [
            "    return F.normalize(x, p=1.0) + F.layer_norm(x, [3], eps=1.0) + F.gumbel_softmax(x * 0, 2.0) * 0",
        ],
        [X],
    ),
    "a power": (
        "def f(x, n: int):\n    return x.reshape(-1, 2 ** n)",
        ["    value = int(2 ** n) if torch.jit.is_scripting() else 2 ** n", "    return x.reshape(-1, value)"],
        [f"{X}, 1", f"{X}, 0", f"{X}, -1", f"{X}, 3"],
    ),
    "a power that is certain": (
        "def f(x):\n    return x.new_zeros(x.size(0) ** 3)",
        ["    return x.new_zeros(int(x.size(0) ** 3))"],
        [X],
    ),
    "a square": (
        "def f(x, n: int):\n    return x.new_zeros(x.size(1) // n ** 2, -n ** 2 + 9 * n, x.size(0) ** 2)",
        ["    return x.new_zeros(x.size(1) // (n * n), -(n * n) + 9 * n, x.size(0) * x.size(0))"],
        [f"{X}, 1", f"{X}, 2"],
    ),
    "a power in a variable": (
        "def f(x):\n    n = 2 ** 3\n    return x.new_zeros(n) + torch.zeros(n)",
        ["    n = int(2 ** 3)"],
        [X],
    ),
    "a power in a sum, in a loop, in a range and in an index": (
        "def f(x, k: int):\n    n = 1\n    for i in range(k ** 2 + 1):\n        n = n + k ** 2\n"
        "    return n, x[k ** 2 - 1]",
        ["    for i in range(k * k + 1):", "        n = n + k * k", "    return n, x[k * k - 1]"],
        [f"{X}, 1", f"{X}, 0"],
    ),
    "the square of what is computed, and of a float": (
        "def f(x, n: int, s: float):\n    return x.new_zeros(int(s ** 2), int((n + 1) ** 2))",
        [],
        [f"{X}, 1, 2.0"],
    ),
    "a list of sums that are ints already": (
        "def f(x):\n    return sum([len(x), 0.5])",
        [],
        [X],
    ),
    "a list that is repeated, on either side": (
        "def f(x, n: int):\n    return x.reshape(x.numel(), *([1] * n)), x.reshape(x.numel(), *((n + 1) * [1]))",
        ["    return x.reshape([x.numel()] + [1] * n), x.reshape([x.numel()] + (n + 1) * [1])"],
        [f"{X}, 2", f"{X}, 0"],
    ),
    "a tuple that is repeated": (
        "def f(x, n: int):\n    return x.reshape(x.numel(), *((1,) * n)), x.sum().view(1, *(1, 1) * n)",
        ["    return x.reshape([x.numel()] + [1] * n), x.sum().view([1] + [1, 1] * n)"],
        [f"{X}, 2", f"{X}, 0"],
    ),
    "a tuple of unknown length": (
        "def f(x, n: int):\n    s: List[int] = []\n    for i in range(n):\n        s.append(i)\n    t = tuple(s)\n"
        "    return t",
        ["    t = list(s) if torch.jit.is_scripting() else tuple(s)"],
        [f"{X}, 2", f"{X}, 0"],
    ),
    "a tuple that is unpacked": (
        "def f(x, n: int):\n    a, b = tuple(t * n for t in x.unbind(0))\n    c, d = tuple([n for i in [1, 2]])\n"
        "    e, g = tuple(x.shape[:2])\n    return a, b, c, d, e, g",
        [
            "    a, b = [t * n for t in x.unbind(0)]",
            "    c, d = [n for i in [1, 2]]",
            "    e, g = x.shape[:2]",
        ],
        [f"{X}, 1", f"{X}, 0", "torch.ones(3, 3), 1"],
    ),
    "a tuple for `pad`": (
        "def f(x, n: int):\n    p: List[int] = []\n    for i in range(n):\n        p.append(1)\n"
        "    return F.pad(x, tuple(p))",
        ["    return F.pad(x, list(p))"],
        [f"{X}, 2", f"{X}, 0"],
    ),
    "None is forbidden anyway": (
        "def f(x, m: Optional[torch.Tensor] = None):\n    y = m.sum()\n    return y * 2",
        ["    assert m is not None", "    y = m.sum()"],
        [X, f"{X}, {X}"],
    ),
    "None is forbidden by a function that computes": (
        "def f(x, m: Optional[torch.Tensor] = None):\n    y = F.softmax(m, 1)\n    return y * x",
        ["    assert m is not None", "    y = F.softmax(m, 1)"],
        [X, f"{X}, {X}"],
    ),
    "None is forbidden next to a tensor": (
        "def f(x, m: Optional[torch.Tensor] = None):\n    y = torch.relu(x)\n    y = m + y * 2\n    return y",
        ["    assert m is not None", "    y = m + y * 2"],
        [X, f"{X}, {X}"],
    ),
    "a tuple in the text of an exception": (
        "def f(x):\n    assert x.dim() == 2, 'got {}'.format(tuple(x.size()))\n    if x.size(0) > 9:\n"
        "        raise ValueError('got {}'.format(tuple(x.size())))\n    return x * 2",
        [
            "    assert x.dim() == 2, 'got {}'.format(list(x.size()) if torch.jit.is_scripting() else tuple(x.size()))",
            "        value = list(x.size()) if torch.jit.is_scripting() else tuple(x.size())",
            "        raise ValueError('got {}'.format(value))",
        ],
        [X],
    ),
    "None is not forbidden for certain": (
        "def f(x, m: Optional[torch.Tensor] = None, flag: bool = False):\n    if flag:\n        y = x * m\n"
        "        y = y + m\n        return y + m.sum()\n    return x",
        ["        if torch.jit.is_scripting():", "            assert m is not None", "        y = x * m"],
        [X, f"{X}, None, True", f"{X}, {X}, True"],
    ),
    "a value that is used twice": (
        "def f(x, m: Optional[torch.Tensor] = None, n: int = 2):\n    if m is None and n > 1:\n        m = x * n\n"
        "    y = x.matmul(m)\n    return y + m.matmul(m)",
        ["    assert m is not None"],
        ["torch.ones(2, 2)", "torch.ones(2, 2), torch.ones(2, 2)"],
    ),
    "a value that only an assertion's message reads": (
        "def f(x, m: Optional[torch.Tensor] = None):\n"
        "    assert m is None or m.dim() == 1, f'{m.shape} has several dimensions'\n    return x",
        [],
        [X, f"{X}, {X}"],
    ),
    "a value that is only passed on": (
        "def g(x, m: torch.Tensor):\n    return x if m is None else x * m\n\n\n"
        "def f(x, m: Optional[torch.Tensor] = None):\n    y = g(x, m)\n    return y",
        [],
        [X, f"{X}, {X}"],
    ),
    "several names for None": (
        "def f(x, m: str = 'a'):\n    y = 1 if not m in (None, 'a') else 2\n    return x + y",
        ["    y = 1 if not (m is None or m in ('a',)) else 2"],
        [X, f"{X}, None", f"{X}, 'b'"],
    ),
    "set by one of the turns": (
        "def f(x, n: int):\n    for i in range(n):\n        x = x + 1\n        if i == 1:\n            y = x\n"
        "    x = x * 2\n    return y + x",
        ["    y: Optional[torch.Tensor] = None", "    assert y is not None"],
        [f"{X}, 0", f"{X}, 3"],
    ),
    "set by the turns of a loop in a with statement": (
        "def f(x, n: int):\n    with torch.no_grad():\n        for i in range(n):\n            y = x + i\n"
        "    return x + y",
        ["        y: Optional[torch.Tensor] = None", "    assert y is not None"],
        [f"{X}, 0", f"{X}, 3"],
    ),
    "set by one of the turns, with a type": (
        "def f(x, n: int):\n    for i in range(n):\n        if i == 1:\n            y: torch.Tensor = x\n    return y",
        [],
        [f"{X}, 0", f"{X}, 3"],
    ),
    "set by one of the turns, and perhaps read": (
        "def f(x, n: int):\n    for i in range(n):\n        if i == 1:\n            y = x\n"
        "    if n > 3:\n        x = x + y\n    return x",
        [],
        [f"{X}, 0", f"{X}, 3", f"{X}, 4"],
    ),
    "set by an earlier turn": (
        "def f(x, n: int):\n    for i in range(n):\n        if i == 0:\n            y = x + i\n"
        "        x = x + y\n    return x",
        ["    y: Optional[torch.Tensor] = None", "        assert y is not None"],
        [f"{X}, 0", f"{X}, 3"],
    ),
    "set in one case": (
        "def f(x, n: int):\n    if n > 1:\n        y = x + n\n    return x + y",
        ["    else:", '        raise UnboundLocalError("y is not set")'],
        [f"{X}, 2", f"{X}, 0"],
    ),
    "set in one case, and read only where a comparison goes on": (
        "def f(x, n: int):\n    if n > 1:\n        y = n\n    return x if 0 < n < y else x + 1",
        ["    if torch.jit.is_scripting():", "        y = 0"],
        [f"{X}, 2", f"{X}, 0"],
    ),
    "set in one case, and read in an assertion's message": (
        "def f(x, n: int):\n    if n > 1:\n        y = n\n    assert n < 5, f'{y}'\n    return x",
        ["    if torch.jit.is_scripting():", "        y = 0"],
        [f"{X}, 2", f"{X}, 0"],
    ),
    "set in one case, and read by a function inside": (
        "def f(x, n: int):\n    if n > 1:\n        y = n\n    def g():\n        return y\n    return x",
        [],
        [f"{X}, 2", f"{X}, 0"],
    ),
    "set in one case, or by a loop behind it": (
        "def f(x, n: int):\n    if n > 2:\n        y = x + n\n    for i in range(n):\n        y = x * i\n    return y",
        [],
        [f"{X}, 0", f"{X}, 2", f"{X}, 3"],
    ),
    "set in one case, or in a test behind it": (
        "def f(x, n: int):\n    if n > 2:\n        y = 1\n    if n > 1 and (y := 3):\n        x = x + 1\n    return y",
        [],
        [f"{X}, 2", f"{X}, 3"],
    ),
    "set in one case, or where it is read": (
        "def f(x, n: int):\n    if n > 2:\n        y = 1\n    return (y := n) + y",
        ["    y = n", "    return y + y"],
        [f"{X}, 2", f"{X}, 3"],
    ),
    "imported, or set": (
        "def f(x, n: int):\n    import math as y\n    if n > 1:\n        y = x + n\n    return y",
        [],
        [f"{X}, 2"],
    ),
    "a global that is set in one case": (
        "def f(x, n: int):\n    global y\n    if n > 1:\n        y = x + n\n    return y",
        [],
        [f"{X}, 2"],
    ),
    "set in one case, and caught": (
        "def f(x, n: int):\n    with torch.no_grad():\n        if n > 1:\n            y = x + n\n"
        "        x = x.abs() + y\n    return x",
        [],
        [f"{X}, 2", f"{X}, 0"],
    ),
    "an end without return": (
        "def f(x, n: int) -> torch.Tensor:\n    if n > 1:\n        return x",
        ["    if torch.jit.is_scripting():", '        raise RuntimeError("f has no value to return")'],
        [f"{X}, 2", f"{X}, 0"],
    ),
    "rows": (
        "def f(x: torch.Tensor):\n    a, b = x\n    return a + b",
        ["    a, b = x.unbind(0) if torch.jit.is_scripting() else x"],
        [X, "torch.ones(3, 2)", "torch.ones(1, 2)", "torch.tensor(1.0)", "(torch.ones(2), torch.ones(2))"],
    ),
    "rows of permuted dimensions": (
        "def f(x):\n    a, b = x.permute(1, 0)\n    return a + b",
        ["    a, b = x.permute(1, 0).unbind(0)"],
        [X, "torch.ones(3, 2)", "torch.ones(3, 1)", "torch.ones(2, 0)", "torch.tensor(1.0)"],
    ),
    "rows of what may be an array": (
        "def f(x):\n    a, b = x.reshape(2, -1)\n    return a + b",
        ["    a, b = x.reshape(2, -1).unbind(0) if torch.jit.is_scripting() else x.reshape(2, -1)"],
        [X, "torch.ones(3, 2)", f"{X}.numpy()"],
    ),
    "a star": (
        "def f(x):\n    a, *m, z = x.shape\n    return a, m, z",
        ["        a, m, z = x.shape[0], list(x.shape[1:-1]), x.shape[-1]", "        a, *m, z = x.shape"],
        [X, "torch.ones(2, 3, 4)", "torch.ones(2)", "torch.tensor(1.0)"],
    ),
    "sizes with a star": (
        "def f(x, s: List[int]):\n    return x.view(*s), x.view(*s[:1], -1)",
        [
            "    view = x.view(s) if torch.jit.is_scripting() else x.view(*s)",
            "    return view, x.view(list(s[:1]) + [-1])",
        ],
        [f"{X}, [3, 2]", f"{X}, (3, 2)", "torch.ones(1), []"],
    ),
    "sizes with a star that are never empty": (
        "def f(x, n: int):\n    s = [-1] + [1] * n\n    y = x.sum().view(*s) + x.mean().view(*s)\n    if n > 1:\n"
        "        s = [1, 1]\n        s.append(1)\n    t = [n, *x.shape]\n    return y.repeat(*s) + x.new_zeros(*t)",
        [
            "    y = x.sum().view(s) + x.mean().view(s)",
            "    return y.repeat(s) + x.new_zeros(t)",
        ],
        [f"{X}, 0", f"{X}, 1", f"{X}, 2"],
    ),
    "sizes with a star that may be empty": (
        "def f(x, n: int):\n    s = [1] * n\n    t = [n]\n    t.pop()\n    u = list(x.shape)\n"
        "    y = x.sum().view(*s)\n    z = y.repeat(*t)\n    return z.view(*u)",
        [
            "    y = x.sum().view(s) if torch.jit.is_scripting() else x.sum().view(*s)",
            "    z = y.repeat(t) if torch.jit.is_scripting() else y.repeat(*t)",
            "    return z.view(u) if torch.jit.is_scripting() else z.view(*u)",
        ],
        [f"{X}, 0", f"{X}, 1", f"{X}, 2", "torch.tensor(1.0), 1"],
    ),
    "sizes with a star, of a tensor that has a dimension": (
        "def f(x, n: int):\n    a = x.size(0)\n    y = x.view(*x.shape) * a\n    y = torch.stack([y, y])\n"
        "    y = y.view(*y.size())\n    shape = x.shape[:-1]\n    whole = shape + (x.size(-1),)\n"
        "    sizes = x.sum(0).shape\n    x = x * sizes[0] if n else x\n"
        "    first = x[0].shape\n    z = x.new_zeros(first[0])\n    z = x[0].reshape(*first)\n"
        "    t = x.sum(0).reshape(*sizes)\n"
        "    return y, x.view(*whole), x[:, None].reshape(*x.size()), z, t",
        [
            "    y = x.view(x.shape) * a",
            "    y = y.view(y.size())",
            "    return y, x.view(whole), x[:, None].reshape(x.size()), z, t",
            "    z = x[0].reshape(first)",
            "    t = x.sum(0).reshape(sizes) if torch.jit.is_scripting() else x.sum(0).reshape(*sizes)",
        ],
        [f"{X}, 0", f"{X}, 1", "torch.ones(2), 0", "torch.ones(0), 0", "torch.tensor(1.0), 0"],
    ),
    "sizes with a star, of a tensor that may have no dimension": (
        "def f(x, n: int):\n    if n > 0:\n        n = x.size(0)\n    y = x.view(*x.shape)\n"
        "    for i in range(2):\n        x = x.view(*x.shape) + x.size(0)\n        x = x.sum()\n"
        "    return [y[:, 0] for y in [y]][0].view(*y.shape)",
        ["    y = x.view(x.shape) if torch.jit.is_scripting() else x.view(*x.shape)"],
        [f"{X}, 0", f"{X}, 1", "torch.tensor(1.0), 0", "torch.ones(2), 0"],
    ),
    "a list with a star": (
        "def f(x, s: List[int]):\n    return [*s, 1] * 2",
        ["    return (list(s) + [1]) * 2"],
        [f"{X}, [3, 2]", f"{X}, (3,)"],
    ),
    "names of numpy": (
        "def f(x):\n    return x.sum(axis=1) + F.softmax(x, axis=1)",
        ["    return x.sum(dim=1) + F.softmax(x, axis=1)"],
        [X],
    ),
    "options that Python does not know": (
        "def f(x):\n    return F.relu(x, requires_grad=False), torch.ones(2, requires_grad=False)",
        ["    return F.relu(x, requires_grad=False), torch.ones(2)"],
        [X],
    ),
    "what requires grad": (
        "def f(x):\n    y = torch.zeros(2, 3, requires_grad=True) + x.new_ones(3, requires_grad=True).cos()\n"
        "    return (x * y).requires_grad, y",
        [
            "    zeros = torch.zeros(2, 3).requires_grad_() if torch.jit.is_scripting() "
            "else torch.zeros(2, 3, requires_grad=True)",
            "    y = zeros + (x.new_ones(3).requires_grad_() if torch.jit.is_scripting() "
            "else x.new_ones(3, requires_grad=True)).cos()",
        ],
        [X, WHOLE],
    ),
    "what may require grad": (
        "def f(x):\n    y = torch.zeros(2, requires_grad=x.requires_grad)\n    return y",
        [],
        [X],
    ),
    "indices as a tuple": (
        "def f(x):\n    return x.nonzero(as_tuple=True)",
        ["    return x.nonzero().unbind(1) if torch.jit.is_scripting() else x.nonzero(as_tuple=True)"],
        [X, "torch.tensor(1.0)"],
    ),
    "lists as defaults": (
        "def f(x, s: List[int] = [1, 1], t: List[float] = []):\n    y = F.pad(x, s)\n    for v in t:\n"
        "        y = y + v\n"
        "    return y",
        ["def f(x, s: List[int] = (1, 1), t: List[float] = ()):"],
        [X, f"{X}, [1, 0], [2.0]", f"{X}, None"],
    ),
    "a list as a default that is changed": (
        "def f(x, s: List[int] = [1]):\n    s.append(1)\n    return x + len(s)",
        [],
        [X],
    ),
    "a list as a default that is returned": ("def f(x, s: List[int] = [1]):\n    return s", [], [X]),
    "a list as a default that is read by `__defaults__`": (
        "def f(x, s: List[int] = [1]):\n    for n in s:\n        x = x + n\n    return x\n\n\n"
        "more = f.__defaults__[0] + [2]",
        [],
        [X],
    ),
    "a list as a default that is read by `signature`": (
        "import inspect\n\n\ndef f(x, s: List[int] = [1]):\n    for n in s:\n        x = x + n\n    return x\n\n\n"
        "more = inspect.signature(f).parameters['s'].default + [2]",
        [],
        [X],
    ),
    "two lists at once": (
        "def f(x):\n    row, col = list(), list()\n    for i in range(x.size(0)):\n        row.append(i)\n"
        "        col.append(0.5)\n    return row, col",
        ["    row: List[int] = list()", "    col: List[float] = list()"],
        [X],
    ),
    "a list in a `while`": (
        "def f(x):\n    xs = []\n    i = 0\n    while i < 3:\n        xs.append(i)\n        i += 1\n    return xs",
        ["    xs: List[int] = []"],
        [X],
    ),
    "a list of two types": ("def f(x):\n    xs = []\n    xs.append(1)\n    xs.append(0.5)\n    return xs", [], [X]),
    "data": (
        "def f(x):\n    y = x.clone()\n    y.data = x[:1] * 2\n    return y",
        [],
        [X],
    ),
    "a device by its number": (
        "def f(x):\n    return torch.zeros(2, device=x.get_device())",
        [
            "    device = x.device if torch.jit.is_scripting() else x.get_device()",
            "    return torch.zeros(2, device=device)",
        ],
        [X],
    ),
    "sizes as a list": (
        "def f(x):\n    return torch.tensor(x.shape).tolist()",
        ["    return list(x.shape)"],
        [X],
    ),
    "one statement for two types": (
        "def f(x, y: Union[torch.Tensor, float]):\n    z = x * y\n    return z",
        ["    if isinstance(y, torch.Tensor):"],
        [f"{X}, {X}", f"{X}, 2.0", f"{X}, None"],
    ),
}


def _fixed(text: str) -> str:
    for _ in range(6):
        fixes = [each.fix for each in findings(text) if each.fix is not None]
        fixes = [each for each in fixes if each.applicability is not Applicability.DISPLAY]
        for fix in fixes:
            assert (fix.applicability is Applicability.UNSAFE) is bool(fix.risks), fix.message
        new = apply_fixes(SourceFile(HERE, text), fixes).text
        if new == text:
            return text
        text = new
    raise AssertionError("fixes go round in circles")


def _same(before: Any, after: Any) -> bool:
    """Return whether the results are the same; Python must raise in the same cases."""
    raised = isinstance(before, str) and before.startswith("raises")
    return str(after).startswith("raises") if raised else bool(before == after)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_python_computes_what_it_did(name: str) -> None:
    source, lines, calls = FUNCTIONS[name]
    before = f"{HEAD}{source}\n\n\nscripted = torch.jit.script(f)\n"
    text = _fixed(before)
    if not lines:
        assert text == before
    for line in lines:
        assert line in text.splitlines(), text
    for call in calls:
        inputs = f"inputs = ({call},)\n"
        old, new = the_compiler()(before + inputs), the_compiler()(text + inputs)
        assert _same(old.eager, new.eager), f"{call}: {old.eager} {new.eager}"
        partly = name in ("names of numpy", "options that Python does not know")
        assert old.ok or new.ok or not lines or partly, text + new.message


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("    n = x.size(0)\n    if n == 1:\n        n = 2.0\n", id="an int in place of a float"),
        pytest.param("    n = 2\n    if x.size(0) > 1:\n        n = 0.5\n", id="a float in place of an int"),
    ],
)
def test_another_number_may_make_an_operator_raise_and_says_so(body: str) -> None:
    """A tensor of ints times 2.0 has the dtype of the float matrix; times 2 it does not."""
    dtype = "float" if "n = 2.0" in body else "long"
    product = f"torch.mm(x * n, torch.ones(3, 2).{dtype}())"
    before = f"{HEAD}def f(x):\n{body}    return {product}\n\n\nscripted = torch.jit.script(f)\n"
    risks = {risk for each in findings(before) if each.fix is not None for risk in each.fix.risks}
    assert risks == {Risk.DIFFERS, Risk.RAISES}
    inputs = "inputs = (torch.ones(1, 3).long(),)\n"
    old, new = the_compiler()(before + inputs), the_compiler()(_fixed(before) + inputs)
    assert "raises" not in str(old.eager) and old.eager == new.eager
    assert "raises" in str(new.scripted)


MODULES: dict[str, tuple[str, list[str], list[str], list[str]]] = {
    "a factor that may be an int": (
        "        return F.interpolate(x[None, None], scale_factor=self.value)",
        ["        scale_factor = float(self.value) if isinstance(self.value, int) else self.value\n"],
        ["2", "2.0", "(2.0, 2.0)", "(2, 2)"],
        [X],
    ),
    "the variable of a loop as a padding": (
        "        for i, row in enumerate(x):\n            x = x + F.pad(row, (0, 0), value=i) + F.dropout(row, i - i)\n"
        "        return x",
        ["value=float(i)) + F.dropout(row, float(i - i))"],
        ["2"],
        [X, WHOLE],
    ),
    "a slope that may be an int": (
        "        return F.dropout(F.leaky_relu(x, self.value), p=self.value)",
        [
            "        value = float(self.value) if isinstance(self.value, int) else self.value\n",
            "F.leaky_relu(x, value),",
            "p=float(self.value) if isinstance(self.value, int) else self.value)",
        ],
        ["1", "0.0", "True", "None", "torch.tensor(0.0)", "nn.Parameter(torch.tensor(0.5))"],
        [X],
    ),
    "a norm that may be a text": (
        "        return F.normalize(x, self.value)",
        ["float(self.value) if isinstance(self.value, int) else self.value"],
        ["2", "2.0"],
        [X],
    ),
    "a slope that is written as an int": (
        "        return F.hardtanh(F.leaky_relu(x, 0), -1, 1) + F.hardtanh(torch.ones(3).int(), 0, 6)",
        ["F.leaky_relu(x, 0.0), -1.0, 1.0)", ".int(), 0.0, 6.0)"],
        ["2"],
        [X, "torch.arange(-9, 9, 2)"],
    ),
    "an attribute that is None in some constructions": (
        '        if self.value == "a" or self.value != "b":\n            x = x * 2\n        return x',
        ['(self.value == "a" if self.value is not None else False)'],
        ["None", "'a'", "'b'"],
        [X],
    ),
    "a text that decides what is set": (
        '        if self.value == "a" or self.value == "b":\n            y = x * 2\n'
        '        elif self.value == "c":\n            y = x * 3\n        return y',
        ["        else:", '            raise ValueError(f"unknown value: {self.value}")'],
        ["'a'", "'c'", "'d'"],
        [X],
    ),
    "parts of a text that decide what is set": (
        '        if self.value == "a":\n            y = x * 2\n        elif "b" in self.value:\n            y = x * 3\n'
        '        elif self.value.startswith("c"):\n            y = x * 4\n        return y',
        ["        else:", '            raise ValueError(f"unknown value: {self.value}")'],
        ["'a'", "'bb'", "'cd'"],
        [X],
    ),
    "a text that decides what is set, and another what is done with it": (
        '        if self.value == "a" or self.value == "b":\n            y = x * 2\n'
        '        if self.value == "a":\n            y = y.sum()\n'
        '        elif self.value == "c":\n            y = y.mean()\n'
        "        return y",
        ["        else:", '            raise ValueError(f"unknown value: {self.value}")'],
        ["'a'", "'b'", "'c'", "'d'"],
        [X],
    ),
    "two that may be None": (
        "        return x if n != self.value else x + 1",
        [],
        ["None", "2"],
        [X, f"{X}, 2"],
    ),
    "a tensor that may be None": (
        "        y = x * 2\n        return y + self.value.sum() + self.value.mean()",
        ["        value = self.value", "        assert value is not None"],
        ["None", "torch.ones(3)"],
        [X],
    ),
    "a tensor that is asked for": (
        "        y = x + self.value.sum() if self.value is not None else x\n        return y",
        ["        value = self.value", "        y = x + value.sum() if value is not None else x"],
        ["None", "torch.ones(3)"],
        [X],
    ),
}


@pytest.mark.parametrize(
    ("rest", "risks"),
    [
        ("return y", ()),
        ("return x + y", ()),
        ("z = [x, y]\n    return z", ()),
        # Python runs the statement in between, and then raises: a person has to decide.
        ("x.add_(1)\n    return y", None),
        ("x[0] = 1\n    return y", None),
        ("print(x)\n    return y", None),
        ("return x.abs() + y", None),
        # Without the torch call, or with another value of the flag, Python would raise another exception.
        ("return torch.add(y, x)", (Risk.EXCEPTION,)),
        ("if n < 0:\n        y = y.abs()\n    return y", (Risk.EXCEPTION,)),
        ("if n < 0:\n        y = y.abs()\n    elif n < 1:\n        y = x.abs() + y\n    return y", None),
    ],
)
def test_the_exception_of_an_unbound_variable_is_raised_unless_other_code_runs_first(
    rest: str, risks: tuple[Risk, ...] | None
) -> None:
    text = f"{HEAD}@torch.jit.script\ndef f(x, n: int):\n    if n > 1:\n        y = x + n\n    {rest}\n"
    (fix,) = [each.fix for each in findings(text) if each.code == "TS318"]
    assert fix is not None and fix.risks == (risks or ())
    assert (fix.applicability is Applicability.DISPLAY) is (risks is None)


def test_a_rebound_exception_is_not_raised() -> None:
    text = f"{HEAD}UnboundLocalError = ValueError\n\n\n@torch.jit.script\n"
    text += "def f(x, n: int):\n    if n > 1:\n        y = x + n\n    return y\n"
    assert [each.fix for each in findings(text) if each.code == "TS318"] == [None]


@pytest.mark.parametrize("name", MODULES)
def test_every_construction_computes_what_it_did(name: str) -> None:
    body, parts, values, calls = MODULES[name]
    fields = "value: Optional[torch.Tensor]" if "tensor" in name else '"""A module."""'
    before = f"{HEAD}{NET.format(fields=fields, default=values[0])}{body}\n"
    text = _fixed(before)
    if not parts:
        assert text == before
    for part in parts:
        assert part in text, text
    for value in values:
        for call in calls:
            made = f"\n\nmodule = Net({value})\ninputs = ({call},)\n"
            old, new = (
                the_compiler()(each.replace(f"value={values[0]}", f"value={value}") + made) for each in (before, text)
            )
            assert _same(old.eager, new.eager), f"{value}, {call}: {old.eager} {new.eager}"
            assert new.ok or not old.ok


@pytest.mark.parametrize(
    ("rest", "risks"),
    [
        ("a, b = x.mean(0)\n    return a", ()),
        # The compiler drops results that are not used, and with them the error for another number of rows.
        ("a, b = x.mean(0)\n    return x", (Risk.DIFFERS,)),
    ],
)
def test_unused_rows_are_a_risk(rest: str, risks: tuple[Risk, ...]) -> None:
    (fix,) = [each.fix for each in findings(f"{HEAD}@torch.jit.script\ndef f(x):\n    {rest}\n")]
    assert fix is not None and fix.risks == risks


def test_the_data_of_a_parameter_is_copied_into_it() -> None:
    text = """
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.ones(3))

        def forward(self, x):
            self.weight.data = self.weight.data * 0.5
            return x + self.weight
    """
    assert "self.weight.data.copy_(self.weight.data * 0.5)" in check_promise(text, differs=True)
