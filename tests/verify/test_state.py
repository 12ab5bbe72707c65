"""Tests ``state``: three calls in a row, and the buffers after each."""

from __future__ import annotations

import pytest

from tests.verify.conftest import Strange
from tests.verify.strange import row

X = "torch.rand(4, 3)"


def test_a_rebound_buffer_is_lost_in_a_trace(strange: Strange) -> None:
    result = strange("state", "Rebinds", X, modes=("trace",))
    assert result.status == "failed"
    assert result.detail.startswith("after the first call, buffer 'count': 3 of 3 values differ by up to 1")
    assert "self.count.copy_(" in result.detail
    (finding,) = result.findings
    assert finding.start.row == row("# rebound")


@pytest.mark.parametrize(("attribute", "modes"), [("Rebinds", ("script",)), ("Adds", ("script", "trace"))])
def test_state_that_is_kept(strange: Strange, attribute: str, modes: tuple[str, ...]) -> None:
    result = strange("state", attribute, X, modes=modes)
    assert (result.status, result.detail) == ("passed", "3 calls in a row as in eager, 1 buffer")


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_sparse_buffer(strange: Strange) -> None:
    result = strange("state", "SparseBuffer", X)
    assert (result.status, result.detail) == ("passed", "3 calls in a row as in eager, 1 buffer")


def test_state_that_script_forgets(strange: Strange) -> None:
    result = strange("state", "Forgets", X, modes=("script",))
    assert result.status == "failed"
    assert result.detail.startswith("after the first call, buffer 'count': 3 of 3 values differ by up to 1")


@pytest.mark.parametrize("attribute", ["Always", "Unsteady"])
def test_random_numbers_do_not_count_as_state(strange: Strange, attribute: str) -> None:
    assert strange("state", attribute, X, modes=("script",)).status == "passed"


def test_a_module_that_can_only_be_called_once_skips_state(strange: Strange) -> None:
    result = strange("state", "Once", X, modes=("script",))
    assert result.status == "skipped"
    assert "once" in result.detail


def test_state_is_skipped_if_it_would_exceed_the_time_out(strange: Strange) -> None:
    result = strange("state", "Plain", X, modes=("script",), timeout=1e-6)
    assert result.status == "skipped"
    assert "too long for the target's time-out" in result.detail
