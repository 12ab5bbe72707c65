"""Writes ``mask: Tensor = None`` as ``mask: Optional[Tensor] = None``, which means the same in Python."""

from __future__ import annotations

import re

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.annotate import annotation_of
from tslint.rewrite.annotate_parameter import annotate_parameter
from tslint.rewrite.compiled_form import asserted
from tslint.rulekit.match import Match
from tslint.rulekit.rule import unsafe
from tslint.rulekit.template import code, expression
from tslint.script.dataflow.nones import refusing

_OPTIONAL = re.compile(r"`(?:\w+: )?([^`]*Optional\[[^`]+)`")


def as_optional(match: Match, param: cst.CSTNode, likely: str | None = None) -> Fix | None:
    """Annotate a parameter that is a Tensor to the compiler, and may be None.

    Args:
        match: a match in the parameter's file.
        param: the parameter; without annotation, the type is inferred from its uses.
        likely: the type to write if its uses do not show it.
    """
    annotation = annotation_of(param)
    if annotation is None:
        return _with_assertions(match, param, annotate_parameter(match, param, likely=likely))
    optional, imports = match.imported("typing", "Optional")
    wider = expression("{optional}[{type}]", optional=optional, type=annotation)
    message = f"Annotate it as `{code(wider)}`"
    # Code that uses it outside of a test for None no longer compiles.
    fix = unsafe(message, lambda: (*imports, *match.replace(annotation, wider)), risks=(Risk.REFUSES,))
    return _with_assertions(match, param, fix)


def _with_assertions(match: Match, param: cst.CSTNode, fix: Fix | None) -> Fix | None:
    """Also assert that the parameter is not None before a method of a tensor that refuses None gets it: nothing reports
    that later if the compiler's type of the tensor is not known.
    """
    function = match.enclosing(cst.FunctionDef, param)
    if fix is None or not isinstance(param, cst.Param) or function is None:
        return fix
    name = param.name.value
    members = refusing(match.file.tree, match.model(function), name)
    lines = [line for each in members if (line := match.line(match.libcst(each))) is not None]
    if not lines:
        return fix
    certain, _ = asserted(match, name, raises=True)

    def edits() -> tuple[Edit, ...]:
        return (*fix.edits, *(match.insert_before(line, certain) for line in lines))

    return unsafe(fix.message, edits, risks=tuple(dict.fromkeys((*fix.risks, Risk.EXCEPTION))))


def optional_help(name: str, fix: Fix | None, *, default: bool = True) -> str:
    """Return how to annotate a parameter that may be None; its type is what the fix writes."""
    shown = _OPTIONAL.search(fix.message) if fix is not None else None
    type_ = shown[1] if shown is not None else "Optional[torch.Tensor]" if fix is None else "Optional[…]"
    written = f"`{name}: {type_}{' = None' if default else ''}`"
    return f"Annotate it with its type, for example {written}." if fix is None else f"Annotate it: {written}."
