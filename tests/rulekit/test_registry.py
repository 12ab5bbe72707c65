"""Tests that rules are listed by their records, and imported only if one of their events occurs."""

from __future__ import annotations

import json
import subprocess
import sys
import types
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from tslint.rulekit import registry
from tslint.rulekit.registry import RegisteredRule, all_rules
from tslint.rulekit.rule import Rule
from tslint.script.events.syntax import UnaryPlus

IMPORTED = """
import json, sys, warnings
from click.testing import CliRunner
from tslint.cli import cli
CliRunner().invoke(cli, ["check", "--isolated", "--no-cache", sys.argv[1]])
print(json.dumps([name for name in sys.modules if name.startswith("tslint.rules.") or name.startswith("libcst")]))
"""
KIND = UnaryPlus
CLEAN = """import torch


class Net(torch.nn.Module):
    def forward(self, x) -> torch.Tensor:
        return x.relu()
"""
GLOBAL = CLEAN.replace("return x.relu()", "global scale\n        return x.relu()")
PLUS = CLEAN.replace("x.relu()", "x + +1")


@pytest.mark.parametrize("registered", all_rules(), ids=lambda registered: registered.rule.name)
def test_the_record_is_the_module_s_own(registered: RegisteredRule) -> None:
    rule, module = registered.rule, import_module(registered.module)
    assert replace(rule, events=()) == replace(module.RULE, events=())
    assert rule.kinds == module.RULE.kinds
    assert registered.page == module.__doc__


@pytest.mark.parametrize(
    ("text", "rules", "libcst"),
    [(CLEAN, [], False), (GLOBAL, ["syntax.global_statement"], False), (PLUS, ["syntax.unary_plus"], True)],
    ids=["clean", "a message alone", "a fix"],
)
def test_only_what_is_wanted_is_imported(tmp_path: Path, text: str, rules: list[str], libcst: bool) -> None:
    path = tmp_path / "net.py"
    path.write_text(text, encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", IMPORTED, str(path)], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    own = [name.removeprefix("tslint.rules.") for name in found if name.count(".") == 3]
    assert [name for name in own if not name.startswith("libcst")] == rules
    assert ("libcst" in found) is libcst
    assert "libcst.matchers" not in found


def test_a_record_that_is_computed_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("tests.computed")
    module.RULE = Rule("TS198", "plus-sign", (KIND,))  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tests.computed", module)
    for record in ('Rule("TS198", "plus-sign", (KIND,))', 'Rule("TS198", "plus-sign", (), severity=Levels.ERROR)'):
        assert registry._record(f"\nRULE = {record}\n", "tests.computed") is module.RULE
