"""What a person would not write unless the code compiles with it is written only where it does."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tslint.cli import cli

_HEAD = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.n = 2

    def forward(self, x):
"""
_ROWS = "        a, b = x.mean(0)\n        y = a + b\n"
_GUARDED = "        a, b = x.mean(0).unbind(0) if torch.jit.is_scripting() else x.mean(0)\n        y = a + b\n"


_OUTER = """

class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Net()

    def forward(self, x):
        return self.net(x).foo
"""


@pytest.mark.parametrize(
    ("rest", "written", "said"),
    [
        pytest.param("        return y\n", True, "", id="it compiles with it"),
        pytest.param(
            "        return y, {1}\n", False, "Its fix waits: {0} (TS111 at line 13)", id="something is in the way"
        ),
        pytest.param(
            "        return y.foo\n", False, "Its fix was tried and given up: {0} (TS210)", id="something turns up"
        ),
        pytest.param("        return y\n" + _OUTER, True, "TS210", id="a caller alone does not compile"),
    ],
)
def test_a_workaround_is_written_where_it_makes_something_compile(
    tmp_path: Path, rest: str, written: bool, said: str
) -> None:
    path = tmp_path / "net.py"
    path.write_text(_HEAD + _ROWS + rest, encoding="utf-8")
    result = CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(path)])
    assert path.read_text(encoding="utf-8") == _HEAD + (_GUARDED if written else _ROWS) + rest
    assert said.format("`Net` would not compile with it either") in result.stdout
    assert bool(said) is bool(result.exit_code)
