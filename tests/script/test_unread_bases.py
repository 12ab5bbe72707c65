"""Tests classes whose base's package cannot be read: a class is a module if it does what only modules do, and its other
attributes are not known.
"""

from __future__ import annotations

import pytest

from tests.rules.driver import findings

HEAD = "import torch\nfrom torch import nn\nfrom vision_zoo import Attention\n\n\n"
BODY = """class Net(Attention):
    window = 3
{init}
    {mark}def forward(self, x{annotation}):
        self.seen = self.window + self.unknown
        y = {{a for a in x}}
        return y
"""
INIT = "\n    def __init__(self):\n        super().__init__()\n        self.fc = {}\n"


@pytest.mark.parametrize(
    ("init", "mark", "annotation", "module"),
    [
        ("", "", ": torch.Tensor", True),
        ("", "", ": torch.Tensor | None", True),
        (INIT.format("nn.Linear(3, 3)"), "", "", True),
        (INIT.format("list(self.parameters())"), "", "", True),
        (INIT.format("Attention()"), "", "", False),
        ("", "", "", False),
        ("", "@staticmethod\n    ", ": torch.Tensor", False),  # a function of autograd
    ],
)
def test_signs_that_a_class_is_a_module(init: str, mark: str, annotation: str, *, module: bool) -> None:
    text = HEAD + BODY.format(init=init, mark=mark, annotation=annotation)
    assert [each.code for each in findings(text) if each.severity != "info"] == (["TS111"] if module else [])


def test_other_frameworks_are_left_alone() -> None:
    body = BODY.format(init=INIT.format("list(self.parameters())"), mark="", annotation="")
    assert not findings("from other_frame import nn, Attention\n\n\n" + body)
