"""Tests that fixed code still runs inside functions of `torch.func`, which do not allow every call."""

from __future__ import annotations

import subprocess
import sys

from tests.fixes.promise import fixed

HEAD = "import torch\nfrom torch import Tensor\nfrom torch.autograd import Variable\n\n\n"
# Ways to make a tensor that requires grad, in a function that the transformation calls.
WAYS = {
    "a keyword": "y = torch.zeros(3, requires_grad=True)",
    "an attribute": "y = torch.zeros(3)\n    y.requires_grad = True",
    "no gradient of a new tensor": "y = torch.zeros(3)\n    y.requires_grad = False",
    "no gradient": "y = torch.zeros(3).view(3)\n    y.requires_grad = False",
    "a Variable": "y = Variable(torch.zeros(3), requires_grad=True)",
}
TRANSFORMED = "\n\nprint([torch.func.grad(each)(torch.ones(3)).sum().item() for each in ({names})])\n"


def test_fixed_functions_can_be_transformed() -> None:
    """One process for all rows, because torch takes long to import."""
    parts: list[str] = []
    for number, way in enumerate(WAYS.values()):
        text = f"@torch.jit.script\ndef work_{number}(x: Tensor):\n    {way}\n    return (x + y).sum()\n"
        after, outcome = fixed(HEAD + text)
        assert outcome.applied
        parts.append(after.partition("@torch.jit.script\n")[2])
    script = HEAD + "\n\n".join(parts) + TRANSFORMED.format(names=", ".join(f"work_{n}" for n in range(len(WAYS))))
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout == "[3.0, 3.0, 3.0, 3.0, 3.0]\n", done.stderr
