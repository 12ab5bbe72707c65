"""Tests the declarations of hooks against ``forward``: each row asks the compiler and the static model."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

TEXT = """
def hook(self, {signature}:
    return None


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.{register}(hook)

    def forward(self, x: Tensor, n: int = 2) -> Tensor:
        return x * n


scripted = torch.jit.script(Net())
"""
# The hook's parameters, and whether the compiler accepts it.
HOOKS = {
    "given: Tuple[Tensor, int], out: Tensor)": True,
    "given: Tuple[Tensor, int], out)": True,
    "given: Tensor, out: Tensor)": False,
    "given: List[Tensor], out: Tensor)": False,
    "given: Tuple[Tensor], out: Tensor)": False,
    "given: Tuple[Tensor, Tensor], out: Tensor)": False,
    "given: Tuple[Tensor, int], out: int)": False,
    "given: Tuple[Tensor, int], out: Optional[Tensor])": False,
}
PRE_HOOKS = {
    "given: Tuple[Tensor, int]) -> None": True,
    "given: Tensor) -> None": False,
    "given: Tuple[Tensor]) -> None": False,
    "given: Tuple[int, int]) -> None": False,
}


@pytest.mark.parametrize("signature", [*HOOKS, *PRE_HOOKS])
def test_a_hook_takes_what_forward_takes(signature: str) -> None:
    register = "register_forward_hook" if signature in HOOKS else "register_forward_pre_hook"
    text = TEXT.format(signature=signature, register=register)
    agree("" if {**HOOKS, **PRE_HOOKS}[signature] else "hook-signature", text)
