"""Tests fixes that once changed a result: the verdicts of Python and the compiler before and after."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.fixes.promise import check_promise

X = "(torch.rand(2, 3),)"


@dataclass(frozen=True)
class Case:
    """A module that was once fixed wrongly.

    Args:
        text: the text of the module.
        constructions, inputs: the constructions and inputs for which it is compared.
        has, lacks: texts that the fixed module contains, and those that it does not contain.
    """

    text: str
    constructions: tuple[str, ...] = ("Net()",)
    inputs: tuple[str, ...] = (X,)
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()


CASES = {
    "two functions of one name in two branches": Case(
        """
        class Net(nn.Module):
            def __init__(self, plus=True):
                super().__init__()
                self.plus = plus

            def forward(self, x):
                if self.plus:
                    def combine(a, b):
                        return a + b
                else:
                    def combine(a, b):
                        return a * b
                return combine(x, x)
        """,
        ("Net(True)", "Net(False)"),
    ),
    "a square of a property, which may return something else each time": Case(
        """
        class Net(nn.Module):
            @property
            def width(self):
                return int(torch.randint(1, 2, (1,)).item())

            def forward(self, x):
                return x[:, : self.width ** 2]
        """,
        lacks=("self.width * self.width",),
    ),
    "a loop over fewer modules than there are": Case(
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.heads = nn.ModuleList([nn.Linear(3, 3) for _ in range(4)])

            def forward(self, x, stage: int):
                for i in range(stage):
                    x = self.heads[i](x)
                return x
        """,
        inputs=tuple(f"(torch.rand(2, 3), {stage})" for stage in (-1, 0, 2, 4, 5)),
    ),
    "a list that has one module more": Case(
        """
        class Net(nn.Module):
            def __init__(self, n=2):
                super().__init__()
                self.n = n
                self.convs = nn.ModuleList([nn.Linear(3, 3) for _ in range(n + 1)])

            def forward(self, x):
                for i in range(self.n):
                    x = self.convs[i](x)
                return x
        """,
        ("Net()", "Net(0)"),
    ),
    "a list that has exactly as many": Case(
        """
        class Net(nn.Module):
            def __init__(self, n=2):
                super().__init__()
                self.n = n
                self.convs = nn.ModuleList([nn.Linear(3, 3) for _ in range(n)])

            def forward(self, x):
                for i in range(self.n):
                    x = self.convs[i](x)
                return x
        """,
        ("Net()", "Net(0)", "Net(3)"),
        has=("in self.convs:",),
    ),
    "a sum of numbers that was taken for one of tensors": Case(
        """
        class Net(nn.Module):
            def forward(self, x):
                sizes = []
                for part in x.split(1):
                    sizes.append(part.size(0))
                return x * sum(sizes)
        """,
        has=("sizes: List[int] = []",),
        lacks=("stack",),
    ),
    "a number that may be None or 0": Case(
        """
        class Net(nn.Module):
            def __init__(self, scale=None):
                super().__init__()
                self.scale = scale

            def forward(self, x):
                if self.scale:
                    x = x * self.scale + 1
                return x
        """,
        ("Net()", "Net(0.0)", "Net(2.0)", "Net(0)"),
    ),
    "a property that is a bool": Case(
        """
        class Net(nn.Module):
            def __init__(self, norm=False):
                super().__init__()
                self.norm = nn.LayerNorm(3) if norm else None

            @property
            def has_norm(self):
                return self.norm is not None and isinstance(self.norm, nn.LayerNorm)

            def forward(self, x):
                if self.has_norm:
                    return x + 1
                return x
        """,
        ("Net()", "Net(True)"),
    ),
    "a parameter by its name": Case(
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.w0 = nn.Parameter(torch.ones(3))
                self.w1 = nn.Parameter(torch.ones(3) * 2)

            def forward(self, x):
                for i in range(2):
                    x = x * getattr(self, "w" + str(i))
                return x
        """,
    ),
    "a submodule by its name": Case(
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc0 = nn.Linear(3, 3)
                self.fc1 = nn.Linear(3, 3)

            def forward(self, x):
                for i in range(2):
                    x = getattr(self, "fc" + str(i))(x)
                return x
        """,
    ),
    "variadics that a branch binds again": Case(
        """
        class Net(nn.Module):
            def __init__(self, pair=False):
                super().__init__()
                self.pair = pair

            def forward(self, x, *targets):
                if self.pair:
                    targets = [open(str(t)) for t in targets]
                    x = x + len(targets)
                return x * (1 + len(targets))
        """,
        ("Net()", "Net(True)"),
        (X, "(torch.rand(2, 3), torch.rand(1))"),
    ),
    "a branch that is taken by default": Case(
        """
        class Net(nn.Module):
            def __init__(self, fast=True):
                super().__init__()
                self.fast = fast

            def forward(self, x):
                if self.fast:
                    x = torch.stack([y for y in map(torch.relu, x)])
                return x
        """,
        ("Net()", "Net(False)"),
        lacks=("torch.jit.unused",),
    ),
    "numpy for a size": Case(
        """
        import numpy as np


        class Net(nn.Module):
            def forward(self, x):
                n = int(np.prod(np.array(x.size()[1])))
                return x.view(-1, n)
        """,
        lacks=("torch.jit.ignore", "torch.jit.unused"),
    ),
    "an annotation that a caller contradicts": Case(
        """
        class Net(nn.Module):
            def scaled(self, x, gain):
                return x.view(x.size(0) * 1, -1) * gain

            def forward(self, x):
                return self.scaled(x, 0.5) + self.scaled(x, 2)
        """,
        lacks=("gain: int",),
    ),
    "a default of None that is no tensor": Case(
        """
        class Net(nn.Module):
            def forward(self, x, params=None):
                if params is None:
                    return x
                return x + params["bias"]
        """,
        inputs=(X, '(torch.rand(2, 3), {"bias": torch.ones(3)})'),
        lacks=("params: Optional[Tensor]", "params: Optional[torch.Tensor]"),
    ),
    "defaults of None that are texts and types": Case(
        """
        class Net(nn.Module):
            def named(self, x, fname=None, dtype=None):
                if fname is not None:
                    print("writing " + fname)
                if dtype is not None:
                    x = x.to(dtype)
                return x

            def forward(self, x):
                return self.named(x, dtype=torch.float64)
        """,
        lacks=("fname: Optional[Tensor]", "dtype: Optional[Tensor]", "dtype: Optional[torch.Tensor]"),
    ),
    "a comparison with what may be None": Case(
        """
        class Net(nn.Module):
            def __init__(self, mode=None):
                super().__init__()
                self.mode = mode

            def forward(self, x):
                if self.mode == "a":
                    return x + 1
                if self.mode == "b" or self.mode == "c":
                    return x + 2
                return x
        """,
        ("Net()", 'Net("a")', 'Net("c")'),
    ),
    "three parameters that one call shows": Case(
        """
        class Net(nn.Module):
            def kernel(self, t, b, c, h):
                return t.view(b, 1, c * h)

            def forward(self, x):
                b, c = x.size()
                return self.kernel(x, b, c, 1)
        """,
        has=("b: int, c: int, h: int",),
    ),
    "a list of tensors where a tensor is also given": Case(
        """
        class Net(nn.Module):
            def joined(self, parts):
                if isinstance(parts, list):
                    return torch.cat(parts)
                return parts

            def forward(self, x):
                return self.joined([x, x]) + self.joined(torch.cat([x, x]))
        """,
        lacks=("parts: List[Tensor]", "parts: List[torch.Tensor]"),
    ),
    "a statement that a fix writes twice is fixed in both places": Case(
        """
        class Net(nn.Module):
            def __init__(self, width=1):
                super().__init__()
                self.layers = nn.ModuleList([nn.Identity() for _ in range(width + 2)])

            def forward(self, x: Tensor):
                for size, part in enumerate([x, torch.full_like(x, 1)]):
                    x = x + self.layers[size](part)
                y = x.sum()
                for size, part in enumerate([x, y]):
                    y = y + self.layers[size](part)
                return x + y
        """,
        ("Net()", "Net(2)"),
        lacks=("self.layers[size]",),
    ),
    "truth of what is a number in one construction and None in another": Case(
        """
        class Net(nn.Module):
            def __init__(self, scale=0, flag=True):
                super().__init__()
                self.temperature = scale if flag else None

            def forward(self, x):
                if self.temperature:
                    x = x * self.temperature
                return x
        """,
        ("Net(scale=0.0)", "Net(flag=False)", "Net(scale=2)", "Net(scale=None)"),
        has=("if self.temperature is not None:\n            if self.temperature:\n                x = x *",),
    ),
    "the same, with something else to do": Case(
        """
        class Net(nn.Module):
            def __init__(self, scale=0, flag=True):
                super().__init__()
                self.temperature = scale if flag else None

            def forward(self, x):
                if self.temperature:
                    x = x * self.temperature
                else:
                    x = x + 1
                return x
        """,
        ("Net(scale=0.0)", "Net(flag=False)", "Net(scale=2)", "Net(scale=None)"),
        has=("if self.temperature:",),  # the product with None would not compile either
    ),
    "a text in one construction and None in another": Case(
        """
        class Net(nn.Module):
            def __init__(self, mode=None):
                super().__init__()
                self.mode = mode

            def forward(self, x):
                if self.mode == "a":  # doubled
                    x = x * 2
                return x
        """,
        ("Net()", 'Net("a")', 'Net("b")'),
        has=('if self.mode is not None:\n            if self.mode == "a":  # doubled\n',),
    ),
    "what is asserted in a form for compiled code": Case(
        """
        class Net(nn.Module):
            def forward(self, x, y: Optional[Tensor] = None):
                z = y.detach() if torch.jit.is_scripting() else y.data
                return x + z
        """,
        ("Net()",),
        inputs=("(torch.ones(2), torch.ones(2))", "(torch.ones(2),)"),
        has=("if torch.jit.is_scripting():\n            assert y is not None\n            z = y.detach()\n",),
    ),
    "what dict() evaluates twice": Case(
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.dropout = nn.Dropout(0.5)

            def forward(self, x):
                return dict(zip(["a", "b"], [x, self.dropout(x)]))
        """,
        has=("{key: value for key, value in zip(",),
    ),
    "a tensor type by its name": Case(
        """
        class Net(nn.Module):
            def forward(self, x):
                return (x > 0).type("torch.FloatTensor").sum()
        """,
        has=('(x > 0).to("cpu", torch.float32)',),
    ),
    "a copy of a tensor without annotation": Case(
        """
        class Net(nn.Module):
            def forward(self, x):
                return x + x.new_tensor(x)
        """,
        has=("x.detach().clone()",),
    ),
    "truth of what another class of the file holds otherwise": Case(
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.flag = 0

            def forward(self, x):
                if not self.flag:
                    x = x * 2
                return x

        class Sub(Net):
            def __init__(self):
                super().__init__()
                self.flag = None

        class Var(nn.Module):
            size = 0

            def __init__(self, on=False):
                super().__init__()
                if on:
                    self.size = None

            def forward(self, x):
                if not self.size:
                    x = x + 1
                return x
        """,
        ("Net()", "Sub()", "Var()", "Var(True)"),
    ),
    "two loops with an else, and a name that is taken": Case(
        """
        class Net(nn.Module):
            def forward(self, x, broken: int = 2):
                for i in range(broken):
                    for j in range(3):
                        if j == i:
                            break
                    else:
                        x = x + 1
                else:
                    x = x * 10
                return x
        """,
        inputs=("(torch.rand(2, 3),)", "(torch.rand(2, 3), 5)"),
    ),
    "keywords that are handed on": Case(
        """
        class Pre(nn.Module):
            def __init__(self, fn):
                super().__init__()
                self.fn = fn

            def forward(self, x, **kwargs):
                return self.fn(x, **kwargs)

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.ff = Pre(nn.Linear(3, 3))

            def forward(self, x):
                return self.ff(x)
        """,
        has=("def forward(self, x, **kwargs):\n        return self.fn(x, **kwargs)",),
    ),
    "a zip with what may be None": Case(
        """
        class Net(nn.Module):
            def __init__(self, depth: int):
                super().__init__()
                self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(depth)])

            def forward(self, x, feats=None):
                for layer, feat in zip(self.layers, feats):
                    x = layer(feat) + x
                return x
        """,
        ("Net(0)", "Net(2)"),
        (X, "(torch.rand(2, 3), [torch.rand(2, 3)])"),
    ),
    "a zip with what is asked for None": Case(
        """
        class Net(nn.Module):
            def __init__(self, depth: int):
                super().__init__()
                self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(depth)])

            def forward(self, x, feats: Optional[List[Tensor]] = None):
                if feats is not None:
                    for layer, feat in zip(self.layers, feats):
                        x = layer(feat) + x
                return x
        """,
        ("Net(0)", "Net(2)"),
        (X, "(torch.rand(2, 3), [torch.rand(2, 3)])"),
        has=("if i < len(feats):",),
    ),
    "a member of an enum by its identity": Case(
        """
        import enum

        class Mode(enum.Enum):
            A = 1
            B = 2

        class Net(nn.Module):
            def __init__(self, mode=Mode.A):
                super().__init__()
                self.mode = mode

            def forward(self, x):
                if self.mode is Mode.A:
                    return x * 2
                return x
        """,
        ("Net()", "Net(Mode.B)"),
    ),
    "a comparison with None in a method that is not compiled then": Case(
        """
        class Net(nn.Module):
            def __init__(self, n=2):
                super().__init__()
                self.n = n
                self.extra = nn.Linear(3, 3) if n is not None and n > 1 else None

            def more(self, x):
                if self.n > 1:
                    return self.extra(x), x
                return x

            def forward(self, x):
                if self.n is not None:
                    return self.more(x)
                return x
        """,
        ("Net()", "Net(None)", "Net(0)"),
        lacks=("@property",),
    ),
    "a comparison of two attributes, of which a test excludes None for one": Case(
        """
        class Net(nn.Module):
            def __init__(self, n=2, least=1):
                super().__init__()
                self.n = n
                self.least = least

            def forward(self, x):
                if self.n is not None and self.n > self.least:
                    return x + 1
                return x, x
        """,
        ("Net()", "Net(None)", "Net(0)", "Net(3, None)"),
        lacks=("@property",),
    ),
    "a comparison behind a test for None, and one that the compiler always reads": Case(
        """
        class Net(nn.Module):
            def __init__(self, n=2, rate=0.5):
                super().__init__()
                self.n = n
                self.rate = rate

            def forward(self, x):
                if self.rate > 0.3:
                    y = x + 1
                else:
                    y = (x, x)
                if self.n is not None and self.n > 1:
                    z = x + 1
                else:
                    z = (x, x)
                return y, z
        """,
        ("Net()", "Net(None)", "Net(0, 0.1)"),
        has=("return self.rate > 0.3", "return self.n is not None and self.n > 1"),
    ),
    "a test of an attribute that a subclass stores again": Case(
        """
        class Net(nn.Module):
            def __init__(self, stage):
                super().__init__()
                self.stage = stage

            def forward(self, x):
                if self.stage is 'first':
                    return x * 2
                return x + 1


        class Sub(Net):
            def __init__(self, stage):
                super().__init__(stage)
                self.stage = None
        """,
        ("Net(''.join(['fir', 'st']))", "Net('first')", "Sub('first')"),
        has=("class Net(nn.Module):\n    __constants__ = ['_stage_is_first']\n\n    def __init__(self, stage):",),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_results_stay_the_same(name: str) -> None:
    case = CASES[name]
    after = check_promise(case.text, case.constructions, case.inputs)
    for piece in case.has:
        assert piece in after
    for piece in case.lacks:
        assert piece not in after, after


def test_what_may_be_none_is_not_passed_to_a_module_from_elsewhere() -> None:
    """It may take a Tensor: then the annotation would keep the class from compiling."""
    text = """
class Taking(nn.Module):
    def forward(self, x, mask):
        return x * mask


class Net(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x, mask):
        x = self.inner(x, mask)
        if mask is not None:
            x = x + mask.sum()
        return x
"""
    after = check_promise(text, ["Net(Taking())"], ["(torch.rand(2, 3), torch.rand(3))"])
    assert "mask: " not in after


@pytest.mark.parametrize("mask", ["mask=None", "mask: Tensor = None"])
def test_what_may_be_none_is_not_passed_to_what_an_unknown_module_returns(mask: str) -> None:
    """The static model does not know that it is a Tensor, so no assertion would follow."""
    text = f"""
class Net(nn.Module):
    def __init__(self, parts, masked):
        super().__init__()
        self.inner = parts[0]
        self.masked = masked

    def forward(self, x, {mask}):
        y = self.inner(x)
        if self.masked:
            size = y.size()
            y = y.view(size[0], size[1]).masked_fill(mask, 0.0)
        return y
"""
    constructions = ["Net([nn.Linear(3, 3)], False)", "Net([nn.Linear(3, 3)], True)"]
    after = check_promise(text, constructions, [X, "(torch.rand(2, 3), torch.rand(3) > 0.5)"])
    assert "Optional" not in after
