"""Tests last resorts: code that no rule can fix and that only some inputs reach is moved into a method that is not
compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.test_super_fixes import HEAD

TAIL = """

scripted = torch.jit.script(Net())
inputs = (torch.rand(2, 3),)
"""


# A class, and texts that its fixed form contains.
TAKEN = {
    "the rest after an early return": (
        """
        class Net(nn.Module):
            def forward(self, x):
                if x.numel() > 0:
                    return torch.relu(x)
                shape = [open(str(n)) for n in x.shape]
                return x.new_empty(shape)
        """,
        """
                if x.numel() > 0:
                    return torch.relu(x)
                return self._forward_uncompiled(x)

            @torch.jit.unused
            def _forward_uncompiled(self, x) -> torch.Tensor:
                shape = [open(str(n)) for n in x.shape]
                return x.new_empty(shape)
        """,
    ),
    "what only another method turns on": (
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.fused = False

            def fuse(self):
                self.fused = True

            def forward(self, x, n: int = 2):
                y = x + n
                if self.fused:
                    return y * len(open(str(n)).read())
                return y
        """,
        """
                if self.fused:
                    return self._forward_uncompiled(y, n)
                return y

            @torch.jit.unused
            def _forward_uncompiled(self, y: torch.Tensor, n: int):
                return y * len(open(str(n)).read())
        """,
    ),
    "a value that is used after it": (
        """
        class Net(nn.Module):
            def forward(self, x):
                n, scale = 1, 1.0
                if x.dim() > 3:
                    for name in sorted(open(str(n))):
                        n += len(name)
                    scale = scale * float(hash(str(n)))
                return x * n * scale
        """,
        """
                if x.dim() > 3:
                    n, scale = self._forward_uncompiled(n, scale)
                return x * n * scale

            @torch.jit.unused
            def _forward_uncompiled(self, n: int, scale: float) -> Tuple[int, float]:
                for name in sorted(open(str(n))):
                    n += len(name)
                scale = scale * float(hash(str(n)))
                return n, scale
        """,
    ),
    "a value that one way through it leaves": (
        """
        class Net(nn.Module):
            def forward(self, x, n: int = 2):
                scale = 1.0
                if x.dim() > 3:
                    n = len(open(str(n)))
                    if n > 1:
                        scale = 2.0
                return x * n * scale
        """,
        """
                if x.dim() > 3:
                    n, scale = self._forward_uncompiled(n, scale)
                return x * n * scale

            @torch.jit.unused
            def _forward_uncompiled(self, n: int, scale: float) -> Tuple[int, float]:
                n = len(open(str(n)))
                if n > 1:
                    scale = 2.0
                return n, scale
        """,
    ),
    "two branches": (
        """
        class Net(nn.Module):
            def forward(self, x):
                if x.dim() > 3:
                    return x * eval(str(x))
                elif x.dim() > 2:
                    return x * eval('2')
                return x
        """,
        """
                if x.dim() > 3:
                    return self._forward_uncompiled(x)
                elif x.dim() > 2:
                    return self._forward_uncompiled2(x)
                return x

            @torch.jit.unused
            def _forward_uncompiled2(self, x) -> torch.Tensor:
                return x * eval('2')

            @torch.jit.unused
            def _forward_uncompiled(self, x):
                return x * eval(str(x))
        """,
    ),
    "a function": (
        """
        def pick(x, name: str):
            if name == "file":
                return torch.tensor(eval(name))
            return x


        class Net(nn.Module):
            def forward(self, x):
                return pick(x, "x")
        """,
        """
        @torch.jit.unused
        def _pick_uncompiled(name: str):
            return torch.tensor(eval(name))


        def pick(x, name: str):
            if name == "file":
                return _pick_uncompiled(name)
            return x
        """,
    ),
}


@pytest.mark.parametrize("name", TAKEN)
def test_a_branch_is_set_aside(name: str, with_last_resorts: Callable[[str], str]) -> None:
    source, holds = TAKEN[name]
    before = HEAD + dedent(source) + TAIL
    refused = the_compiler()(before)
    assert not refused.ok
    after = with_last_resorts(before)
    assert dedent(holds).strip("\n") in (after if "def pick" in after else after.replace("\n    ", "\n"))
    verdict = the_compiler()(after)
    assert verdict.ok, verdict.message
    assert verdict.eager == verdict.scripted == refused.eager
    assert with_last_resorts(after) == after


LEFT = {
    "everything goes through it": """
        class Net(nn.Module):
            def forward(self, x):
                return x.new_empty(eval("2"))
        """,
    "what follows a test of the input": """
        class Net(nn.Module):
            def forward(self, x):
                if x.numel() == 0:
                    return x
                return x.new_empty(eval("2"))
        """,
    "a value of another type": """
        class Net(nn.Module):
            def forward(self, x):
                n = 1
                if x.dim() > 1:
                    n = "a"
                return x + len(n)
        """,
    "a loop that it leaves": """
        class Net(nn.Module):
            def forward(self, x):
                for i in range(3):
                    if i > 1:
                        x = x.new_empty(eval("2"))
                        break
                return x
        """,
    "a function that calls itself": """
        def halve(x, n: int):
            if n > 0:
                return halve(x / 2, n - 1)
            return x


        class Net(nn.Module):
            def forward(self, x):
                return halve(x, 2)
        """,
}


@pytest.mark.parametrize("name", LEFT)
def test_code_that_cannot_be_set_aside_stays(name: str, with_last_resorts: Callable[[str], str]) -> None:
    before = HEAD + dedent(LEFT[name]) + TAIL
    assert not the_compiler()(before).ok
    assert "_uncompiled" not in with_last_resorts(before)


def test_not_all_branches_are_set_aside(with_last_resorts: Callable[[str], str]) -> None:
    text = """
        class Net(nn.Module):
            def forward(self, x):
                if x.dim() > 1:
                    return x.new_empty(eval("2"))
                else:
                    return x.new_empty(eval("3"))
        """
    assert with_last_resorts(HEAD + dedent(text) + TAIL).count("@torch.jit.unused") == 1


def test_code_that_another_fix_makes_compilable_is_not_set_aside(with_last_resorts: Callable[[str], str]) -> None:
    """`size` is a Tensor until the annotation that the call requires is written."""
    text = """
        class Part(nn.Module):
            def forward(self, x, size):
                if x.dim() == 2:
                    x = x.expand(size, 3)
                return x


        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.part = Part()

            def forward(self, x):
                return self.part(x, x.size(0))
        """
    after = with_last_resorts(HEAD + dedent(text) + TAIL)
    assert "size: int" in after and "_uncompiled" not in after
    assert the_compiler()(after).ok


DEFAULTS = {
    "of a parameter": """
        class Net(nn.Module):
            def forward(self, x, fast: bool = True):
                if fast:
                    return x.new_empty(eval("3"))
                return x
        """,
    "of the constructor": """
        class Net(nn.Module):
            def __init__(self, fast=True):
                super().__init__()
                self.fast = fast

            def forward(self, x):
                if self.fast:
                    x = x + x.new_empty(eval("3"))
                return x
        """,
}


@pytest.mark.parametrize("name", DEFAULTS)
def test_the_default_branch_is_never_set_aside(name: str, with_last_resorts: Callable[[str], str]) -> None:
    text = HEAD + dedent(DEFAULTS[name]) + TAIL
    assert "_uncompiled" not in with_last_resorts(text)
