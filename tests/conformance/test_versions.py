"""Tests snippets whose verdict differs between versions of torch: tslint agrees with each version as target."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tslint.config import Settings
from tslint.diagnostics import Diagnostic, Severity, Stage
from tslint.lint.analysis import analyse
from tslint.rulekit.registry import rules_by_event
from tslint.script.targets import FEATURES, Target, added
from tslint.sources.file import SourceFile
from tslint.util.torch_versions import COMPILED, version, written

HERE = Path(__file__).parent
RECORDS = [json.loads(line) for line in (HERE / "versions.jsonl").read_text(encoding="utf-8").splitlines()]
CASES = [
    pytest.param(record, release.rpartition(".")[0], verdict, id=f"{record['title']}-{release}")
    for record in RECORDS
    for release, verdict in record["verdicts"].items()
]


def errors(text: str, target: str | None) -> list[Diagnostic]:
    """Return the errors at which the compiler would stop."""
    source = SourceFile(HERE / "snippet.py", text)
    found = analyse([source], settings=Settings(target_torch=target))[source.path]
    return [finding for finding in found if finding.severity is Severity.ERROR and finding.stage is Stage.SCRIPT]


def test_the_snippets_are_all_there() -> None:
    assert len(RECORDS) == 14
    releases = {written(each) for each in COMPILED}
    assert all({release.rpartition(".")[0] for release in record["verdicts"]} == releases for record in RECORDS)


@pytest.mark.parametrize(("record", "target", "verdict"), CASES)
def test_the_target_decides(record: dict[str, str], target: str, verdict: str) -> None:
    found = errors(record["source"], target)
    assert ("error" if found else "ok") == verdict
    assert {finding.code for finding in found} <= {"TS801"}


def test_the_newest_is_the_default() -> None:
    assert all(not errors(record["source"], None) for record in RECORDS)


def test_every_feature_has_its_snippet() -> None:
    words = {message for record in RECORDS for message in (f.message for f in errors(record["source"], "1.13"))}
    assert {name for name, row in FEATURES.items() if not any(m.startswith(row.words) for m in words)} == set()


OPERATOR = """
import torch


@torch.jit.script
def f(q):
    return torch._safe_softmax(q, 0)
"""


def test_operators_that_the_target_does_not_have() -> None:
    (found,) = errors(OPERATOR, "2.4")
    assert found.code == "TS212"
    assert found.message == "`_safe_softmax` is not in torch 2.4, your `target-torch`: it was added in 2.6"
    assert not errors(OPERATOR, "2.6")
    assert not errors(OPERATOR, None)


def test_versions_between_tested_ones_are_not_reported() -> None:
    assert not errors(OPERATOR, "2.5")
    assert Target((2, 14)).lacks("autograd-function") is False
    assert Target((2, 15)).lacks("autograd-function") is True
    assert Target((2, 8)).lacks("ignore-context-manager") is False


def test_operators_by_their_first_version() -> None:
    assert added("aten::add") == (1, 13)
    assert added("aten::scaled_dot_product_attention") == (2, 0)


ELSEWHERE = """
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not torch.jit.is_scripting():
            if torch.compiler.is_compiling():
                return x + 1
        return x

    @torch.jit.ignore
    def other(self, x: int | None) -> None:
        print(x)


def free(x: int | None) -> None:
    print(x)
"""


def test_what_is_not_compiled_does_not_matter() -> None:
    assert not errors(ELSEWHERE, "1.13")


@pytest.mark.parametrize("text", ["", "2", "v2.1", "1.12", "1.14", "2.16", "3.0", "2.1.0.0"])
def test_text_that_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="version"):
        version(text)


def test_bounds_of_rules_are_inclusive() -> None:
    assert Target((2, 1)).within("2.1", "2.1")
    assert not Target((2, 1)).within("2.2", None)
    assert not Target((2, 1)).within(None, "2.0")
    assert Target((2, 1)).within(None, None)


def test_a_rule_outside_its_bounds_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    (registered,) = rules_by_event()["unary-plus"]
    bounded = replace(registered, rule=replace(registered.rule, since="2.2", until="2.6"))
    monkeypatch.setattr("tslint.rulekit.registry.rules_by_event", lambda: {"unary-plus": (bounded,)})
    text = "import torch\n\n\n@torch.jit.script\ndef f(x):\n    return +x\n"
    assert [bool(errors(text, target)) for target in ("2.1", "2.2", "2.6", "2.7")] == [False, True, True, False]
