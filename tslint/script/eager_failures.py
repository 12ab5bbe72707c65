"""Recognizes events that only occur in constructions for which every call of ``forward`` fails in Python, too: if
``__init__`` contains ``if norm == "batch": self.norm = …``, ``self.norm`` is missing for every other ``norm``.
"""

from __future__ import annotations

import ast

from tslint.script.compilation import Compilation
from tslint.script.dataflow.needed import computes_attributes, is_needed, runs_in_any_case
from tslint.script.events import Event
from tslint.script.events.modules import ClassVariable, MissingAttribute, NotCallable
from tslint.script.types import NONE
from tslint.util import astwalk


def fails_in_python(model: Compilation, event: Event) -> bool:
    """Return whether an event only occurs in constructions for which every call of ``forward`` raises in Python.

    Args:
        model: the static model of the run.
        event: any event.
    """
    unit, assumptions = event.unit, event.assumptions
    if event.certain or unit is None or unit.receiver is None or unit.function.name != "forward":
        return False
    if isinstance(event, ClassVariable) and event.condition is not None and event.detail == "None":
        called = any(each.func is event.node for each in astwalk.of_kind(unit.function.node, ast.Call))
        return called and runs_in_any_case(unit.function.node, event.node)
    if not assumptions:
        return False
    if isinstance(event, NotCallable) and event.type == NONE:
        return runs_in_any_case(unit.function.node, event.callee)
    return isinstance(event, MissingAttribute) and event.class_ is unit.receiver and _is_needed(model, event)


def _is_needed(model: Compilation, event: MissingAttribute) -> bool:
    """Return whether ``forward`` always reads an attribute that the constructor only sets for other arguments."""
    definition = event.class_
    if definition is None or event.attribute not in (facts := model.facts(definition)).attributes:
        return False
    tree = definition.module.tree
    if facts.may_have(event.attribute) or event.attribute in facts.elsewhere or event.attribute in facts.ignored:
        return False
    own = isinstance(event.node, ast.Attribute) and event.owner == "self"
    return (
        own
        and not computes_attributes(tree, definition.node)
        and is_needed(tree, definition.node, event.attribute, event.node)
    )
