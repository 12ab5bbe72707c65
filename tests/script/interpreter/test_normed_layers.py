"""Tests calls of layers with the hook of ``weight_norm``: their arguments are checked, as after its removal."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.script.model import HEAD, kinds

TEXT = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = {norm}(nn.Conv1d(3, 3, 1))

    def forward(self, x, c: Optional[Tensor] = None):
        return x + self.conv({given})
"""


@pytest.mark.parametrize("norm", ["weight_norm", "spectral_norm"])
@pytest.mark.parametrize(("given", "found"), [("x", []), ("c", ["operator-mismatch"])])
def test_the_argument_is_checked(norm: str, given: str, found: list[str]) -> None:
    removed = TEXT.format(norm="", given=given) + "\n\nscripted = torch.jit.script(Net())\n"
    assert the_compiler()(HEAD + removed).ok is not bool(found)
    assert [kind for kind in kinds(TEXT.format(norm=f"nn.utils.{norm}", given=given)) if kind != "weight-norm"] == found
