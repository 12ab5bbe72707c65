"""Tests arguments that depend on the constructor: the callee is compiled for each alternative, and the time grows with
the sum of their numbers, not with the product.
"""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.script.model import HEAD, events

CALLED = """
def smooth(x, width{annotation}):
    first, *rest = x.shape
    return x


class Net(nn.Module):
    def __init__(self, width={default}):
        super().__init__()
        self.width = width

    def forward(self, x):
        return smooth(x, self.width)


scripted = torch.jit.script(Net({given}))
"""
CONSTRUCTIONS = {
    "as the default is": (": int", "3", ""),
    "another value": (": int", "3", "4"),
    "another type": (": int", "3", "'wide'"),
    "no annotation": ("", "3", ""),
    "none by default": (": Optional[int]", "None", "4"),
}


@pytest.mark.parametrize("name", CONSTRUCTIONS)
def test_an_error_in_a_function_does_not_depend_on_its_arguments(name: str) -> None:
    annotation, default, given = CONSTRUCTIONS[name]
    text = CALLED.format(annotation=annotation, default=default, given=given)
    verdict = the_compiler()(HEAD + text)
    starred = [event for event in events(text) if event.kind == "starred-unknown-length"]
    assert [(event.condition, event.span.row) for event in starred] == [(None, verdict.lines[0])]


def test_each_argument_of_many_that_depend_on_the_constructor_is_looked_at() -> None:
    names = [f"a{i}" for i in range(40)]
    choices = [f"        self.{name} = 1 if use_{name} else {2.5 if name == 'a7' else 's'!r}" for name in names]
    parameters = [f"{name}: {'int' if name == 'a7' else 'Union[int, str]'}" for name in names]
    text = f"""
def f(x, {", ".join(parameters)}):
    return x


class Net(nn.Module):
    def __init__(self, {", ".join(f"use_{name}" for name in names)}):
        super().__init__()
{chr(10).join(choices)}

    def forward(self, x):
        return f(x, {", ".join(f"self.{name}" for name in names)})
"""
    assert [(event.kind, event.condition) for event in events(text)] == [("call-mismatch", "`use_a7` is false")]


FRESH = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = None

    def forward(self, x):
        self.last = x
        return x


{}
"""


def retyped(calls: str) -> list[str | None]:
    """Return the conditions under which the assignment in ``forward`` is rejected."""
    return [event.condition for event in events(FRESH.format(calls)) if event.kind == "attribute-retyped"]


@pytest.mark.parametrize("made", ["Net()", "Net().eval()"])
def test_a_module_scripted_as_it_is_created_has_not_run(made: str) -> None:
    calls = f"scripted = torch.jit.script({made})"
    assert retyped(calls) == [None]
    assert not the_compiler()(HEAD + FRESH.format(calls)).ok


def test_a_module_created_earlier_may_have_run() -> None:
    calls = "net = Net()\nnet(torch.rand(2))\nscripted = torch.jit.script(net)"
    assert retyped(calls) == ["the module has not run before scripting"]


THREE = """
class Net(nn.Module):
    def __init__(self, head="wide"):
        super().__init__()
        if head == "wide":
            self.heads = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])
        elif head == "narrow":
            self.heads = nn.ModuleList([nn.Linear(3, 3)])
        else:
            self.heads = None

    def forward(self, x):
        if {test}:
            for head in self.heads:
                x = head(x)
        return x


scripted = torch.jit.script(Net({given}))
"""


@pytest.mark.parametrize("given", ["'wide'", "'narrow'", "'none'"])
@pytest.mark.parametrize(
    ("test", "condition"),
    [
        ("self.heads is not None", None),
        ("None is not self.heads", None),
        ("self.heads is None", "`head` is neither 'narrow' nor 'wide'"),
        ("torch.jit.is_scripting()", "`head` is neither 'narrow' nor 'wide'"),
    ],
)
def test_a_test_excludes_the_alternatives_for_which_it_is_false(test: str, condition: str | None, given: str) -> None:
    text = THREE.format(test=test, given=given)
    found = {event.condition for event in events(text) if event.kind == "not-iterable"}
    assert found == ({condition} if condition else set())
    refused = condition is not None and given == "'none'"
    assert the_compiler()(HEAD + text).ok is not refused
