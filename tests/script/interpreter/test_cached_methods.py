"""Tests methods and functions behind ``functools.lru_cache``: each row asks the compiler and the static model."""

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


FUNCTION = """
import functools
from functools import cache, lru_cache


{mark}
def table({parameters}):
    return torch.ones(3)


@torch.jit.script
def net(x: Tensor, k: int):
    return {call}
"""
BARE, TYPED = "n, m=3", "n: int, m: int = 3"
# The decorator, the parameters, the call, and the kind of the error.
FUNCTIONS = {
    "Tensors": ("@lru_cache", BARE, "table(x, x)", ""),
    "an int": ("@lru_cache", BARE, "table(x, 2)", "call-mismatch"),
    "ints": ("@lru_cache(maxsize=5)", BARE, "table(x.size(0), k)", "call-mismatch"),
    "ints in a cache": ("@cache", BARE, "table(k, k)", "call-mismatch"),
    "an argument left out": ("@lru_cache", BARE, "table(x)", ""),
    "an argument left out, and an int": ("@lru_cache", BARE, "table(k)", "call-mismatch"),
    "more arguments": ("@lru_cache", BARE, "table(x, x, x)", ""),
    "annotated ints": ("@lru_cache", TYPED, "table(k, k)", ""),
    "a string for an int": ("@lru_cache", TYPED, "table('a', k)", "call-mismatch"),
    "annotations need every argument": ("@lru_cache", TYPED, "table(k)", "call-mismatch"),
    "one annotation": ("@lru_cache", "n: int, m=3", "table(k, x)", ""),
    "one annotation, and an int": ("@lru_cache", "n: int, m=3", "table(k, k)", "call-mismatch"),
    "the result is a Tensor": ("@lru_cache", BARE, "table(x, x).relu()", ""),
    "the result is not an int": ("@lru_cache", BARE, "torch.ones(table(x, x), 'a')", "operator-mismatch"),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_compiled_code_calls_a_cached_function_with_tensors(name: str) -> None:
    mark, parameters, call, kind = FUNCTIONS[name]
    agree(kind, FUNCTION.format(mark=mark, parameters=parameters, call=call))
