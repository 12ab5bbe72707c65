"""Tests exceptions that are stored before they are raised, and that `type()` of a tensor is a tensor."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

OWN = "class Wrong(ValueError):\n    pass\n\n\n"
# The kind of the event, and the lines of a function.
CASES = {
    "returned": ("not-a-value", "if x.sum() > 0:", '    return ValueError("a")', "return x"),
    "the project's, returned": ("not-a-value", 'return Wrong("a")'),
    "kept and raised": ("", 'e = Wrong("a")', "if x.sum() > 0:", "    raise e", "return x"),
    "made for nothing": ("", 'ValueError("a")', "return x"),
    "in a list": ("not-a-value", 'made = [ValueError("a")]', "return x"),
    "one of two": (
        "undefined-name",
        "if x.sum() > 0:",
        '    e = Wrong("a")',
        "else:",
        '    e = ValueError("a")',
        "raise e",
    ),
    "made again in a branch": (
        "reassigned-non-value",
        'e = ValueError("a")',
        "if x.sum() > 0:",
        '    e = ValueError("b")',
        "raise e",
    ),
    "as a message": ("not-a-value", 'assert x.sum() > 0, ValueError("a")', "return x"),
    "as a message that nobody compiles": ("", 'assert isinstance(x, Tensor), ValueError("a")', "return x"),
    "a tensor's type compared": (
        "operator-mismatch",
        'if x.type() == "torch.FloatTensor":',
        "    x = x + 1",
        "return x",
    ),
    "a tensor's type searched": ("operator-mismatch", 'if "Half" in x.type():', "    x = x + 1", "return x"),
    "a tensor's type as a tensor": ("", "return x.type() + 1"),
}


@pytest.mark.parametrize("name", CASES)
def test_the_model_and_the_compiler_say_the_same(name: str) -> None:
    kind, *lines = CASES[name]
    body = "".join(f"    {line}\n" for line in lines)
    agree(kind, f"{OWN}@torch.jit.script\ndef f(x):\n{body}")
