"""Tests that a run releases what it has checked: a million lines need no more memory than the largest chunk."""

from __future__ import annotations

import ast
import gc
from pathlib import Path

from tslint.lint.analysis import analyse
from tslint.sources.file import SourceFile

TEXT = """\
from typing import Dict

import numpy as np
import torch
from torch import nn


@torch.jit.script
class KeptBox:
    def __init__(self, value: torch.Tensor):
        self.value = value


class KeptPart(nn.Module):
    def __init__(self, kind: str):
        super().__init__()
        self.kind = kind

    def forward(self, x, *args, **kwargs):
        if self.kind == "a":
            return x.numpyy(undefined)
        if self.kind == "b":
            return self.missing(np.abs(x))
        box = KeptBox(x)
        return torch.relu(x) + torch.relu(box) + box.size(0)


class KeptNet(nn.Module):
    def __init__(self, part: KeptPart):
        super().__init__()
        self.parts = nn.ModuleList([KeptPart("a") for _ in range(2)])
        self.hidden: Dict[str, KeptPart] = {}

    def forward(self, x):
        def inner(y):
            return y + x

        for i in range(2):
            x = self.parts[i](x, *x.shape)
        return inner(x) + torch.finfo(x.dtype).max
"""


def test_no_tree_outlives_its_run() -> None:
    path = Path("kept.py").absolute()
    found = analyse([SourceFile(path, TEXT)])
    assert len(found[path]) > 5
    del found
    gc.collect()
    # By type(): isinstance() asks objects for their class, and a deprecated object of torch then warns.
    alive = [each for each in gc.get_objects() if type(each) is ast.ClassDef and each.name.startswith("Kept")]
    assert [each.name for each in alive] == []
