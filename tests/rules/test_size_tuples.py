"""Tests tuples of unknown length that torch only takes as sizes or dimensions: they become lists, in Python, too."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.driver import HERE, findings
from tslint.diagnostics import Applicability
from tslint.fixing.edits import apply_fixes
from tslint.sources.file import SourceFile

HEAD = """import torch
import torch.nn.functional as F


"""
TAIL = """

scripted = torch.jit.script(f)
inputs = (torch.arange(24.0).reshape(2, 3, 4),)
"""
REST = "tuple(range(2, x.dim()))"


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (f"return x.permute((1, 0) + {REST})", "return x.permute([1, 0] + list(range(2, x.dim())))"),
        (f"return x.sum(dim={REST}, keepdim=True)", "return x.sum(dim=list(range(2, x.dim())), keepdim=True)"),
        (f"return torch.mean(x, {REST})", "return torch.mean(x, list(range(2, x.dim())))"),
        (f"dims = (0,) + {REST}\n    return x.sum(dims) + x.mean(dim=dims)", "dims = [0] + list(range(2, x.dim()))"),
        ("return torch.ones(tuple(x.shape[1:]) + (2,))", "return torch.ones(list(x.shape[1:]) + [2])"),
        ("return x.repeat(tuple([1] * x.dim()))", "return x.repeat([1] * x.dim())"),
        ("return x.view(tuple(n for n in x.shape[:1]) + (-1,))", "return x.view([n for n in x.shape[:1]] + [-1])"),
        ("return F.pad(x, tuple(x.shape[1:]))", "return F.pad(x, list(x.shape[1:]))"),
        ("return x.view((x.size(0), 1, *x.shape[1:]))", "return x.view([x.size(0), 1] + list(x.shape[1:]))"),
        ("return torch.zeros((*x.shape, 2))", "return torch.zeros(list(x.shape) + [2])"),
        ("return x.view((2,) + (*x.shape[1:], 1))", "return x.view([2] + (list(x.shape[1:]) + [1]))"),
        ("s = *x.shape[:2], 2, -1\n    return x.view(s) * s[0] + len(s)", "s = list(x.shape[:2]) + [2, -1]"),
        (
            "s = (0, *range(2, x.dim()))\n    return x.sum(s) * len(s)",
            "s = [0] + list(range(2, x.dim()))",
        ),
        # What is used in another way, added to something else, or bound twice; another `list`.
        (f"dims = (0,) + {REST}\n    return x.sum(dims), dims", None),
        (f"dims = (0,) + {REST}\n    dims = dims\n    return x.sum(dims)", None),
        ("s = (*x.shape[:2], 2)\n    return x.view(s), s[:1]", None),
        ("s = (*x.shape[:2], 2, 2)\n    return [x.view(s) for _ in range(2)], s == (2, 3, 2, 2)", None),
        ("return x.view(x.shape[:1] + tuple(x.shape[1:]))", None),
        (f"dims = () + {REST}\n    return x.sum(dims)", None),
        (f"list = (0,) + {REST}\n    return x.sum(list)", None),
        (f"return x.view((2,) + {REST}[:0] + (12,))", None),
    ],
)
def test_sizes_are_lists(body: str, line: str | None) -> None:
    before = f"{HEAD}def f(x):\n    {body}\n{TAIL}"
    fixes = [each.fix for each in findings(before) if each.code == "TS307" and each.fix is not None]
    fixes = [each for each in fixes if each.applicability is Applicability.SAFE]
    after = apply_fixes(SourceFile(HERE, before), fixes[:1]).text
    if line is None:
        assert after == before
        return
    assert f"    {line}" in after.splitlines()
    old, new = the_compiler()(before), the_compiler()(after)
    assert not old.ok and new.ok, new.message
    assert "raises" not in str(old.eager) and old.eager == new.eager == new.scripted
