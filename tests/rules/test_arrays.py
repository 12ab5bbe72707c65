"""Tests fixes that an array of numpy would not survive: they are unsafe if nothing shows that a value is a tensor."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.driver import HERE, findings
from tslint.diagnostics import Applicability, Risk
from tslint.fixing.edits import apply_fixes
from tslint.sources.file import SourceFile

PAGE = """\
import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.relu = nn.ReLU()
        self.kept = nn.Identity()
        self.register_buffer("weight", torch.ones(3))

    def forward(self, {parameter}):
        {body}


inputs = (torch.arange(6.0).reshape(2, 3),)
"""
SUM = "return x.sum(axis=0)"


@pytest.mark.parametrize(
    ("parameter", "body", "is_tensor"),
    [
        ("x", SUM, False),
        ("x: Tensor", SUM, True),
        ("x", "return torch.sum(x, axis=0)", True),
        ("x", "return x.sum(axis=0, keepdim=True)", True),
        ("x", "return (x + 1)[:1].sum(axis=0)", False),
        ("x", "return self.weight.sum(axis=0) + x", True),
        ("x", "return x.sum(axis=0).view(-1)", True),
        ("x", "return F.relu(x.sum(axis=0))", True),
        ("x", "return x.sum(axis=0).unsqueeze(0)", False),
        # An earlier use raises for an array.
        ("x", f"n = x.dim()\n{SUM} + n", True),
        ("x", f"x = F.relu(x)\n{SUM}", True),
        ("x", f"y = self.relu(x)\n{SUM} + y", True),
        ("x", "y = self.relu(x * 2)\nreturn y.sum(axis=0) + x", True),
        ("x", f"n, m = x.size(0), x.size(1)\n{SUM} + n * m", True),
        ("x", f"if x.dim() == 2:\n    x = x + 1\n{SUM}", True),
        ("x", f"x = x.unsqueeze(0) * 2\nx = x - 1\n{SUM}", True),
        # Uses that an array survives, that do not always run, or that come later.
        ("x", f"n = x.shape[0]\n{SUM} + n", False),
        ("x", f"y = self.kept(x)\n{SUM} + y", False),
        ("x", f"x = x * 2\nx = x.clip(0, 1)\n{SUM}", False),
        ("x", f"if self.training:\n    x = F.relu(x)\n{SUM}", False),
        ("x", "y = x.sum(axis=0)\nreturn y + x.dim()", False),
        ("x", "return x.mean(tuple(range(1, x.ndim)))", False),
        ("x", "return x.mean(tuple(range(1, x.dim())))", True),
        ("x", "return x.reshape((2, *x.shape[1:]))", True),
    ],
)
def test_tensor_or_array(parameter: str, body: str, is_tensor: bool) -> None:
    before = PAGE.format(parameter=parameter, body="\n        ".join(body.splitlines()))
    fixes = [each.fix for each in findings(before) if each.code in ("TS304", "TS307") and each.fix is not None]
    assert [each.applicability for each in fixes] == [Applicability.SAFE if is_tensor else Applicability.UNSAFE]
    assert fixes[0].risks == (() if is_tensor else (Risk.ASSUMES,))
    old, new = the_compiler()(before), the_compiler()(apply_fixes(SourceFile(HERE, before), fixes).text)
    assert not old.ok and new.ok, new.message
    assert "raises" not in str(old.eager) and old.eager == new.eager == new.scripted


@pytest.mark.parametrize(
    ("line", "fixed"),
    [
        ("return x.view(2, *sizes)", "return x.view([2] + list(sizes))"),
        (
            "return x.repeat(2, *sizes)",
            "return x.repeat([2] + list(sizes)) if torch.jit.is_scripting() else x.repeat(2, *sizes)",
        ),
        ("list = sizes\n        return x.view([*list])", None),
        ("return torch.zeros(2, *sizes) + x", "return torch.zeros([2] + list(sizes)) + x"),
        # Methods of the same names that are not those of a tensor.
        ("return self.own.view(x, *sizes)", None),
        ("return Own.repeat(x, *sizes)", None),
        # As an index, a list selects rows, and a tuple an element.
        ("return x[tuple(sizes)]", None),
        ("index = tuple(sizes)\n        return x[index]", None),
    ],
)
def test_star_before_sizes(line: str, fixed: str | None) -> None:
    before = dedent(
        """\
        from typing import List

        import torch
        from torch import Tensor, nn


        class Own(nn.Module):
            def forward(self, x: Tensor) -> Tensor:
                return x

            def view(self, x: Tensor, n: int) -> Tensor:
                return x * n

            @staticmethod
            def repeat(x: Tensor, n: int) -> Tensor:
                return x * n


        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.own = Own()

            def forward(self, x, sizes: List[int]):
                LINE


        inputs = (torch.arange(2.0), [1])
        """
    ).replace("LINE", line)
    fixes = [each.fix for each in findings(before) if each.code == "TS307" and each.fix is not None]
    assert (fixed is None) == (not fixes)
    if fixed is not None:
        after = apply_fixes(SourceFile(HERE, before), fixes).text
        assert after == before.replace(line, fixed)
        old, new = the_compiler()(before), the_compiler()(after)
        assert not old.ok and new.ok, new.message
        assert "raises" not in str(old.eager) and old.eager == new.eager == new.scripted
