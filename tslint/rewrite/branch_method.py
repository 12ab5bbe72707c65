"""Moves a branch that cannot be compiled into a method marked ``@torch.jit.unused``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import libcst as cst

from tslint.diagnostics import Applicability, Edit, Fix
from tslint.rewrite.annotate import Spelled, spelled
from tslint.rewrite.outlining import Outline, outlined
from tslint.rulekit.match import Match
from tslint.rulekit.wording import short
from tslint.script.dataflow import outlines
from tslint.script.dataflow.guards import leaves
from tslint.script.dataflow.liveness import defined_before, surely_stored
from tslint.script.types import ANYTHING, TupleType, is_inferred
from tslint.util import astwalk


def branch_as_method(match: Match, run: Sequence[Any]) -> Fix | None:
    """Move a branch into a method of its own; None if a value that it needs has no TorchScript type, or if the branch
    cannot be moved.

    Args:
        match: an event in the branch.
        run: the statements of the branch, nodes of the static model.
    """
    outline = _outline(match, run)
    if outline is None:
        return None
    made, imports = outline
    fix = outlined(match, run, made, _described(match, run), imports)
    return None if fix is None else replace(fix, applicability=Applicability.DISPLAY, last_resort=True)


def _described(match: Match, run: Sequence[Any]) -> str:
    """Return which statements are moved, for the fix's title."""
    test = outlines.branch_test(match.file.tree, run)
    if test is None:
        return f"the code from line {run[0].lineno} on"
    branch = "the branch" if test.holds else "the `else` branch"
    return f"{branch} of {short(f'{test.keyword} {match.text(test.node.test)}')} (line {test.node.lineno})"


def _outline(match: Match, run: Sequence[Any]) -> tuple[Outline, tuple[Edit, ...]] | None:
    tree, unit = match.file.tree, match.event.unit
    function = match.libcst(unit.function.node) if unit is not None else None
    if unit is None or not isinstance(function, cst.FunctionDef) or function.asynchronous is not None:
        return None
    if outlines.needs_definitions(run, unit.function.node):
        return None
    returning = outlines.returns(run)
    results = [] if returning else outlines.results(tree, run)
    if leaves([*run]) is not returning or not defined_before(tree, run[0]).issuperset(results):
        # A result must also have a value if the branch does not run, so it must be bound before the branch.
        return None
    imports: dict[Edit, None] = {}
    parameters: list[cst.Param] = []
    # If the branch binds a result only on some paths, the new method must return the old value on the others.
    kept = [name for name in results if name not in surely_stored(run)]
    for name in dict.fromkeys([*outlines.inputs(tree, run, unit.function.node), *kept]):
        if name == match.self_name:
            continue
        written = _parameter(match, function, name)
        if written is None:
            return None
        parameters.append(written[0])
        imports.update(dict.fromkeys(written[1]))
    returned = _returned(match, function) if returning else _annotation(match, results)
    if returned is None:
        return None
    imports.update(dict.fromkeys(returned[1]))
    listed = None if returning else results
    return Outline(outlines.UNCOMPILED, parameters, listed, returned[0], "unused"), tuple(imports)


def _parameter(match: Match, function: cst.FunctionDef, name: str) -> tuple[cst.Param, tuple[Edit, ...]] | None:
    """Return a variable as a parameter of the new method, with its annotation and imports; None if its type is not
    known.
    """
    listed, new = (*function.params.params, *function.params.kwonly_params), cst.Param(cst.Name(name))
    own = next((each for each in listed if each.name.value == name), None)
    if own is not None and own.annotation is not None and name not in astwalk.bound(match.model(function)):
        return new.with_changes(annotation=cst.Annotation(own.annotation.annotation)), ()
    names = match.event.variables
    if is_inferred(names.get(name, ANYTHING)) or (own is not None and own.annotation is None and not names):
        # Without annotation it is a Tensor to the compiler.
        return new, ()
    written = spelled(match, names[name]) if name in names else None
    return None if written is None else (new.with_changes(annotation=cst.Annotation(written[0])), written[1])


def _annotation(match: Match, results: Sequence[str]) -> Spelled | None:
    """Return the annotation of the new method's result: the variables that later statements read."""
    types = [match.event.variables.get(name, ANYTHING) for name in results]
    if len(types) > 1:
        return spelled(match, TupleType(tuple(types)))
    return spelled(match, types[0]) if types else (cst.Name("None"), ())


def _returned(match: Match, function: cst.FunctionDef) -> tuple[cst.BaseExpression | None, tuple[Edit, ...]] | None:
    """Return the annotation of the function's result, with imports: the author's, or one with the type of earlier
    returns. Without either, there is no annotation, which means a Tensor to the compiler. Return None if the type
    cannot be written.
    """
    if function.returns is not None:
        return function.returns.annotation, ()
    if match.event.returned is not None:
        return spelled(match, match.event.returned)
    return None, ()
