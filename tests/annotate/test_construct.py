"""Tests the detection of ints that were passed to torch's own modules for floats, known only at run time."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest
import torch
from click.testing import CliRunner, Result

from tslint.cli import cli

pytestmark = pytest.mark.skipif(sys.version_info < (3, 11), reason="code objects know no place of a call before 3.11")

NET = """\
import json
from pathlib import Path

import torch
from torch import nn

CONFIG = json.loads((Path(__file__).parent / "config.json").read_text())


class Norm(nn.LayerNorm):
    def __init__(self, size, eps):
        super().__init__(size, eps)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(4, eps=CONFIG["eps"])
        self.drops = nn.Sequential(*[nn.Dropout(CONFIG["drop"]) for _ in range(3)])
        self.own = Norm(4, CONFIG["eps"])
        self.batch = nn.BatchNorm1d(4, CONFIG["eps"], CONFIG["momentum"])
        self.plus = nn.Softplus(CONFIG["eps"])
        self.act = nn.LeakyReLU(*CONFIG["slope"])
        self.elu = nn.ELU(float(CONFIG["eps"]))
        self.linear = nn.Linear(CONFIG["four"], 4)

    def forward(self, x):
        return self.linear(self.elu(self.plus(self.batch(self.own(self.norm(self.drops(self.act(x))))))))
"""
FIXED = {
    '        self.norm = nn.LayerNorm(4, eps=float(CONFIG["eps"]))',
    '        self.drops = nn.Sequential(*[nn.Dropout(float(CONFIG["drop"])) for _ in range(3)])',
    "        super().__init__(size, float(eps))",
    "        self.batch = nn.BatchNorm1d(",
    '            4, float(CONFIG["eps"]), None if CONFIG["momentum"] is None else float(CONFIG["momentum"])',
    "        )",
}
CONFIG = {"eps": 1, "drop": 0, "momentum": 1, "slope": [0.5], "four": 4}


@pytest.fixture
def net(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    path = tmp_path / "net.py"
    path.write_text(NET)
    return path


def annotate(*options: str) -> Result:
    return CliRunner().invoke(
        cli, ["annotate", "--isolated", "net.py:Net", "--inputs", "torch.rand(2, 4)", *options], catch_exceptions=False
    )


def load(path: Path) -> torch.nn.Module:
    module = ModuleType("net")
    module.__file__ = str(path)
    sys.modules["net"] = module
    try:
        exec(compile(path.read_text(), str(path), "exec"), module.__dict__)
    finally:
        del sys.modules["net"]
    torch.manual_seed(0)
    made = module.__dict__["Net"]().eval()
    assert isinstance(made, torch.nn.Module)
    return made


@pytest.mark.usefixtures("net")
def test_ints_passed_for_floats_are_listed() -> None:
    result = annotate()
    assert result.exit_code == 1
    rows = [line.split("  ", 1)[0] + " " + " ".join(line.split()[1:]) for line in result.stdout.splitlines()]
    seen = "seen {}×: an int, with which {} cannot be compiled"
    assert rows == [
        f"net.py:12:32 LayerNorm(eps) in Norm.__init__ float {seen.format(1, 'LayerNorm')}",
        f"net.py:18:41 LayerNorm(eps) in Net.__init__ float {seen.format(1, 'LayerNorm')}",
        f"net.py:19:49 Dropout(p) in Net.__init__ float {seen.format(3, 'Dropout')}",
        f"net.py:21:40 BatchNorm1d(eps) in Net.__init__ float {seen.format(1, 'BatchNorm1d')}",
        f"net.py:21:55 BatchNorm1d(momentum) in Net.__init__ Optional[float] {seen.format(1, 'BatchNorm1d')}",
    ]
    assert "Would add 5 conversions in 1 file; --write adds them." in result.stderr


def test_the_ints_are_converted_and_the_module_compiles(net: Path) -> None:
    before = load(net)
    with pytest.raises(RuntimeError, match="instead found type 'int'"):
        torch.jit.script(before)
    assert annotate("--write").exit_code == 0
    text = net.read_text()
    assert set(text.splitlines()) - set(NET.splitlines()) == FIXED
    after = load(net)
    x = torch.rand(2, 4)
    assert torch.equal(before(x), after(x))
    assert torch.equal(torch.jit.script(after)(x), after(x))
    again = annotate("--write")
    assert again.exit_code == 0
    assert "Nothing to annotate." in again.stderr
    assert net.read_text() == text


def test_a_starred_argument_is_not_converted(net: Path) -> None:
    (net.parent / "config.json").write_text(json.dumps({**CONFIG, "slope": [1]}))
    annotate("--write")
    assert "nn.LeakyReLU(*CONFIG" in net.read_text()


def test_the_ints_are_listed_even_if_forward_fails(net: Path) -> None:
    net.write_text(NET.replace("return self.linear", "raise ValueError\n        return self.linear"))
    result = annotate()
    assert result.exit_code == 2
    assert "net.py:18:41" in result.stdout


def test_none_is_not_converted(net: Path) -> None:
    made = "        self.other, self.batch = norm(None), norm(1)\n        self.linear ="
    function = "def norm(momentum):\n    return nn.BatchNorm1d(4, momentum=momentum)\n\n\nclass Net("
    net.write_text(NET.replace("        self.linear =", made).replace("class Net(", function))
    assert annotate("--write").exit_code == 0
    assert "nn.BatchNorm1d(4, momentum=None if momentum is None else float(momentum))" in net.read_text()
    after = load(net)
    assert after.other.momentum is None
    torch.jit.script(after.batch)
