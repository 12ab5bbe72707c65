"""Tests that fixes for names do not change what Python computes: each row is run before and after, in several ways.

The rows are code that a wrong fix could break. Without a proof there is no fix, or only compiled code changes.
"""

from __future__ import annotations

import pytest

from tests.rules.eager import check, check_left

HEAD = """\
import copy
import logging
import math
import random
import warnings
from typing import *

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.autograd import Variable

logger = logging.getLogger(__name__)


"""
# The rules that fix the row, the code, and the calls: their results stay the same, and the code compiles afterwards.
MENDED = {
    "casts": (
        "TS203",
        """
        import typing


        class Net(nn.Module):
            def forward(self, x: Tensor, n: int) -> Tensor:
                return typing.cast(Tensor, x + 1) * typing.cast(int, n + 1) * 2
        """,
        [
            "Net()(torch.ones(2), 3)",
            "Net()(torch.ones(2), 0.5)",
        ],
    ),
    "classes of tensors": (
        "TS203",
        """
        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                kept = (x > 0.5).type(torch.FloatTensor)
                return x.type(torch.LongTensor).to(x.device) + kept * x.type(torch.DoubleTensor)
        """,
        [
            "Net()(torch.rand(2, 3) * 9)",
            "Net()(torch.ones(2).int())",
            "Net()(torch.rand(2, 2).to_sparse().to_dense())",
        ],
    ),
    "ranges of numbers": (
        "TS203",
        """
        class Net(nn.Module):
            def forward(self, x: Tensor, y: Tensor, n: int) -> Tensor:
                index = torch.LongTensor(range(y.size(0)))
                z = x.clone()
                z[range(n), y[:n]] = 0
                return z[index, y] * torch.tensor(range(1, 3)).sum() + x[y[:1], range(1)]
        """,
        [
            "Net()(torch.rand(3, 4), torch.tensor([1, 0, 3]), 2)",
            "Net()(torch.rand(3, 4), torch.tensor([2]), 0)",
        ],
    ),
    "np sizes": (
        "TS208",
        """
        class Net(nn.Module):
            def __init__(self, k=3):
                super().__init__()
                self.k = k
            def forward(self, x: Tensor) -> Tensor:
                n = np.prod(np.array(x.size()[1]))
                m = int(np.prod(x.shape[1:]))
                s = np.sqrt(x.shape[0]) + np.ceil(x.size(0) / 2) + np.log2(self.k)
                return x * s + n + m
        """,
        [
            "Net()(torch.ones(2,3))",
            "Net(8)(torch.ones(2,3).int())",
            "Net(8)(torch.ones(0,3).half())",
        ],
    ),
    "np constants": (
        "TS208",
        """
        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                return -np.log(np.pi) - torch.log(1 + x**2) * np.sqrt(2 / np.pi) + np.exp(-np.e)
        """,
        [
            "Net()(torch.ones(2,3))",
            "Net()(torch.rand(3).double())",
        ],
    ),
    "cuda": (
        "TS212",
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
            def forward(self, x: Tensor) -> Tensor:
                y = torch.ones(2)
                if torch.cuda.is_available():
                    y = y.cuda()
                return x + y
        """,
        [
            "Net()(torch.ones(2))",
        ],
    ),
    "super single": (
        "TS215 TS216",
        """
        class A(nn.Module):
            def __init__(self, k=2):
                super().__init__()
                self.k = k
            def forward(self, x: Tensor, n: int = 3) -> Tensor:
                return x + n * self.k


        class B(A):
            def forward(self, x: Tensor, n: int = 3) -> Tensor:
                return super().forward(x) * 2 + A.forward(self, x, n=1)


        class C(B):
            def forward(self, x: Tensor, n: int = 3) -> Tensor:
                return super(C, self).forward(x, n) * 2
        """,
        [
            "A()(torch.ones(2))",
            "B(4)(torch.ones(2))",
            "C(1)(torch.ones(2),5)",
        ],
    ),
    "reversed": (
        "TS211",
        """
        def f(xs: List[int], n: int, x: Tensor):
            out = [0]
            for i in reversed(xs):
                out.append(i)
                if len(xs) < 4:
                    xs.append(9)
            for j in reversed(range(n)):
                out.append(j)
            for j in reversed(range(1, n - 1)):
                out.append(j)
            for j in reversed(list(range(1, n + 1))):
                out.append(j)
            for j in reversed(sorted(xs)):
                xs.append(j)
            return out, x.permute(*reversed(range(2)))


        scripted = torch.jit.script(f)
        """,
        [
            "f([1,2,3], 4, torch.ones(2,3))",
            "f([], 0, torch.ones(2,3))",
        ],
    ),
    "variables": (
        "TS207 TS210 TS212 TS213",
        """
        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                y = Variable(x) + Variable(torch.zeros(2)) + x.new(2).fill_(1)
                y = y + x.new_tensor([1, 2]) + torch.Tensor([1, 2.5])
                z = copy.deepcopy(x)
                z.add_(1)
                return y + z
        """,
        [
            "Net()(torch.ones(2))",
            "Net()(torch.ones(2, requires_grad=True))",
            "Net()(torch.ones(2).double())",
        ],
    ),
    "variables of what is made": (
        "TS210 TS213",
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.index = torch.LongTensor([1, 0])

            def forward(self, x: Tensor):
                a = Variable(torch.zeros_like(x), requires_grad=False)
                b = Variable(torch.ones(2), requires_grad=True)
                c = torch.ones(2).to(x)
                c = Variable(c)
                d = torch.ones(2)
                e = Variable(d, requires_grad=True)
                f = torch.FloatTensor([2.0])
                f = Variable(f)
                d.add_(1)
                g = Variable(torch.atan2(x.data, x.detach()))
                h = Variable(x.data[:1] * 2)
                i = Variable(x.data.clone().copy_(x))
                return a, b, c, d, e, f, g, h, i, Variable(self.index), Variable(x.data.new(2).fill_(1.0))


        def kinds(x):
            return [(type(each).__name__, each.requires_grad, each.is_leaf) for each in Net()(x)]
        """,
        [
            "Net()(torch.ones(2))",
            "kinds(torch.ones(2))",
            "kinds(nn.Parameter(torch.ones(2)))",
            "kinds(torch.ones(2, requires_grad=True) * 2)",
        ],
    ),
    "whole numbers": (
        "TS208",
        """
        def f(x: Tensor, n: int, m: float, k: int):
            a = int(np.ceil(x.shape[0] / 3)) + int(np.floor(len(x) * 0.5)) + int(np.rint(x.size(0) / 3))
            b = int(np.ceil(n / k)) + int(np.floor(m * 0.5)) + int(np.ceil(n))
            return a, b


        def g(x):
            return x * f(x, 1, 1.0, 2)[0]


        scripted = torch.jit.script(f)
        """,
        [
            "[f(torch.ones(i, 2), i, i / 3, 7) for i in range(-9, 9) if i >= 0]",
            "[f(torch.ones(3), -i, -i / 3, 2) for i in range(9)]",
            "f(torch.ones(5), 2**70, 2.0**80, 3)",
            "f(torch.ones(5), 2**53 + 1, float(2**53 + 1), 1)",
            "f(torch.ones(5), True, 2, True)",
            "f(torch.ones(5), 2, 2.5, 0)",
            "f(torch.ones(5), np.int64(5), np.float32(2.3), np.int32(2))",
            "f(torch.ones(5), 3, float('inf'), 1)",
            "f(torch.ones(5), 3, float('nan'), 1)",
            "f(torch.ones(5), 3, torch.tensor(2.5), torch.tensor(2))",
            "torch.jit.trace(g, torch.ones(4))(torch.ones(4))",
        ],
    ),
    "finfo": (
        "TS212",
        """
        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                return x.clamp(min=torch.finfo(x.dtype).min) - torch.finfo(torch.float16).max ** 0.5
        """,
        [
            "Net()(torch.ones(2))",
            "Net()(torch.ones(2).bfloat16())",
            "Net()(torch.ones(2).int())",
        ],
    ),
    "params": (
        "TS211",
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.scale = nn.Parameter(torch.ones(1).double())
                self.lin = nn.Linear(2, 2)
            def forward(self, x: Tensor) -> Tensor:
                return x.to(next(self.parameters()).dtype)
        """,
        [
            "Net()(torch.ones(2))",
        ],
    ),
    "silent": (
        "TS603 TS604 TS605",
        """
        class Net(nn.Module):
            def forward(self, x: Tensor, n: int, f: float):
                a = round(f)
                b = n ** 2
                c = 2 ** n + pow(n, 2) + pow(x.size(0), 2) + pow(2, n)
                d = n or 5
                return a, b, c, d, (n or 3) + 1
        """,
        [
            "Net()(torch.ones(2), 3, 2.5)",
            "Net()(torch.ones(2), -2, 3.5)",
            "Net()(torch.ones(2), 0, 1)",
            "Net()(torch.ones(2), 2.5, 1)",
            "Net()(torch.ones(2), True, 1)",
        ],
    ),
    "decorators": (
        "TS601",
        """
        def deco(f):
            import functools
            @functools.wraps(f)
            def w(*a):
                r = f(*a)
                return r * 2
            return w


        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.lin = nn.Linear(2, 2)
            @torch.no_grad()
            def forward(self, x: Tensor) -> Tensor:
                return self.lin(x)


        class Net2(nn.Module):
            @torch.no_grad()
            @deco
            def forward(self, x: Tensor) -> Tensor:
                return x * 2
        """,
        [
            "(torch.manual_seed(0), Net()(torch.ones(2)))[1]",
            "Net2()(torch.ones(2))",
        ],
    ),
    "inference mode": (
        "TS212",
        """
        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                with torch.inference_mode():
                    y = x * 2
                return y
        """,
        [
            "Net()(torch.ones(2)).is_inference()",
        ],
    ),
}
# Rows whose remaining code has another finding, or needs an argument: compared without the compiler.
PARTLY = {
    "globals": (
        "TS202",
        """
        EPS = 1e-5
        SCALE = 2
        MODE = "a"
        TYPE = torch.float64


        def change():
            global SCALE
            SCALE = 7


        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                if MODE == "a":
                    x = x.to(TYPE)
                return x * SCALE + EPS


        def g():
            global EPS
            EPS = 3.0
        """,
        [
            "Net()(torch.ones(2))",
            "(change(), Net()(torch.ones(2)))[1]",
        ],
    ),
    "module made": (
        "TS214",
        """
        class Double(nn.Module):
            def __init__(self, k=2):
                super().__init__()
                self.k = k
            def forward(self, x: Tensor) -> Tensor:
                if self.training:
                    return x * self.k
                return x


        class Triple(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                return x * 3


        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.lin = nn.Linear(2, 2)
            def forward(self, x: Tensor) -> Tensor:
                return Double(2)(x) + Triple()(x) + nn.Dropout(0.5)(x)
        """,
        [
            "Net()(torch.ones(2,2))",
            "Net().eval()(torch.ones(2,2))",
            "sorted(Net().state_dict())",
        ],
    ),
    "super several bases": (
        "TS215",
        """
        class A(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                return x + 1


        class B(A):
            def forward(self, x: Tensor) -> Tensor:
                return super().forward(x) * 2


        class C(A):
            def forward(self, x: Tensor) -> Tensor:
                return super().forward(x) * 100


        class D(B, C):
            pass
        """,
        [
            "A()(torch.ones(2))",
            "B()(torch.ones(2))",
            "C()(torch.ones(2))",
            "D()(torch.ones(2))",
        ],
    ),
    "super torch": (
        "TS215",
        """
        class Conv(nn.Conv2d):
            def forward(self, x: Tensor) -> Tensor:
                return super().forward(F.pad(x, (1, 1, 1, 1)))


        class Seq(nn.Sequential):
            def forward(self, x: Tensor) -> Tensor:
                return super().forward(x) + x


        class BN(nn.BatchNorm2d):
            def forward(self, x: Tensor) -> Tensor:
                return super().forward(x.relu())


        class Mix:
            def extra(self):
                return 1


        class Lin(Mix, nn.Linear):
            def forward(self, x: Tensor) -> Tensor:
                return super().forward(x) * 2


        scripted = torch.jit.script(f)
        """,
        [
            "(torch.manual_seed(0), Conv(1,1,3)(torch.ones(1,1,4,4)))[1]",
            "(torch.manual_seed(0), Seq(nn.Linear(2,2))(torch.ones(1,2)))[1]",
            "BN(2)(torch.rand(3,2,2,2))",
            "(torch.manual_seed(0), Lin(2,2)(torch.ones(1,2)))[1]",
        ],
    ),
    "dtype": (
        "TS223",
        """
        def make(x: Tensor, dtype=None):
            return x * (1 if dtype is float else 2)


        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                return x.sum(dtype=float) + torch.zeros(2, dtype=int) + torch.ones(2, dtype=bool) + make(x, dtype=float)
        """,
        [
            "Net()(torch.ones(2))",
        ],
    ),
    "logging": (
        "TS217 TS222",
        """
        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                logger.info("x %s", x.add_(1))
                warnings.warn("a", UserWarning)
                warnings.warn("b", DeprecationWarning)
                print("x", end="")
                return x
        """,
        [
            "Net()(torch.ones(2))",
        ],
    ),
}
# Code whose fix would change a result: there is none.
LEFT = {
    "global shadowed in subclass": (
        """
        EPS = 1e-5


        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                return x + EPS


        class Sub(Net):
            EPS = 3.0
        """,
        [
            "Net()(torch.ones(2))",
            "Sub()(torch.ones(2))",
        ],
    ),
    "global of which a class beside has another": (
        """
        _EPS = 1e-5


        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                return x + _EPS


        class Mixin:
            _EPS = 3.0


        class Sub(Mixin, Net):
            pass
        """,
        [
            "Net()(torch.ones(2))",
            "Sub()(torch.ones(2))",
        ],
    ),
    "global with a name that is computed": (
        """
        _EPS = 1e-5


        class Net(nn.Module):
            def __init__(self, **options):
                super().__init__()
                for name, value in options.items():
                    setattr(self, f"_{name}", value)
            def forward(self, x: Tensor) -> Tensor:
                return x + _EPS
        """,
        [
            "Net()(torch.ones(2))",
            "Net(EPS=2.0)(torch.ones(2))",
        ],
    ),
    "global later": (
        """
        EPS = 1e-5


        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                return x + EPS
        if True:
            EPS = 4.0
        """,
        [
            "Net()(torch.ones(2))",
        ],
    ),
    "global half": (
        """
        half = 0.5


        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                return x + half
        """,
        [
            "Net()(torch.ones(2))",
            "Net().half()(torch.ones(2))",
        ],
    ),
    "dataclass": (
        """
        import dataclasses
        RATE = 3
        @dataclasses.dataclass(eq=False)


        class Net(nn.Module):
            k: int = 1
            def __post_init__(self):
                super().__init__()
            def forward(self, x: Tensor) -> Tensor:
                return x + RATE
        """,
        [
            "Net(5).k",
        ],
    ),
    "held module": (
        """
        class Net(nn.Module):
            def forward(self, x: Tensor, c: bool) -> Tensor:
                if c:
                    act = nn.ReLU()
                return act(x)
        """,
        [
            "Net()(torch.ones(2),True)",
            "Net()(torch.ones(2),False)",
        ],
    ),
    "held module two": (
        """
        class Net(nn.Module):
            def forward(self, x: Tensor, k: float) -> Tensor:
                act = nn.LeakyReLU(k)
                k = 5.0
                drop = nn.Dropout(0.5)
                drop.eval()
                soft = nn.Softmax(dim=-1)
                return act(-x) + drop(x) + soft(x)
        """,
        [
            "Net()(torch.ones(2),0.3)",
        ],
    ),
    "not overriding": (
        """
        class A(nn.Module):
            def helper(self, x: Tensor) -> Tensor:
                return x + 1


        class B(A):
            def forward(self, x: Tensor) -> Tensor:
                return super().helper(x)


        class C(B):
            def helper(self, x: Tensor) -> Tensor:
                return x * 50
        """,
        [
            "B()(torch.ones(2))",
            "C()(torch.ones(2))",
        ],
    ),
    "numpy method": (
        """
        class Net(nn.Module):
            def __init__(self, k=2):
                super().__init__()
                self.k = k
            def forward(self, x: Tensor, flag: bool) -> Tensor:
                if flag:
                    scale = 2.0
                a = x.detach().numpy()
                if flag:
                    a = np.clip(a * scale, 0, 1)
                y = torch.from_numpy(a)
                return y + x
        """,
        [
            "Net()(torch.ones(2), True)",
            "Net()(torch.ones(2), False)",
        ],
    ),
}


@pytest.mark.parametrize("name", MENDED | PARTLY)
def test_python_computes_the_same(name: str) -> None:
    codes, text, calls = (MENDED | PARTLY)[name]
    check(HEAD, codes, text, calls, compiles=name in MENDED)


@pytest.mark.parametrize("name", LEFT)
def test_it_stays_as_it_is(name: str) -> None:
    text, calls = LEFT[name]
    check_left(HEAD, text, calls)
