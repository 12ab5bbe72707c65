"""Tests of definitions whose bodies libcst parses in parts: the result is the tree of the whole text."""

from __future__ import annotations

import ast
import gc
import weakref
from dataclasses import fields
from itertools import combinations
from pathlib import Path
from typing import Any

import libcst as cst
import pytest

from tslint.rulekit.body_parts import body_parts, rows
from tslint.rulekit.cstwalk import _walked
from tslint.rulekit.definition import Definition
from tslint.rulekit.trees import Trees
from tslint.sources.file import SourceFile

BODIES = {
    "statements": ["x = 1", "y = 2", "return x"],
    "comments": ["# first", "x = 1  # one", "", "# second", "y = 2", "# at the end of the text"],
    "comment on the left": ["x = 1", "#left", "y = 2"],
    "docstring": ['"""Explains.', "", "  More.", '"""', "return 1"],
    "blocks": ["for i in x:", "    y(i)", "else:", "    z()", "while y:", "    pass", "return x"],
    "comment in a block": ["for i in x:", "    y(i)", "    # inside", "# outside", "return x"],
    "comment deeper than the block": ["if x:", "    y()", "        # deep", "return x"],
    "white space after a block": ["if x:", "    y()", "    ", "return x"],
    "shared lines": ["x = 1; y = 2", "z = 3;", "if x: y(); z()", "return x"],
    "joined lines": ["x = 1; \\", "y = 2", "return x"],
    "several lines": ["x = f(", "    1,  # one", "", "    2,", ")", 'y = """a', "b", '"""', "return x"],
    "nested definitions": ["def g():", "    return 1", "", "@g", "class A:", "    pass", "return g"],
    "other indentation": ["if x:", "  if y:", "    z()", "with x:", "        z()"],
}
HEADERS = {
    "function": ["def f(a, b=1):"],
    "method": ["class A:", "    # above", "    @staticmethod", "    def f(", "        a,  # first", "    ):  # header"],
    "tabs": ["class A:", "\tdef f(a):"],
    "class": ["class A(B):"],
}


def _definitions(text: str) -> tuple[Trees, ast.stmt]:
    tree = ast.parse(text)
    holder = tree.body[0]
    if isinstance(holder, ast.ClassDef) and isinstance(holder.body[0], ast.FunctionDef) and holder.body[0].name == "f":
        holder = holder.body[0]
    return Trees(SourceFile(Path("a.py"), text), tree), holder


def _shape(node: Any) -> Any:
    if isinstance(node, (list, tuple)):
        return [_shape(each) for each in node]
    if not isinstance(node, cst.CSTNode):
        return node
    kind = "IndentedBlock" if isinstance(node, cst.IndentedBlock) else type(node).__name__
    return kind, [(each.name, _shape(getattr(node, each.name))) for each in fields(node)]


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("body", BODIES)
def test_parts_are_the_whole(header: str, body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tslint.rulekit.body_parts._SHORT", 0)
    start = HEADERS[header]
    margin = start[-1][: len(start[-1]) - len(start[-1].lstrip())] if len(start) < 5 else "    "
    step = "\t" if margin == "\t" else "    "
    indented = [
        margin + step + each if each and not each.startswith("#left") else each.replace("#left", "# left")
        for each in BODIES[body]
    ]
    if body in ("docstring", "several lines"):
        indented = [each if each.strip() not in ("b", "More.") else each.strip() for each in indented]
    text = "\n".join([*start, *indented]) + "\n"
    trees, holder = _definitions(text)
    first, last = rows(holder)
    lines = trees.source.lines
    parts = body_parts(holder, lines)  # type: ignore[arg-type]
    ends = [*(row for row, _ in parts[1:]), last + 1]
    texts = [("".join(lines[row - 1 : end - 1]), len(part)) for (row, part), end in zip(parts, ends)]
    whole = "".join(lines[first - 1 : last])
    expected = _shape(Definition(whole, "\n", step)._listed)
    for count in range(len(parts) + 1):
        for numbers in combinations(range(len(parts)), count):
            found = Definition(whole, "\n", step, texts)
            for number in numbers:
                found.part(number, parts[number][1])
            assert _shape(found._listed) == expected


def test_only_the_part_with_the_node_is_parsed() -> None:
    text = "def f(x):\n" + "".join(f"    x = g{number}(x)\n" for number in range(20))
    trees, function = _definitions(text)
    assert isinstance(function, ast.FunctionDef)
    node = trees.libcst(function.body[3])
    found = trees.definition(function)
    assert found.parsed == [3]
    whole = trees.libcst(function)
    assert isinstance(whole, cst.FunctionDef)
    assert found.parsed == [3]
    line = whole.body.body[3]
    assert isinstance(line, cst.SimpleStatementLine)
    assert line.body[0] is node
    assert trees.model(whole.body.body[5].body[0]) is function.body[5]  # type: ignore[union-attr]
    assert sorted(found.parsed) == list(range(20))


def test_a_definition_is_freed_without_a_search_for_garbage() -> None:
    text = "def f(x):\n" + "".join(f"    x = g{number}(x)\n" for number in range(20))
    parts = [(line, 1) for line in text.splitlines(keepends=True)[1:]]
    found = Definition(text, "\n", "    ", parts)
    (function,) = found._listed
    assert isinstance(function, cst.FunctionDef)
    assert found.line(function) is function
    assert len(function.body.body) == 20
    freed = weakref.ref(found)
    gc.disable()
    try:
        del found, function
        _walked.cache_clear()
        assert freed() is None
    finally:
        gc.enable()
