"""Tests code that the compiler accepts, and that was once reported."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.driver import findings
from tslint.diagnostics import Severity

HEAD = "from typing import List, Optional\n\nimport torch\nfrom torch import nn\n\n\n"
FORMS = {
    "a script class annotates its attributes where it sets them": """
class Sizes:
    def __init__(self, sizes: List[int]):
        self.sizes: List[int] = sizes


@torch.jit.script
def f(x: torch.Tensor, sizes: List[int]):
    return x * len(Sizes(sizes).sizes)
""",
    "tuples in a list of which some hold None": """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.pairs = [(("a", 0.4), 8), (("b", 0.6), None)]
        self.numbers = [None, [1]]

    def forward(self, x: torch.Tensor):
        for (name, p), number in self.pairs:
            x = x * p
        return x * len(self.numbers)
""",
    "a method that gives a value or raises": """
class Net(nn.Module):
    def __init__(self, n: int = 2):
        super().__init__()
        self.table = self.made(n)

    def made(self, n: int):
        try:
            return {i: i * 2 for i in range(n)}
        except ValueError as error:
            raise RuntimeError("no table") from error

    def forward(self, x: torch.Tensor):
        return x * self.table[0]
""",
    "a method that gives a value, or another where that raises": """
class Net(nn.Module):
    def __init__(self, n: int = 2):
        super().__init__()
        self.table = self.made(n)

    def made(self, n: int):
        try:
            return int("a")
        except ValueError:
            return [n]

    def forward(self, x: torch.Tensor):
        return x * self.table[0]
""",
}


@pytest.mark.parametrize("form", FORMS)
def test_a_form_that_compiles_has_no_error(form: str) -> None:
    text = HEAD + FORMS[form]
    verdict = the_compiler()(text)
    assert verdict.ok, verdict.message
    assert [each for each in findings(text) if each.severity is Severity.ERROR] == []


@pytest.mark.parametrize("items", ["1, 2.0", "1, 'a'", "True, 1", "(1,), (1, 2)", "[1], [2.0]"])
def test_a_list_of_several_types_is_no_list_to_the_compiler(items: str) -> None:
    text = HEAD + (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        f"        self.items = [{items}]\n\n    def forward(self, x: torch.Tensor):\n        return len(self.items)\n"
    )
    assert not the_compiler()(text).ok
    assert "TS412" in {each.code for each in findings(text)}
