"""Runs rules over a text without the rest of the engine where that is enough: the front end's events only."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tslint.border import Border, Match
from tslint.diagnostics import Fix, Position, Severity
from tslint.rule import rules_by_event
from tslint.script.frontend import front_end_events
from tslint.sources.file import SourceFile

HERE = Path("/example/page.py")
_SKIPPED = ("ignore", "unused", "overload")


@dataclass(frozen=True)
class Found:
    """A finding and its rule's code."""

    code: str
    start: Position
    end: Position
    severity: Severity
    message: str
    help: str | None
    fix: Fix | None


def compiled_functions(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef | ast.AsyncFunctionDef, bool]]:
    """Functions and methods that the compiler may read, and whether they are methods."""
    for statement in tree.body:
        for node in statement.body if isinstance(statement, ast.ClassDef) else [statement]:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name != "__init__":
                decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
                if not any(word in decorator for decorator in decorators for word in _SKIPPED):
                    yield node, isinstance(statement, ast.ClassDef)


def syntax_findings(text: str) -> list[Found]:
    """What the rules say of the front end's events in a text."""
    source, tree = SourceFile(HERE, text), ast.parse(text)
    border = Border(source, tree)
    found = []
    for function, is_method in compiled_functions(tree):
        for event in front_end_events(function, source, is_method=is_method):
            start, end = border.place(event.span)
            for registered in rules_by_event().get(event.kind, ()):
                for finding in registered.check(Match(event, border)):
                    rule = registered.rule
                    severity = Severity.WARNING if event.condition is not None else rule.severity
                    found.append(
                        Found(
                            rule.code,
                            finding.start or start,
                            finding.end or end,
                            finding.severity or severity,
                            finding.message,
                            finding.help,
                            finding.fix,
                        )
                    )
    return found


def findings(text: str) -> list[Found]:
    """What tslint says of a text."""
    return syntax_findings(text)
