"""Tests attributes with two leading underscores: Python stores them under another name, which compiled code
must use.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.driver import findings
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


HIDDEN = """

class Net(nn.Module):
    __constants__ = {constants}
    {declared}

    def __init__(self):
        super().__init__()
        {stored}

    def forward(self, x):
        return x if self.__kept__ is None else x * self.__kept__


scripted = torch.jit.script(Net())
"""


@pytest.mark.parametrize(
    ("stored", "constants", "declared", "accepted"),
    [
        ("self.__kept__ = 3", [], "size: int", False),
        ("self.__kept__ = 3", [], "__kept__: int", False),
        ("self.__kept__ = None", [], "size: int", False),
        ("self.__kept__ = [3]", [], "size: int", False),
        ("self.__kept__ = 3", ["__kept__"], "size: int", True),
        ("self.__kept__ = nn.Parameter(torch.ones(1))", [], "size: int", True),
        ("self.register_buffer('__kept__', torch.ones(1))", [], "size: int", True),
    ],
)
def test_plain_attributes_with_two_underscores_do_not_exist(
    stored: str, constants: list[str], declared: str, *, accepted: bool
) -> None:
    text = HEAD + HIDDEN.format(stored=stored, constants=constants, declared=declared)
    assert the_compiler()(text).ok is accepted
    shown = {each.message.partition(" (")[0] for each in findings(text) if each.code == "TS408"}
    assert shown == (
        set() if accepted else {"`self.__kept__` begins with two underscores, so TorchScript does not see it"}
    )
