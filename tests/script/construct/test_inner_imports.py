"""Tests what a constructor makes of the names that it imports itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.script.agreement import agree
from tests.script.model import HEAD
from tslint.project.index import Project
from tslint.script.events.calls import Mismatch
from tslint.script.model import Model
from tslint.sources.file import SourceFile

TEXT = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        {made}

    def forward(self, x: Tensor, i: int):
        return {body}


scripted = torch.jit.script(Net())
"""


@pytest.mark.parametrize(
    ("made", "body", "kind"),
    [
        (
            "import torch.nn as layers\n        self.n = layers.ModuleList([layers.ReLU()])",
            "self.n[i](x)",
            "container-index",
        ),
        ("import torch.nn as layers\n        self.n = layers.ModuleList([layers.ReLU()])", "self.n[0](x)", ""),
        ("from torch.nn import ReLU as Made\n        self.n = Made()", "self.n(x)", ""),
        ("import math as numbers\n        self.n = numbers.sqrt(2)", "x[self.n]", "tensor-index"),
        ("t = torch\n        self.n = t.ones(2)", "self.n.numpy()", "no-tensor-member"),
    ],
)
def test_an_import_in_the_constructor(made: str, body: str, kind: str) -> None:
    agree(kind, TEXT.format(made=made, body=body))


def test_a_module_class_of_another_file() -> None:
    project = Project()
    other = "class Layer(nn.Module):\n    def forward(self, x, n):\n        return x\n"
    project.add(SourceFile(Path("/example/other.py"), HEAD + other))
    text = TEXT.format(made="from other import Layer\n        self.n = Layer()", body="self.n(x, i)")
    module = project.add(SourceFile(Path("/example/case.py"), HEAD + text))
    model = Model(project)
    model.analyse([module])
    assert [event.kind for event in model.all_events() if isinstance(event, Mismatch)] == ["call-mismatch"]
