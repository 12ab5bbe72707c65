"""Removes ``*args`` and ``**kwargs`` from a signature, and from the calls that pass them on."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.rewrite.without_variadics import without_variadics
from tslint.rulekit.match import Match
from tslint.rulekit.rule import display, unsafe
from tslint.rulekit.template import code, expression
from tslint.script.dataflow.variadics import can_lose_variadics, fixed_signature, said


def with_fixed_signature(match: Match) -> Fix | None:
    """Remove the variadic parameters of the event's function, or replace them by one parameter for each argument that
    callers pass.

    Return None if the variadic parameters are needed.
    """
    model = match.scope
    found = fixed_signature(match.file.tree, model) if can_lose_variadics(model) else None
    if found is None:
        return None
    new = [cst.Param(cst.Name(name), star="") for name in found.new]
    imports: list[Edit] = []
    if not found.handed_on and new:
        # The parameter is never read, so it need not be passed.
        optional, more = match.imported("typing", "Optional")
        tensor, others = match.imported("torch", "Tensor")
        imports = [*more, *others]
        annotation = cst.Annotation(expression("{optional}[{tensor}]", optional=optional, tensor=tensor))
        default = cst.Name("None")
        new = [each.with_changes(annotation=annotation, default=default) for each in new]
    if new:
        words = f"Replace {said(model)} by {', '.join(f'`{code(each)}`' for each in new)}"
    elif found.handed_on:
        words = f"Remove {said(model)}, which no call in this file passes"
    else:
        words = f"Remove {said(model)}, which nothing reads"

    def changed() -> tuple[Edit, ...]:
        function = match.libcst(model)
        return (
            match.rewrite(function, without_variadics(function, new)) if isinstance(function, cst.FunctionDef) else ()
        )

    if found.sure:
        return unsafe(words, changed, *imports, assumes="calls in other files may pass more arguments")
    return display(words, changed, *imports)
