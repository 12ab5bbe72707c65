"""Moves statements into a new function that the compiler does not read."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rulekit.definition import without_leading
from tslint.rulekit.match import Match
from tslint.rulekit.rule import display, unsafe
from tslint.rulekit.template import Line, block, expression
from tslint.util import astwalk
from tslint.util.record import record

# What happens if a compiled model reaches the moved statements, by the decorator of the new function.
_THEN = {"ignore": "Python runs it, and the module cannot be saved", "unused": "compiled code raises there"}


@record
class Outline:
    """The form of a function that is made from statements.

    Args:
        suffix: the end of its name, after the name of the function that contains the statements.
        parameters: the values that the statements need.
        results: the variables that are read after the statements; None if the statements return.
        returns: the annotation of its result; None for no annotation.
        mark: ``unused`` or ``ignore``, of ``torch.jit``.
    """

    suffix: str
    parameters: Sequence[cst.Param]
    results: Sequence[str] | None
    returns: cst.BaseExpression | None
    mark: str


def outlined(match: Match, run: Sequence[Any], outline: Outline, what: str, imports: Iterable[Edit] = ()) -> Fix | None:
    """Move consecutive statements into a method (or a function), and call that instead.

    Args:
        match: the match of the finding.
        run: the statements, nodes of the static model.
        outline: the form of the function.
        what: a description of the statements, ``the numpy code``.
        imports: the edits that the outline's annotations need.

    Returns:
        None if statements share their lines with others, or if a function cannot be added next to the enclosing one.
    """
    unit, itself = match.event.unit, match.self_name
    function = match.libcst(unit.function.node) if unit is not None else None
    lines = [line for each in run if (line := match.line(match.libcst(each))) is not None]
    if not isinstance(function, cst.FunctionDef) or len(lines) < len(run):
        return None
    if itself is None and match.parent(function) is not None:
        return None
    name = _name(match, run[0], f"_{function.name.value.lstrip('_')}_{outline.suffix}")
    torch, more = match.imported("torch")

    def edits() -> Iterable[Edit]:
        mark = cst.Decorator(expression("{torch}.jit.{mark}", torch=torch, mark=outline.mark))
        made = _definition(name, itself, outline, lines).with_changes(decorators=[mark])
        yield _one(match, match.rewrite_all(lines, _call(name, itself, outline)))
        if itself is not None:
            yield match.insert_after(function, made.with_changes(leading_lines=[_EMPTY]))
        else:
            yield match.insert_before(function, made.with_deep_changes(made.body, footer=[_EMPTY, _EMPTY]))

    words = f"Move {what} into `{name}`, marked `@torch.jit.{outline.mark}`: {_THEN[outline.mark]}"
    if outline.mark == "unused":
        return replace(display(words, edits, *more, *imports), last_resort=True)
    return unsafe(words, edits, *more, *imports, risks=(Risk.UNSAVED,))


_EMPTY = cst.EmptyLine(indent=False)


def _name(match: Match, first: Any, wished: str) -> str:
    """Return a name that is not used in the file, and that no other fix uses for other statements."""
    written = astwalk.mentions(match.file.tree)  # all names of the file: no subclass may have the new name either
    others = {name for each, name in match.file.outlines.items() if each is not first}
    numbered = (f"{wished}{number}" for number in itertools.count(2))
    name = next(each for each in itertools.chain([wished], numbered) if each not in written and each not in others)
    match.file.outlines[first] = name
    return name


def _definition(name: str, itself: str | None, outline: Outline, lines: Sequence[Line]) -> cst.FunctionDef:
    """Return the function that contains the statements."""
    body = [without_leading(lines[0]), *lines[1:]]
    if outline.results:
        body.append(cst.SimpleStatementLine([cst.Return(_listed(outline.results))]))
    first = [cst.Param(cst.Name(itself))] if itself is not None else []
    return cst.FunctionDef(
        cst.Name(name),
        cst.Parameters([*first, *outline.parameters]),
        block(body),
        returns=cst.Annotation(outline.returns) if outline.returns is not None else None,
    )


def _call(name: str, itself: str | None, outline: Outline) -> Line:
    """Return the statement that replaces the moved statements."""
    function = expression("{itself}.{name}", itself=itself, name=name) if itself is not None else cst.Name(name)
    call = cst.Call(function, [cst.Arg(each.name) for each in outline.parameters])
    if outline.results is None:
        return cst.SimpleStatementLine([cst.Return(call)])
    if not outline.results:
        return cst.SimpleStatementLine([cst.Expr(call)])
    return cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(_listed(outline.results))], call)])


def _listed(names: Sequence[str]) -> cst.Name | cst.Tuple:
    if len(names) == 1:
        return cst.Name(names[0])
    return cst.Tuple([cst.Element(cst.Name(each)) for each in names], lpar=[], rpar=[])


def _one(match: Match, edits: Sequence[Edit]) -> Edit:
    """Merge edits into one edit: otherwise, other fixes' edits between these edits would not move with the
    statements.
    """
    first, *rest = edits
    end, content = first.end, first.content
    for each in rest:
        end, content = each.end, content + match.source.slice(end, each.start) + each.content
    return Edit(first.start, end, content)
