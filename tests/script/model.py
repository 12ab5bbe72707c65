"""Runs the static model on a text, for tests."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tslint.diagnostics import Severity, Stage
from tslint.project.definitions import Class
from tslint.project.index import Project
from tslint.rulekit.registry import rules_by_event
from tslint.script.attributes import Attribute, ClassFacts
from tslint.script.events import Event
from tslint.script.model import Model
from tslint.sources.file import SourceFile

HEAD = """from typing import Any, Dict, Final, List, NamedTuple, Optional, Tuple, Union
import math
import torch
from torch import Tensor, nn
import torch.nn.functional as F
"""


@cache
def refusals() -> frozenset[str]:
    """Return the kinds of events for which torch.jit.script itself raises: not those of saving or tracing, and not
    remarks.
    """
    return frozenset(
        kind
        for kind, rules in rules_by_event().items()
        if any(
            r.rule.stage is Stage.SCRIPT and r.rule.severity is Severity.ERROR and r.rule.code < "TS6" for r in rules
        )
    )


def events(text: str) -> list[Event]:
    """Return the errors that torch.jit.script would raise for a text, without duplicates."""
    project = Project()
    module = project.add(SourceFile(Path("/example/case.py"), HEAD + text))
    model = Model(project)
    model.analyse([module])
    found = {(event.kind, event.span): event for event in model.all_events() if event.kind in refusals()}
    return list(found.values())


def kinds(text: str) -> list[str]:
    """Return the kinds of the events, conditional ones with a question mark."""
    return sorted(event.kind + ("?" if event.condition else "") for event in events(text))


def facts(text: str, name: str = "Net") -> ClassFacts:
    """Return the facts of a class."""
    project = Project()
    module = project.add(SourceFile(Path("/example/case.py"), HEAD + text))
    definition = project.resolve(module, name)
    assert isinstance(definition, Class)
    return Model(project).facts(definition)


def holds(attribute: Attribute) -> str:
    """Return the conditions of an attribute's value, as text."""
    return " and ".join(sorted(assumption.words() for assumption in attribute.assumptions))
