"""Tests fixes for names on code other than that of the pages, and code without fixes."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.driver import HERE, findings
from tslint.diagnostics import Applicability
from tslint.fixing.edits import apply_fixes
from tslint.sources.file import SourceFile

HEAD = """\
import logging
import math
import random
import warnings
from typing import Final, List, Tuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.autograd import Variable

logger = logging.getLogger(__name__)


"""


def fixed(text: str, *, shown: bool = False) -> str:
    """Return a text with all fixes of its TS2xx findings, unsafe ones too, applied until none is left.

    Args:
        text: the code.
        shown: whether fixes that are only shown are applied, too.
    """
    for _ in range(10):
        fixes = [
            finding.fix
            for finding in findings(text)
            if finding.code.startswith("TS2")
            and finding.fix
            and (shown or finding.fix.applicability is not Applicability.DISPLAY)
        ]
        if not fixes:
            return text
        applied = apply_fixes(SourceFile(HERE, text), fixes)
        assert not applied.invalid
        text = applied.text
        ast.parse(text)
    raise AssertionError("the fixes do not come to an end")


# The code before and after the fix; it compiles afterwards, and computes the same as before.
MENDED = {
    "neighbouring logging statements": (
        """
        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                for i in range(2):
                    # é: before
                    logger.info("step %d", i)  # first

                    logger.debug("%s",
                                 x.shape)
                    x = x + i
                logging.warning("done")
                return x
        inputs = (torch.rand(2, 3),)
        """,
        """
                    # é: before
                    if not torch.jit.is_scripting():
                        logger.info("step %d", i)  # first

                        logger.debug("%s",
                                     x.shape)
                    x = x + i
                if not torch.jit.is_scripting():
                    logging.warning("done")
                return x
        """,
    ),
    "a category other than the default": (
        """
        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                warnings.warn("old", DeprecationWarning)
                warnings.warn("new", UserWarning)
                return x
        inputs = (torch.rand(2, 3),)
        """,
        """
                if not torch.jit.is_scripting():
                    warnings.warn("old", DeprecationWarning)
                warnings.warn("new")
        """,
    ),
    "a level after the default category": (
        """
        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                warnings.warn("old", UserWarning, 2)
                warnings.warn("new", UserWarning, stacklevel=2)
                return x
        inputs = (torch.rand(2, 3),)
        """,
        """
                warnings.warn("old", stacklevel=2)
                warnings.warn("new", stacklevel=2)
        """,
    ),
    "copies of a tensor, changed in place": (
        """
        import copy


        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tuple[Tensor, Tensor]:
                x = x * 2
                copy.copy(x).add_(1)
                copy.deepcopy(x).mul_(5)
                return x, x + 1
        inputs = (torch.rand(2, 3),)
        """,
        """
                value = x.detach() if torch.jit.is_scripting() else copy.copy(x)
                value.add_(1)
                deepcopy = x.clone() if torch.jit.is_scripting() else copy.deepcopy(x)
                deepcopy.mul_(5)
                return x, x + 1
        """,
    ),
    "several constants of one class": (
        """
        LOW = -2
        NAME = "net"
        DTYPE = torch.float64


        class Net(nn.Module):
            "A docstring."

            @torch.jit.export
            def named(self) -> str:
                return NAME

            def forward(self, x: Tensor) -> Tensor:
                return x.to(DTYPE) * LOW
        inputs = (torch.rand(2, 3),)
        """,
        """
            "A docstring."

            LOW: Final[int] = LOW
            NAME: Final[str] = NAME
            DTYPE: Final = DTYPE

            @torch.jit.export
            def named(self) -> str:
                return self.NAME
        """,
    ),
    "a constant that other methods read, too": (
        """
        LOW = -2


        class Net(nn.Module):
            def __init__(self, low=LOW):
                super().__init__()
                self.scale = max(low, LOW)

            def hidden(self):
                LOW = 3
                return LOW

            def total(self):
                return [LOW for _ in range(2)]

            def forward(self, x: Tensor) -> Tensor:
                return x * LOW * self.scale
        inputs = (torch.rand(2, 3),)
        """,
        """
            LOW: Final[int] = LOW

            def __init__(self, low=LOW):
                super().__init__()
                self.scale = max(low, self.LOW)

            def hidden(self):
                LOW = 3
                return LOW

            def total(self):
                return [self.LOW for _ in range(2)]

            def forward(self, x: Tensor) -> Tensor:
                return x * self.LOW * self.scale
        """,
    ),
    "a list and a tuple of literals": (
        """
        SIZES = [2, 3]
        NAMES = ("a", "b")


        class Net(nn.Module):
            def forward(self, x: Tensor, name: str = "a") -> Tensor:
                for size in SIZES:
                    x = x * size
                return x + len(NAMES) if name in NAMES else x * SIZES[-1]
        inputs = (torch.rand(2, 3),)
        """,
        """
            SIZES: Final = SIZES
            NAMES: Final = NAMES

            def forward(self, x: Tensor, name: str = "a") -> Tensor:
                for size in self.SIZES:
                    x = x * size
                return x + len(self.NAMES) if name in self.NAMES else x * self.SIZES[-1]
        """,
    ),
    "a base whose header has several lines": (
        """
        class LongNamed(nn.Module):
            def forward(
                self,
                x: Tensor,
                times: int = 2,  # how often
            ) -> Tensor:
                return x * times


        class Middle(LongNamed):
            pass


        class Net(Middle):
            def forward(self, x: Tensor, times: int = 2) -> Tensor:
                return super(Net, self).forward(x, times=times) + Middle.forward(self, x)
        inputs = (torch.rand(2, 3),)
        """,
        """
            def forward(
                self,
                x: Tensor,
                times: int = 2,  # how often
            ) -> Tensor:
                return self._long_named_forward(x, times=times)
        """,
    ),
    "a method that is not overridden": (
        """
        class Base(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                return x

            def double(self, x: Tensor) -> Tensor:
                return x * 2


        class Net(Base):
            def forward(self, x: Tensor) -> Tensor:
                return super().double(x)
        inputs = (torch.rand(2, 3),)
        """,
        """
                return self.double(x)
        """,
    ),
    "a layer of torch as the base": (
        """
        class Net(nn.Linear):
            def __init__(self) -> None:
                super().__init__(3, 2)

            def forward(self, input: Tensor) -> Tensor:
                return super().forward(input) + nn.Linear.forward(self, input * 2)
        inputs = (torch.rand(2, 3),)
        """,
        """
                return F.linear(input, self.weight, self.bias) + F.linear(input * 2, self.weight, self.bias)
        """,
    ),
    "numpy in a method": (
        """
        class Net(nn.Module):
            def forward(self, x: Tensor, scale: float = 2.0) -> Tensor:
                y = x * scale
                array = y.detach().numpy()  # é
                array = np.tile(array, 2) * scale
                y = torch.from_numpy(array)
                return y
        inputs = (torch.rand(2, 3),)
        """,
        """
                y = x * scale
                y = self._forward_numpy(y, scale)
                return y

            @torch.jit.ignore
            def _forward_numpy(self, y: torch.Tensor, scale: float) -> torch.Tensor:
                array = y.detach().numpy()  # é
                array = np.tile(array, 2) * scale
                y = torch.from_numpy(array)
                return y
        """,
    ),
    "numpy in a function": (
        """
        def f(x: Tensor, n: int) -> Tensor:
            y = x + n
            return torch.from_numpy(np.roll(y.numpy(), n))


        scripted = torch.jit.script(f)
        inputs = (torch.rand(3), 1)
        """,
        """
        @torch.jit.ignore
        def _f_numpy(y: torch.Tensor, n: int) -> torch.Tensor:
            return torch.from_numpy(np.roll(y.numpy(), n))


        def f(x: Tensor, n: int) -> Tensor:
            y = x + n
            return _f_numpy(y, n)
        """,
    ),
    "a constant that a constructor and what nothing compiles read, too": (
        """
        LIMIT = 2


        class Twice(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * LIMIT


        def loaded() -> int:
            return LIMIT


        class Net(nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.more = LIMIT

            def forward(self, x: Tensor) -> Tensor:
                return x * LIMIT + self.more
        inputs = (torch.rand(3),)
        """,
        """
            def forward(self, x: Tensor) -> Tensor:
                return x * self.LIMIT + self.more
        """,
    ),
    "constants in a tuple": (
        """
        LEFT = 0
        RIGHT = 1


        class Net(nn.Module):
            def forward(self, x: Tensor, side: int) -> Tensor:
                if side not in (LEFT, RIGHT):
                    return -x
                if side == LEFT:
                    return x * 2
                return x
        inputs = (torch.rand(3), 1)
        """,
        """
            def forward(self, x: Tensor, side: int) -> Tensor:
                if side not in (self.LEFT, self.RIGHT):
                    return -x
                if side == self.LEFT:
                    return x * 2
                return x
        """,
    ),
    "__debug__": (
        """
        def f(x: Tensor) -> Tensor:
            if not __debug__:
                return x
            assert x.dim() > 0
            return x + 1


        scripted = torch.jit.script(f)
        inputs = (torch.rand(3),)
        """,
        """
            if not torch.jit.is_scripting():
                if not __debug__:
                    return x
            assert x.dim() > 0
        """,
    ),
    "numpy beside variables of its own": (
        """
        def f(x: Tensor, n: int) -> Tensor:
            for y in range(n):
                x = x + y
            return torch.from_numpy(np.stack([np.roll(x.numpy(), y) for y in range(n)]))


        scripted = torch.jit.script(f)
        inputs = (torch.rand(3), 1)
        """,
        """
        @torch.jit.ignore
        def _f_numpy(x: torch.Tensor, n: int) -> torch.Tensor:
            return torch.from_numpy(np.stack([np.roll(x.numpy(), y) for y in range(n)]))


        def f(x: Tensor, n: int) -> Tensor:
            for y in range(n):
                x = x + y
            return _f_numpy(x, n)
        """,
    ),
    "numpy whose result nobody reads": (
        """
        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                array = x.numpy()
                mean = np.mean(array)
                if not mean < 10:
                    print(mean)
                return x * 2
        inputs = (torch.rand(3),)
        """,
        """
                if not torch.jit.is_scripting():
                    array = x.numpy()
                    mean = np.mean(array)
                    if not mean < 10:
                        print(mean)
                return x * 2
        """,
    ),
    "numpy functions of numbers and tensors": (
        """
        class Net(nn.Module):
            def forward(self, x: Tensor, n: int = 4) -> Tensor:
                y = np.exp(x)
                return y / np.sqrt(n)
        inputs = (torch.rand(3),)
        """,
        """
                y = torch.exp(x) if torch.jit.is_scripting() else np.exp(x)
                sqrt = math.sqrt(n) if torch.jit.is_scripting() else np.sqrt(n)
                return y / sqrt
        """,
    ),
    "Variable with flags and around expressions": (
        """
        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                a = Variable(x + 1, requires_grad=False)
                c = torch.ones(3)
                b = Variable(c, requires_grad=True)
                return a * Variable(x) + b.detach()
        inputs = (torch.rand(3),)
        """,
        """
                a = (x + 1).detach()
                c = torch.ones(3)
                b = c.detach().requires_grad_() if torch.jit.is_scripting() else Variable(c, requires_grad=True)
                return a * x.detach() + b.detach()
        """,
    ),
    "variables of tensors that never have a gradient": (
        """
        class Net(nn.Module):
            def forward(self, x: Tensor, at: List[int]) -> Tensor:
                over = torch.eye(3) > 0.5
                mask = Variable(over)
                keep = Variable(x > 1.0)
                return (x * keep + mask.float())[Variable(torch.LongTensor(at))]
        inputs = (torch.rand(3, 3), [0, 2])
        """,
        """
                mask = over
                keep = x > 1.0
                return (x * keep + mask.float())[torch.LongTensor(at)]
        """,
    ),
    "Variable of new tensors and comparisons, whatever the parameter is": (
        """
        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                zero = Variable(x.data.new(x.size(0), 1).zero_())
                mask = torch.cat((x.new(x.size(0), 1).fill_(1).byte(), x.gt(0)[:, :-1]), 1)
                mask = Variable(mask)
                keep = Variable(x.ge(0.5).view(-1))
                return x * mask + zero + keep.view(x.size()) + x.new(x.size(0), 3).fill_(-2)
        inputs = (torch.rand(3, 3, requires_grad=True),)
        """,
        """
                zero = x.data.new_zeros(x.size(0), 1)
                mask = torch.cat((x.new_ones(x.size(0), 1).byte(), x.gt(0)[:, :-1]), 1)
                keep = x.ge(0.5).view(-1)
                return x * mask + zero + keep.view(x.size()) + x.new_full([x.size(0), 3], -2)
        """,
    ),
    "Variable of new tensors with sizes from attributes": (
        """
        class Net(nn.Module):
            def __init__(self, width: int = 3) -> None:
                super().__init__()
                self.width = width

            def forward(self, x: Tensor) -> Tensor:
                rows = x.size(0)
                state = Variable(x.data.new(rows, self.width).fill_(0))
                memory = Variable(x.new_empty(self.width).fill_(2))
                return state + memory + x
        inputs = (torch.rand(3, 3, requires_grad=True),)
        """,
        """
                state = x.data.new_zeros(rows, self.width)
                memory = x.new_empty(self.width).fill_(2)
                return state + memory + x
        """,
    ),
    "Variable of tensors that the function or the module has made": (
        """
        class Net(nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.index = torch.LongTensor([0, 1, 2])
                self.register_buffer("basis", torch.ones(3).double())

            def forward(self, x: Tensor) -> Tensor:
                a = Variable(torch.ones(3), requires_grad=False, volatile=False)
                b = torch.zeros(3).float()
                b = Variable(b)
                c = torch.zeros_like(b)
                d = Variable(c, requires_grad=True) + c
                e = torch.ones(3).to(x.device)
                f = Variable(e + 1.5, requires_grad=False)
                return x * a + b + d * f + Variable(self.basis)[Variable(self.index)]
        inputs = (torch.rand(3),)
        """,
        """
                a = torch.ones(3)
                b = torch.zeros(3).float()
                c = torch.zeros_like(b)
                value = c.detach().requires_grad_() if torch.jit.is_scripting() else Variable(c, requires_grad=True)
                d = value + c
                e = torch.ones(3).to(x.device)
                f = e + 1.5
                return x * a + b + d * f + self.basis.detach()[self.index.detach()]
        """,
    ),
    "Variable of what is computed from such tensors": (
        """
        class Net(nn.Module):
            def __init__(self, size: int = 4) -> None:
                super().__init__()
                self.scale = torch.tensor(2.0)
                pe = torch.zeros(size, 3)
                place = torch.arange(0, size).unsqueeze(1)
                pe[:, 0::2] = torch.sin(place * 0.5)
                pe = pe.unsqueeze(0).transpose(0, 1)
                self.register_buffer("pe", pe)

            def forward(self, x: Tensor) -> Tensor:
                a = x + Variable(self.pe[:x.size(0), 0], requires_grad=False)
                b = torch.ones(2, 3)
                c = Variable(torch.exp(b * self.scale).data.clamp(min=1.0)[1:])
                return a * c + Variable(F.relu(b.view(b.size())))
        inputs = (torch.rand(2, 3),)
        """,
        """
                a = x + self.pe[:x.size(0), 0].detach()
                b = torch.ones(2, 3)
                c = torch.exp(b * self.scale).data.clamp(min=1.0)[1:]
                return a * c + F.relu(b.view(b.size())).detach()
        """,
    ),
    "Variable of what is bound several times, and cut by an argument": (
        """
        class Net(nn.Module):
            def __init__(self, window: bool = True, size: int = 3) -> None:
                super().__init__()
                self.index = torch.LongTensor(np.arange(size)).unsqueeze(0)
                basis = torch.FloatTensor(np.eye(size)[:, None, :])
                if window:
                    basis *= torch.ones(size)
                    basis = basis / 2
                self.register_buffer("basis", basis.float())

            def forward(self, x: Tensor, size) -> Tensor:
                return Variable(self.basis)[Variable(self.index)] + Variable(self.basis[:size]) + x
        inputs = (torch.rand(3), torch.tensor(3))
        """,
        """
                return self.basis.detach()[self.index.detach()] + self.basis[:size].detach() + x
        """,
    ),
    "Variable of what is once bound to something else": (
        """
        class Net(nn.Module):
            def forward(self, x: Tensor, go: bool = True) -> Tensor:
                a = torch.ones(3)
                b = torch.ones(3)
                if go:
                    a = a + 1
                    a *= x
                    b = x
                a = Variable(a)
                return a + Variable(b)
        inputs = (torch.rand(3),)
        """,
        """
                a = a.detach()
                return a + b.detach()
        """,
    ),
    "Variable of what is computed with others": (
        """
        class Net(nn.Module):
            def __init__(self, pe: Tensor = torch.ones(2, 3)) -> None:
                super().__init__()
                self.mask = torch.ones(2, 3)
                self.mask = self.mask * 2
                pe = pe.unsqueeze(0)
                self.register_buffer("pe", pe)

            def forward(self, x: Tensor, size: float = 1.0) -> Tensor:
                a = Variable(torch.ones(2, 3).mul(x))
                e = Variable(torch.ones(3) * size)
                y = torch.ones(2, 3)
                b = Variable(y[x.long()])
                c = Variable(self.pe[0])
                d = Variable(self.mask)
                return a + b + c + d + e
        inputs = (torch.zeros(2, 3),)
        """,
        """
                a = torch.ones(2, 3).mul(x).detach()
                e = (torch.ones(3) * size).detach()
                y = torch.ones(2, 3)
                b = y[x.long()].detach()
                c = self.pe[0].detach()
                d = self.mask.detach()
                return a + b + c + d + e
        """,
    ),
    "Variable of tensors of which nothing else is known": (
        """
        class Net(nn.Module):
            def forward(self, x: Tensor, y: Tensor) -> Tensor:
                a = Variable(torch.zeros_like(x))
                b = torch.zeros(3).type_as(x)
                b = Variable(b + y, requires_grad=False)
                c = torch.ones(3)
                for i in range(2):
                    c = c + Variable(c + y)
                return a + b + c
        inputs = (torch.rand(3), torch.rand(3))
        """,
        """
                a = torch.zeros_like(x).detach()
                b = torch.zeros(3).type_as(x)
                b = (b + y).detach()
                c = torch.ones(3)
                for i in range(2):
                    c = c + (c + y).detach()
                return a + b + c
        """,
    ),
    "modules made where they are called": (
        """
        class Net(nn.Module):
            def forward(self, x: Tensor, y: Tensor) -> Tensor:
                z = nn.LeakyReLU(0.2, inplace=False)(nn.AvgPool2d(2, stride=1)(x))
                return nn.MSELoss(reduction="sum")(z, nn.MaxPool2d(2, 1)(y)) + nn.Sigmoid()(x).sum()
        inputs = (torch.rand(1, 1, 3, 3), torch.rand(1, 1, 3, 3))
        """,
        """
                z = F.leaky_relu(F.avg_pool2d(x, 2, stride=1), 0.2, inplace=False)
                return F.mse_loss(z, F.max_pool2d(y, 2, 1), reduction="sum") + F.sigmoid(x).sum()
        """,
    ),
    "methods of tensors": (
        """
        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                y = x.new(2, 2).fill_(0.0)
                z = x.new_tensor([1])
                y = y + z
                if x.nelement() + x.ndimension() > 2:
                    y = y + x.unique(sorted=True).sum()
                return y.bfloat16()
        inputs = (torch.rand(2, 2),)
        """,
        """
                y = x.new_zeros(2, 2)
                z = torch.tensor([1], dtype=x.dtype).to(x)
                y = y + z
                if x.numel() + x.dim() > 2:
                    y = y + torch.unique(x, sorted=True).sum()
                return y.to(torch.bfloat16)
        """,
    ),
    "builtins by another name": (
        """
        xrange = range
        size = len
        pairs = zip
        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                for i in xrange(2):
                    x = x + i
                for y, z in pairs([x], [x]):
                    x = y * z
                return x * size([x, x])
        inputs = (torch.rand(2, 2),)
        """,
        """
                for i in range(2):
                    x = x + i
                for y, z in zip([x], [x]):
                    x = y * z
                return x * len([x, x])
        """,
    ),
    "functions of torch": (
        """
        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                with torch.inference_mode():
                    y = torch.Tensor([0.5])
                z = torch.Tensor(2, 2)
                return x + y + z.fill_(0.5)
        inputs = (torch.rand(2, 2),)
        """,
        """
                with torch.no_grad() if torch.jit.is_scripting() else torch.inference_mode():
                    y = torch.tensor([0.5], device="cpu")
                z = torch.empty(2, 2, device="cpu")
                return x + y + z.fill_(0.5)
        """,
    ),
    "tensors of another default dtype": (
        """
        torch.set_default_dtype(torch.float64)


        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                y = torch.Tensor([1, -2.5]) + torch.Tensor([[1], [-2]])
                z = torch.Tensor(x.size(0), 2)
                return x + y + z.fill_(0.1)
        inputs = (torch.rand(2, 2),)
        """,
        """
                y = torch.tensor([1.0, -2.5], device="cpu") + torch.tensor([[1.0], [-2.0]], device="cpu")
                z = torch.empty(x.size(0), 2, device="cpu")
                return x + y + z.fill_(0.1)
        """,
    ),
    "tensors of attributes": (
        """
        class Net(nn.Module):
            def __init__(self, stride=2):
                super().__init__()
                self.stride = stride

            def forward(self, x: Tensor) -> Tensor:
                return x * torch.Tensor([self.stride])
        inputs = (torch.rand(2, 2),)
        """,
        """
                return x * torch.tensor([float(self.stride)], device="cpu")
        """,
    ),
    "prints": (
        """
        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                print("a", x.dim(), sep="-", end="")
                print(flush=True)
                return x
        inputs = (torch.rand(2, 3),)
        """,
        """
                if torch.jit.is_scripting():
                    print("a", x.dim())
                else:
                    print("a", x.dim(), sep="-", end="")
                if torch.jit.is_scripting():
                    print()
                else:
                    print(flush=True)
        """,
    ),
    "a log entry over several lines": (
        """
        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                logger.info(
                    "a"
                    '''b
          c''',  # d
                )
                return x
        inputs = (torch.rand(2, 3),)
        """,
        """
                if not torch.jit.is_scripting():
                    logger.info(
                        "a"
                        '''b
          c''',  # d
                    )
                return x
        """,
    ),
    "functions of functions": (
        """
        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                act = nn.LeakyReLU(
                    0.1,  # slope
                    inplace=False,
                )
                return nn.Softmax(dim=1)(nn.ReLU()(act(x)))
        inputs = (torch.rand(2, 3),)
        """,
        """
                return F.softmax(F.relu(F.leaky_relu(x, 0.1, inplace=False)), dim=1)
        """,
    ),
    "builtins over lists": (
        """
        class Net(nn.Module):
            def forward(self, xs: List[int]) -> List[str]:
                total = 0
                for x in reversed(xs):
                    total = total * 2 + x
                return list(map(str, xs)) + [str(total)]
        inputs = ([1, 2],)
        """,
        """
                for x in list(xs)[::-1]:
                    total = total * 2 + x
                return [str(item) for item in xs] + [str(total)]
        """,
    ),
    "functions of torch, and others, over lists": (
        """
        def doubled(x: Tensor) -> Tensor:
            return x * 2

        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                a, b = map(F.relu, x.chunk(2))
                c, d = map(doubled, [a, b])
                sizes = list(map(int, x.shape))
                for y in map(torch.tanh, [c, d]):
                    a = a + y
                return a * sizes[0] + b
        inputs = (torch.rand(2, 3),)
        """,
        """
                a, b = [F.relu(item) for item in x.chunk(2)]
                c, d = [doubled(item) for item in [a, b]]
                sizes = [int(item) for item in x.shape]
                for y in [torch.tanh(item) for item in [c, d]] if torch.jit.is_scripting() else map(torch.tanh, [c, d]):
                    a = a + y
                return a * sizes[0] + b
        """,
    ),
}

# The same for fixes that are shown, and not written.
SHOWN = {
    "a constant in a function": (
        """
        LOW = -2
        from math import pi as circle


        def f(x: Tensor) -> Tensor:
            return (x - LOW) * circle


        scripted = torch.jit.script(f)
        inputs = (torch.rand(2, 3),)
        """,
        """
            low = -2 if torch.jit.is_scripting() else LOW
            return (x - low) * math.pi
        """,
    ),
    "a constant of a method and of a function": (
        """
        LIMIT = 2


        def scaled(x: Tensor) -> Tensor:
            return x * LIMIT


        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                return scaled(x) + LIMIT
        inputs = (torch.rand(3),)
        """,
        """
        def scaled(x: Tensor) -> Tensor:
            limit = 2 if torch.jit.is_scripting() else LIMIT
            return x * limit


        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                return scaled(x) + (2 if torch.jit.is_scripting() else LIMIT)
        """,
    ),
    "a constant of a method and of a static one": (
        """
        LIMIT = 2


        class Net(nn.Module):
            @staticmethod
            def scaled(x: Tensor) -> Tensor:
                return x * LIMIT

            def forward(self, x: Tensor) -> Tensor:
                return self.scaled(x) + LIMIT
        inputs = (torch.rand(3),)
        """,
        """
            def scaled(x: Tensor) -> Tensor:
                limit = 2 if torch.jit.is_scripting() else LIMIT
                return x * limit

            def forward(self, x: Tensor) -> Tensor:
                return self.scaled(x) + (2 if torch.jit.is_scripting() else LIMIT)
        """,
    ),
    "constants of a function in a tuple": (
        """
        LEFT = 0
        RIGHT = 1


        def f(x: Tensor, side: int) -> Tensor:
            return (
                x * 2
                if side in (LEFT, RIGHT, 3)
                else x
            )


        scripted = torch.jit.script(f)
        inputs = (torch.rand(3), 1)
        """,
        """
            left = 0 if torch.jit.is_scripting() else LEFT
            right = 1 if torch.jit.is_scripting() else RIGHT
            return (
                x * 2
                if side in (left, right, 3)
                else x
            )
        """,
    ),
}


@pytest.mark.parametrize("name", MENDED | SHOWN)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_mended_code_compiles_and_computes_the_same(name: str, newline: str) -> None:
    before, after = (MENDED | SHOWN)[name]
    text = HEAD + dedent(before).lstrip("\n")
    mended = fixed(text.replace("\n", newline), shown=name in SHOWN)
    assert name in MENDED or "is_scripting" not in fixed(text)
    assert mended.count("\n") == mended.count(newline)
    mended = mended.replace("\r\n", "\n")
    wanted = dedent(after).strip("\n").splitlines()
    lines = mended.splitlines()
    shift = next((line[: len(line) - len(line.lstrip())] for line in lines if line.strip() == wanted[0].strip()), "")
    # In this table, the excerpt begins at its own left margin.
    shift = shift[len(wanted[0]) - len(wanted[0].lstrip()) :]
    assert "\n".join(shift + line if line else line for line in wanted) in mended
    judged, compiled = the_compiler()(text), the_compiler()(mended)
    assert not judged.ok
    assert compiled.ok, compiled.message
    assert judged.eager is not None
    assert judged.eager == compiled.eager == compiled.scripted
    assert judged.keys == compiled.keys


# Code with a finding that no fix can remove.
UNMENDED = {
    "the loop's variable after the loop": """
        def f(xs: List[Tuple[int, int]]) -> Tuple[int, int]:
            for x in xs:
                y = x
            return y
        scripted = torch.jit.script(f)
        """,
    "a logger's answer that is used": """
        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                if logger.isEnabledFor(10):
                    x = x + 1
                return x
        """,
    "a logging statement that shares its line": """
        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                y = x + 1; logger.info("a")
                return y
        """,
    "a list that a function extends": """
        SIZES = [2, 3]


        def more():
            SIZES.append(4)


        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                for size in SIZES:
                    x = x * size
                return x
        """,
    "a constant where the class has another base": """
        LIMIT = [3]


        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                return x.view(LIMIT)
        """,
    "a module with parameters": """
        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                return nn.Linear(3, 3)(x)
        """,
    "a result of numpy that is no tensor": """
        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                n = float(np.sum(x.numpy()))
                y = x + 1
                return y * n
        """,
    "numpy that fills a list": """
        class Net(nn.Module):
            def forward(self, x: Tensor) -> int:
                sizes: List[float] = []
                if x.dim() > 0:
                    sizes.append(np.mean(x.numpy()))
                return len(sizes)
        """,
    "functions in a list": """
        class Net(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                for f in [F.relu, F.silu]:
                    x = f(x)
                return x
        """,
}


@pytest.mark.parametrize("name", UNMENDED)
def test_what_only_the_author_can_mend_is_left_alone(name: str) -> None:
    text = HEAD + dedent(UNMENDED[name]).lstrip("\n")
    assert [finding for finding in findings(text) if finding.code.startswith("TS2")]
    assert fixed(text) == text
    assert not the_compiler()(text).ok


def test_a_random_draw_comes_from_torch() -> None:
    text = HEAD + dedent(
        """
        def f(x: Tensor, n: int) -> Tensor:
            return x * random.uniform(1.0, 1.0) + random.randint(n, n) + random.randint(3, 3)


        scripted = torch.jit.script(f)
        inputs = (torch.rand(3), 2)
        """
    )
    mended = fixed(text)
    # Eager mode draws the same numbers as before, with any seed.
    drawn = "float(torch.empty(1).uniform_(1.0, 1.0)) if torch.jit.is_scripting() else random.uniform(1.0, 1.0)"
    assert f"uniform = {drawn}\n" in mended
    assert "(int(torch.randint(n, n + 1, (1,))) if torch.jit.is_scripting() else random.randint(n, n))" in mended
    assert "(int(torch.randint(3, 4, (1,))) if torch.jit.is_scripting() else random.randint(3, 3))" in mended
    judged, compiled = the_compiler()(text), the_compiler()(mended)
    assert not judged.ok and compiled.ok, compiled.message
    assert judged.eager == compiled.eager == compiled.scripted


def test_names_say_where_they_are_bound() -> None:
    said = {
        finding.message
        for finding in findings(
            HEAD
            + dedent(
                """
                class Net(nn.Module):
                    def forward(self, features: Tensor) -> Tensor:
                        if features.dim() > 1:
                            act = F.relu
                        else:
                            act = F.silu
                        gone = features
                        del gone
                        return act(featurs) + gone
                """
            )
        )
        if finding.code == "TS201"
    }
    assert "`featurs` is not defined" in said
    assert "`gone` is read after `del gone`" in said
    assert any("`act` has no value here in compiled code" in message for message in said)


def test_what_a_loop_binds_is_bound_before_it() -> None:
    text = HEAD + dedent(
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Sequential(nn.Linear(3, 3), nn.ReLU())

            def forward(self, x: Tensor, n: int = 2):
                for i in range(n):
                    out = self.conv(x)
                    last, ratio, rows = i, i / 2, [out]
                return out, last, ratio


        def build():
            return Net()


        inputs = (torch.rand(2, 3),)
        """
    )
    mended = fixed(text)
    for line in ("out: Optional[Tensor] = None", "last: Optional[int] = None", "assert out is not None"):
        assert f"        {line}\n" in mended
    before, after = the_compiler()(text), the_compiler()(mended)
    assert not before.ok and before.first == "undefined value out"
    assert after.ok and after.keys == before.keys


@pytest.mark.parametrize(
    ("name", "expected"), [("_EPS", Applicability.SAFE), ("EPS", Applicability.UNSAFE)], ids=["private", "public"]
)
def test_a_class_copies_only_a_global_that_no_other_file_changes(name: str, expected: Applicability) -> None:
    text = f"{name} = 1e-5\n\n\nclass Net(nn.Module):\n    def forward(self, x: Tensor):\n        return x + {name}\n"
    (fix,) = [finding.fix for finding in findings(HEAD + text) if finding.code == "TS202"]
    assert fix is not None and fix.applicability is expected


@pytest.mark.parametrize(
    ("call", "applicability"),
    [
        ("nn.LeakyReLU(0.2)(torch.tanh(x))", Applicability.SAFE),
        ("nn.LeakyReLU(float(x.size(0)))(x)", Applicability.SAFE),
        ("nn.LeakyReLU(float(x.size(0)))(torch.tanh(x))", Applicability.UNSAFE),
    ],
)
def test_the_first_exception_may_be_another_one(call: str, applicability: Applicability) -> None:
    text = HEAD + f"class Net(nn.Module):\n    def forward(self, x):\n        return {call}\n"
    found = [each for each in findings(text) if each.code == "TS214"]
    assert [each.fix.applicability for each in found if each.fix is not None] == [applicability]
