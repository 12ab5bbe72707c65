"""Tests fixes that define a method: a base class or subclass in another file may have one of this name."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tslint.cli import cli

HEAD = "import torch\nfrom torch import nn\n"
NESTED = """

class Net({base}):
    def forward(self, x):
        def norm(t):
            mean = t.mean()
            return (t - mean) * self.scale

        return norm(x) + norm(x * 2)
"""
PRIVATE = """

class Net({base}):
    def __norm(self, x):
        return x - x.mean()

    def forward(self, x):
        return self.__norm(x)
"""
BASE = """

class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = 2.0

    def {name}(self, x):
        return x * 100
"""


@pytest.mark.parametrize(
    ("text", "is_base"),
    [(NESTED, True), (NESTED, False), (PRIVATE, False)],
    ids=[
        "a nested function, and a base class",
        "a nested function, and a subclass",
        "a private method, and a subclass",
    ],
)
@pytest.mark.parametrize("name", ["_norm", "_scaled"])
def test_the_name_is_not_taken(tmp_path: Path, text: str, name: str, is_base: bool) -> None:
    net, other = tmp_path / "net.py", tmp_path / "other.py"
    net.write_text(
        HEAD + ("from other import Base\n" if is_base else "") + text.format(base="Base" if is_base else "nn.Module")
    )
    base = BASE.format(name=name)
    other.write_text(
        HEAD + (base if is_base else "from net import Net\n" + base.replace("Base(nn.Module)", "Sub(Net)"))
    )
    before = net.read_text()
    run = CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", str(tmp_path)])
    fixed = name == "_scaled"
    assert (net.read_text() != before) is fixed, run.output
    assert ("`_norm` is already a name in " in run.output) is not fixed


def test_a_method_that_is_rewritten_keeps_its_name(tmp_path: Path) -> None:
    text = f"{HEAD}\n\nclass Net(nn.Module):\n    @torch.no_grad()\n    def forward(self, x):\n        return x * 2\n"
    (tmp_path / "net.py").write_text(text)
    (tmp_path / "other.py").write_text(f"{HEAD}from net import Net\n{BASE.format(name='forward')}")
    CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", "--fix", "--unsafe-fixes", str(tmp_path)])
    assert "with torch.no_grad():" in (tmp_path / "net.py").read_text()
