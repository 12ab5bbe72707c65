"""Tests methods behind ``functools.lru_cache``: each row asks the compiler and the static model."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

TEXT = """
import functools
from functools import lru_cache


@lru_cache(maxsize=None)
def table(size: int):
    return torch.ones(size)


class Net(nn.Module):
{marks}
    def mask({arguments}):
        return torch.ones(size)

    def forward(self, x: Tensor):
        return x * {call}


scripted = torch.jit.script(Net())
"""
METHOD, CALL = "self, size: int", "self.mask(3)"
# The decorators, the parameters, the call, and the kind of the error.
CASES = {
    "lru_cache": ("@lru_cache", METHOD, CALL, "attribute-inconvertible"),
    "lru_cache with a size": ("@functools.lru_cache(maxsize=4)", METHOD, CALL, "attribute-inconvertible"),
    "cache": ("@functools.cache", METHOD, CALL, "attribute-inconvertible"),
    "around another decorator": ("@lru_cache()|@torch.no_grad()", METHOD, CALL, "attribute-inconvertible"),
    "marked as ignored": ("@torch.jit.ignore|@lru_cache", METHOD, CALL, "attribute-inconvertible"),
    "marked as unused": ("@lru_cache|@torch.jit.unused", METHOD, CALL, "attribute-inconvertible"),
    "static": ("@staticmethod|@lru_cache", "size: int", CALL, ""),
    "not called": ("@lru_cache", METHOD, "3", ""),
    "a function": ("@torch.jit.unused", METHOD, "table(3)", ""),
}


@pytest.mark.parametrize("name", CASES)
def test_compiled_code_cannot_call_a_cached_method(name: str) -> None:
    marks, arguments, call, kind = CASES[name]
    marks = "\n".join("    " + mark for mark in marks.split("|"))
    agree(kind, TEXT.format(marks=marks, arguments=arguments, call=call))
