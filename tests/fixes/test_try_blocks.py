"""Tests the fix for ``try`` blocks whose handlers only raise, and that other blocks have none."""

from __future__ import annotations

import pytest

from tests.fixes.promise import check_promise

TEXT = """
class Net(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        # the rows
        try:
            # one row each
            x = x.view(2, -1)  # at once

            x = x + 1
        {handlers}
        return x * 2
"""
INPUTS = ["(torch.ones(2, 3),)", "(torch.ones(3),)"]
WITHOUT = "# the rows\n        # one row each\n        x = x.view(2, -1)  # at once\n\n        x = x + 1\n"


@pytest.mark.parametrize(
    "handlers",
    [
        ["except RuntimeError as error:", "    raise ValueError('no rows') from error"],
        ["except (RuntimeError, ValueError):", "    raise", "except Exception:", "    raise TypeError"],
        ["except RuntimeError:", "    raise"],
    ],
)
def test_handlers_that_only_raise_are_removed(handlers: list[str]) -> None:
    assert WITHOUT in check_promise(TEXT.format(handlers="\n        ".join(handlers)), inputs=INPUTS)


@pytest.mark.parametrize(
    "handlers",
    [
        ["except RuntimeError:", "    x = x - 1"],
        ["except RuntimeError:", "    raise", "except ValueError:", "    print('no rows')", "    raise"],
        ["except RuntimeError:", "    raise", "finally:", "    print('rows')"],
        ["except RuntimeError:", "    raise", "else:", "    x = x - 1"],
        ["except RuntimeError:", "    raise  # as it is"],
    ],
)
def test_other_blocks_stay(handlers: list[str]) -> None:
    assert "try:" in check_promise(TEXT.format(handlers="\n        ".join(handlers)), inputs=INPUTS)
