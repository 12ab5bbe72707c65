"""Turns the worker's evidence into findings: the position in the source, the call path, and the rule."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from tslint.config import Settings
from tslint.diagnostics import CallStep, Diagnostic, Position, Severity, Stage
from tslint.lint.engine import raw_findings
from tslint.rulekit.registry import all_rules
from tslint.sources import reading
from tslint.sources.file import SourceFile, UnreadableSource
from tslint.verify.messages import headline, underlined
from tslint.verify.outcome import Evidence, one_line
from tslint.verify.users import is_users

UNKNOWN_TO_RULES = ("TS903", "compiler-error")
TRACER = ("TS904", "tracer-warning")
OWN = {
    TRACER[0]: TRACER[1],
    "TS905": "counterexample",
    "TS906": "newer-exporter",
    "TS907": "warm-up-stall",
    "TS908": "only-with-grad",
    "TS909": "drifting-values",
}
"""The names of the rules that only a run can report, by the codes that evidence contains."""

# The family of findings about tslint itself and about files: they have no line.
_TOOL = "TS9"

_Function = (ast.FunctionDef, ast.AsyncFunctionDef)


def finding(evidence: Evidence, torch_root: str) -> Diagnostic | None:
    """Return the finding for a piece of evidence; None if no line of source is known.

    Args:
        evidence: evidence from a stage.
        torch_root: the folder of torch, whose code the author cannot change.
    """
    if evidence["kind"] == "tracer":
        severity = Severity(evidence["severity"])
        message = one_line(evidence["message"])
        code = evidence.get("code", TRACER[0])
        return _at_stack(evidence, Stage.TRACE, (code, OWN[code]), severity, message, torch_root)
    if evidence["kind"] == "compiled":
        return None
    if evidence["kind"] == "observed":
        code = evidence["code"]
        if evidence["place"] is None:
            return None
        observed = _of_definition(evidence["place"], Stage(evidence["stage"]), evidence["message"])
        return replace(observed, code=code, name=OWN[code], severity=Severity(evidence["severity"]), compiler="")
    message = headline(evidence["text"]) or f"the compiler itself raised {evidence['error']}"
    stage = Stage(evidence["stage"])
    if "stack" in evidence:
        return _at_stack(evidence, stage, UNKNOWN_TO_RULES, Severity.ERROR, message, torch_root)
    places = [place for place in underlined(evidence["text"]) if is_users(place.filename, torch_root)]
    if not places:
        fallback = evidence["fallback"]
        return fallback and _of_definition(fallback, stage, message)
    spans = [
        _span(place.filename, place.row, place.column, place.end_row, place.end_column) for place in places
    ]  # fmt: skip
    path = tuple(step for place in reversed(places) if (step := enclosing(place.filename, place.row)))
    first = Diagnostic(
        *UNKNOWN_TO_RULES, Severity.ERROR, stage, message, _absolute(places[0].filename), *spans[0],
        compiled_via=_unrepeated(path), compiler=message,
    )  # fmt: skip
    return known(first)


def _at_stack(
    evidence: Evidence, stage: Stage, code: tuple[str, str], severity: Severity, message: str, torch_root: str
) -> Diagnostic | None:
    stack: Sequence[Mapping[str, Any]] = evidence["stack"]
    stack = [place for place in stack if is_users(place["filename"], torch_root)]
    if not stack:
        return None
    last = stack[-1]
    row = last["row"]
    start, end = _span(
        last["filename"], row, last.get("column"), last.get("end_row", row), last.get("end_column")
    )  # fmt: skip
    path = tuple(step for place in stack if (step := enclosing(place["filename"], place["row"])))
    return known(
        Diagnostic(
            *code, severity, stage, message, _absolute(last["filename"]), start, end,
            compiled_via=_unrepeated(path), compiler=message,
        )
    )  # fmt: skip


def _of_definition(place: Mapping[str, Any], stage: Stage, message: str) -> Diagnostic:
    """Return a finding on the name of a class or function, for errors in which the compiler names no line."""
    filename = _absolute(place["filename"])
    source, tree = _parsed(filename)
    start, end = _span(filename, place["row"], None, place["row"], None)
    for node in ast.walk(tree) if tree else ():
        if not isinstance(node, (*_Function, ast.ClassDef)):
            continue
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        if place["row"] in (first, node.lineno) and source:
            column = source.lines[node.lineno - 1].find(node.name, node.col_offset)
            start = Position(node.lineno, column + 1)
            end = Position(node.lineno, column + 1 + len(node.name))
    step = enclosing(filename, start.row)
    found = Diagnostic(
        *UNKNOWN_TO_RULES, Severity.ERROR, stage, message, filename, start, end,
        compiled_via=(step,) if step else (), compiler=message,
    )  # fmt: skip
    return _by_words(found, step) or known(found)


def _by_words(found: Diagnostic, step: CallStep | None) -> Diagnostic | None:
    """Return a rule's finding that the class or function ``step`` leads to, if the rule's page quotes the compiler's
    message; None if there is no such finding.
    """
    pages = {registered.rule.code: registered.page for registered in all_rules()}
    for other in static_findings(found.filename):
        reached = step and other.compiled_via and other.compiled_via[0].name.partition(".")[0] == step.name
        if reached and other.stage is found.stage and found.message in pages.get(other.code, ""):
            return replace(other, severity=found.severity, compiler=found.compiler)
    return None


def known(found: Diagnostic) -> Diagnostic:
    """Return a finding as a rule reports it, if a rule has a finding on this line.

    The compiler's position, call path and certainty are kept: even if the rule's finding is conditional, the error has
    just occurred.
    """
    same = [
        other for other in _on_line(found, static_findings(found.filename)) if not _is_of_another_error(other, found)
    ]
    same = same or _in_function(found)
    if not same:
        return found
    best = min(
        same,
        key=lambda other: (
            not _has_words(other, found), other.start != found.start, other.start.row != found.start.row,
        ),
    )  # fmt: skip
    return replace(
        best,
        severity=found.severity,
        start=found.start,
        end=found.end,
        compiled_via=found.compiled_via if len(found.compiled_via) > 1 else best.compiled_via or found.compiled_via,
        compiler=found.compiler,
    )


def _has_words(other: Diagnostic, found: Diagnostic) -> bool:
    """Return whether the compiler's message is the one that a rule expects."""
    return bool(other.compiler and found.compiler and other.compiler.rstrip(".:") in found.compiler)


def _is_of_another_error(other: Diagnostic, found: Diagnostic) -> bool:
    """Return whether a rule's finding in the line of the compiler's error is about another error: it occurs only in
    some constructions, elsewhere in the line, and the rule expects another message.
    """
    conditional = other.severity is not Severity.ERROR and other.compiler is not None
    return conditional and other.start != found.start and not _has_words(other, found)


def _on_line(found: Diagnostic, others: Sequence[Diagnostic]) -> list[Diagnostic]:
    return [
        other
        for other in others
        if not other.code.startswith(_TOOL)
        # An `info` is advice on code that compiles.
        and other.severity is not Severity.INFO
        and other.stage is found.stage
        and other.start.row <= found.start.row <= max(other.end.row, other.start.row)
    ]


def _in_function(found: Diagnostic) -> list[Diagnostic]:
    """Return the findings on this line if its function is taken as a root: it may be compiled only from other files.

    The types of its arguments are then unknown, so only findings of rules that expect the compiler's message count.
    """
    step = enclosing(found.filename, found.start.row)
    if step is None:
        return []
    alone = _analysed(found.filename, Settings(entry_points=(f"{found.filename}:{step.name}",)))
    return [other for other in _on_line(found, alone) if _has_words(other, found)]


@lru_cache(maxsize=64)
def static_findings(filename: str) -> tuple[Diagnostic, ...]:
    """Return the findings of every rule in a file, suppressed or not; empty if the static model fails."""
    return _analysed(filename, Settings())


def _analysed(filename: str, settings: Settings) -> tuple[Diagnostic, ...]:
    """Return the findings in a file; none if the static model fails: the verdict is the compiler's, and must not
    change.
    """
    source, _ = _parsed(filename)
    if source is None:
        return ()
    try:
        return tuple(raw_findings([source], settings).findings.get(source.path, ()))
    except Exception:
        return ()


def enclosing(filename: str, row: int) -> CallStep | None:
    """Return the innermost function around a row, or else the innermost class, as a step of a call path; or None."""
    _, tree = _parsed(_absolute(filename))
    best: tuple[bool, int, CallStep] | None = None
    pending: list[tuple[ast.AST, str]] = [(tree, "")] if tree else []
    while pending:
        node, prefix = pending.pop()
        for child in ast.iter_child_nodes(node):
            name = prefix
            if isinstance(child, (*_Function, ast.ClassDef)):
                first = min([child.lineno, *(decorator.lineno for decorator in child.decorator_list)])
                if not first <= row <= (child.end_lineno or child.lineno):
                    continue
                name = f"{prefix}.{child.name}" if prefix else child.name
                step = CallStep(name, _absolute(filename), Position(child.lineno, child.col_offset + 1))
                candidate = (isinstance(child, _Function), child.lineno, step)
                if best is None or candidate[:2] > best[:2]:
                    best = candidate
            pending.append((child, name))
    return best[2] if best else None


def _unrepeated(path: tuple[CallStep, ...]) -> tuple[CallStep, ...]:
    return tuple(step for number, step in enumerate(path) if number == 0 or step != path[number - 1])


def _absolute(filename: str) -> str:
    return str(Path(filename).resolve())


def forget() -> None:
    """Discard cached files, because they have changed."""
    _parsed.cache_clear()
    static_findings.cache_clear()


@lru_cache(maxsize=64)
def _parsed(filename: str) -> tuple[SourceFile | None, ast.Module | None]:
    try:
        source = reading.read(Path(filename))
    except UnreadableSource:
        return None, None
    try:
        return source, ast.parse(source.text)
    except (SyntaxError, ValueError, RecursionError):
        return source, None


def _span(
    filename: str, row: int, column: int | None, end_row: int, end_column: int | None
) -> tuple[Position, Position]:
    """Return the positions of a span whose columns are bytes from 0; if the columns are unknown, those of the line's
    text.
    """
    source, _ = _parsed(_absolute(filename))
    if source is None:
        return Position(row, (column or 0) + 1), Position(end_row, (end_column or column or 0) + 1)
    line = source.lines[row - 1].rstrip() if 0 < row <= len(source.lines) else ""
    if column is None or (end_column is None and column >= len(line)):
        return Position(row, len(line) - len(line.lstrip()) + 1), Position(row, len(line) + 1)
    start = source.from_ast(row, column)
    end = source.from_ast(end_row, end_column) if end_column else Position(row, len(line) + 1)
    return start, max(start, end)
