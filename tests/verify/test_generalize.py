"""Tests that ``generalize`` finds other inputs that fail, and shows the smallest, with the line."""

from __future__ import annotations

import re

import pytest

from tests.verify.conftest import Strange
from tests.verify.strange import row
from tslint.diagnostics import Severity, Stage
from tslint.verify.stages import generalize

X = "torch.rand(4, 3)"
BOTH = ("script", "trace")


@pytest.mark.parametrize(
    ("attribute", "inputs", "given", "line", "way_out"),
    [
        ("Condition", X, "torch.full((1, 1), -1.)", "# decided", "torch.where"),
        ("Number", X, "torch.zeros(1, 1)", "# fixed", "use x.shape"),
        ("Length", X, "torch.zeros(1, 3)", "# length", "use x.shape[0]"),
        ("Pads", X, "torch.zeros(1, 4)", "# padded", "torch.where"),
        ("Unrolled", "[torch.rand(3), torch.rand(3)]", "[torch.zeros(1)]", "total = xs[0]", "script that function"),
    ],
)
def test_what_a_trace_bakes_is_shown_with_its_line(
    strange: Strange, attribute: str, inputs: str, given: str, line: str, way_out: str
) -> None:
    result = strange("generalize", attribute, inputs, modes=("trace",))
    assert result.status == "failed"
    assert f" on {given}" in result.detail
    assert result.detail.startswith("trace ")
    assert way_out in result.detail
    (finding,) = result.findings
    assert (finding.severity, finding.stage) == (Severity.ERROR, Stage.TRACE)
    found = finding.start.row
    # An unrolled loop is found at the first iteration that is too many.
    assert found == row(line) or (attribute == "Unrolled" and row(line) <= found <= row("# unrolled"))
    assert f"(strange.py:{found})" in result.detail


def test_a_trace_of_a_list_of_dicts_knows_no_other_length(strange: Strange) -> None:
    inputs = "[{'x': torch.rand(3)}, {'x': torch.rand(3)}]"
    result = strange("generalize", "Samples", inputs, modes=("trace",))
    assert result.status == "failed"
    assert "Expected 2 elements in a list but found 1" in result.detail
    assert strange("generalize", "Samples", inputs, modes=("script",)).status == "passed"


def test_inputs_of_another_dtype_are_a_warning(strange: Strange) -> None:
    result = strange("generalize", "Dtype", X, modes=("trace",))
    assert result.status == "passed"
    assert "; but trace differs from eager on torch.zeros(1, 1, dtype=torch.float64): " in result.detail
    (finding,) = result.findings
    assert (finding.severity, finding.start.row) == (Severity.WARNING, row("# dtype"))


@pytest.mark.parametrize(
    ("attribute", "inputs"),
    [
        ("Padded", "(torch.rand(2, 6, 3), torch.tensor([6, 4]))"),
        ("Masked", "(torch.rand(2, 6, 3), torch.arange(6)[None] < torch.tensor([[6], [4]]))"),
        ("Between", "(torch.rand(2, 6, 3), torch.ones(6, 6, dtype=torch.bool).triu(1))"),
    ],
)
def test_lengths_and_masks_change_with_their_size(strange: Strange, attribute: str, inputs: str) -> None:
    result = strange("generalize", attribute, inputs, modes=("trace",))
    assert result.status == "failed"
    assert result.detail.startswith("trace ")
    assert strange("generalize", "Bounded", inputs, modes=("trace",)).status == "passed"


@pytest.mark.parametrize(
    ("attribute", "inputs", "words"),
    [
        ("ScriptDiffers", X, "script differs from eager on torch.full((1, 1), -1.): output: 1 of 1 values differ"),
        ("ScriptRaises", X, "where eager gives float32[1, 1]: RuntimeError: AssertionError: four (strange.py:"),
        ("Optionally", f"({X}, {X})", "script differs from eager on torch.ones(1, 1), None: output"),
        ("Flags", f"({X}, False)", "script differs from eager on torch.ones(1, 1), True: output"),
    ],
)
def test_what_only_script_gets_wrong(strange: Strange, attribute: str, inputs: str, words: str) -> None:
    result = strange("generalize", attribute, inputs, modes=("script",))
    assert result.status == "failed"
    assert words in result.detail


def test_an_example_does_not_become_nan_when_it_becomes_smaller(strange: Strange) -> None:
    inputs = "(torch.rand(2, 6, 3), torch.tensor([1.0, 0.5]))"
    result = strange("generalize", "Shares", inputs, modes=("trace",))
    assert result.status == "failed"
    assert [finding.start.row for finding in result.findings] == [row("# share")]
    assert "nan" not in result.detail


def test_script_keeps_what_a_trace_bakes(strange: Strange) -> None:
    for attribute in ("Condition", "Plain"):
        result = strange("generalize", attribute, X, modes=("script",))
        assert (attribute, result.status) == (attribute, "passed")
        assert result.detail.startswith("script as in eager on ")


def test_integers_stay_in_range(strange: Strange) -> None:
    result = strange("generalize", "Lookup", "torch.tensor([[4, 2, 0], [1, 1, 3]])")
    assert result.status == "passed"
    assert result.detail.startswith("script and trace as in eager on ")


def test_inputs_that_share_memory(strange: Strange) -> None:
    assert strange("generalize", "shares").status == "passed"


def test_inputs_that_eager_rejects_are_skipped(strange: Strange) -> None:
    result = strange("generalize", "Crowd", X, modes=("trace",))
    assert result.status == "passed"


def test_a_loop_without_an_end_on_other_inputs_is_passed_over(
    strange: Strange, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    monkeypatch.setattr(generalize, "SECONDS", 3.0)
    result = strange("generalize", "Endless", "torch.ones(2, 3)", modes=("script",))
    assert result.status == "passed"


def test_rounding_is_no_counterexample(strange: Strange) -> None:
    """The floor of whole numbers also changes in eager if they change by a rounding error."""
    result = strange("generalize", "Ties", "torch.tensor([[0.5, 1.5, 2.5]])", modes=("script",))
    assert result.status == "passed"


@pytest.mark.parametrize(
    ("attribute", "said"),
    [("RaisesForMorePoints", "trace raises on"), ("ShapeForMorePoints", "shape [4] in eager, [3] in trace")],
)
def test_rounding_excuses_neither_an_exception_nor_another_shape(strange: Strange, attribute: str, said: str) -> None:
    result = strange("generalize", attribute, X, modes=("trace",))
    assert result.status == "failed"
    assert said in result.detail


def test_what_differs_on_the_given_inputs_is_left_to_compare(strange: Strange) -> None:
    result = strange("generalize", "ScriptDiffers", "-torch.rand(4, 3)", modes=("script",))
    assert result.status == "skipped"
    assert result.detail == "the compiled module already differs from eager on the given inputs; see compare"


def test_without_inputs_there_is_nothing_to_vary(strange: Strange) -> None:
    result = strange("generalize", "Plain")
    assert result.status == "skipped"
    assert "--inputs" in result.detail


def test_the_search_is_the_same_each_time(strange: Strange) -> None:
    first, second = (strange("generalize", "Condition", X).detail for _ in range(2))
    assert first == second


def test_the_time_is_bounded(strange: Strange, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generalize, "SECONDS", 0.0)
    result = strange("generalize", "Plain", X)
    assert result.status == "skipped"


@pytest.mark.parametrize(
    ("attribute", "line"), [("Condition", "# decided"), ("OneSize", "# decided"), ("Number", "# fixed")]
)
def test_large_inputs_change_values_and_sizes_at_once(strange: Strange, attribute: str, line: str) -> None:
    result = strange("generalize", attribute, "torch.rand(20000, 3)", modes=("trace",))
    assert result.status == "failed"
    assert [finding.start.row for finding in result.findings] == [row(line)]


def test_large_inputs_are_run_on_fewer_times(strange: Strange) -> None:
    small, large = (strange("generalize", "Plain", f"torch.rand({size}, 3)").detail for size in (4, 20000))
    words = r"script and trace as in eager on (\d+) other sets of inputs"
    few, many = (int(re.fullmatch(words, detail)[1]) for detail in (large, small))  # type: ignore[index]
    assert few <= many / 2
