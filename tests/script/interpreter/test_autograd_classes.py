"""Tests classes of ``torch.autograd.Function``: the compiler compiles their methods that are not static."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

TEXT = """
class Double(torch.autograd.Function):
    {mark}
    def forward({parameters}):
        return {result}

    {backward}


class Other(Double):
    pass


made = Double.apply


@torch.jit.script
def run(x: Tensor) -> Tensor:
    return {used}
"""
STATIC, CLASS = "@staticmethod", "@classmethod"
GOOD = "@staticmethod\n    def backward(ctx, g):\n        return g"
NOT_STATIC = "def backward(ctx, g):\n        return g"
BOUND = "@classmethod\n    def backward(cls, ctx, g):\n        return g"
APPLIED = "Double.apply(x)"
# The decorator and the parameters of `forward`, what it returns, `backward`, the use, and the event.
CASES = {
    "static methods": (STATIC, "ctx, x", "x.tolist().nope()", GOOD, APPLIED, ""),
    "a class method that compiles": (CLASS, "cls, ctx, x", "x * 2", GOOD, APPLIED, ""),
    "a class method that does not": (CLASS, "cls, ctx, x", "x.numpy()", GOOD, APPLIED, "no-tensor-member"),
    "no decorator": ("", "ctx, x", "x.numpy()", GOOD, APPLIED, "no-tensor-member"),
    "backward without decorator": (STATIC, "ctx, x", "x", NOT_STATIC, APPLIED, "backward-method"),
    "backward as a class method": (STATIC, "ctx, x", "x", BOUND, APPLIED, "backward-method"),
    "an inherited backward": (STATIC, "ctx, x", "x", BOUND, "Other.apply(x)", ""),
    "a variable of the module": (CLASS, "cls, ctx, x", "x.numpy()", BOUND, "made(x)", ""),
    "an instance": (STATIC, "ctx, x", "x", GOOD, "Double()(x)", "class-without-init"),
    "an instance with backward": ("", "self, x", "x", NOT_STATIC, "Double()(x)", "backward-method"),
    "a static method": (STATIC, "ctx, x", "x", GOOD, "Double.forward(x, x)", ""),
}


@pytest.mark.parametrize("name", CASES)
def test_an_autograd_function(name: str) -> None:
    mark, parameters, result, backward, used, kind = CASES[name]
    agree(kind, TEXT.format(mark=mark, parameters=parameters, result=result, backward=backward, used=used))


def test_an_in_place_function_is_an_autograd_function_too() -> None:
    text = TEXT.replace("autograd.Function", "autograd.function.InplaceFunction")
    for result, kind in (("x * 2", ""), ("x.numpy()", "no-tensor-member")):
        agree(kind, text.format(mark=CLASS, parameters="cls, ctx, x", result=result, backward=GOOD, used=APPLIED))
