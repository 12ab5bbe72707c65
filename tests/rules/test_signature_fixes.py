"""Signatures with ``*args`` and ``**kwargs``: what callers need stays, the rest goes, and it compiles then."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.driver import findings
from tests.rules.test_super_fixes import HEAD, fixed

MODULES = """
class Residual(nn.Module):
    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def forward(self, x, **kwargs):
        return self.fn(x, **kwargs) + x


class PreNorm(nn.Module):
    def __init__(self, fn):
        super().__init__()
        self.fn = fn
        self.norm = nn.LayerNorm(4)

    def forward(self, x, *args, **kwargs):
        return self.fn(self.norm(x), *args, **kwargs)


class Feed(nn.Module):
    def forward(self, x, **kwargs):
        return x * 2


class Attend(nn.Module):
    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        return x * mask


"""
MENDED = {
    "handed on through two modules": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.feed, self.attend = Residual(PreNorm(Feed())), Attend()

            def forward(self, x):
                return self.attend(self.feed(x), mask=x)
        inputs = (torch.rand(2, 4),)
        """,
    "only *args, filled by a caller": """
        class Both(nn.Module):
            def __init__(self):
                super().__init__()
                self.attend = Attend()

            def forward(self, *args, **kwargs):
                return self.attend(*args, **kwargs)


        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.both = Both()

            def forward(self, x):
                return self.both(x, x + 1)
        inputs = (torch.rand(2, 4),)
        """,
    "only *args, without a caller": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.feed = Feed()

            def forward(self, *args: Tensor, **kwargs) -> Tensor:
                return self.feed(*args, **kwargs)
        inputs = (torch.rand(2, 4),)
        """,
    "handed to a method": """
        class Net(nn.Module):
            def scaled(self, x, other, **kwargs):
                return x * other

            def forward(self, *args, **kwargs):
                return self.scaled(*args, **kwargs)
        inputs = (torch.rand(2, 4), torch.rand(2, 4))
        """,
    "never read": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.feed = Feed()

            def forward(self, x, y=(None), *args, **kwargs,):
                return self.feed(x)
        inputs = (torch.rand(2, 4),)
        """,
}
PAIRS = """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.layers = nn.ModuleList([])
                for _ in range(2):
                    self.layers.append(nn.ModuleList([Residual(PreNorm(Feed())), Attend()]))

            def forward(self, x):
                for feed, attend in self.layers:
                    x = attend(feed(x), mask=x)
                return x
        """
KEPT = {
    "a keyword reaches the module": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.wrapped = Residual(Attend())

            def forward(self, x):
                return self.wrapped(x, mask=x)
        """,
    "something unknown is expanded": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.wrapped = Residual(Attend())

            def forward(self, x, options):
                return self.wrapped(x, **options)
        """,
    "read otherwise": """
        class Net(nn.Module):
            def forward(self, x, **kwargs):
                return x * kwargs["scale"]
        """,
}


@pytest.mark.parametrize("name", MENDED)
def test_what_nobody_gives_goes(name: str) -> None:
    text = HEAD + MODULES.lstrip() + dedent(MENDED[name]).lstrip("\n")
    mended = fixed(text)
    assert "*args" not in mended.partition("class Both")[2] + mended.partition("class Net")[2]
    judged, compiled = the_compiler()(text), the_compiler()(mended)
    assert not judged.ok and compiled.ok, compiled.message
    assert judged.eager is not None and judged.eager == compiled.eager == compiled.scripted
    assert judged.keys == compiled.keys


@pytest.mark.parametrize("name", KEPT)
def test_what_somebody_needs_stays(name: str) -> None:
    text = HEAD + MODULES.lstrip() + dedent(KEPT[name]).lstrip("\n")
    last = [finding for finding in findings(text) if finding.name == "variadic-parameter"][-1 if "read" in name else 0]
    assert last.fix is None


def test_first_and_second_of_pairs_are_told_apart() -> None:
    text = HEAD + MODULES.lstrip() + dedent(PAIRS).lstrip("\n")
    assert "**kwargs" not in fixed(text)


def test_what_was_star_input_can_be_given_by_that_name() -> None:
    text = """
        class Pick(nn.Module):
            def __init__(self, model):
                super().__init__()
                self.model = model

            def forward(self, *input, **kwargs):
                return self.model(*input, **kwargs)
        """
    assert "def forward(self, input):" in fixed(HEAD + dedent(text).lstrip("\n"))


def test_what_others_implement_stays() -> None:
    body = "    @abc.abstractmethod\n    def forward(self, *args):\n        pass\n"
    text = f"import abc\n{HEAD}class Net(nn.Module):\n{body}"
    assert not the_compiler()(text).ok
    assert [each.fix for each in findings(text) if each.name == "variadic-parameter"] == [None]


def test_what_is_never_read_need_not_be_given() -> None:
    text = f"{HEAD}class Net(nn.Module):\n    def forward(self, *args, **kwargs):\n        return 3\n"
    text += "\n\nclass Outer(nn.Module):\n    def __init__(self, net: Net):\n"
    text += "        super().__init__()\n        self.net = net\n"
    text += "\n    def forward(self, x):\n        return self.net(x)\n"
    for given in ("()", "(torch.rand(2),)"):
        before = f"{text}\n\nscripted = torch.jit.script(Net())\ninputs = {given}\n"
        mended = fixed(before)
        assert "def forward(self, input: Optional[torch.Tensor] = None):" in mended
        told, judged = the_compiler()(before), the_compiler()(mended)
        assert not told.ok and judged.ok and judged.eager == judged.scripted == told.eager
