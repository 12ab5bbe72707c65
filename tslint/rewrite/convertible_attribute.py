"""Gives attributes values or annotations that the compiler can convert."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import libcst as cst

from tslint.diagnostics import Fix
from tslint.project.definitions import Class
from tslint.rewrite.class_body import declared, first_line
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.rule import display, safe
from tslint.rulekit.template import expression, statement
from tslint.script.dataflow.class_annotations import can_annotate
from tslint.script.dataflow.identity_lambdas import identity_lambdas
from tslint.script.dataflow.module_lists import could_be_container
from tslint.script.events.modules import AttributeInconvertible

_MANY = m.List() | m.ListComp() | m.Dict() | m.DictComp()


def as_container(match: Match, made: Any, container: str, name: str) -> Fix | None:
    """Return the fix that makes an ``nn.ModuleList`` or ``nn.ModuleDict`` of a plain list or dict of modules.

    Args:
        match: the match of the finding.
        made: the static model's node of the assignment; None if it is not known.
        container: the name of the container.
        name: the attribute.
    """
    value = match.libcst(made.value) if made is not None else None
    if not isinstance(value, cst.BaseExpression) or not m.matches(value, _MANY):
        return None
    nn, imports = match.imported("torch.nn")
    if imports:
        nn, imports = match.imported("torch", "nn")
    make = safe if could_be_container(match.file.tree, made, name) else display
    wrapped = expression("{nn}.{container}({value})", nn=nn, container=container, value=value)
    fix = make(f"Make it an `nn.{container}`", *imports, lambda: match.replace(value, wrapped))
    return replace(fix, unset=(name,))


def as_identity(match: Match[AttributeInconvertible]) -> Fix | None:
    """Return the fix that writes ``nn.Identity()`` for ``lambda x: x``."""
    own, tree = match.event.class_, match.file.tree
    if not isinstance(own, Class) or own.module.tree is not tree:
        return None
    found = identity_lambdas(tree, own.node, match.event.attribute)
    nn, imports = match.imported("torch.nn")
    if imports:
        nn, imports = match.imported("torch", "nn")
    made = expression("{nn}.Identity()", nn=nn)
    edits = [edit for each in found for edit in match.replace(match.libcst(each), made)]
    fix = safe("Assign an `nn.Identity()` instead", *imports, *edits)
    return replace(fix, unset=(match.event.attribute,)) if edits else None


def in_class_body(match: Match[AttributeInconvertible], name: str, container: str) -> Fix | None:
    """Return the fix that annotates an attribute in the class body; a person has to write the types of its items."""
    own = match.event.class_
    if not isinstance(own, Class) or not can_annotate(match.file.tree, own, match.event.annotated):
        return None
    first = first_line(match, own.node)
    if first is None:
        return None
    word, imports = match.imported("typing", container)
    pattern = "{name}: {word}[...]" if container == "List" else "{name}: {word}[str, ...]"
    line = statement(pattern, name=name, word=word)
    return display("Annotate it in the class body", *imports, lambda: declared(match, first, line))
