"""The model and the rules agree on the kinds of events: each has a rule, in one family."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import tslint.script
from tests.rules.driver import findings
from tslint.rulekit.registry import rules_by_event
from tslint.script.frontend import KINDS
from tslint.util.astwalk import walk

# A parameter without annotation is the annotations' business, any other mismatch that of the types.
SHARED = {"call-mismatch": {"annotations", "types"}}
RAISERS = ("report", "LazyError", "Event", "Broken")


class UnreadableKindError(AssertionError):
    """A kind that is made in a way that this test does not read."""


def literals(node: ast.expr, function: ast.AST) -> Iterator[str]:
    """The texts that an expression may be: literals, choices between them, tables and variables that hold them."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from literals(node.body, function)
        yield from literals(node.orelse, function)
    elif isinstance(node, ast.Dict):
        for value in node.values:
            yield from literals(value, function)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
        for value in (node.func.value, *node.args[1:]):
            yield from literals(value, function)
    elif isinstance(node, ast.Name):
        stored = [
            statement.value
            for statement in walk(function)
            if isinstance(statement, ast.Assign)
            and any(isinstance(target, ast.Name) and target.id == node.id for target in statement.targets)
        ]
        if not stored:
            raise UnreadableKindError(ast.unparse(node))
        for value in stored:
            yield from literals(value, function)
    else:
        raise UnreadableKindError(ast.unparse(node))


def raised_in(tree: ast.Module) -> Iterator[str]:
    """The kinds of events that a module raises; those that it hands on are raised elsewhere."""
    for function in walk(tree):
        if not isinstance(function, ast.FunctionDef) or function.name in RAISERS:
            continue
        for node in walk(function):
            if isinstance(node, ast.Call) and node.args:
                name = getattr(node.func, "attr", None) or getattr(node.func, "id", None)
                if name in RAISERS and not isinstance(node.args[0], ast.Attribute):
                    yield from literals(node.args[0], function)


@cache
def kinds() -> frozenset[str]:
    """Every kind: the front end lists its own, the rest is read from the source."""
    folder = Path(tslint.script.__file__).parent
    found = set(KINDS)
    for path in folder.rglob("*.py"):
        if path.parent.name != "frontend":
            text = path.read_text(encoding="utf-8")
            if any(f"{name}(" in text for name in RAISERS):
                found.update(raised_in(ast.parse(text)))
    return frozenset(found)


def test_the_scan_finds_kinds_of_every_form() -> None:
    assert {"operator-mismatch", "branch-undefined", "numpy-call", "try-block", "super-call"} <= kinds()


@pytest.mark.parametrize("kind", sorted(kinds()))
def test_a_kind_has_rules_of_one_family(kind: str) -> None:
    families = {registered.family for registered in rules_by_event().get(kind, ())}
    assert families, "no rule answers it: whatever raises it is lost"
    assert families == SHARED.get(kind, families) and (kind in SHARED or len(families) == 1)


def test_no_rule_waits_for_an_event_that_nothing_raises() -> None:
    assert set(rules_by_event()) - kinds() == set()


CALLS = """
import torch


def helper(x, n: int, m):
    return x * n


@torch.jit.script
def caller(x):
    return helper({arguments})
"""


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ("x, 1, 2", "unannotated-parameter"),
        ("x, 'a', x", "wrong-argument-type"),
        ("x, 1, x, x", "argument-count"),
        ("x, 1", "argument-count"),
        ("x, 1, x, k=1", "unknown-keyword"),
    ],
)
def test_one_rule_answers_a_call_that_does_not_fit(arguments: str, name: str) -> None:
    assert [finding.name for finding in findings(CALLS.format(arguments=arguments))] == [name]
