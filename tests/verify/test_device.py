"""Tests ``device``: on meta, a device that the trace has recorded is found without a GPU."""

from __future__ import annotations

import pytest

from tests.verify.conftest import Strange
from tests.verify.strange import row

X = "torch.rand(4, 3)"


@pytest.mark.parametrize(
    ("attribute", "line", "way_out"),
    [
        ("BakedDevice", "# device", "zeros_like"),
        ("BakedOutput", "# made", "zeros_like"),
        ("BakedMove", "# moved", "remove torch.as_tensor"),
    ],
)
def test_a_baked_device_is_shown_with_its_line(strange: Strange, attribute: str, line: str, way_out: str) -> None:
    result = strange("device", attribute, X, modes=("trace",))
    assert result.status == "failed"
    assert result.detail.startswith("loaded on meta, trace ")
    assert "the device 'cpu' became a constant" in result.detail
    assert way_out in result.detail
    (finding,) = result.findings
    assert finding.start.row == row(line)


def test_eager_that_gives_other_dtypes_on_meta_is_no_reference(strange: Strange) -> None:
    result = strange("device", "Casts", X, modes=("trace",))
    assert (result.status, result.detail) == (
        "skipped",
        "eager itself gives other dtypes on meta, as autocast of one device does",
    )


@pytest.mark.parametrize("attribute", ["BakedDevice", "BakedOutput", "Plain", "Adds"])
def test_script_runs_on_another_device(strange: Strange, attribute: str) -> None:
    result = strange("device", attribute, X, modes=("script",))
    assert result.status == "passed"
    assert result.detail.startswith("script on meta")


def test_a_trace_with_numbers_and_parameters_runs_on_another_device(strange: Strange) -> None:
    result = strange("device", "Doubles", X)
    assert (result.status, result.detail) == ("passed", "script on meta, trace on meta as in eager")


def test_the_hidden_state_of_a_recurrent_layer_is_only_baked_by_a_trace(strange: Strange) -> None:
    result = strange("device", "Recurrent", "torch.rand(2, 4, 3)")
    assert result.status == "failed"
    assert result.detail.startswith("loaded on meta, trace raises where eager does not")
    assert "script raises" not in result.detail
    assert [finding.start.row for finding in result.findings] == [row("# hidden")]


def test_an_operator_that_meta_lacks_is_no_baked_device(strange: Strange) -> None:
    result = strange("device", "Elsewhere", X, modes=("trace",))
    assert result.status == "skipped"
    assert result.detail.startswith("trace cannot be run on meta: ")


@pytest.mark.parametrize("attribute", ["Unmovable", "Condition"])
def test_what_eager_cannot_do_on_meta_is_not_asked_for(strange: Strange, attribute: str) -> None:
    result = strange("device", attribute, X)
    assert result.status == "skipped"
    assert result.detail.startswith("eager itself does not run on meta: ")


def test_a_module_that_cannot_be_copied_has_no_control(strange: Strange) -> None:
    result = strange("device", "Uncopied", X, modes=("trace",))
    assert (result.status, result.detail) == (
        "skipped", "the module cannot be copied, so there is no eager module to compare with",
    )  # fmt: skip


def test_a_scripted_target_skips_device(strange: Strange) -> None:
    assert strange("device", "scripted", X).status == "skipped"
