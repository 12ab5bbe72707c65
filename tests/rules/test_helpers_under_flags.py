"""Tests attributes that a helper method reads, and that only the constructions set for which the helper is called."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.fixes.promise import check_promise
from tests.rules.compiler import the_compiler
from tests.rules.driver import findings
from tslint.cli import cli

HEAD = "import torch\nfrom torch import nn\n\n\n"
NET = """class Net({base}):
    {constants}def __init__(self, low_rank: bool = False):
        super().__init__()
        self.low_rank = low_rank
        if low_rank:
            self.factor = nn.Parameter(torch.ones(3))
        else:
            self.weight = nn.Parameter(torch.ones(3))

    def assembled(self, x: torch.Tensor):
        return x * self.factor

    def again(self, x: torch.Tensor):
        return self.assembled(x)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        {body}
"""
DECLARED = '__constants__ = ["low_rank"]\n\n    '
UNDER_FLAG = "if self.low_rank:\n            return self.assembled(x)\n        return x * self.weight"
ACCEPTED = {
    "under the test": UNDER_FLAG,
    "after the other branch": "if not self.low_rank:\n            return -x\n        return self.assembled(x)",
    "by another helper": "if self.low_rank:\n            return self.again(x)\n        return x * self.weight",
}
REJECTED = {
    "without a test": "return self.assembled(x)",
    "under the opposite test": "if self.low_rank:\n            return x\n        return self.assembled(x)",
    "under the test, and without": "if self.low_rank:\n            x = self.assembled(x)\n        return self.again(x)",
}


def _net(body: str, constants: str = DECLARED, base: str = "nn.Module") -> str:
    return NET.format(base=base, constants=constants, body=body)


@pytest.mark.parametrize("name", ACCEPTED)
@pytest.mark.parametrize("low_rank", [False, True])
def test_a_helper_is_compiled_for_the_constructions_that_call_it(name: str, low_rank: bool) -> None:
    text = HEAD + _net(ACCEPTED[name])
    assert the_compiler()(f"{text}\n\nscripted = torch.jit.script(Net({low_rank}))\n").ok
    assert not findings(text)


@pytest.mark.parametrize("name", REJECTED)
def test_a_helper_that_other_constructions_call_is_reported(name: str) -> None:
    text = HEAD + _net(REJECTED[name])
    verdicts = [the_compiler()(f"{text}\n\nscripted = torch.jit.script(Net({each}))\n").ok for each in (False, True)]
    assert not all(verdicts)
    assert {each.code for each in findings(text)} == {"TS408"}


@pytest.mark.parametrize("name", ACCEPTED)
def test_the_flag_around_the_call_becomes_a_constant(name: str) -> None:
    text = check_promise(_net(ACCEPTED[name], constants=""), ("Net()", "Net(True)"), ("(torch.rand(2, 3),)",))
    assert '    __constants__ = ["low_rank"]\n' in text
    assert "assert" not in text


BASE = """from torch import nn


class Base(nn.Module):
    def forward(self, x):
        {body}
"""


@pytest.mark.parametrize(
    ("body", "is_constant"),
    [
        ("raise NotImplementedError", True),
        ("return self.encode(x)", True),
        ("self.low_rank = False\n        return x", False),
        ("setattr(self, 'low' + '_rank', False)\n        return x", False),
        ("self.__dict__.clear()\n        return x", False),
    ],
)
def test_a_base_of_another_file_that_stores_nothing_is_no_obstacle(
    folder: Callable[..., Path], body: str, is_constant: bool
) -> None:
    net = f"import torch\nfrom torch import nn\n\nfrom base import Base\n\n\n{_net(UNDER_FLAG, '', 'Base')}"
    root = folder({"base.py": BASE.format(body=body), "net.py": net})
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", str(root)])
    after = (root / "net.py").read_text(encoding="utf-8")
    assert ('__constants__ = ["low_rank"]' in after) is is_constant
