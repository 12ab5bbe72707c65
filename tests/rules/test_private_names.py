"""Tests attributes with two leading underscores: Python stores them under another name, which compiled code
must use.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.rules.compiler import the_compiler
from tests.rules.test_super_fixes import HEAD
from tests.script.model import kinds

CLASSES = """

class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.__n = 3
        self.__fc = nn.Linear(3, 3)


class _Net(Base):
    def __init__(self, flag: bool = True):
        super().__init__()
        self.__n = 0.5

    def forward(self, x):
        return {0}


scripted = torch.jit.script(_Net())
inputs = (torch.rand(2, 3),)
"""


def test_private_names_are_mangled_with_their_own_class(mended: Callable[[str], str]) -> None:
    before = HEAD + CLASSES.format("self._Base__fc(x) * self.__n")
    assert not the_compiler()(before).ok
    after = mended(before)
    assert "return self._Base__fc(x) * self._Net__n\n" in after
    verdict = the_compiler()(after)
    assert verdict.ok and verdict.eager == verdict.scripted
    assert mended(after) == after


def test_the_model_knows_both_types() -> None:
    assert kinds(CLASSES.format("x.view(self._Base__n)")) == []
    assert kinds(CLASSES.format("x.view(self._Net__n)")) != []
    assert kinds(CLASSES.format("x * self._Net__flag")) == ["missing-attribute"]
