"""Tests ``modes``: dropout and batch norm follow .train() and .eval(), or the stage reports that they do not."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from tests.verify.conftest import Strange
from tests.verify.deployed import Deploy, deploy, traces_have_lines
from tests.verify.strange import row

__all__ = ["deploy"]
X = "torch.rand(4, 3)"


RANDOM = "the output is random in eager (dropout, for instance), and always the same in trace"


@pytest.mark.parametrize(
    ("attribute", "line", "words"),
    [
        ("Dropping", "# drops", RANDOM),
        pytest.param("Checked", "# checked", RANDOM, marks=traces_have_lines),
        ("Normed", "# normed", "output: 12 of 12 values differ"),
    ],
)
def test_a_trace_keeps_its_mode(strange: Strange, attribute: str, line: str, words: str) -> None:
    result = strange("modes", attribute, X, modes=("trace",))
    assert result.status == "passed"  # it is right for inference
    # The line with the tick says what is right; the figures are in the finding.
    assert result.detail == "eval as in eager; a trace keeps the mode that it was made in (see the warning)"
    (finding,) = result.findings
    assert finding.message.startswith(
        f"after .train(), trace differs from eager (this matters only if you train the archive): {words}"
    )
    assert "script the module" in finding.message
    assert (finding.start.row, finding.severity.value) == (row(line), "warning")


@pytest.mark.parametrize("attribute", ["Dropping", "Normed", "Always", "Plain", "Adds", "Unsteady"])
def test_script_follows_the_mode(strange: Strange, attribute: str) -> None:
    result = strange("modes", attribute, X, modes=("script",))
    assert (result.status, result.detail) == ("passed", "eval and train as in eager")


def test_script_that_does_not_follow_the_mode(strange: Strange) -> None:
    result = strange("modes", "NoModes", X, modes=("script",))
    assert result.status == "failed"
    assert result.detail.startswith("after .train(), script differs from eager: output: 12 of 12 values")


def test_a_module_for_inference_only(strange: Strange) -> None:
    result = strange("modes", "TrainRaises", X, modes=("trace",))
    assert result.status == "passed"
    assert result.detail == "eval and train as in eager (eager does not run after .train())"


def test_batch_norm_on_one_row_is_tried_on_more(strange: Strange) -> None:
    result = strange("modes", "Normed", "torch.rand(1, 3)", modes=("script",))
    assert (result.status, result.detail) == ("passed", "eval and train as in eager")


def test_modes_ignores_state(strange: Strange) -> None:
    assert strange("modes", "Rebinds", X, modes=("trace",)).status == "passed"


def test_a_scripted_target_skips_modes(strange: Strange) -> None:
    assert strange("modes", "scripted", X).status == "skipped"


def test_a_trace_of_a_class_of_torch_has_no_line_for_a_finding(deploy: Deploy) -> None:
    outcome = deploy("modes", nn.Dropout(), torch.rand(4, 3), modes=("trace",))
    assert (outcome.status, outcome.evidence) == ("passed", ())
    assert outcome.detail.startswith("eval as in eager; a trace keeps the mode that it was made in (after .train(), ")
