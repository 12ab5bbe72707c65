"""Tests loops over modules together with a list from its last item on, as the second half of a U-Net has them."""

from __future__ import annotations

import pytest

from tests.fixes.promise import check_promise, fixed
from tests.rules.driver import findings

NET = """class Net(nn.Module):
    def __init__(self, up: int = 3):
        super().__init__()
        self.down = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])
        self.up = nn.ModuleList([nn.Linear(3, 3) for _ in range(up)])

    def forward(self, x):
        skips = []
        for layer in self.down:
            x = layer(x)
            skips.append(x)
        {loop}
        return x
"""
LOOPS = {
    "a slice": "for up, skip in zip(self.up, skips[::-1]):\n            x = up(x + skip)",
    "reversed": "for up, skip in zip(self.up, reversed(skips)):\n            x = up(x + skip)",
    "the variable of an earlier loop": "for layer, skip in zip(self.up, skips[::-1]):\n            x = layer(x + skip)",
}


@pytest.mark.parametrize("name", LOOPS)
def test_the_skips_are_read_by_index(name: str) -> None:
    text = check_promise(NET.format(loop=LOOPS[name]), ("Net()", "Net(2)", "Net(5)"), ("(torch.rand(2, 3),)",))
    assert "in enumerate(self.up):\n            if i < len(skips):\n                skip = skips[-i - 1]\n" in text


@pytest.mark.parametrize(
    "loop",
    [
        "for up, skip in zip(self.up, skips[::-1]):\n            x = up(x + skip)\n            skips.append(x)",
        "for up, skip in zip(self.up, reversed(skips)):\n            x = up(x + skip)\n            skips[0] = x",
        "for up, skip in zip(self.up, skips[::-2]):\n            x = up(x + skip)",
    ],
)
def test_a_list_that_changes_or_another_slice_stays(loop: str) -> None:
    text = f"import torch\nfrom torch import nn\n\n\n{NET.format(loop=loop)}"
    assert fixed(text)[0] == text


def test_only_the_list_is_reported_where_the_loop_reuses_a_variable() -> None:
    text = f"import torch\nfrom torch import nn\n\n\n{NET.format(loop=LOOPS['the variable of an earlier loop'])}"
    assert [each.code for each in findings(text) if each.severity.value == "error"] == ["TS416"]
