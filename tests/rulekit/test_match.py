"""Tests that an event finds its libcst node, and that edits change the right place in the author's code."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path

import libcst as cst
import pytest

from tslint.diagnostics import Edit, Position
from tslint.fixing.edits import apply_fixes
from tslint.rulekit import matchers as m
from tslint.rulekit.code import FileCode
from tslint.rulekit.edits import difference, together
from tslint.rulekit.import_place import import_row
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe
from tslint.rulekit.template import block, expression, statement
from tslint.script.events import Event
from tslint.sources.file import SourceFile

Change = Callable[[Match], Iterable[Edit]]


def match_of(text: str, kind: type[ast.AST], index: int = 0) -> Match:
    """Return the match of the nth node of a kind."""
    tree = ast.parse(text)
    node = [node for node in ast.walk(tree) if isinstance(node, kind)][index]
    return Match(Event(node, ""), FileCode(SourceFile(Path("/x.py"), text), tree))


METHOD = """\
import torch


class Net(torch.nn.Module):
    class Inner:
        @property
        def f(self, x):
            y = "é" + (lambda a: a)(x)  # naïve
            return {1: y}[1], f"{x!r}"
"""


@pytest.mark.parametrize(
    ("kind", "wanted", "code"),
    [
        (ast.Lambda, cst.Lambda, "(lambda a: a)"),
        (ast.Dict, cst.Dict, "{1: y}"),
        (ast.JoinedStr, cst.FormattedString, 'f"{x!r}"'),
        (ast.Call, cst.Call, "(lambda a: a)(x)"),
        (ast.FunctionDef, cst.FunctionDef, None),
    ],
)
def test_an_event_finds_its_node(kind: type[ast.AST], wanted: type[cst.CSTNode], code: str | None) -> None:
    match = match_of(METHOD, kind)
    assert isinstance(match.node, wanted)
    if code is not None:
        assert match.code(match.node) == code


def test_columns_are_code_points() -> None:
    match = match_of(METHOD, ast.Lambda)
    start, end = match.place(match.node)
    assert match.source.slice(start, end) == "lambda a: a"
    assert start == Position(8, 24)


def test_a_place_in_an_f_string_is_known() -> None:
    match = match_of(METHOD, ast.JoinedStr)
    assert isinstance(match.node, cst.FormattedString)
    start, end = match.file.within(match.node, match.node.parts[0])
    assert match.source.slice(start, end) == "{x!r}"


def test_the_function_and_statement_around_are_found() -> None:
    match = match_of(METHOD, ast.Lambda)
    assert match.function is not None and match.function.name.value == "f"
    assert isinstance(match.statement(), cst.Assign)
    assert isinstance(match.line(), cst.SimpleStatementLine)
    assert isinstance(match.parent(match.node), cst.Call)


def test_the_parent_of_an_index_is_the_subscript() -> None:
    match = match_of("y: Dict[str, List[int]] = {}\n", ast.Subscript, 1)
    assert match.code(match.node) == "List[int]"
    assert match.under(match.node, m.Subscript(value=m.Name("Dict")))


@pytest.mark.parametrize(
    ("text", "kind", "has_line"),
    [
        ("def f(x):\n    a = 1; return x\n", ast.Return, False),
        ("def f(x):\n    if x: return x\n", ast.Return, False),
        ("def f(x):\n    if x:\n        pass\n    elif x + 1:\n        pass\n", ast.BinOp, False),
        ("def f(x):\n    return x\n", ast.Return, True),
        ("def f(x):\n    if x: return x\n", ast.If, True),
    ],
)
def test_only_a_statement_that_shares_no_line_has_one(text: str, kind: type[ast.AST], has_line: bool) -> None:
    assert (match_of(text, kind).line() is not None) is has_line


@pytest.mark.parametrize(
    "text",
    [
        "if a: f = (lambda: 1)\n",
        "class A: x = 0; f = (lambda: 1)\n",
        "if a:\n    pass\nelif (lambda: 1):\n    pass\n",
        "if a:\n    pass\nelif b:\n    f = (lambda: 1)\n",
        "if a: pass\nelif b: f = (lambda: 1)\nelse: y = 1\n",
        "if a: pass\nelse: f = (lambda: 1)\n",
        "try: x = 1\nexcept E: f = (lambda: 1)\n",
        "for i in x: f = (lambda: 1)\nelse: pass\n",
        "class A:\n    if a: f = (lambda: 1)\n",
        "match x:\n    case 1: f = (lambda: 1)\n",
    ],
)
def test_a_statement_behind_a_colon_has_its_node(text: str) -> None:
    match = match_of(text, ast.Lambda)
    assert match.code(match.node) == "(lambda: 1)"
    assert match.place(match.node)[0] == match.source.position(text.index("lambda"))


def _to_none(match: Match) -> Iterable[Edit]:
    assert isinstance(match.node, cst.BaseExpression)
    return match.replace(match.node, expression("{x} is None", x=match.node))


def _to_call(match: Match) -> Iterable[Edit]:
    assert isinstance(match.node, cst.BaseExpression)
    return match.replace(match.node, expression("nn.Identity()"))


def _first_argument(match: Match) -> Iterable[Edit]:
    assert isinstance(match.node, cst.Call)
    return match.replace(match.node, match.node.args[0].value)


def _only_if(match: Match) -> Iterable[Edit]:
    line = match.line()
    assert line is not None
    test = statement("if {torch}.jit.is_scripting():\n    pass", torch="torch")
    return match.rewrite(line, test.with_changes(body=block([line])))


def _removed(match: Match) -> Iterable[Edit]:
    line = match.line()
    assert line is not None
    return match.remove(line)


def _asserted(match: Match) -> Iterable[Edit]:
    line = match.line()
    assert line is not None
    return [
        match.insert_before(line, statement("assert {x} is not None", x="x")),
        match.insert_after(line, statement("b")),
    ]


def _function_of_call(match: Match) -> Iterable[Edit]:
    assert isinstance(match.node, cst.Call) and isinstance(match.node.func, cst.Attribute)
    return match.replace(match.node.func.value, expression("a + b"))


def _written_out(match: Match) -> Iterable[Edit]:
    assert isinstance(match.node, cst.AugAssign)
    new = statement("{a} = {a} // {b}", a=match.node.target, b=match.node.value)
    assert isinstance(new, cst.SimpleStatementLine)
    return match.replace(match.node, new.body[0])


def _annotated(match: Match) -> Iterable[Edit]:
    assert isinstance(match.node, cst.Param)
    return match.replace(match.node, match.node.with_changes(annotation=cst.Annotation(cst.Name("int"))))


EDITS: dict[str, tuple[type[ast.AST], Change, str, str]] = {
    "an operand": (ast.Call, _to_none, "y = a and f(x)\n", "y = a and f(x) is None\n"),
    "parentheses come": (ast.Call, _function_of_call, "y = f.g(x)\n", "y = (a + b).g(x)\n"),
    "none come for those around": (
        ast.Name,
        lambda match: match.replace(match.node, expression("({a} if {b} else c).d", a="k", b=cst.Name("l"))),
        "y\n",
        "(k if l else c).d\n",
    ),
    "parentheses stay": (ast.Call, _to_none, "y = (f(x)) + 1\n", "y = (f(x) is None) + 1\n"),
    "parentheses of a lambda go": (ast.Lambda, _to_call, "y = a or (lambda: 1)\n", "y = a or nn.Identity()\n"),
    "parentheses behind a name stay": (ast.Lambda, _to_call, "y = a or(lambda: 1)\n", "y = a or(nn.Identity())\n"),
    "a lone generator": (
        ast.GeneratorExp,
        lambda match: match.replace(match.node, cst.Name("z")),
        "y = sum(a for a in b)\n",
        "y = sum(z)\n",
    ),
    "a call over several lines": (
        ast.Call,
        _first_argument,
        "y = g(\n    f(x),  # why\n    2,\n)\n",
        "y = f(x)\n",
    ),
    "an expression over several lines": (
        ast.AugAssign,
        _written_out,
        "def f(x):\n    if x:\n        x //= (x\n                 .y)  # why\n",
        "def f(x):\n    if x:\n        x = x // (x\n                 .y)  # why\n",
    ),
    "lines that brackets around hold together": (
        ast.Attribute,
        _to_none,
        "def f(x):\n    return g(x.y(\n        1)\n        .z)\n",
        "def f(x):\n    return g((x.y(\n        1)\n        .z) is None)\n",
    ),
    "a statement before others": (
        ast.Expr,
        lambda match: match.replace(match.node, cst.Pass()),
        "def f(x):\n    a;  b;\n",
        "def f(x):\n    pass;  b;\n",
    ),
    "a parameter": (ast.arg, _annotated, "def f(x=1, *y): return x\n", "def f(x: int=1, *y): return x\n"),
    "comments around": (
        ast.Expr,
        _only_if,
        "def f(x):\n  # a\n  print(x)  # b\n\n  # c\n  return x\n",
        "def f(x):\n  # a\n  if torch.jit.is_scripting():\n    print(x)  # b\n\n  # c\n  return x\n",
    ),
    "a text of several lines": (
        ast.Assign,
        _only_if,
        'if a:\n\tx = """a\n  b"""\n',
        'if a:\n\tif torch.jit.is_scripting():\n\t\tx = """a\n  b"""\n',
    ),
    "a block with comments": (
        ast.If,
        _only_if,
        "def f(x):\n    if x:\n        # a\n        b\n        # c\n    # d\n    return g(  # é\n        1)\n",
        "def f(x):\n    if torch.jit.is_scripting():\n        if x:\n            # a\n            b\n            # c\n"
        "    # d\n    return g(  # é\n        1)\n",
    ),
    "no end of line": (
        ast.Return,
        _only_if,
        "def f(x):\n    return x",
        "def f(x):\n    if torch.jit.is_scripting():\n        return x",
    ),
    "all of a block": (
        ast.Expr,
        _removed,
        "def f(x):\n    if x:\n        print(x)  # a\n    return x\n",
        "def f(x):\n    if x:\n        pass  # a\n    return x\n",
    ),
    "one of a block": (ast.Expr, _removed, "def f(x):\n    print(x)  # a\n    return x\n", "def f(x):\n    return x\n"),
    "beside": (
        ast.Return,
        _asserted,
        "def f(x):\n    a\n    return x",
        "def f(x):\n    a\n    assert x is not None\n    return x\n    b",
    ),
    "above a decorator": (
        ast.FunctionDef,
        _asserted,
        "class A:\n    @property\n    def f(self):\n        return 1\n",
        "class A:\n    assert x is not None\n    @property\n    def f(self):\n        return 1\n    b\n",
    ),
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(("kind", "change", "before", "after"), EDITS.values(), ids=EDITS)
def test_an_edit_only_changes_its_part(
    kind: type[ast.AST], change: Change, before: str, after: str, newline: str
) -> None:
    match = match_of(before.replace("\n", newline), kind)
    fixed = apply_fixes(match.source, [safe("toy", *change(match))])
    assert fixed.text == after.replace("\n", newline)


@pytest.mark.parametrize(
    ("text", "kind", "change", "both"),
    [
        ("x //= f(y)\n", ast.AugAssign, _written_out, False),
        ("x //= (f(y))\n", ast.AugAssign, _written_out, False),
        ("x //= g(f(y))\n", ast.AugAssign, _written_out, False),
        ("x = a.b(f(y))\n", ast.Attribute, _to_none, True),
        ("x = f(y) < 1\n", ast.Compare, lambda match: match.replace(match.node, expression("k or f(y) < 1")), False),
        ("if x and f(y):\n    pass\n", ast.If, _removed, False),
    ],
)
def test_another_fix_inside_is_applied_only_if_its_meaning_stays(
    text: str, kind: type[ast.AST], change: Change, both: bool
) -> None:
    match = match_of(text, kind)
    inner = match_of(text, ast.Call, -1)
    other = safe("sum", *inner.replace(inner.node, expression("y + 1")))
    applied = apply_fixes(match.source, [safe("toy", *change(match)), other])
    assert len(applied.fixes) == (2 if both else 1)


def test_a_change_beyond_moved_lines_belongs_to_their_edit() -> None:
    old = "for i in range(n):\n        x = self.a[i](x)\n        print(i)\n"
    new = "for i, one in enumerate(self.a):\n        if i < n:\n            x = one(x)\n            print(i)\n"
    new += '    if n > len(self.a):\n        raise IndexError("self.a has fewer modules")\n'
    parts = together(old, difference(old, new), "    ")
    assert all(before[1] <= after[0] for before, after in pairwise(parts))
    text = old
    for start, end, content in reversed(parts):
        text = text[:start] + content + text[end:]
    assert text == new


def test_a_line_that_moves_is_no_place_for_another_fix() -> None:
    match = match_of("def f(x):\n    y = g(x)\n    return h(\n        y)\n", ast.Assign)
    moved = safe("moved", *_only_if(match))
    line = match.line()
    assert line is not None
    split = safe("split", *match.rewrite(line, statement("y = k"), statement("y = k(x)")))
    applied = apply_fixes(match.source, [moved, split])
    assert len(applied.fixes) == len(applied.deferred) == 1


@pytest.mark.parametrize(
    ("head", "row"),
    [
        ("import os\n", 1),
        ('"""doc\n\nmore"""\nimport os\n', 4),
        ('"""doc"""\nfrom __future__ import annotations\n\nimport os\n', 4),
        ("#!/usr/bin/env python\n# coding: utf-8\n", 3),
        ("", 1),
    ],
)
def test_a_new_import_goes_before_the_others(head: str, row: int) -> None:
    match = match_of(head + "def f(x):\n    return x\n", ast.Return)
    assert import_row(match.source, match.file.tree) == row
    name, edits = match.imported("math")
    assert name == "math"
    assert [edit.start for edit in edits] == [Position(row, 1)]


def test_what_is_imported_already_is_not_imported_again() -> None:
    match = match_of("from typing import List as L\nimport torch.nn as nn\ndef f(x):\n    return x\n", ast.Return)
    assert match.imported("typing", "List") == ("L", ())
    assert match.imported("torch.nn", "Linear") == ("nn.Linear", ())


def test_a_synthetic_node_stands_for_the_author_s_code() -> None:
    match = match_of("x += getattr(y, 'a')\n", ast.AugAssign)
    added, call = match.event.node, match.libcst(next(n for n in ast.walk(match.file.tree) if isinstance(n, ast.Call)))
    assert isinstance(added, ast.AugAssign) and isinstance(match.node, cst.AugAssign)
    assert match.libcst(ast.copy_location(ast.Name("x", ast.Load()), added.target)) is match.node.target
    assert match.libcst(ast.copy_location(ast.Attribute(added.target, "a", ast.Load()), added.value)) is call
