"""An event's span finds its libcst node, and edits land where the author wrote it."""

from __future__ import annotations

import ast
from pathlib import Path

import libcst as cst
import pytest

from tslint.diagnostics import Position
from tslint.rulekit.match import Border, Match
from tslint.script.events import Event
from tslint.sources.file import SourceFile


def match_of(text: str, kind: type[ast.AST], index: int = 0) -> Match:
    """The match of the nth node of a kind."""
    tree = ast.parse(text)
    node = [node for node in ast.walk(tree) if isinstance(node, kind)][index]
    return Match(Event("toy", node, ""), Border(SourceFile(Path("/x.py"), text), tree))


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
def test_a_node_is_found_by_its_span(kind: type[ast.AST], wanted: type[cst.CSTNode], code: str | None) -> None:
    match = match_of(METHOD, kind)
    assert isinstance(match.node, wanted)
    if code is not None:
        assert match.code(match.node) == code


def test_columns_are_code_points() -> None:
    match = match_of(METHOD, ast.Lambda)
    start, end = match.range(match.node)
    assert match.source.slice(start, end) == "lambda a: a"
    assert start == Position(8, 24)


def test_the_function_and_statement_around_are_found() -> None:
    match = match_of(METHOD, ast.Lambda)
    assert match.function is not None and match.function.name.value == "f"
    assert match.statement is not None
    assert match.code(match.statement).startswith('y = "é"')


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
    assert match.import_row() == row
    name, edits = match.imported("math")
    assert name == "math"
    assert [edit.start for edit in edits] == [Position(row, 1)]


def test_what_is_imported_already_is_not_imported_again() -> None:
    match = match_of("from typing import List as L\nimport torch.nn as nn\ndef f(x):\n    return x\n", ast.Return)
    assert match.imported("typing", "List") == ("L", ())
    assert match.imported("torch.nn", "Linear") == ("nn.Linear", ())
