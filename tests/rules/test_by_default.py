"""Tests that code for values of a flag other than its default is dropped."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.test_aside import TAIL
from tests.rules.test_super_fixes import HEAD as TORCH

HEAD = f"from typing import List, Optional\n\n{TORCH}"

# A class, and lines of its fixed form.
TAKEN = {
    "a tuple that is longer with a flag": (
        """
        class Net(nn.Module):
            def forward(self, x, need_weights=False):
                return (x, x * 2) if need_weights else (x,)
        """,
        """
                assert not need_weights or not torch.jit.is_scripting(), "scripted for need_weights=False only"
                return (x, x * 2) if need_weights and not torch.jit.is_scripting() else (x,)
        """,
    ),
    "what only the flag wants, and what uses it": (
        """
        class Net(nn.Module):
            def forward(self, x, flag: bool = False):
                '''What it does.'''
                out = (x,)
                if flag:
                    out = out + (x * 2,)
                return out
        """,
        """
                '''What it does.'''
                assert not flag or not torch.jit.is_scripting(), "scripted for flag=False only"
                out = (x,)
                if flag and not torch.jit.is_scripting():
                    out = out + (x * 2,)
        """,
    ),
    "the other way round": (
        """
        class Net(nn.Module):
            def forward(self, x, pair: bool = True):
                out = (x, x)
                if x.dim() == 2 and not pair:
                    out = (x,)
                return out
        """,
        """
                assert pair or not torch.jit.is_scripting(), "scripted for pair=True only"
                out = (x, x)
                if x.dim() == 2 and not pair and not torch.jit.is_scripting():
        """,
    ),
    "in training": (
        """
        class Inner(nn.Module):
            def forward(self, x):
                if self.training:
                    return x, x * 2
                return x


        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = Inner()

            def forward(self, x):
                return self.inner(x)
        """,
        """
                assert not self.training or not torch.jit.is_scripting(), "scripted for eval mode only"
                if self.training and not torch.jit.is_scripting():
        """,
    ),
    "where not every call comes to": (
        """
        class Net(nn.Module):
            def forward(self, x, flag: bool = False):
                out = (x,)
                if x.dim() == 3:
                    x = x * 2
                    if flag:
                        out = out + (x,)
                return out
        """,
        """
                    x = x * 2
                    assert not flag or not torch.jit.is_scripting(), "scripted for flag=False only"
                    if flag and not torch.jit.is_scripting():
        """,
    ),
    "an elif": (
        """
        class Net(nn.Module):
            def forward(self, x, flag: bool = False):
                out = (x,)
                if x.dim() == 3:
                    out = (x * 3,)
                elif flag:
                    out = (x, x)
                return out
        """,
        """
                assert not flag or not torch.jit.is_scripting(), "scripted for flag=False only"
                elif flag and not torch.jit.is_scripting():
        """,
    ),
    "with a flag that may be None": (
        """
        class Net(nn.Module):
            def forward(self, x, flag: Optional[bool] = None):
                return (x, x * 2) if flag else (x,)
        """,
        """
                assert flag is None or not flag or not torch.jit.is_scripting(), (
                return (
                    (x, x * 2)
                    if flag is not None and flag and not torch.jit.is_scripting()
                    else (x,)
        """,
    ),
    "one of several": (
        """
        class Net(nn.Module):
            def forward(self, x, a: bool = False, b: bool = False):
                return (x, x * 2) if a or b else (x,)
        """,
        """
                assert not (a or b) or not torch.jit.is_scripting(), "scripted for a=False, b=False only"
                return (x, x * 2) if (a or b) and not torch.jit.is_scripting() else (x,)
        """,
    ),
    "what follows a return": (
        """
        class Inner(nn.Module):
            def forward(self, x, plain: bool = True):
                if plain:
                    return x
                return x, x * 2


        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = Inner()

            def forward(self, x):
                return self.inner(x, plain=True)
        """,
        """
                assert plain or not torch.jit.is_scripting(), "scripted for plain=True only"
                if plain or torch.jit.is_scripting():
        """,
    ),
}


@pytest.mark.parametrize("name", TAKEN)
def test_a_condition_on_a_parameter_is_compiled_for_its_default(
    name: str, with_last_resorts: Callable[[str], str]
) -> None:
    source, holds = TAKEN[name]
    before = HEAD + dedent(source) + TAIL
    refused = the_compiler()(before)
    assert not refused.ok
    after = with_last_resorts(before)
    for line in dedent(holds).strip().splitlines():
        assert line.strip() in [each.strip() for each in after.splitlines()], after
    verdict = the_compiler()(after)
    assert verdict.ok, verdict.message
    assert verdict.eager == refused.eager
    assert with_last_resorts(after) == after


def test_compiled_code_refuses_the_other_value(with_last_resorts: Callable[[str], str]) -> None:
    source, _ = TAKEN["what only the flag wants, and what uses it"]
    after = with_last_resorts(HEAD + dedent(source) + TAIL.replace("3),)", "3), True)"))
    verdict = the_compiler()(after)
    assert verdict.ok
    assert verdict.eager is not None
    assert verdict.scripted == "raises Error"


LEFT = {
    "another test beside it": """
        class Net(nn.Module):
            def forward(self, x, pair: bool = True):
                y = x * 2
                if not pair or x.dim() > 5:
                    y = (x, x)
                return y
        """,
    "without a default": """
        class Net(nn.Module):
            def forward(self, x, flag: bool):
                return (x, x) if flag else (x,)
        """,
    "a list of them": """
        class Net(nn.Module):
            def forward(self, x, flags: Optional[List[bool]] = None):
                return (x, x) if flags is not None else (x,)
        """,
    "one that changes": """
        class Net(nn.Module):
            def forward(self, x, flag: bool = False):
                flag = x.dim() == 2
                return (x, x) if flag else (x,)
        """,
    "one that a caller sets": """
        class Inner(nn.Module):
            def forward(self, x, flag: bool = False):
                return (x, x) if flag else (x,)


        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = Inner()

            def forward(self, x):
                return self.inner(x, flag=True)
        """,
    "the input decides": """
        class Net(nn.Module):
            def forward(self, x, flag: bool = False):
                return (x, x) if x.dim() == 2 or flag else (x,)
        """,
    "what the front end reads in any case": """
        class Net(nn.Module):
            def forward(self, x, flag: bool = False):
                f = (lambda y: y) if flag else None
                return x
        """,
}


@pytest.mark.parametrize("name", LEFT)
def test_a_condition_that_the_default_does_not_decide_stays(name: str, with_last_resorts: Callable[[str], str]) -> None:
    before = HEAD + dedent(LEFT[name]) + TAIL
    assert not the_compiler()(before).ok
    assert "is_scripting" not in with_last_resorts(before)
