"""Tests signatures with ``*args`` and ``**kwargs``: parameters that callers need stay, the others are removed, and the
code compiles.

Most of these fixes are display ones, because unknown callers may pass more; they are applied here.
"""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.driver import HERE, findings
from tests.rules.test_super_fixes import HEAD
from tslint.diagnostics import Applicability
from tslint.fixing.edits import apply_fixes
from tslint.sources.file import SourceFile


def fixed(text: str, shown: tuple[str, ...] = ("TS115", "TS116", "TS117")) -> str:
    """Return a text with all its fixes, and the display fixes of some rules, applied until none is left."""
    for _ in range(10):
        fixes = [
            found.fix for found in findings(text)
            if found.fix and (found.fix.applicability is not Applicability.DISPLAY or found.code in shown)
        ]  # fmt: skip
        if not fixes:
            return text
        text = apply_fixes(SourceFile(HERE, text), fixes).text
    raise AssertionError("the fixes do not come to an end")


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
    "a caller that expands what nobody knows": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.wrapped = Residual(Attend())

            def forward(self, x, options: Optional[int] = None):
                return self.wrapped(x, **{"mask": x})
        """,
    "read otherwise": """
        class Net(nn.Module):
            def forward(self, x, **kwargs):
                return x * kwargs["scale"]
        """,
}


@pytest.mark.parametrize("name", MENDED)
def test_unused_variadic_parameters_are_removed(name: str) -> None:
    text = HEAD + MODULES.lstrip() + dedent(MENDED[name]).lstrip("\n")
    mended = fixed(text)
    assert "*args" not in mended.partition("class Both")[2] + mended.partition("class Net")[2]
    judged, compiled = the_compiler()(text), the_compiler()(mended)
    assert not judged.ok and compiled.ok, compiled.message
    assert judged.eager is not None and judged.eager == compiled.eager == compiled.scripted
    assert judged.keys == compiled.keys


@pytest.mark.parametrize("name", KEPT)
def test_variadic_parameters_that_are_needed_stay(name: str) -> None:
    text = HEAD + MODULES.lstrip() + dedent(KEPT[name]).lstrip("\n")
    last = [finding for finding in findings(text) if finding.name == "variadic-parameter"][-1 if "read" in name else 0]
    assert last.fix is None


def test_first_and_second_of_pairs_are_told_apart() -> None:
    text = HEAD + MODULES.lstrip() + dedent(PAIRS).lstrip("\n")
    assert ", **kwargs" not in fixed(text).replace("*args, **kwargs", "")


def test_a_starred_parameter_named_input_keeps_its_name() -> None:
    text = """
        class Pick(nn.Module):
            def __init__(self, model):
                super().__init__()
                self.model = model

            def forward(self, *input, **kwargs):
                return self.model(*input, **kwargs)
        """
    assert "def forward(self, input):" in fixed(HEAD + dedent(text).lstrip("\n"))


def test_an_abstract_method_keeps_its_signature() -> None:
    body = "    @abc.abstractmethod\n    def forward(self, *args):\n        pass\n"
    derived = "\n\nclass Derived(Net):\n    def forward(self, *args):\n        return args[0]\n"
    text = f"import abc\n{HEAD}class Net(nn.Module):\n{body}{derived}"
    assert not the_compiler()(text).ok
    assert "def forward(self, *args):\n        pass" in fixed(text)


def test_a_parameter_that_is_never_read_gets_a_default() -> None:
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


CLOSED = {
    "a private method": (
        """
        class Net(nn.Module):
            def _scaled(self, x, by: int = 2, *args, **kwargs):
                return x * by

            def forward(self, x):
                return self._scaled(x) + self._scaled(x, by=3)
        """,
        "def _scaled(self, x, by: int = 2):",
    ),
    "a module that the file makes and calls": (
        """
        class Inner(nn.Module):
            def forward(self, x, *args, **kwargs):
                return x * 2


        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = Inner()

            def forward(self, x):
                return self.inner(x)
        """,
        "def forward(self, x):\n        return x * 2",
    ),
    "a private function": (
        """
        def _scaled(x, *, by: int = 2):
            return x * by


        class Net(nn.Module):
            def forward(self, x):
                return _scaled(x) + _scaled(x, by=3)
        """,
        "def _scaled(x, by: int = 2):",
    ),
}
OPEN = {
    "what gets the arguments of a forward that users call": """
        class Inner(nn.Module):
            def forward(self, x, *args, **kwargs):
                return x * 2


        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = Inner()

            def forward(self, x, *args, **kwargs):
                return self.inner(x, *args, **kwargs)
        """,
    "forward of what users build": """
        class Net(nn.Module):
            def forward(self, x, *args, **kwargs):
                return x
        """,
    "a public function": """
        def scaled(x, *, by: int = 2):
            return x * by


        class Net(nn.Module):
            def forward(self, x):
                return scaled(x)
        """,
    "what is handed on to what users build": """
        class Net(nn.Module):
            def __init__(self, fn):
                super().__init__()
                self.fn = fn

            def forward(self, x, **kwargs):
                return self.fn(x, **kwargs)
        """,
    "a method that is handed on": """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.hooks = [self._scaled]

            def _scaled(self, x, *args):
                return x

            def forward(self, x):
                return self._scaled(x)
        """,
    "a method that is overridden": """
        class Net(nn.Module):
            def _scaled(self, x, *args):
                return x

            def forward(self, x):
                return self._scaled(x)


        class Other(Net):
            def _scaled(self, x, *args):
                return x * len(args)
        """,
    "a module that is given away": """
        class Inner(nn.Module):
            def forward(self, x, *args, **kwargs):
                return x * 2


        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = Inner()
                self.copies = [self.inner]

            def forward(self, x):
                return self.inner(x)
        """,
    "rebound in a branch": """
        class Net(nn.Module):
            def _scaled(self, x, *args):
                if x.dim() > 1:
                    args = (x,)
                return x

            def forward(self, x):
                return self._scaled(x)
        """,
    "seen by its name": """
        class Net(nn.Module):
            def _scaled(self, x, *args):
                print(locals())
                return x

            def forward(self, x):
                return self._scaled(x)
        """,
}


@pytest.mark.parametrize("name", CLOSED)
def test_the_fix_is_applied_if_all_calls_are_known(name: str) -> None:
    text, after = CLOSED[name]
    text = HEAD + dedent(text).lstrip("\n") + "inputs = (torch.rand(2, 4),)\n"
    mended = fixed(text, ())
    assert after in mended
    judged, compiled = the_compiler()(text), the_compiler()(mended)
    assert not judged.ok and compiled.ok, compiled.message
    assert judged.eager == compiled.eager == compiled.scripted != None  # noqa: E711


@pytest.mark.parametrize("name", OPEN)
def test_the_fix_is_at_most_displayed_if_calls_may_be_unknown(name: str) -> None:
    text = HEAD + dedent(OPEN[name]).lstrip("\n")
    found = [each for each in findings(text) if each.code in ("TS115", "TS116", "TS117")]
    assert found
    assert all(each.fix is None or each.fix.applicability is Applicability.DISPLAY for each in found)


def test_a_positional_only_parameter_is_one_finding() -> None:
    text = HEAD + "@torch.jit.script\ndef f(x: Tensor, /, k: int = 2):\n    return x * k\n"
    assert [each.code for each in findings(text)] == ["TS117"]
