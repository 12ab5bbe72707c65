"""Tests calls of torch's and Python's libraries that the compiler rejects, each as in code of users."""

from __future__ import annotations

import pytest

from tests.script.agreement import agree

CALL = "import {}\n\n\ndef f(x: Tensor):\n    {}\n    return x\n\n\nscripted = torch.jit.script(f)\n"
# The module, the statement, and the kind of the event.
CASES = [
    ("torch.optim", "optimizer = torch.optim.SGD([x], lr=0.1)", "unsupported-torch-call"),
    ("torch.func", "gradient = torch.func.grad(torch.sin)(x)", "unsupported-torch-call"),
    ("torch.nested", "nested = torch.nested.nested_tensor([x])", "unsupported-torch-call"),
    ("torch.signal", "window = torch.signal.windows.hann(4)", "unsupported-torch-call"),
    ("torch.futures", "future = torch.futures.Future()", "unsupported-torch-call"),
    ("torch.nn.attention", "torch.nn.attention.sdpa_kernel([])", "unsupported-torch-call"),
    ("torch.distributed.nn", "torch.distributed.nn.all_reduce(x)", "unsupported-torch-call"),
    ("threading", "lock = threading.Lock()", "unsupported-external-call"),
    ("bisect", "i = bisect.bisect([1, 2], 1)", "unsupported-external-call"),
    ("inspect", "signature = inspect.signature(x)", "unsupported-external-call"),
    ("pdb", "pdb.set_trace()", "unsupported-external-call"),
    ("types", "sizes = types.SimpleNamespace(a=1)", "unsupported-external-call"),
    ("statistics", "mean = statistics.mean([1.0])", "unsupported-external-call"),
    ("fractions", "half = fractions.Fraction(1)", "unsupported-external-call"),
]


@pytest.mark.parametrize(("module", "statement", "kind"), CASES)
def test_the_static_model_agrees_with_the_compiler(module: str, statement: str, kind: str) -> None:
    agree(kind, CALL.format(module, statement))
