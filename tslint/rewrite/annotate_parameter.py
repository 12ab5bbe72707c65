"""Annotations of parameters that have none: every rule that writes one asks here, so that all write the same."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from tslint import walking
from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.annotate import merged, spelled_text
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe, unsafe
from tslint.script.dataflow.callers import callers
from tslint.script.dataflow.parameters import Inferred, infer
from tslint.script.dataflow.shallow import FunctionNode
from tslint.script.events import Span

_DEFAULT = re.compile(r"\s*=\s*")


def inferred(
    match: Match,
    function: FunctionNode,
    name: str,
    told: Mapping[int, str] | None = None,
    likely: str | None = None,
) -> Inferred | None:
    """What a parameter of a function of this file is; see :mod:`tslint.script.dataflow.parameters`."""
    tree = match.file.tree
    return infer(tree, function, name, _calls(function, tree), told, likely)


def _calls(function: FunctionNode, tree: ast.Module) -> list[tuple[ast.Call, FunctionNode | None]]:
    """The calls of a function of this file, looked for once; none where it is another file's."""
    known = _found(tree)
    if function not in known:
        own = function in _functions(tree)
        known[function] = [(site.node, site.function) for site in callers(tree).of(function)] if own else []
    return known[function]


@walking.kept
def _found(tree: ast.Module) -> dict[FunctionNode, list[tuple[ast.Call, FunctionNode | None]]]:
    return {}


@walking.kept
def _functions(tree: ast.Module) -> frozenset[ast.AST]:
    return frozenset(each for each in walking.walk(tree) if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)))


def annotation_fix(
    match: Match, function: FunctionNode, argument: ast.arg, told: Mapping[int, str] | None = None,
    wanted: str | None = None, likely: str | None = None,
) -> Fix | None:  # fmt: skip
    """Give a parameter the type that the file shows it to have.

    Args:
        match: in the parameter's file.
        function: that has the parameter.
        argument: the parameter, without annotation.
        told: types that the model knows of arguments, by the identity of their nodes.
        wanted: the type that the finding asks for: another one would not help. ``Optional`` around it is no other.
        likely: what the model takes it for, from uses that are not seen from the text.
    """
    found = inferred(match, function, argument.arg, told, likely)
    if argument.annotation is not None or found is None or (wanted is not None and not _serves(found.type, wanted)):
        return None
    written = spelled(match, found.type)
    if written is None:
        return None
    text, imports = written
    edits = merged(*imports, _annotated(match, argument, text))
    if found.confirmed:
        return safe(f"Annotate `{argument.arg}: {text}`", *edits)
    risks: tuple[Risk, ...] = (Risk.ASSUMES, Risk.REFUSES)
    if found.converts or found.type.startswith("Tuple"):  # a Tensor that is passed becomes one, too
        risks = (*risks, Risk.DIFFERS)
    return unsafe(f"Annotate `{argument.arg}: {text}`, as its uses look", *edits, risks=risks)


def _serves(type_: str, wanted: str) -> bool:
    if wanted.startswith("Optional["):
        wanted = wanted[len("Optional[") : -1]
    inner = type_[len("Optional[") : -1] if type_.startswith("Optional[") else type_
    return inner == wanted or (inner == "dtype" and wanted == "int")


def _annotated(match: Match, argument: ast.arg, text: str) -> Edit:
    _, end = match.file.span(Span.of(argument))
    start = match.source.offset(end)
    gap = _DEFAULT.match(match.source.text, start)
    return Edit(end, match.source.position(gap.end()), f": {text} = ") if gap else Edit(end, end, f": {text}")


def spelled(match: Match, type_: str) -> tuple[str, tuple[Edit, ...]] | None:
    """A type as this file writes it, ``dtype`` included."""
    return spelled_text(match, type_)
