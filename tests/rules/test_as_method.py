"""Tests functions with modules as arguments: they become methods that use the attributes."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.fixes import promise
from tests.rules.compiler import the_compiler
from tests.rules.driver import HERE, findings
from tslint.cli import cli
from tslint.diagnostics import Applicability
from tslint.fixing.edits import apply_fixes
from tslint.sources.file import SourceFile

HEAD = '''import math
from typing import Optional

import torch
import torch.nn.functional as F
from torch import nn

STEP = 2


def attention(query, key, value, mask: Optional[torch.Tensor] = None, dropout=None):
    """Scaled dot-product attention."""
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    weights = F.softmax(scores, dim=-1)
    if dropout is not None:
        # Only while training.
        weights = dropout(weights)

    return torch.matmul(weights, value), weights


def twice(act, x, out, by: float = 2.0):
    return out(act(x) * by)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.dropout = nn.Dropout(0.5)
        self.act, self.out = nn.ReLU(), nn.Linear(3, 3)

'''
TAIL = """

torch.manual_seed(0)
module = Net().eval()
inputs = (torch.arange(6.0).reshape(2, 3),)
"""
FIXED = {
    "keyword": (
        "    def forward(self, x):\n        y, _ = attention(x, x, x, dropout=self.dropout)\n        return y\n",
        "y, _ = self._attention_with_dropout(x, x, x)",
        """    def _attention_with_dropout(self, query, key, value, mask: Optional[torch.Tensor] = None):
        scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(query.size(-1))
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        weights = F.softmax(scores, dim=-1)
        if self.dropout is not None:
            # Only while training.
            weights = self.dropout(weights)

        return torch.matmul(weights, value), weights
""",
    ),
    "several": (
        "    def forward(self, x):\n        return twice(self.act, x, self.out, 3.0)\n",
        "return self._twice_with_act_out(x, 3.0)",
        "    def _twice_with_act_out(self, x, by: float = 2.0):\n        return self.out(self.act(x) * by)\n",
    ),
    "two calls": (
        "    def forward(self, x):\n        x = twice(self.act, x, self.out)\n"
        "        return twice(self.act, x, self.out, by=1.0)\n",
        "        return self._twice_with_act_out(x, by=1.0)\n",
        "        x = self._twice_with_act_out(x)\n",
    ),
    "a method": (
        "    def scaled(self, x, layer, n: int):\n        return layer(x) * n\n\n"
        "    def forward(self, x):\n        return self.scaled(x, self.out, 2)\n",
        "return self._scaled_with_out(x, 2)",
        "    def _scaled_with_out(self, x, n: int):\n        return self.out(x) * n\n",
    ),
}
LEFT = {
    "passed on": (
        "    def inner(self, layer, x):\n        return twice(layer, x, layer)\n\n"
        "    def forward(self, x):\n        return self.inner(self.out, x)\n"
    ),
    "something else": (
        "    def scaled(self, x, layer):\n        return layer(x) * len(layer)\n\n"
        "    def forward(self, x):\n        return self.scaled(x, self.out)\n"
    ),
    "another default": (
        "    def scaled(self, x, layer, n=STEP):\n        return layer(x) * n\n\n"
        "    def forward(self, x):\n        return self.scaled(x, self.out)\n"
    ),
}


def fixed(text: str) -> str:
    for _ in range(4):
        fixes = [each.fix for each in findings(text) if each.code == "TS507" and each.fix is not None]
        assert all(fix is None or fix.applicability is Applicability.UNSAFE for fix in fixes)
        text = apply_fixes(SourceFile(HERE, text), [fix for fix in fixes if fix is not None]).text
    return text


@pytest.mark.parametrize("name", FIXED)
def test_a_function_becomes_a_method(name: str) -> None:
    body, call, method = FIXED[name]
    before = HEAD + body + TAIL
    text = fixed(before)
    assert call in text and method in text
    assert text.count("def _") == 2, text  # `def __init__` counts, too
    old, new = the_compiler()(before), the_compiler()(text)
    assert not old.ok and new.ok, new.message
    assert old.eager == new.eager == new.scripted
    assert old.keys == new.keys
    assert fixed(text) == text


@pytest.mark.parametrize("name", LEFT)
def test_what_is_not_plain_stays(name: str) -> None:
    before = HEAD + LEFT[name] + TAIL
    assert [each for each in findings(before) if each.code == "TS507"]
    assert fixed(before) == before


def test_a_function_of_another_file_is_left_there(tmp_path: Path) -> None:
    (tmp_path / "parts.py").write_text("def twice(x, act):\n    return act(x) * 2\n")
    (tmp_path / "net.py").write_text(
        "import torch\nfrom torch import nn\nfrom parts import twice\n\n\nclass Net(nn.Module):\n"
        "    def __init__(self):\n        super().__init__()\n        self.act = nn.ReLU()\n\n"
        "    def forward(self, x):\n        return twice(x, self.act)\n"
    )
    run = CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", str(tmp_path)])
    assert "TS900" not in run.output
    assert "`act` of `twice`" in run.output


def test_a_function_that_is_named_like_a_method_of_tensors_moves_to_module_level() -> None:
    text, _ = promise.fixed(
        "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n"
        "        def norm(t):\n            return t / t.norm(p=2, dim=-1, keepdim=True)\n\n"
        "        return norm(x) * norm(x * 2)\n"
    )
    assert "\ndef _norm(t):\n    return t / t.norm(p=2, dim=-1, keepdim=True)\n" in text
    assert "        return _norm(x) * _norm(x * 2)\n" in text
    assert the_compiler()(f"{text}\n\nscripted = torch.jit.script(Net())\n").ok
