"""Tests that our patterns match the same as those of ``libcst.matchers`` with the same names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import libcst as cst
import libcst.matchers
import pytest

from tslint.rulekit import matchers
from tslint.rulekit.cstwalk import walk

TEXT = '''
@torch.jit.export
def forward(self, x: Tensor, /, y=None, *rest, key: int = 1, **more) -> "Tensor":
    """Text."""
    for i, layer in enumerate(self.layers):
        x, (a, *b) = layer(x, *rest, i=i, **more), pairs[0]
        x = self.norms[i](x)[:, 1:, -1] if x is not None else torch.zeros(3, 4.5)
    values: List[int] = [1, -2, *b, not a, 3j]
    values += [n for n in values if n > 0 and n != 2] or [max(values)]
    names = {"a": f"{x:d}", **{"b": "x" "y"}}
    assert len(names) >= 1, "none"
    return x.sum() + self.weight.view(len(names), -1).numpy(), (lambda q: q)(a)
'''
PATTERNS: dict[str, Callable[[Any], Any]] = {
    "any": lambda m: m.Name(),
    "value": lambda m: m.Name("x"),
    "by position": lambda m: m.Attribute(m.Name("self"), m.Name("layers")),
    "one of two": lambda m: m.Integer() | m.Float() | m.Imaginary(),
    "one of many": lambda m: m.OneOf(*(m.Name(each) for each in ("a", "b", "values"))),
    "none of": lambda m: m.Arg(value=~m.Name(), star=""),
    "no comma": lambda m: m.Arg(comma=~m.Comma()),
    "none given": lambda m: m.Param(default=None),
    "no arguments": lambda m: m.Call(args=[]),
    "exactly one": lambda m: m.Call(args=[m.Arg()]),
    "first of several": lambda m: m.Call(args=[m.Arg(m.Name("x")), m.ZeroOrMore()]),
    "last of several": lambda m: m.Call(args=[m.ZeroOrMore(), m.Arg(star="**")]),
    "all of several": lambda m: m.List(elements=[m.ZeroOrMore(m.Element(m.Name() | m.Call()))]),
    "between": lambda m: m.List(elements=[m.Element(), m.ZeroOrMore(m.Element()), m.StarredElement(), m.ZeroOrMore()]),
    "a test": lambda m: m.Name(m.MatchIfTrue(lambda name: len(name) > 4)),
    "a regular expression": lambda m: m.Attribute(attr=m.Name(m.MatchRegex(r"n.*"))),
    "not a whole match": lambda m: m.Name(m.MatchRegex(r"val")),
    "a present one": lambda m: m.Return(value=m.MatchIfTrue(lambda value: value is not None)),
    "anything": lambda m: m.Comparison(comparisons=[m.DoNotCare()]),
    "operators": lambda m: m.Comparison(comparisons=[m.ComparisonTarget(operator=m.Is() | m.IsNot())]),
    "statements": lambda m: m.SimpleStatementLine(body=[m.Assign(targets=[m.AssignTarget()]) | m.AnnAssign()]),
    "deep": lambda m: m.Subscript(slice=[m.SubscriptElement(m.Index(~m.Tuple()), comma=~m.Comma())]),
    "saved": lambda m: m.Call(func=m.Attribute(value=m.SaveMatchedNode(m.Name() | m.Call(), "of"), attr=m.Name())),
    "saved among several": lambda m: m.Call(args=[m.SaveMatchedNode(m.Arg(), "first"), m.ZeroOrMore()]),
}


@pytest.mark.parametrize("build", PATTERNS.values(), ids=PATTERNS)
def test_a_pattern_matches_what_it_matches_in_libcst(build: Callable[[Any], Any]) -> None:
    (function,) = cst.parse_module(TEXT).body
    ours, theirs = build(matchers), build(libcst.matchers)
    for node in walk(function):
        assert matchers.matches(node, ours) is libcst.matchers.matches(node, theirs), cst.Module([]).code_for_node(node)
        assert matchers.extract(node, ours) == libcst.matchers.extract(node, theirs)
    assert set(matchers.findall(function, ours)) == set(libcst.matchers.findall(function, theirs))
    expected = build is not PATTERNS["not a whole match"]
    assert bool(matchers.findall(function, ours)) is expected


def test_an_unknown_node_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="libcst has no node Nmae"):
        matchers.Nmae("x")
    with pytest.raises(TypeError, match="Name has no id"):
        matchers.Name(id="x")


def test_none_is_not_matched() -> None:
    assert not matchers.matches(None, matchers.Name())
    assert matchers.extract(None, matchers.Name()) is None
