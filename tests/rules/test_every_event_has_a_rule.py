"""Tests that each kind of event has a rule, in one family."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

import tslint.script
from tests.rules.driver import findings
from tslint.rulekit.registry import rules_by_event
from tslint.script.events import Event, kinds
from tslint.util.astwalk import walk

# A parameter without annotation belongs to the annotations, any other mismatch to the types.
SHARED = {"call-mismatch": {"annotations", "types"}}


@cache
def made() -> frozenset[str]:
    """Return the names that the static model's code mentions, except imports: they include the events that
    it creates.
    """
    folder = Path(tslint.script.__file__).parent
    found: set[str] = set()
    for path in folder.rglob("*.py"):
        if path.parent.name != "events":
            for node in walk(ast.parse(path.read_text(encoding="utf-8"))):
                name = node.id if isinstance(node, ast.Name) else getattr(node, "attr", None)
                found |= {name} if isinstance(name, str) else set()
    return frozenset(found)


@pytest.mark.parametrize("kind", list(kinds()), ids=lambda kind: kind.kind)
def test_each_kind_of_event_is_created_and_has_rules_of_one_family(kind: type[Event]) -> None:
    assert kind.__name__ in made(), "nothing makes it"
    families = {registered.family for registered in rules_by_event().get(kind.kind, ())}
    assert families, "no rule answers it: whatever raises it is lost"
    assert families == SHARED.get(kind.kind, families) and (kind.kind in SHARED or len(families) == 1)


def test_names_of_kinds_are_unique() -> None:
    names = [kind.kind for kind in kinds()]
    assert len(set(names)) == len(names) > 180


def test_no_rule_answers_a_base_class_of_several_kinds() -> None:
    assert set(rules_by_event()) == {kind.kind for kind in kinds()}


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
