"""Tests that a row that is too long is broken as black does, without a change of its meaning."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tslint.rulekit.width import width
from tslint.rulekit.wrapping import broken

LAYOUTS = [
    (
        "a header whose parameters fit on one row",
        40,
        "    ",
        "    def forward(self, x: Tensor, size: int = 1) -> Tensor:",
        """\
    def forward(
        self, x: Tensor, size: int = 1
    ) -> Tensor:""",
    ),
    (
        "one parameter on each row, and the comment behind the last one",
        30,
        "    ",
        "    def forward(self, x: Tensor, size: int = 1) -> Tensor:  # ané comment",
        """\
    def forward(
        self,
        x: Tensor,
        size: int = 1,
    ) -> Tensor:  # ané comment""",
    ),
    (
        "tabs",
        40,
        "\t",
        "\tdef forward(self, x: Tensor, size: int = 1):",
        """\
\tdef forward(
\t\tself, x: Tensor, size: int = 1
\t):""",
    ),
    (
        "two spaces, stars, a lambda as a default",
        30,
        "  ",
        "  async def f(self, *args: int, key=lambda a, b: a, **more):",
        """\
  async def f(
    self,
    *args: int,
    key=lambda a, b: a,
    **more,
  ):""",
    ),
    (
        "a header without parameters but self",
        30,
        "    ",
        "def f(self) -> Tuple[Tensor, Tensor, Tensor]:",
        """\
def f(
    self,
) -> Tuple[
    Tensor, Tensor, Tensor
]:""",
    ),
    (
        "a parameter that is too long for a row of its own",
        40,
        "    ",
        "    def f(self, x: Dict[str, List[Tensor]], y: Optional[Tuple[Tensor, Tensor]] = None):",
        """\
    def f(
        self,
        x: Dict[str, List[Tensor]],
        y: Optional[
            Tuple[Tensor, Tensor]
        ] = None,
    ):""",
    ),
    (
        "a header over several rows",
        40,
        "    ",
        """\
    def forward(self, x, y, z,
                size: Optional[int] = None, w: int = 3):""",
        """\
    def forward(self, x, y, z,
                size: Optional[
                    int
                ] = None,
                w: int = 3):""",
    ),
    (
        "a decorator",
        40,
        "    ",
        "@decorated(by=one, and_by=another, finally_=three)",
        """\
@decorated(
    by=one,
    and_by=another,
    finally_=three,
)""",
    ),
    (
        "a conditional expression",
        40,
        "    ",
        "    return a.first if torch.jit.is_scripting() else b.second",
        """\
    return (
        a.first
        if torch.jit.is_scripting()
        else b.second
    )""",
    ),
    (
        "in parentheses",
        40,
        "    ",
        "    y = -(a.first if torch.jit.is_scripting() else b.second)",
        """\
    y = -(
        a.first
        if torch.jit.is_scripting()
        else b.second
    )""",
    ),
    (
        "as arguments",
        40,
        "    ",
        "    y = g(x, a.first if torch.jit.is_scripting() else b.second, k=1 if torch.jit.is_scripting() else 22222)",
        """\
    y = g(
        x,
        (
            a.first
            if torch.jit.is_scripting()
            else b.second
        ),
        k=(
            1
            if torch.jit.is_scripting()
            else 22222
        ),
    )""",
    ),
    (
        "as the only argument",
        40,
        "    ",
        "    y = g(a.first if torch.jit.is_scripting() else b.second)  # why",
        """\
    y = g(
        a.first
        if torch.jit.is_scripting()
        else b.second
    )  # why""",
    ),
    (
        "a tuple",
        40,
        "    ",
        "    first, second = one_value.size(0), another_value.size(1)",
        """\
    first, second = (
        one_value.size(0),
        another_value.size(1),
    )""",
    ),
    (
        "operators",
        40,
        "    ",
        "    y = one_value + another_value * third_value - fourth_value",
        """\
    y = (
        one_value
        + another_value * third_value
        - fourth_value
    )""",
    ),
    (
        "a chain of calls",
        40,
        "    ",
        "    y = x.interpolate(size=2).squeeze(0).permute(1, 2, 0)",
        """\
    y = (
        x.interpolate(size=2)
        .squeeze(0)
        .permute(1, 2, 0)
    )""",
    ),
    (
        "the last bracket that is worth it",
        40,
        "    ",
        "    y = self.layers[some_index](one_value, other_value)[0]",
        """\
    y = self.layers[some_index](
        one_value, other_value
    )[0]""",
    ),
    (
        "a comprehension",
        40,
        "    ",
        "    y = [value * factor for value, factor in pairs if value]",
        """\
    y = [
        value * factor
        for value, factor in pairs
        if value
    ]""",
    ),
    (
        "a dict",
        40,
        "    ",
        "    y = {'first': one_value, 'second': other_value, **rest}",
        """\
    y = {
        'first': one_value,
        'second': other_value,
        **rest,
    }""",
    ),
    (
        "a subscript on the left side",
        40,
        "    ",
        "    y[one_value.index, other_value.index] = third",
        """\
    y[
        one_value.index,
        other_value.index,
    ] = third""",
    ),
    (
        "the author's rows",
        40,
        "    ",
        """\
    y = first(aaaa, bbbbb,
              cccc, ddddd if torch.jit.is_scripting() else e)""",
        """\
    y = first(aaaa, bbbbb,
              cccc,
              (
                  ddddd
                  if torch.jit.is_scripting()
                  else e
              ))""",
    ),
    (
        "a condition",
        40,
        "    ",
        "    if isinstance(one_value, Tensor) and other_value is not None:",
        """\
    if (
        isinstance(one_value, Tensor)
        and other_value is not None
    ):""",
    ),
    (
        "elif",
        40,
        "    ",
        "    elif isinstance(one_value, Tensor) and other:",
        """\
    elif (
        isinstance(one_value, Tensor)
        and other
    ):""",
    ),
    (
        "except",
        40,
        "    ",
        "    except (ValueError, TypeError, RuntimeError) as error:",
        """\
    except (
        ValueError,
        TypeError,
        RuntimeError,
    ) as error:""",
    ),
    (
        "for",
        40,
        "    ",
        "    for one, two in zip(first_values, second_values):",
        """\
    for one, two in zip(
        first_values, second_values
    ):""",
    ),
    (
        "with",
        40,
        "    ",
        "    with torch.autocast('cuda', enabled=enabled_here):",
        """\
    with torch.autocast(
        'cuda', enabled=enabled_here
    ):""",
    ),
    (
        "the message of an assertion",
        40,
        "    ",
        "    assert one_value.size(0) == 3, f'{one_value.size(0)} is not three'",
        """\
    assert one_value.size(0) == 3, (
        f'{one_value.size(0)} is not three'
    )""",
    ),
    (
        "an import",
        40,
        "    ",
        "from typing import Dict, List, Optional, Tuple",
        """\
from typing import (
    Dict,
    List,
    Optional,
    Tuple,
)""",
    ),
    (
        "two statements on a row",
        40,
        "    ",
        "    one = f(1); other = g(one_value, another_value)",
        """\
    one = f(1); other = g(
        one_value, another_value
    )""",
    ),
    (
        "a string",
        40,
        "    ",
        "    y = 'a string that is longer than the row may be'",
        "    y = 'a string that is longer than the row may be'",
    ),
    (
        "a long comment",
        40,
        "    ",
        "    y = f(x)  # a comment that is longer than the row may be",
        "    y = f(x)  # a comment that is longer than the row may be",
    ),
    (
        "a comment for a tool",
        40,
        "    ",
        "    y = call(one_value, another_value)  # type: ignore",
        "    y = call(one_value, another_value)  # type: ignore",
    ),
    (
        "an annotation",
        40,
        "    ",
        "    y: Optional[Tensor] = make(one_value, another_value)",
        """\
    y: Optional[Tensor] = make(
        one_value, another_value
    )""",
    ),
    (
        "a lambda",
        40,
        "    ",
        "    y = lambda one, other: function(one, other, 3.1415)",
        """\
    y = lambda one, other: function(
        one, other, 3.1415
    )""",
    ),
    (
        "a backslash",
        40,
        "    ",
        """\
    y = first_value + \\
        call(second_value, third_value, 4)""",
        """\
    y = first_value + \\
        call(
            second_value, third_value, 4
        )""",
    ),
    (
        "a block on the row of its header",
        40,
        "    ",
        "    if x: return call(first_value, second_value)",
        """\
    if x: return call(
        first_value, second_value
    )""",
    ),
    (
        "an f-string",
        40,
        "    ",
        """\
    y = f'{first["a"]} and {second(1, 2)}' % (one, two)""",
        """\
    y = (
        f'{first["a"]} and {second(1, 2)}'
        % (one, two)
    )""",
    ),
]


@pytest.mark.parametrize(
    ("limit", "step", "before", "after"), [pytest.param(*each[1:], id=each[0]) for each in LAYOUTS]
)
def test_a_row_is_broken(limit: int, step: str, before: str, after: str) -> None:
    assert broken(before, limit, step) == after
    assert broken(after, limit, step) == after


@pytest.mark.parametrize("row", ["f(a,", "x = (", "case Point(x=first_value, y=second_value, z=third):", "y = 'open"])
def test_what_is_not_understood_stays(row: str) -> None:
    assert broken(row, 20, "    ") == row


def test_only_the_rows_that_are_asked_for_are_broken() -> None:
    text = "y = f(one_value, other_value,\n      third_value, fourth_value)"
    assert broken(text, 20, "    ", {1}) == "y = f(one_value, other_value,\n      third_value,\n      fourth_value)"


ASSUMPTIONS = st.sampled_from(["x", "self.layers", "3.5", "'a, b'", 'f"{x[0]} if {y}"', "None", "...", "()", "[]"])
MAKERS = [
    "{} if {} else {}", "({} if {} else {})", "{} + {} * {}", "-{}", "{}({}, k={})", "{}(*{}, **{})", "({}, {})",
    "({},)", "[{}, {}]", "{{{}: {}}}", "{{{}, {}}}", "x[{}]", "x[{}, {}:{}]", "[{} for a, b in {} if {}]",
    "f({} for a in {})", "(lambda a, b=({}): {})", "f(lambda a, *b: {}, {})", "({}).view({}).sum({})",
    "({} and {} or not {})", "({} not in {} is not {})", "(yield {})", "(a := {})", "({}) @ ({}) ** ({})",
]  # fmt: skip


def made(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(st.sampled_from(MAKERS), parts, parts, parts).map(lambda each: each[0].format(*each[1:]))


VALUES = st.recursive(ASSUMPTIONS, made, max_leaves=12)
STATEMENTS = st.sampled_from(
    [
        "y = {}",
        "return {}",
        "{}",
        "y: Tensor = {}",
        "y += {}",
        "if {}: pass",
        "assert {}, {}",
        "raise E({}) from {}",
        "for a, b in {}: pass",
        "with f({}) as a, g({}): pass",
        "x[{}] = y, z = {}, {}",
        "del x[{}], x[{}]",
        "y = {}; return {}",
        "def f(a, b={}, *, c: T[{}], **d) -> U[{}]: pass",
        "class A(f({}), metaclass={}): pass",
    ]
)


@settings(max_examples=150, deadline=None)
@given(STATEMENTS, VALUES, VALUES, VALUES, st.integers(10, 60))
def test_python_reads_the_same(statement: str, one: str, two: str, three: str, limit: int) -> None:
    text = statement.format(one, two, three)
    try:
        tree = ast.dump(ast.parse(text))
    except SyntaxError:
        return
    after = broken(text, limit, "    ")
    assert ast.dump(ast.parse(after)) == tree
    assert after == text or width(text) > limit
    assert broken(after, limit, "    ") == after
