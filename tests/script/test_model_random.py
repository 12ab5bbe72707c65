"""Tests the static model on random functions and modules: it never raises, and ends quickly.

Its results do not matter here. The grammar prefers constructs that matter to the compiler: branches, loops, modules,
None, containers, calls with a wrong number of arguments.
"""

from __future__ import annotations

import ast
import textwrap
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.script.model import events

pytestmark = pytest.mark.slow

LONGEST = 3.0  # seconds, for a file of a few dozen statements
NAMES = st.sampled_from(["x", "y", "z", "n", "flag", "items", "i"])
ATTRIBUTES = st.sampled_from(
    ["size", "act", "layers", "cache", "sub", "table", "missing", "training", "forward", "prop"]
)
LITERALS = st.sampled_from(
    ["0", "1", "2.5", "'a'", "True", "False", "None", "...", "[]", "{}", "()", "(1, 'a')", "b'x'", "1j", "f'{x}'"]
)
OPERATORS = st.sampled_from("+ - * / // % ** @ & | ^ << >>".split())
COMPARISONS = st.sampled_from(["==", "!=", "<", ">=", "is", "is not", "in", "not in"])
FUNCTIONS = st.sampled_from(
    """
    torch.relu torch.cat torch.zeros F.dropout F.pad len range enumerate zip isinstance hasattr getattr int str list
    tuple print max sorted torch.jit.is_scripting torch.jit.annotate torch.jit.isinstance helper Box Pair Color super
    nn.Linear math.sqrt math.nothing torch.nothing sum dict reversed type self.act self.layers self.helper self.nothing
    x.view x.size x.tolist x.format items.append y.items Color.RED Box.make
    """.split()
)


def expressions() -> st.SearchStrategy[str]:
    def extend(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        several = st.lists(inner, max_size=3)
        return st.one_of(
            st.tuples(inner, OPERATORS, inner).map(lambda p: f"({p[0]} {p[1]} {p[2]})"),
            st.tuples(inner, COMPARISONS, inner).map(lambda p: f"({p[0]} {p[1]} {p[2]})"),
            st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda p: f"({p[0]} {p[1]} {p[2]})"),
            st.tuples(st.sampled_from(["not ", "-", "~"]), inner).map("".join).map("({})".format),
            st.tuples(inner, inner, inner).map(lambda p: f"({p[0]} if {p[1]} else {p[2]})"),
            st.tuples(FUNCTIONS, several).map(lambda p: f"{p[0]}({', '.join(p[1])})"),
            st.tuples(FUNCTIONS, inner, NAMES).map(lambda p: f"{p[0]}({p[1]}, {p[2]}={p[1]})"),
            st.tuples(FUNCTIONS, inner).map(lambda p: f"{p[0]}(*{p[1]})"),
            st.tuples(inner, inner).map(lambda p: f"{p[0]}[{p[1]}]" if p[0][0].isalpha() else f"({p[0]})[{p[1]}]"),
            st.tuples(NAMES, inner, inner).map(lambda p: f"{p[0]}[{p[1]}:{p[2]}]"),
            several.map(lambda parts: f"[{', '.join(parts)}]"),
            several.map(lambda parts: f"({', '.join(parts)}{',' if parts else ''})"),
            st.tuples(inner, inner).map(lambda p: f"{{{p[0]}: {p[1]}}}"),
            st.tuples(inner, NAMES, inner).map(lambda p: f"[{p[0]} for {p[1]} in {p[2]}]"),
            st.tuples(inner, ATTRIBUTES).map(lambda p: f"({p[0]}).{p[1]}"),
        )

    leaves = st.one_of(NAMES, LITERALS, ATTRIBUTES.map("self.{}".format), ATTRIBUTES.map("self.sub.{}".format))
    return st.recursive(leaves, extend, max_leaves=6)


EXPRESSIONS = expressions()


def indented(lines: list[str]) -> str:
    return textwrap.indent("\n".join(lines) or "pass", "    ")


def statements() -> st.SearchStrategy[str]:
    targets = st.one_of(
        NAMES, st.tuples(NAMES, NAMES).map(", ".join), ATTRIBUTES.map("self.{}".format), NAMES.map("{}[0]".format)
    )
    annotations = st.sampled_from(
        ["int", "List[int]", "Optional[Tensor]", "Box", "Pair", "Color", "Dict", "'Box'", "Set[int]"]
    )
    simple = st.one_of(
        st.tuples(targets, EXPRESSIONS).map(" = ".join),
        st.tuples(NAMES, annotations, EXPRESSIONS).map(lambda p: f"{p[0]}: {p[1]} = {p[2]}"),
        st.tuples(NAMES, st.sampled_from(["+=", "*=", "-="]), EXPRESSIONS).map(" ".join),
        EXPRESSIONS,
        EXPRESSIONS.map("return {}".format),
        EXPRESSIONS.map("assert {}".format),
        NAMES.map("del {}".format),
        st.sampled_from(["pass", "return", "raise ValueError('a')", "break", "continue", "import os", "global n"]),
    )

    def extend(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        block = st.lists(inner, min_size=1, max_size=3)
        return st.one_of(
            st.tuples(EXPRESSIONS, block).map(lambda p: f"if {p[0]}:\n{indented(p[1])}"),
            st.tuples(EXPRESSIONS, block, block).map(
                lambda p: f"if {p[0]}:\n{indented(p[1])}\nelse:\n{indented(p[2])}"
            ),
            st.tuples(NAMES, EXPRESSIONS, block).map(lambda p: f"for {p[0]} in {p[1]}:\n{indented(p[2])}"),
            st.tuples(EXPRESSIONS, block).map(lambda p: f"while {p[0]}:\n{indented(p[1])}"),
            st.tuples(EXPRESSIONS, block).map(lambda p: f"with {p[0]} as y:\n{indented(p[1])}"),
            st.tuples(block, block).map(lambda p: f"try:\n{indented(p[0])}\nexcept ValueError:\n{indented(p[1])}"),
        )

    return st.recursive(simple, extend, max_leaves=5)


BODIES = st.lists(statements(), min_size=1, max_size=6)
WORLD = """
import enum


class Color(enum.Enum):
    RED = 1


class Pair(NamedTuple):
    a: Tensor
    b: int = 3


class Box:
    def __init__(self, size: int):
        self.size = size

    @staticmethod
    def make(n: int) -> int:
        return n


def helper(x, n: int = 3):
    return x * n


class Sub(nn.Module):
    def forward(self, x):
        return x


class Net(nn.Module):
    table: Dict[str, int]

    def __init__(self, flag=False, size=3, extra=None):
        super().__init__()
{constructor}

    @property
    def prop(self) -> int:
        return 1

    def helper(self, x):
        return self.forward(x)

    def forward(self, x, n: int = 1, flag: bool = False, items: Optional[List[int]] = None):
{forward}
"""


def valid(text: str) -> bool:
    try:
        compile(text, "case", "exec", ast.PyCF_ONLY_AST)
    except SyntaxError:
        return False
    return True


def quick(text: str) -> None:
    started = time.process_time()
    found = events(text)
    assert time.process_time() - started < LONGEST, text
    for event in found:
        assert event.span.row >= 1
        assert event.kind


def world(constructor: list[str], forward: list[str]) -> str:
    return WORLD.replace("{constructor}", textwrap.indent(indented(constructor), "    ")).replace(
        "{forward}", textwrap.indent(indented(forward), "    ")
    )


relaxed = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=80, derandomize=True)


@relaxed
@given(BODIES)
def test_any_forward_is_analysed(body: list[str]) -> None:
    constructor = [
        "self.size = size",
        "self.act = nn.ReLU() if flag else None",
        "self.layers = nn.ModuleList([nn.ReLU()] * 2)",
        "self.cache = []",
        "self.sub = Sub()",
        "self.table = {}",
    ]
    text = world(constructor, body)
    if valid(text):
        quick(text)


@relaxed
@given(BODIES, BODIES)
def test_any_constructor_is_analysed(constructor: list[str], body: list[str]) -> None:
    text = world([line.replace("n", "size", 1) if line == "n" else line for line in constructor], body)
    if valid(text):
        quick(text)


@relaxed
@given(BODIES)
def test_any_function_is_analysed(body: list[str]) -> None:
    text = f"def f(x, y=None, *, n: int = 1):\n{indented(body)}\n\nscripted = torch.jit.script(f)\n"
    if valid(text):
        quick(text)
