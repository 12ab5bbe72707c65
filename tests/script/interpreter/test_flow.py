"""Tests joins, refinement, loops and returns: the installed compiler and the static model agree on the row."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from tests.rules.compiler import the_compiler
from tests.script.model import HEAD, events


class Case(NamedTuple):
    """The parameters and the body of a function; the kind of the event, empty if it compiles."""

    kind: str
    parameters: str
    body: str


CASES = {
    "a name of one branch only": Case("branch-undefined", "x, b: bool", "if b:\n    y = x\nreturn y"),
    "a name of one branch that nobody uses": Case("", "x, b: bool", "if b:\n    y = x\nreturn x"),
    "two types, used afterwards": Case(
        "branch-type-mismatch", "x, b: bool", "if b:\n    y = 1\nelse:\n    y = 'a'\nreturn y"
    ),
    "two types, unused": Case("", "x, b: bool", "if b:\n    y = 1\nelse:\n    y = 'a'\nreturn x"),
    "None and a value make an Optional": Case("", "x, b: bool", "if b:\n    y = None\nelse:\n    y = x\nreturn y"),
    "a name of before keeps its type": Case("variable-retyped", "x, b: bool", "y = 1\nif b:\n    y = 'a'\nreturn y"),
    "the same block may retype": Case("", "x, b: bool", "y = 1\ny = 'a'\nreturn y"),
    "an early return leaves the other branch's names": Case(
        "", "x, b: bool", "if b:\n    return x\nelse:\n    y = x\nreturn y"
    ),
    "a raising branch does too": Case("", "x, b: bool", "if b:\n    raise ValueError('a')\nelse:\n    y = x\nreturn y"),
    "functions do not leave branches": Case(
        "undefined-name", "x, b: bool", "if b:\n    g = torch.relu\nelse:\n    g = torch.tanh\nreturn g(x)"
    ),
    "ternaries of two types": Case("if-expression-types", "x, b: bool", "y = 1 if b else 'a'\nreturn y"),
    "is None refines": Case("", "x, o: Optional[int]", "if o is None:\n    return x\nreturn x + o"),
    "no test, no refinement": Case("operator-mismatch", "x, o: Optional[int]", "return x + o"),
    "and refines to its right": Case("", "x, o: Optional[int]", "if o is not None and o > 1:\n    return x\nreturn x"),
    "or does not": Case(
        "operator-mismatch", "x, o: Optional[int]", "if o is not None or o > 1:\n    return x\nreturn x"
    ),
    "assert refines": Case("", "x, o: Optional[int]", "assert o is not None\nreturn x + o"),
    "a saved test does not refine": Case(
        "operator-mismatch", "x, o: Optional[int]", "b = o is not None\nif b:\n    return x + o\nreturn x"
    ),
    "items of containers are not refined": Case(
        "operator-mismatch", "x, o: List[Optional[int]]", "if o[0] is not None:\n    return x + o[0]\nreturn x"
    ),
    "isinstance picks out of a Union": Case(
        "", "x, o: Union[int, str]", "if isinstance(o, int):\n    return x + o\nreturn x"
    ),
    "a loop's names end with it": Case("undefined-name", "x", "for i in range(3):\n    y = x\nreturn y"),
    "a loop variable ends with it": Case("undefined-name", "x", "for i in range(3):\n    x = x + i\nreturn x + i"),
    "a loop keeps the type of before": Case(
        "variable-retyped", "x", "y = 1\nfor i in range(3):\n    y = 'a'\nreturn y"
    ),
    "while keeps it too": Case(
        "variable-retyped", "x, n: int", "y = 1\nwhile n > 0:\n    n -= 1\n    y = 'a'\nreturn y"
    ),
    "tuples are unrolled": Case("", "x", "for i, s in ((1, 'a'), (2, 'b')):\n    x = x + i\nreturn x"),
    "unrolled loops leave their names": Case("", "x", "for i in (1, 2):\n    y = x + i\nreturn y"),
    "unrolled loops have no break": Case("break-in-unrolled-loop", "x", "for i in (1, 2):\n    break\nreturn x"),
    "a tuple of two types is one row each": Case("", "x", "for i in (1, x):\n    x = x + i\nreturn x"),
    "returns of two types": Case("return-mismatch", "x, b: bool", "if b:\n    return x\nreturn 1"),
    "returns of None and a value": Case("", "x, b: bool", "if b:\n    return x\nreturn None"),
    "int and float do not join": Case(
        "branch-type-mismatch", "x, b: bool", "if b:\n    y = 1\nelse:\n    y = 1.5\nreturn y"
    ),
    "no int for a float list": Case("annotation-mismatch", "x", "y: float = 1\nreturn x"),
    "an empty list is a list of Tensors once it has a name": Case("list-element", "x", "y = []\ny.append(1)\nreturn x"),
    "an annotated empty list is not": Case("", "x", "y: List[int] = []\ny.append(1)\nreturn x"),
    "del ends a name": Case("undefined-name", "x", "y = x\ndel y\nreturn y"),
    "keys of a dict have one type": Case("dict-keys", "x", "y = {'a': x, 1: x}\nreturn x"),
    "values may differ": Case("", "x", "y = {'a': x, 'b': 1}\nreturn x"),
    "too many to unpack": Case("unpack-count", "x", "a, b = (1, 2, 3)\nreturn x"),
    "a Tensor is no tuple": Case("not-a-tuple", "x", "a, b = x\nreturn x"),
    "sizes unpack into any number": Case("", "x", "a, b = x.shape\nreturn x"),
    "a starred size does not": Case("starred-unknown-length", "x", "a, *b = x.shape\nreturn x"),
}


@pytest.mark.parametrize("name", CASES)
def test_the_model_and_the_compiler_say_the_same(name: str) -> None:
    case = CASES[name]
    body = "".join(f"    {line}\n" for line in case.body.split("\n"))
    text = f"def f({case.parameters}):\n{body}\n\nscripted = torch.jit.script(f)\n"
    verdict = the_compiler()(HEAD + text)
    assert verdict.ok is not bool(case.kind), verdict.message
    found = events(text)
    assert [event.kind for event in found] == ([case.kind] if case.kind else [])
    if case.kind:
        assert verdict.lines[0] in range(found[0].span.row, found[0].span.end_row + 1)


def test_modules_are_unrolled_one_by_one() -> None:
    text = (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.ls = nn.ModuleList([nn.ReLU(), nn.Linear(2, 2)])\n\n"
        "    def forward(self, x: Tensor):\n        for i, layer in enumerate(self.ls):\n            x = layer(x) + i\n"
        "            y = x\n        return y\n\nscripted = torch.jit.script(Net())\n"
    )
    assert the_compiler()(HEAD + text).ok
    assert events(text) == []


def test_a_match_statement_may_return() -> None:
    text = (
        "def f(x, n: int) -> Tensor:\n    match n:\n        case 0:\n            return x\n"
        "        case _:\n            return -x\n\nscripted = torch.jit.script(f)\n"
    )
    assert not the_compiler()(HEAD + text).ok
    assert [event.kind for event in events(text)] == ["match-statement"]


@pytest.mark.parametrize("item", ["self.ls[i]", "self.ls[n]"])
def test_indices_of_modules_are_literals(item: str) -> None:
    text = (
        "class Net(nn.Module):\n    def __init__(self):\n        "
        "super().__init__()\n        self.ls = nn.ModuleList([nn.ReLU()])\n\n"
        "    def forward(self, x: Tensor, n: int):\n        for i "
        f"in range(1):\n            x = {item}(x)\n        return x\n"
        "\nscripted = torch.jit.script(Net())\n"
    )
    verdict = the_compiler()(HEAD + text)
    assert verdict.first.startswith("Expected integer literal")
    assert [event.kind for event in events(text)] == ["container-index"]


FUNCTION = """
class Own(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        return a

    @staticmethod
    def backward(ctx, g):
        return g, None


def f(x, maybe: Optional[Tensor], some: List[Tensor]):
    return Own.apply({given})


scripted = torch.jit.script(f)
"""


@pytest.mark.parametrize(
    ("given", "accepted"),
    [("x, 1", True), ("x, maybe", True), ("maybe, x", False), ("1, x", False), ("some, 1", False)],
)
def test_apply_of_an_autograd_function_takes_a_tensor_first(given: str, accepted: bool) -> None:
    text = FUNCTION.format(given=given)
    assert the_compiler()(HEAD + text).ok is accepted
    found = [event.kind for event in events(text) if event.kind != "autograd-call"]
    assert found == ([] if accepted else ["operator-mismatch"])


# What the body does with an Optional that may get a value whose type only the construction decides.
UNKNOWN_VALUE = {
    "in a branch": "if o is None:\n            o = self.n",
    "in the other branch": "if o is not None:\n            x = x + o\n        else:\n            o = self.n",
    "in each branch": "if x.dim() > 1:\n            o = self.n\n        else:\n            o = self.m",
}


@pytest.mark.parametrize("name", UNKNOWN_VALUE)
def test_an_optional_has_the_type_of_an_unknown_value(name: str) -> None:
    text = (
        "class Net(nn.Module):\n    def __init__(self, options):\n        super().__init__()\n"
        "        self.n, self.m = options.n, options.m\n\n"
        f"    def forward(self, x, o: Optional[int] = None):\n        {UNKNOWN_VALUE[name]}\n        return x + o\n\n"
        "class Options:\n    n = 1\n    m = 2\n\nscripted = torch.jit.script(Net(Options))\n"
    )
    assert the_compiler()(HEAD + text).ok
    assert events(text) == []
