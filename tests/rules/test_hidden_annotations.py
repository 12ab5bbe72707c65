"""Tests annotations of a base class that a subclass hides: they are written only once, because repeating them has no
effect.
"""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.test_super_fixes import HEAD

DERIVED = """


class Other(Base):
    def forward(self, x):
        return self.keep(x)


class Net(Base):
    size: int

    def __init__(self):
        super().__init__()
        self.size = 3

    def forward(self, x):
        return self.keep(x) * self.size


scripted = torch.jit.script(Net())
inputs = (torch.rand(2, 3),)
"""

BASES = {
    "an attribute that begins as None": (
        """
        class Base(nn.Module):
            def __init__(self):
                super().__init__()
                self.last = None

            def keep(self, x):
                self.last = x
                return x
        """,
        "    last: Optional[torch.Tensor]\n",
    ),
    "a class variable": (
        """
        class Base(nn.Module):
            twice: bool = True

            def keep(self, x):
                return x * 2 if self.twice else x
        """,
        "    twice: Final[bool] = True\n",
    ),
}


@pytest.mark.parametrize("name", BASES)
def test_the_annotation_is_written_once(name: str, mended: Callable[[str], str]) -> None:
    source, line = BASES[name]
    before = HEAD + dedent(source).strip("\n") + DERIVED
    assert not the_compiler()(before).ok
    after = mended(before)
    assert after.count(line) == 1, after
    assert mended(after) == after


SCRIPT_CLASS = """class Box:
    def __init__(self, n: int):
        self.n = n
        {first}

    def keep(self, x: Tensor) -> Tensor:
        self.last = x
        return x


class Net(nn.Module):
    def forward(self, x):
        return Box(3).keep(x)


scripted = torch.jit.script(Net())
inputs = (torch.rand(2, 3),)
"""


def test_an_attribute_of_a_script_class_begins_with_its_type(mended: Callable[[str], str]) -> None:
    before = HEAD + SCRIPT_CLASS.format(first="self.last = None")
    told = the_compiler()(before)
    assert not told.ok
    after = mended(before)
    assert "self.last = torch.jit.annotate(Optional[Tensor], None)\n" in after
    verdict = the_compiler()(after)
    assert verdict.ok and verdict.eager == verdict.scripted == told.eager


def test_no_annotation_mends_a_script_class(mended: Callable[[str], str]) -> None:
    before = HEAD + SCRIPT_CLASS.format(first="self.last = self.first = None")
    assert not the_compiler()(before).ok
    assert mended(before) == before


def test_a_variable_that_holds_a_constant_is_no_constant(mended: Callable[[str], str]) -> None:
    before = (
        HEAD
        + """READ = 0


class Net(nn.Module):
    def forward(self, x):
        action = READ
        if action == 0:
            x = x * 2
        return x


scripted = torch.jit.script(Net())
inputs = (torch.rand(2, 3),)
"""
    )
    told = the_compiler()(before)
    assert not told.ok
    after = mended(before)
    assert "action: Final" not in after
    assert the_compiler()(after).eager == told.eager
