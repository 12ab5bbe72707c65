"""Tests that findings stay the same when they are packed and unpacked."""

from __future__ import annotations

import json

from tests.rules.driver import findings
from tslint.lint.cache.codec import packed, unpacked

TEXT = """from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(2)

    def forward(self, x: Tensor, k=None) -> Tensor:
        if self.norm:
            x = self.norm(x)
        return x if k is None else x + k
"""


def test_findings_with_fixes_stay_the_same() -> None:
    found = findings(TEXT)
    assert {each.fix.unset for each in found if each.fix is not None} == {(), ("norm",)}
    assert unpacked(json.loads(json.dumps(packed(found)))) == list(found)
