"""Tests values that Python passes to one compiled function, which passes them to another: the other one's findings
apply.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import tslint

HEAD = "import torch\nfrom torch import nn\n\n\n"
INNER = """
class Inner(nn.Module):
    def forward(self, x: torch.Tensor, mask):
        if mask is not None:  # the test
            x = x * mask
        return x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def forward(self, x: torch.Tensor, given{annotation}):
        {before}
        return self.inner(x, {passed})
"""


@pytest.mark.parametrize(
    ("annotation", "before", "passed", "found"),
    [
        ("", "pass", "given", True),
        ("", "pass", "mask=given", True),
        (": torch.Tensor = None", "pass", "given", True),
        (": torch.Tensor", "pass", "given", False),  # the annotation says that None is not passed
        ("", "given = x * 2", "given", False),
        ("", "pass", "given * 2", False),  # Python raises for None before the call
        ("", "pass", "x", False),
    ],
)
def test_a_test_for_none_of_an_argument_passed_by_python(
    annotation: str, before: str, passed: str, found: bool, tmp_path: Path
) -> None:
    path = tmp_path / "net.py"
    path.write_text(HEAD + INNER.format(annotation=annotation, before=before, passed=passed))
    lines = path.read_text().splitlines()
    rows = [lines[d.start.row - 1].strip() for d in tslint.check(path, isolated=True) if d.code == "TS610"]
    assert rows == ["if mask is not None:  # the test"] * found


def test_modules_of_unknown_number_return_the_type_that_they_take(tmp_path: Path) -> None:
    path = tmp_path / "net.py"
    path.write_text(
        HEAD
        + "class Net(nn.Module):\n"
        + "    def __init__(self, depth: int):\n"
        + "        super().__init__()\n"
        + "        self.body = nn.Sequential(*[nn.ReLU() for _ in range(depth)])\n"
        + "        self.memory = nn.Sequential(*[nn.LSTM(4, 4) for _ in range(depth)])\n\n"
        + "    def forward(self, x):\n"
        + "        text = str(self.body(x).dtype)\n"
        + "        y = self.memory(x)\n"  # it is a tensor or a tuple
        + "        return x + len(text) + y\n"
    )
    assert [(d.code, d.start.row) for d in tslint.check(path, isolated=True)] == [("TS614", 12)]
