"""Tests ``accept``: a known difference of structure passes, and no other difference."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from tslint.verify.api import verify


class Detector(nn.Module):
    """A detector that returns losses and detections when it is compiled, and only detections in Python."""

    def __init__(self, shift: float = 0.0) -> None:
        super().__init__()
        self.shift = shift

    def forward(self, x: Tensor):
        """Return boxes, and losses that are empty unless it is training."""
        losses: dict[str, Tensor] = {}
        boxes: list[dict[str, Tensor]] = [{"boxes": x * 2}]
        if torch.jit.is_scripting():
            return losses, [{"boxes": x * 2 + self.shift}]
        return boxes


@pytest.mark.parametrize(
    ("module", "accept", "passed", "said"),
    [
        (Detector(), (), False, "output: a list in eager, a tuple in script"),
        (Detector(), ("tuple",), True, "2 outputs as in eager, but in a tuple with None or empty values (accepted)"),
        (Detector(0.5), ("tuple",), False, "output[0]['boxes']: 3 of 3 values differ by up to 0.5"),
        (nn.ReLU(), ("tuple",), True, "2 outputs as in eager"),
    ],
    ids=["not accepted", "accepted", "other values", "no difference"],
)
def test_a_tuple_around_the_output(module: nn.Module, accept: tuple[str, ...], passed: bool, said: str) -> None:
    (found,) = verify(module, torch.rand(3), modes="script", accept=accept).targets
    (compared,) = [stage for stage in found.stages if stage.name == "compare"]
    assert said in compared.detail
    assert found.verdict == ("pass" if passed else "fail")
