"""Tests that fixes for syntax do not change what Python computes: each row is run before and after, in several ways.

The rows are code that a wrong fix could break. Without a proof there is no fix, or only compiled code changes.
"""

from __future__ import annotations

import pytest

from tests.rules.driver import findings
from tests.rules.eager import check, check_left

HEAD = """\
import math
from typing import *

import torch
import torch.nn.functional as F
from torch import Tensor, nn


"""
# The rules that fix the row, the code, and the calls: their results stay the same, and the code compiles afterwards.
MENDED = {
    "handlers that catch something else": (
        "TS101",
        """
        def look_up(d: Dict[str, Tensor]) -> Tensor:
            try:
                y = d["k"]
            except KeyError:
                raise ValueError("no k")
            return y


        def safe(d: Dict[str, Tensor]):
            try:
                return look_up(d)
            except TypeError:
                return None
            except Exception:
                return 1


        def other(text: str) -> int:
            try:
                return int(text)
            except ValueError:
                raise TypeError


        scripted = torch.jit.script(look_up)
        """,
        [
            "safe({})",
        ],
    ),
    "late binding": (
        "TS104",
        """
        def f(x: Tensor, n: int) -> Tensor:
            g = lambda t: t * n
            n = n + 1
            return g(x)


        scripted = torch.jit.script(f)
        """,
        [
            "f(torch.ones(2), 3)",
        ],
    ),
    "order of draws": (
        "TS102",
        """
        def f(x: Tensor) -> Tensor:
            def sub(a, b):
                return b - a
            return sub(torch.rand(2), torch.randn(2)) + x


        scripted = torch.jit.script(f)
        """,
        [
            "f(torch.ones(2))",
        ],
    ),
    "ok block": (
        "TS104",
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = nn.Linear(2, 2)
                self.bn = nn.LayerNorm(2)
            def forward(self, x: Tensor) -> Tensor:
                block = lambda t: F.relu(self.conv(t))
                return block(self.bn(x)) + block(x)
        """,
        [
            "(torch.manual_seed(0), Net())[1](torch.ones(3, 2)).detach()",
        ],
    ),
    "captured import": (
        "TS102 TS105",
        """
        def f(x: Tensor) -> Tensor:
            import math as m
            def g(t: Tensor) -> Tensor:
                y = t * m.pi
                return y
            return g(x)


        scripted = torch.jit.script(f)
        """,
        [
            "f(torch.ones(2))",
        ],
    ),
    "as method ok": (
        "TS102",
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.k = 2
            def forward(self, x: Tensor) -> Tensor:
                def add(t: Tensor) -> Tensor:
                    t = t * self.k
                    return t + 1
                return add(x) + add(x * 2)
        """,
        [
            "Net()(torch.ones(2))",
        ],
    ),
    "map lambda": (
        "TS104",
        """
        def f(xs: List[int], k: int) -> List[int]:
            return list(map(lambda t: t * k, xs))


        scripted = torch.jit.script(f)
        """,
        [
            "f([1,2],3)",
            "f([],3)",
        ],
    ),
    "map lambda unpack": (
        "TS104",
        """
        def f(x: Tensor):
            a, b = map(lambda t: t * 2, x.unbind(0))
            return a, b


        scripted = torch.jit.script(f)
        """,
        [
            "f(torch.ones(2,2))",
            "f(torch.ones(3,2))",
        ],
    ),
    "comp global var": (
        "TS112",
        """
        i = 5


        def f(xs: List[int]) -> List[int]:
            ys: List[int] = [i for i in xs if i > 1]
            return ys


        scripted = torch.jit.script(f)
        """,
        [
            "f([1,2,3])",
            "i",
        ],
    ),
    "dict comp": (
        "TS112",
        """
        def f(xs: List[int]) -> Dict[int, int]:
            return {x: x * 2 for x in xs if x > 1}


        scripted = torch.jit.script(f)
        """,
        [
            "f([1,2,3])",
        ],
    ),
    "loop var after": (
        "TS120 TS201",
        """
        def f(xs: List[int]) -> int:
            for x in xs:
                if x > 2:
                    break
            else:
                return -1
            return x


        scripted = torch.jit.script(f)
        """,
        [
            "f([1,3])",
            "f([1])",
            "f([])",
        ],
    ),
    "loop else nested": (
        "TS120",
        """
        def f(xs: List[int]) -> int:
            n = 0
            for x in xs:
                for y in range(x):
                    if y == 2:
                        break
                else:
                    n += 1
                    continue
                n += 10
                if n > 25:
                    break
            else:
                n = -n
            return n


        scripted = torch.jit.script(f)
        """,
        [
            "f([1,3])",
            "f([5,5,5])",
            "f([])",
        ],
    ),
    "bound in loop": (
        "TS201",
        """
        def f(x: Tensor, n: int) -> Tensor:
            for i in range(n):
                last = x * i
            return last


        scripted = torch.jit.script(f)
        """,
        [
            "f(torch.ones(1), 3)",
            "f(torch.ones(1), 0)",
        ],
    ),
    "bound in sure loop": (
        "TS201",
        """
        def f(x: Tensor, n: int) -> Tensor:
            for i in range(3):
                last = x * i
            return last + i


        scripted = torch.jit.script(f)
        """,
        [
            "f(torch.ones(1), 3)",
            "f(torch.ones(1), 0)",
        ],
    ),
    "bound in inner loop": (
        "TS201",
        """
        def f(x: Tensor, ns: List[int]) -> Tensor:
            total = x
            for n in ns:
                for i in range(n):
                    last = i * 2
                total = total + last
            return total


        scripted = torch.jit.script(f)
        """,
        [
            "f(torch.ones(1), [3,0])",
            "f(torch.ones(1), [0,3])",
        ],
    ),
    "bound list": (
        "TS201",
        """
        def f(x: Tensor, n: int):
            for i in range(n):
                parts = [x * i]
            return parts


        scripted = torch.jit.script(f)
        """,
        [
            "f(torch.ones(1), 3)",
            "f(torch.ones(1), 0)",
        ],
    ),
    "match": (
        "TS107",
        """
        def f(n: int, s: str) -> int:
            match n:
                case 1 | 2:
                    return 10
                case 3 if s == "a":
                    return 20
                case _:
                    return 30


        scripted = torch.jit.script(f)
        """,
        [
            "f(1,'')",
            "f(3,'a')",
            "f(3,'b')",
        ],
    ),
    "walrus": (
        "TS110",
        """
        def f(x: Tensor, n: int) -> Tensor:
            if (m := n * 2) > 3:
                return x * m
            return x + m


        scripted = torch.jit.script(f)
        """,
        [
            "f(torch.ones(1), 3)",
            "f(torch.ones(1), 0)",
        ],
    ),
    "floor div inplace": (
        "TS123",
        """
        def f(x: Tensor, n: int) -> Tensor:
            y = x
            x //= n
            n //= 2
            return y + n


        scripted = torch.jit.script(f)
        """,
        [
            "f(torch.ones(2)*7, 3)",
            "f(torch.ones(2)*7, 2)",
        ],
    ),
    "floor div attr": (
        "TS123",
        """
        class Net(nn.Module):
            def __init__(self, k=7):
                super().__init__()
                self.k = k
            def forward(self, x: Tensor) -> Tensor:
                self.k //= 2
                return x * self.k
        """,
        [
            "Net()(torch.ones(2))",
            "Net(7.5)(torch.ones(2))",
        ],
    ),
    "matmul": (
        "TS123",
        """
        def f(x: Tensor, y: Tensor) -> Tensor:
            x @= y
            return x


        scripted = torch.jit.script(f)
        """,
        [
            "f(torch.ones(2,2)*7, torch.ones(2,2))",
        ],
    ),
    "plus": (
        "TS122",
        """
        def f(x: Tensor, b: bool, n: int):
            return +x, +b, +n, +3


        scripted = torch.jit.script(f)
        """,
        [
            "f(torch.ones(2), True, -4)",
        ],
    ),
    "set": (
        "TS111",
        """
        def f(x: Tensor, n: int, xs: List[int]) -> bool:
            return n in {1, 2} or x.dim() in {1} or x in {1}


        scripted = torch.jit.script(f)
        """,
        [
            "f(torch.ones(2), 1, [])",
            "f(torch.ones(1), 5, [])",
            "f(torch.ones(1,1), 5, [])",
        ],
    ),
    "fstr": (
        "TS114",
        """
        def f(x: Tensor, n: int) -> str:
            return f"{n:3d}|{n!r:>4}|{x.sum().item():.2f}|{n=}"


        scripted = torch.jit.script(f)
        """,
        [
            "f(torch.ones(2), 1)",
        ],
    ),
    "fstr raise": (
        "TS114",
        """
        def f(x: Tensor, n: int) -> Tensor:
            if n > 1:
                raise ValueError(f"bad {n!r}")
            return x


        scripted = torch.jit.script(f)
        """,
        [
            "f(torch.ones(2), 1)",
            "f(torch.ones(2), 3)",
        ],
    ),
    "dict exp": (
        "TS119",
        """
        def f(a: Dict[str, Tensor], x: Tensor) -> Dict[str, Tensor]:
            d = {**a, "x": x, **a}
            return d


        scripted = torch.jit.script(f)
        """,
        [
            "f({'x': torch.ones(1), 'b': torch.ones(1)}, torch.zeros(1))",
        ],
    ),
    "kw exp": (
        "TS118",
        """
        def g(x: Tensor, a: int = 1, b: int = 2) -> Tensor:
            return x * a + b


        def f(x: Tensor, n: int) -> Tensor:
            y = F.pad(x, (1, 1), **dict(mode="constant", value=0.5))
            return g(x, **dict(a=n)) + g(x, **{"a": 3, "b": n}) + y.sum()


        scripted = torch.jit.script(f)
        """,
        [
            "f(torch.ones(2), 1)",
        ],
    ),
    "local decl": (
        "TS124",
        """
        def f(x: Tensor, c: bool) -> int:
            n: int
            ys = [n for n in range(3)]
            if c:
                n = 5
            else:
                n = 6
            return n + len(ys)


        scripted = torch.jit.script(f)
        """,
        [
            "f(torch.ones(2), True)",
            "f(torch.ones(2), False)",
        ],
    ),
    "attr anno": (
        "TS125",
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.k = 1
            def forward(self, x: Tensor) -> Tensor:
                self.k: int = 3
                return x * self.k
        """,
        [
            "Net()(torch.ones(2))",
        ],
    ),
    "variadic inner": (
        "TS115",
        """
        class Block(nn.Module):
            def forward(self, x: Tensor, *args) -> Tensor:
                return x * 2


        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.block = Block()
            def forward(self, x: Tensor) -> Tensor:
                return self.block(x)
        """,
        [
            "Net()(torch.ones(2))",
            "Block()(torch.ones(2))",
        ],
    ),
    "list target": (
        "TS130 TS131",
        """
        def f(x: Tensor):
            [a, b] = x.unbind(0)
            *c, = [1, 2]
            return a, b, c


        scripted = torch.jit.script(f)
        """,
        [
            "f(torch.ones(2))",
            "f(torch.ones(3))",
        ],
    ),
}
# Rows whose remaining code has another finding, or needs an argument: compared without the compiler.
PARTLY = {
    "as value": (
        "TS211",
        """
        def f(xs: List[int]) -> List[int]:
            def g(t: int) -> int:
                return t * 2
            return list(map(g, xs))


        scripted = torch.jit.script(f)
        """,
        [
            "f([1,2])",
        ],
    ),
    "comp outer var": (
        "TS112",
        """
        def f(xs: List[int], x: int):
            ys = [x * 2 for x in xs if x > 1]
            return ys, x


        scripted = torch.jit.script(f)
        """,
        [
            "f([1,2,3], 9)",
            "f([], 9)",
        ],
    ),
    "comp reads target": (
        "TS112",
        """
        def f(xs: List[int]) -> List[int]:
            xs = [x for x in xs if x in xs and x > 1]
            return xs


        scripted = torch.jit.script(f)
        """,
        [
            "f([1,2,3])",
        ],
    ),
    "nested generators": (
        "TS113",
        """
        def f(xs: List[List[int]]) -> List[int]:
            out = [y for x in xs for y in x]
            return out


        scripted = torch.jit.script(f)
        """,
        [
            "f([[1,2],[3]])",
            "f([])",
        ],
    ),
    "nested shadow": (
        "TS112",
        """
        def f(xs: List[int], n: int) -> int:
            return n + len([n for n in xs if n > 1]) + n


        scripted = torch.jit.script(f)
        """,
        [
            "f([1,2,3], 2)",
        ],
    ),
}
# Code whose fix would change a result: there is none.
LEFT = {
    "a caller that catches what a handler raises": (
        """
        def look_up(d: Dict[str, Tensor]) -> Tensor:
            try:
                y = d["k"]
            except KeyError:
                raise ValueError("no k")
            return y


        def safe(d: Dict[str, Tensor]):
            try:
                return look_up(d)
            except ValueError:
                return None


        scripted = torch.jit.script(look_up)
        """,
        [
            "safe({})",
        ],
    ),
    "a caller that catches the base of what a handler raises": (
        """
        class Missing(LookupError):
            pass


        class NoKey(Missing):
            pass


        def look_up(d: Dict[str, Tensor]) -> Tensor:
            try:
                y = d["k"]
            except KeyError:
                raise NoKey("no k")
            return y


        def safe(d: Dict[str, Tensor]):
            try:
                return look_up(d)
            except (TypeError, Missing) as error:
                return None


        scripted = torch.jit.script(look_up)
        """,
        [
            "safe({})",
        ],
    ),
    "a caller that suppresses what a handler raises": (
        """
        import contextlib


        def look_up(d: Dict[str, Tensor]) -> Tensor:
            try:
                y = d["k"]
            except KeyError:
                raise RuntimeError("no k")
            return y


        def safe(d: Dict[str, Tensor]):
            with contextlib.suppress(RuntimeError):
                return look_up(d)


        scripted = torch.jit.script(look_up)
        """,
        [
            "safe({})",
        ],
    ),
    "a guard that stores the subject": (
        """
        def f(n: int) -> int:
            match n:
                case 1 if (n := n + 1) > 5:
                    return 10
                case 2:
                    return 20
                case _:
                    return 30


        scripted = torch.jit.script(f)
        """,
        [
            "f(1)",
            "f(2)",
            "f(0)",
        ],
    ),
    "a guard that changes a global subject": (
        """
        mode = 1


        def later() -> bool:
            global mode
            mode += 1
            return False


        def f() -> int:
            match mode:
                case 1 if later():
                    return 10
                case 2:
                    return 20
                case _:
                    return 30


        scripted = torch.jit.script(f)
        """,
        [
            "f()",
        ],
    ),
    "a closure whose name as a method is computed": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.k = 2
            def own(self, x: Tensor) -> Tensor:
                def twice_act(t: Tensor) -> Tensor:
                    y = t * self.k
                    return y * 2
                return twice_act(x)
            def forward(self, x: Tensor) -> Tensor:
                return self.own(x)


        class Named(Net):
            def run(self, name: str, x: Tensor) -> Tensor:
                act = getattr(self, "_" + name + "_act", None)
                return x if act is None else act(x)
        """,
        [
            "Net()(torch.ones(2))",
            "Named().run('twice', torch.ones(2))",
        ],
    ),
    "modules by their numbers, one of them None": (
        """
        class Net(nn.Module):
            def __init__(self, norm: bool):
                super().__init__()
                self.steps = nn.ModuleList([nn.ReLU(), nn.LayerNorm(2) if norm else None, nn.Tanh()])
            def forward(self, x: Tensor) -> List[Tensor]:
                found = [step(x) for i, step in enumerate(self.steps) if i % 2 == 0]
                return found
        """,
        [
            "Net(False)(torch.ones(2))",
            "Net(True)(torch.ones(2))",
        ],
    ),
    "closures in a base and in what calls it": (
        """
        class Base(nn.Module):
            def __init__(self):
                super().__init__()
                self.k = 2
            def forward(self, x: Tensor) -> Tensor:
                def helper(t: Tensor) -> Tensor:
                    y = t * self.k
                    return y
                return helper(x)


        class Net(Base):
            def forward(self, x: Tensor) -> Tensor:
                def helper(t: Tensor) -> Tensor:
                    y = t + self.k
                    return y
                return helper(x) + super().forward(x)
        """,
        [
            "Net()(torch.ones(2))",
            "Base()(torch.ones(2))",
        ],
    ),
    "the same keyword in two dicts": (
        """
        def g(a: int) -> int:
            return a


        def f(n: int) -> int:
            return g(**{"a": n}, **{"a": 2})


        scripted = torch.jit.script(f)
        """,
        [
            "f(1)",
        ],
    ),
    "a loop whose end is taken back": (
        """
        def f(xs: List[int]) -> int:
            for x in xs:
                try:
                    if x > 1:
                        break
                finally:
                    continue
            else:
                return 7
            return 3


        scripted = torch.jit.script(f)
        """,
        [
            "f([1, 2])",
        ],
    ),
    "two functions in branches": (
        """
        class Net(nn.Module):
            def __init__(self, plus=True):
                super().__init__()
                self.plus = plus
            def forward(self, x: Tensor) -> Tensor:
                if self.plus:
                    def f(t):
                        return t + 1
                else:
                    def f(t):
                        return t * 3
                return f(x)
        """,
        [
            "Net()(torch.ones(2))",
            "Net(False)(torch.ones(2))",
        ],
    ),
    "rebound": (
        """
        def f(x: Tensor) -> Tensor:
            g = lambda t: t + 1
            y = g(x)
            g = lambda t: t * 5
            return g(y)


        scripted = torch.jit.script(f)
        """,
        [
            "f(torch.ones(2))",
        ],
    ),
    "comprehension captures": (
        """
        def f(x: Tensor, i: int) -> List[Tensor]:
            g = lambda t: t * i
            return [g(x) for i in range(3)]


        scripted = torch.jit.script(f)
        """,
        [
            "f(torch.ones(2), 7)",
        ],
    ),
    "conditional use": (
        """
        def f(x: Tensor, c: bool) -> Tensor:
            pick = lambda a, b: a if c else b
            return pick(torch.rand(2), x.add_(1)) + torch.rand(2)


        scripted = torch.jit.script(f)
        """,
        [
            "f(torch.ones(2), True)",
            "f(torch.ones(2), False)",
        ],
    ),
    "attr read later": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.n = 1
            def step(self) -> int:
                self.n += 1
                return self.n
            def forward(self, x: Tensor) -> Tensor:
                g = lambda a, b: a * self.n + b
                return g(x, self.step())
        """,
        [
            "Net()(torch.ones(2))",
        ],
    ),
    "default at definition": (
        """
        def f(x: Tensor, n: int) -> Tensor:
            def g(t, k=n):
                return t * k
            n = 9
            return g(x)


        scripted = torch.jit.script(f)
        """,
        [
            "f(torch.ones(2), 3)",
        ],
    ),
    "mutable default": (
        """
        def f(x: Tensor) -> int:
            def g(t, acc=[]):
                acc.append(1)
                return len(acc)
            g(x)
            return g(x)


        scripted = torch.jit.script(f)
        """,
        [
            "f(torch.ones(2))",
            "[f(torch.ones(1)), f(torch.ones(1))]",
        ],
    ),
    "captured builtin name": (
        """
        def f(x: Tensor) -> Tensor:
            input = x * 2
            def g(t: Tensor) -> Tensor:
                y = t + input
                return y * 2
            return g(x)


        scripted = torch.jit.script(f)
        """,
        [
            "f(torch.ones(2))",
        ],
    ),
    "use before": (
        """
        def f(x: Tensor) -> Tensor:
            y = g(x)
            def g(t: Tensor) -> Tensor:
                z = t + 1
                return z
            return y


        scripted = torch.jit.script(f)
        """,
        [
            "f(torch.ones(2))",
        ],
    ),
    "as method named apply": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.lin = nn.Linear(2, 2)
            def forward(self, x: Tensor) -> Tensor:
                def apply(t: Tensor) -> Tensor:
                    y = self.lin(t)
                    return y + 1
                return apply(x)
        """,
        [
            "Net().double().lin.weight.dtype",
            "Net()(torch.ones(1,2)).shape",
        ],
    ),
    "nonlocal": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.k = 2
            def forward(self, x: Tensor) -> Tensor:
                total = 0
                def add(t: Tensor) -> Tensor:
                    nonlocal total
                    total += self.k
                    return t + total
                return add(x) + add(x)
        """,
        [
            "Net()(torch.ones(2))",
        ],
    ),
    "function attribute": (
        """
        def f(x: Tensor) -> Tensor:
            def g(t: Tensor) -> Tensor:
                z = t + 1
                return z
            g.calls = 3
            return g(x) * g.calls


        scripted = torch.jit.script(f)
        """,
        [
            "f(torch.ones(2))",
        ],
    ),
    "comp after draw": (
        """
        def f(x: Tensor, n: int):
            return torch.rand(1) + torch.stack([torch.rand(1) for i in range(n) if i > 0])


        scripted = torch.jit.script(f)
        """,
        [
            "f(torch.ones(1), 3)",
        ],
    ),
    "comp after mutation": (
        """
        def f(x: Tensor, n: int):
            return x * 2 + torch.stack([x.add_(1) for i in range(n) if i > 0]).sum(0)


        scripted = torch.jit.script(f)
        """,
        [
            "f(torch.ones(1), 3)",
        ],
    ),
    "comp conditional": (
        """
        def f(xs: List[int], c: bool) -> bool:
            return c and len([x for x in xs if x // 0]) > 0


        scripted = torch.jit.script(f)
        """,
        [
            "f([1], False)",
            "f([1], True)",
        ],
    ),
    "comp chained compare": (
        """
        def f(xs: List[int], a: int) -> bool:
            return a < 1 < len([x for x in xs if 1 // x])


        scripted = torch.jit.script(f)
        """,
        [
            "f([0], 5)",
            "f([1,2],0)",
        ],
    ),
    "walrus short circuit": (
        """
        def f(x: Tensor, n: int) -> Tensor:
            m = 1
            if n > 1 and (m := n * 2) > 3:
                return x * m
            return x + m


        scripted = torch.jit.script(f)
        """,
        [
            "f(torch.ones(1), 3)",
            "f(torch.ones(1), 0)",
        ],
    ),
    "import optional": (
        """
        def f(x: Tensor) -> Tensor:
            import scipy_missing
            return x


        scripted = torch.jit.script(f)
        """,
        [
            "f(torch.ones(2))",
        ],
    ),
    "kwonly": (
        """
        class Net(nn.Module):
            def forward(self, x: Tensor, *, k: int = 2) -> Tensor:
                return x * k
        """,
        [
            "Net()(torch.ones(2), k=3)",
            "Net()(torch.ones(2), 3)",
        ],
    ),
    "variadic of users": (
        """
        class Net(nn.Module):
            def forward(self, x: Tensor, *args, **kw) -> Tensor:
                return x
        """,
        [
            "Net()(torch.ones(2), 3, k=3)",
            "Net()(torch.ones(2), 3)",
        ],
    ),
    "variadic beside what only has a place": (
        """
        class Net(nn.Module):
            def forward(self, x: Tensor, /, **kw) -> Tensor:
                return x
        """,
        [
            "Net()(torch.ones(2), x=3)",
        ],
    ),
}


@pytest.mark.parametrize("name", MENDED | PARTLY)
def test_python_computes_the_same(name: str) -> None:
    codes, text, calls = (MENDED | PARTLY)[name]
    check(HEAD, codes, text, calls, compiles=name in MENDED)


@pytest.mark.parametrize(("kind", "risks"), [("(KeyError, IndexError)", 0), ("self.error", 1)])
def test_the_types_of_handlers_may_fail(kind: str, risks: int) -> None:
    body = f"        try:\n            x = x + 1\n        except {kind}:\n            raise\n        return x\n"
    text = f"{HEAD}class Net(nn.Module):\n    def forward(self, x: Tensor) -> Tensor:\n{body}"
    (found,) = [each for each in findings(text) if each.code == "TS101"]
    assert found.fix is not None and len(found.fix.risks) == risks


@pytest.mark.parametrize("name", LEFT)
def test_it_stays_as_it_is(name: str) -> None:
    text, calls = LEFT[name]
    check_left(HEAD, text, calls)
