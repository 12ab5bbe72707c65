"""Tests functions that a decorator of torch wraps: each row asks the compiler and the static model."""

from __future__ import annotations

import pytest

from tests.rules.driver import findings
from tests.script.agreement import agree
from tests.script.model import HEAD

TEXT = """
RATE = 0.5


def double(x):
    return x * 2


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(3, 3)

    {decorators}
    def forward(self, x: Tensor, n: int = 2):
        {body}


scripted = torch.jit.script(Net())
"""
NO_GRAD = "@torch.no_grad()"
# The decorators, the body, and the event at which the compiler stops.
CASES = {
    "a function of torch": (NO_GRAD, "return torch.relu(x)", "hidden-global"),
    "the name of another thing in torch's file": (NO_GRAD, "return F.relu(x)", "hidden-global"),
    "a function of the file": (NO_GRAD, "return double(x)", "hidden-global"),
    "a module of Python's": (NO_GRAD, "return x * math.pi", "hidden-global"),
    "a constant of the file": (NO_GRAD, "return x * RATE", "closed-over-global"),
    "a name that is nowhere": (NO_GRAD, "return nowhere(x)", "undefined-name"),
    "without parentheses": ("@torch.no_grad", "return double(x)", "hidden-global"),
    "inference mode": ("@torch.inference_mode()", "return double(x)", "hidden-global"),
    "with grad": ("@torch.enable_grad()", "return double(x)", "hidden-global"),
    "a grad mode": ("@torch.set_grad_enabled(False)", "return double(x)", "hidden-global"),
    "autocast": ("@torch.autocast('cpu')", "return double(x)", "hidden-global"),
    "autocast, whose file imports torch": ("@torch.autocast('cpu')", "return torch.relu(x)", ""),
    "the outer one of two is autocast": (
        "@torch.autocast('cpu')\n    @torch.no_grad()",
        "return torch.relu(x)",
        "",
    ),
    "the inner one of two is autocast": (
        "@torch.no_grad()\n    @torch.autocast('cpu')",
        "return torch.relu(x)",
        "hidden-global",
    ),
    "an export": ("@torch.jit.export\n    @torch.no_grad()", "return double(x)", "hidden-global"),
    "whether it is compiled": (NO_GRAD, "return x if torch.jit.is_scripting() else x + 1", "hidden-global"),
    "methods and submodules": (NO_GRAD, "return self.inner(x.relu()).view(-1, n)", ""),
    "what Python has built in": (NO_GRAD, "return x[: min(len(x.shape), int(n))]", ""),
    "an error of Python's": (NO_GRAD, "raise ValueError(f'{n}')", ""),
    "a type": (NO_GRAD, "return x if isinstance(x, Tensor) else x + 1", ""),
    "a local annotation": (NO_GRAD, "found: List[Tensor] = [x]; return found", ""),
    "what an annotation names": (NO_GRAD, "return x + n", ""),
}


@pytest.mark.parametrize("name", CASES)
def test_names_are_those_of_the_file_of_the_wrapper(name: str) -> None:
    decorators, body, kind = CASES[name]
    agree(kind, TEXT.format(decorators=decorators, body=body))


def codes(text: str) -> list[str]:
    """Return the codes of the findings, except a missing return annotation."""
    return [each.code for each in findings(text) if each.code != "TS508"]


# In torch 1, torch/autograd/grad_mode.py contained the wrapper, and it imports torch.
@pytest.mark.parametrize("target, found", [("1.13", ["TS601"]), ("2.0", ["TS226"])])
def test_torch_1_resolves_the_name_torch_in_the_wrapper(target: str, found: list[str]) -> None:
    text = HEAD + TEXT.format(decorators=NO_GRAD, body="return torch.relu(x)")
    assert codes(f'# target-torch = "{target}"\n{text}') == found


def test_a_wrapped_function_has_one_finding() -> None:
    text = HEAD + TEXT.format(decorators=NO_GRAD, body="return double(torch.relu(x) + math.pi)")
    assert codes(text) == ["TS226"]
