"""Tests that the fixes in JSON are those that ``--fix`` applies, and that fixed findings are gone."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tslint.cli import cli
from tslint.config import Settings
from tslint.diagnostics import Applicability, Edit, Fix, Position
from tslint.fixing import history, rounds, run
from tslint.fixing.edits import apply_fixes
from tslint.fixing.rounds import fix
from tslint.lint.engine import Loaded, judge
from tslint.lint.incremental import Judge
from tslint.sources import reading
from tslint.sources.file import SourceFile

NET = """\
import math
from typing import List
import numpy as np
import torch
from torch import nn
from torch.autograd import Variable


class Net(nn.Module):
    def __init__(self, size=3):
        super(Net, self).__init__()
        self.parts = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])
        self.names = {}

    def forward(self, x, scale=None, flag=False):
        out, seen = [], {}
        for i in range(3):
            seen[i] = 'é'
            out.append(i)
        outputs = []
        for i in range(len(self.parts)):
            outputs.append(self.parts[i](Variable(x)))
        if scale is not None:
            x = x * scale
        return torch.cat(outputs) * np.sqrt(len(out)) + flag
"""


def check(*arguments: str) -> Any:
    return CliRunner().invoke(cli, ["check", "--isolated", "--exit-zero", *arguments])


def place(told: Any) -> Position:
    return Position(told["row"], told["column"])


def naive(text: str, edits: list[Any]) -> str:
    r"""Apply edits to a text as an editor does, without knowing their meaning; lines end in ``\n``."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    spans = sorted(
        {
            (
                starts[edit["location"]["row"] - 1] + edit["location"]["column"] - 1,
                starts[edit["end_location"]["row"] - 1] + edit["end_location"]["column"] - 1,
                edit["content"],
            )
            for edit in edits
        }
    )
    for start, end, content in reversed(spans):
        text = text[:start] + content + text[end:]
    return text


@pytest.mark.parametrize("text", [NET, NET.replace("from typing import List\n", ""), NET.replace("\n", "\r\n")])
def test_the_edits_of_json_are_those_of_fix(
    folder: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    root = folder({"net.py": text})
    found = json.loads(check("--output-format", "json", "net.py").stdout)
    told = [each["fix"] for each in found if each["fix"] and each["fix"]["applicability"] != "display"]
    assert len(told) > 3
    source = reading.read(root / "net.py")
    fixes = [
        Fix(
            Applicability(each["applicability"]),
            each["message"],
            tuple(Edit(place(e["location"]), place(e["end_location"]), e["content"]) for e in each["edits"]),
        )
        for each in told
    ]
    expected = apply_fixes(source, fixes)
    # Only one round, in which no fix waits for another one, and imports are not removed.
    monkeypatch.setattr(run, "independent", lambda found: [True] * len(found))
    monkeypatch.setattr(rounds, "ROUNDS", 1)
    monkeypatch.setattr(history, "removals", lambda *_: [])
    check("--fix", "--unsafe-fixes", "net.py")
    assert (root / "net.py").read_bytes() == source.encode(expected.text)
    if "\r" not in text:
        # A single fix, applied by an editor that does not know what edits mean.
        for one, each in zip(fixes, told):
            assert naive(text, each["edits"]) == apply_fixes(source, [one]).text


LINES = st.sampled_from(
    [
        "out = []\nout.append(1)",
        "seen = {}\nseen['a'] = 1",
        "x = Variable(x)",
        "x = x * np.sqrt(2.0)",
        "x = self.parts[0](x)",
        "for i in range(len(self.parts)):\n    x = self.parts[i](x)",
        "for part in reversed(self.parts):\n    x = part(x)",
        "if flag:\n    y = x\nelse:\n    y = None",
        "a, *b = x.shape",
        "x = x.view(*x.shape)",
        "logging.info('%s', x.shape)",
        "assert isinstance(x, torch.Tensor)",
        "x = F.relu(x) if flag else 0",
        "print(f'{x.shape[0]:>3}')",
        "with torch.no_grad():\n    x = x + 1",
        "x += float('inf')",
        "super(Net, self).forward(x)",
        "values = [v for v in range(3) if v]",
    ]
)
HEADS = st.sampled_from(
    [
        "import logging\nimport numpy as np\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn\n"
        "from torch.autograd import Variable\n",
        "from typing import Dict\nimport logging, numpy as np, torch\nfrom torch import nn\n"
        "from torch.nn import functional as F\nfrom torch.autograd import Variable, Function\n",
        '"""A module."""\nfrom __future__ import annotations\nfrom typing import (\n    List,\n)\nimport logging\n'
        "import torch, numpy as np\nfrom torch import nn\nfrom torch.autograd import *\n",
    ]
)


@st.composite
def modules(draw: st.DrawFn) -> str:
    """Return a module that may need many fixes."""
    tab = draw(st.sampled_from(["    ", "\t", "  "]))
    lines = [line for text in draw(st.lists(LINES, max_size=5)) for line in text.split("\n")]
    head = draw(HEADS)
    signature = draw(
        st.sampled_from(["self, x, flag=False", "self, x, flag: bool = False", "self, x, flag=None, *args"])
    )
    body = [
        "class Net(nn.Module):",
        f"{tab}def __init__(self):",
        f"{tab}{tab}super().__init__()",
        f"{tab}{tab}self.parts = nn.ModuleList([nn.Linear(3, 3)])",
        f"{tab}def forward({signature}):",
        *(f"{tab}{tab}{line.replace('    ', tab)}" for line in lines),
        f"{tab}{tab}return x",
    ]
    end = draw(st.sampled_from(["\n", "\r\n"]))
    text = (head + "\n".join(body)).replace("\n", end) + draw(st.sampled_from(["", end]))
    ast.parse(text)
    return text


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(modules(), st.booleans(), st.randoms())
def test_fixing_twice_is_fixing_once_in_whatever_order(text: str, unsafe: bool, random: Any) -> None:
    source = SourceFile(Path("/nowhere/net.py"), text)
    configured = Settings(root=Path("/nowhere"))
    loaded = Loaded((source,))
    found = [each.fix for each in judge(loaded, configured).diagnostics if run.fixable(each, unsafe) and each.fix]
    applied = apply_fixes(source, found)
    random.shuffle(found)
    assert apply_fixes(source, found).text == applied.text
    ast.parse(applied.text)
    outcome = fix(loaded, Judge(configured), unsafe=unsafe)
    # A workaround is left out if the rest does not compile.
    assert not [note for note in outcome.notes if "would not compile with it either" not in note]
    fixed = Loaded(tuple(outcome.report.sources.values()))
    ast.parse(fixed.sources[0].text)
    again = fix(fixed, Judge(configured), unsafe=unsafe)
    assert again.changed == ()
    assert not [each for each in again.report.diagnostics if run.fixable(each, unsafe)]
    if "\r\n" in text:
        assert "\n" not in fixed.sources[0].text.replace("\r\n", "")
