"""What the rules about code that compiles leave alone, and forms of their patterns that the pages do not show."""

from __future__ import annotations

import pytest

from tests.rules.driver import findings
from tslint.diagnostics import Severity

HEAD = """\
import functools
import math
from typing import Dict, List, Optional

import torch
from torch import Tensor, nn


@torch.jit.unused
def unused(x: Tensor) -> Tensor:
    return x


"""


def compiled(text: str) -> list[tuple[str, Severity]]:
    """The TS6xx and TS8xx findings of a text, by name."""
    return [(f.name, f.severity) for f in findings(HEAD + text) if f.code[:3] in ("TS6", "TS8")]


FUNCTION = "@torch.jit.script\ndef f(x: Tensor, n: int, s: float, name: str, xs: List[int], flag: bool):\n    {}\n"


@pytest.mark.parametrize(
    "body",
    [
        "return x * int(round(s))",
        "return x.view(int(n ** 2))",
        "return x / n ** 2",
        "return math.sqrt(n ** 2)",
        "return n ** 2 > 5",
        "return n ** -1",
        "return s ** 2",
        "return x ** 2",
        "if n or s > 1.0:\n        x = x + 1\n    return x",
        "found = xs or name\n    if found:\n        x = x + 1\n    return x",
        "return flag or n > 1",
        "return bool(name or n)",
        "return '{} of {}'.format(n, name)",
        "return '%d of %f, 100%%' % (n, s)",
        'return f"{{n}} is {n}"',
        "xs = [1]\n    xs.append(n)\n    return x",
        "xs.append(n)\n    return x, xs",
        "if n > 1:\n        return unused(x)\n    return x",
        "if n > 1:\n        return x\n    return unused(x)",
        "if not torch.jit.is_scripting():\n        x = unused(x)\n    return x",
        "if torch.jit.is_scripting():\n        return x\n    else:\n        return x + 1",
        "return torch.ops.aten.relu(x)",
    ],
)
def test_harmless_forms_are_left_alone(body: str) -> None:
    assert compiled(FUNCTION.format(body)) == []


@pytest.mark.parametrize(
    ("body", "name", "severity"),
    [
        ("k = round(s)\n    return x * k", "rounded-float", Severity.WARNING),
        ("n **= 2\n    return x * n", "integer-power", Severity.WARNING),
        ("return name or 'none'", "truth-value", Severity.ERROR),
        ("return n or 3", "truth-value", Severity.WARNING),
        ("return '{0}'.format(n)", "format-field", Severity.ERROR),
        ("print('{:d}'.format(n))\n    return x", "format-field", Severity.WARNING),
        ("assert n > 1, '%5d' % n\n    return x", "percent-specifier", Severity.WARNING),
        ("xs[0] = n\n    return x", "mutated-argument", Severity.WARNING),
        ("del xs[0]\n    return x", "mutated-argument", Severity.WARNING),
        ("if torch.jit.is_scripting():\n        return x\n    return {'x': x}", "scripting-branches", Severity.WARNING),
        (
            "if torch.jit.is_scripting():\n        x = x.float()\n    else:\n        x = x.half()\n    return x",
            "scripting-branches",
            Severity.WARNING,
        ),
        ("y = x + 1\n    return unused(y)", "unused-call", Severity.WARNING),
    ],
)
def test_other_forms_are_found(body: str, name: str, severity: Severity) -> None:
    assert compiled(FUNCTION.format(body)) == [(name, severity)]


def test_arguments_of_a_compiled_caller_are_passed_on_as_they_are() -> None:
    text = """
class Part(nn.Module):
    def forward(self, x: Tensor, seen: List[Tensor], mask=None):
        seen.append(x)
        if mask is not None:
            x = x * mask
        return x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.part = Part()

    def forward(self, x: Tensor):
        seen: List[Tensor] = []
        return self.part(x, seen, x)
"""
    # Saving is another matter.
    assert [kind for kind, _ in compiled(text)] == ["unsaveable-none-default"]


@pytest.mark.parametrize(
    "decorator",
    ["@torch.no_grad()", "@torch.inference_mode()", "@torch.autocast('cpu')", "@torch.cuda.amp.autocast()", "@doubled"],
)
def test_decorators_with_an_effect_are_found(decorator: str) -> None:
    text = f"""
def doubled(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs) * 2
    return wrapper


class Net(nn.Module):
    {decorator}
    def forward(self, x: Tensor):
        return x * 2
"""
    assert compiled(text) == [("dropped-decorator", Severity.WARNING)]


@pytest.mark.parametrize(
    ("decorator", "body"),
    [
        ("@torch.no_grad()", "with torch.no_grad():\n            return x * 2"),
        ("@handed_on", "return x * 2"),
        ("@torch.jit.export", "return x * 2"),
    ],
)
def test_decorators_that_lose_nothing_are_left_alone(decorator: str, body: str) -> None:
    text = f"""
def handed_on(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)
    return wrapper


class Net(nn.Module):
    {decorator}
    def forward(self, x: Tensor):
        {body}
"""
    assert compiled(text) == []


def test_methods_that_the_compiled_module_has_are_left_alone() -> None:
    text = """
class Net(nn.Module):
    @torch.jit.export
    def exported(self, x: Tensor):
        return x

    def used(self, x: Tensor):
        return x

    def forward(self, x: Tensor):
        return self.used(x)


net = torch.jit.script(Net())
net.exported(torch.ones(1))
net.used(torch.ones(1))
net.eval()
other = Net()
other.anything(torch.ones(1))
"""
    assert compiled(text) == []
