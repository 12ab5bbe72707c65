"""Annotates parameters without annotations, for all rules in the same way."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

import libcst as cst

from tslint.diagnostics import Applicability, Edit, Fix, Risk
from tslint.rewrite.annotate import annotated, spelled
from tslint.rulekit.match import Match
from tslint.rulekit.rule import for_a_person, safe, unsafe
from tslint.rulekit.template import code
from tslint.script.dataflow import inferred_parameters
from tslint.script.dataflow.docstrings import plain_types
from tslint.script.dataflow.parameters import Inferred
from tslint.script.dataflow.rests_on import parameter_name
from tslint.script.type_text import TypeText, parsed

_ANNOTATED = re.compile(r"Annotate `([^`]+)`.*")
_EMPTY = "Tuple[()]"
_SHOWN = "inferred from its uses"


def annotate_parameter(
    match: Match, argument: cst.CSTNode, *, known: Mapping[int, str] | None = None,
    wanted: str | None = None, likely: str | None = None,
) -> Fix | None:  # fmt: skip
    """Return a fix that annotates a parameter with the type that the code of the file shows; None if it shows no type.

    Args:
        match: a match in the parameter's file.
        argument: the parameter. There is no fix for another node, or for a parameter that has an annotation.
        known: types of arguments that the static model knows, by the ``id`` of its nodes.
        wanted: the only type that would remove the finding (or an ``Optional`` of it): for another type, there is no
            fix.
        likely: the type that the static model infers from uses in other files.
    """
    function = match.enclosing(cst.FunctionDef, argument)
    if not isinstance(argument, cst.Param) or function is None or argument.annotation is not None:
        return None
    if match.model(function) in match.file.uncompilable:
        return None  # the function would not compile with the annotation either
    name = argument.name.value
    found = _inferred(match, function, name, known, likely)
    if found is None or (wanted is not None and not _serves(parsed(found.type), parsed(wanted))):
        return None
    written = spelled(match, found.type)
    if written is None:
        return None
    type_, imports = written
    text = f"`{name}: {code(type_)}`"

    def edits() -> tuple[Edit, ...]:
        more = _alike(match, function, argument, found)
        return (*imports, *match.replace(argument, annotated(argument, type_)), *more)

    retyped = parameter_name(match.file.tree, match.model(function), name) if "Tensor" not in found.type else ""
    if found.confirmed and not found.handed:
        return replace(safe(f"Annotate {text}", edits), annotates=retyped)
    risks: tuple[Risk, ...] = (Risk.REFUSES,)
    if found.converts or parsed(found.type).name == "Tuple":  # compiled code would also convert a passed Tensor
        risks = (*risks, Risk.DIFFERS)
    shown = likely is None or _inferred(match, function, name, known) is not None
    words, assumes = f"Annotate {text}", f"nothing in this file confirms the type of `{name}`"
    if shown:
        words, assumes = f"{words}, {_SHOWN}", "not every call is known to pass this type"
    fix = replace(unsafe(words, edits, risks=risks, assumes=assumes), annotates=retyped)
    return for_a_person(fix) if found.handed else fix


def _alike(match: Match, function: cst.FunctionDef, argument: cst.Param, found: Inferred) -> Iterator[Edit]:
    """Return the edits that annotate further parameters of the function, because a call may pass several of them. Their
    types must be at least as certain as that of the parameter that the finding is about.

    A type in the docstring is certain enough: there, the author says what callers pass. A parameter with a default is
    left out if it has another type: it has a finding of its own.
    """
    for each in (*function.params.params, *function.params.kwonly_params):
        other = _inferred(match, function, each.name.value) if each.annotation is None else None
        if other is not None and other.type != found.type and each.default is not None:
            continue
        if each is argument or other is None or other.handed or other.type == "Tensor":
            continue
        if other.confirmed < found.confirmed and other.type not in plain_types(match.model(function), each.name.value):
            continue
        written = spelled(match, other.type)
        if written is not None and not other.converts:
            yield from (*written[1], *match.replace(each, annotated(each, written[0])))


def inferred_type(match: Match, argument: cst.Param) -> str | None:
    """Return the type that the file shows for a parameter, as the compiler prints it; None if it shows no type."""
    function = match.enclosing(cst.FunctionDef, argument)
    found = _inferred(match, function, argument.name.value) if function is not None else None
    return found.type if found is not None else None


def annotation_in(fix: Fix | None) -> str:
    """Return the parameter with the annotation that a fix writes; an empty text if the fix writes no annotation."""
    found = _ANNOTATED.fullmatch(fix.message) if fix is not None else None
    return found[1] if found is not None else ""


def is_guess(fix: Fix | None) -> bool:
    """Return whether a fix annotates a parameter with a type that no code of the file shows."""
    if fix is None or fix.applicability is Applicability.SAFE or _SHOWN in fix.message:
        return False
    return bool(annotation_in(fix))


def _inferred(
    match: Match, function: cst.FunctionDef, name: str, known: Mapping[int, str] | None = None,
    likely: str | None = None,
) -> Inferred | None:  # fmt: skip
    model = match.model(function)
    unit = match.event.unit
    elsewhere = inferred_parameters.calls_elsewhere(match.file.tree, unit, model)
    if unit is not None and unit.function.node is model:
        known = {**{key: str(type_) for key, type_ in unit.refused.items()}, **(known or {})}
    found = inferred_parameters.inferred(match.file.tree, model, name, known, likely, elsewhere)
    # The default `()` does not show which elements callers pass.
    return None if found is not None and _EMPTY in found.type else found


def _serves(type_: TypeText, wanted: TypeText) -> bool:
    type_, wanted = type_.without_none or type_, wanted.without_none or wanted
    return type_ == wanted or (type_.name == "dtype" and wanted.name == "int")
