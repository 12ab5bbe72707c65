"""Tests classes whose base is one of several: each row asks the compiler and the static model."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

TEXT = """
class Core(nn.Module):
    def helper(self, x: Tensor):
        return x


try:
    import a_package_that_nobody_has

    class Base(Core):
        pass
except ImportError:

    class Base(Core):
        def __init__(self):
            super().__init__()
            self.scale = 2.0


class Net(Base):
    def forward(self, x: Tensor{parameters}):
        return {made}


scripted = torch.jit.script(Net())
"""
# Further parameters of `forward`, its result, and the event at which torch stops.
CASES = {
    "a module in any case": (", **options", "x", "variadic-parameter"),
    "what all have is inherited": ("", "self.helper(x)", ""),
    "what one of them may have": ("", "x * self.scale", ""),
}


@pytest.mark.parametrize("name", CASES)
def test_a_class_inherits_what_all_alternatives_for_its_base_have(name: str) -> None:
    parameters, made, kind = CASES[name]
    agree(kind, TEXT.format(parameters=parameters, made=made))
