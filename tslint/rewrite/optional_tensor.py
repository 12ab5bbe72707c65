"""Writes ``mask: Tensor = None`` as ``mask: Optional[Tensor] = None``, which means the same in Python."""

from __future__ import annotations

import re

import libcst as cst

from tslint.diagnostics import Fix, Risk
from tslint.rewrite.annotate import annotation_of
from tslint.rewrite.annotate_parameter import annotate_parameter, is_guess
from tslint.rulekit.match import Match
from tslint.rulekit.rule import for_a_person, unsafe
from tslint.rulekit.template import code, expression
from tslint.script.dataflow.foreign_members import goes_outside

_OPTIONAL = re.compile(r"`(?:\w+: )?([^`]*Optional\[[^`]+)`")


def as_optional(match: Match, param: cst.CSTNode, likely: str | None = None) -> Fix | None:
    """Annotate a parameter that is a Tensor to the compiler, and may be None.

    Args:
        match: a match in the parameter's file.
        param: the parameter; without annotation, the type is inferred from its uses.
        likely: the type to write if its uses do not show it.

    Returns:
        The fix; None if the type is not known.
    """
    annotation = annotation_of(param)
    if annotation is None:
        return annotate_parameter(match, param, likely=likely)
    optional, imports = match.imported("typing", "Optional")
    wider = expression("{optional}[{type}]", optional=optional, type=annotation)
    message = f"Annotate it as `{code(wider)}`"
    # Code that uses the parameter without a test for None no longer compiles.
    fix = unsafe(message, lambda: (*imports, *match.replace(annotation, wider)), risks=(Risk.REFUSES,))
    function, name = match.enclosing(cst.FunctionDef, param), match.model(param).arg
    handed = function is not None and goes_outside(match.file.tree, match.model(function), name)
    return for_a_person(fix) if handed else fix


def optional_help(name: str, fix: Fix | None, *, default: bool = True) -> str:
    """Return the advice to annotate a parameter that may be None: with the type from the fix, if there is a fix."""
    shown = _OPTIONAL.search(fix.message) if fix is not None else None
    type_ = shown[1] if shown is not None else "Optional[…]"
    written = f"`{name}: {type_}{' = None' if default else ''}`"
    if is_guess(fix):
        return f"Annotate it: {written} if callers pass a Tensor, otherwise with the type that they pass."
    return f"Annotate it: {written}{', with the type that callers pass' if shown is None else ''}."
