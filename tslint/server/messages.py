"""Converts findings, hints and lenses to the protocol."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from lsprotocol import types

from tslint.diagnostics import Diagnostic, Position, Severity
from tslint.lint.selection import by_code
from tslint.rulekit.registry import RegisteredRule
from tslint.rulekit.rule import GOES_WRONG, HEADINGS
from tslint.server.documents import Document, uri_of
from tslint.server.insight import Hint, Lens
from tslint.server.positions import Places
from tslint.sources.suppressions import suppressions

SOURCE = "tslint"
SHOW_CALLER = "tslint.showCaller"
VERIFY = "tslint.verify"
FIX_ALL = "tslint.fixAll"
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}

_HEADINGS = re.compile(rf"^## (?=(?:{'|'.join([*HEADINGS, GOES_WRONG])})$)", re.MULTILINE)


def diagnostic(finding: Diagnostic, places: Places, *, related: bool) -> types.Diagnostic:
    """Convert a finding.

    Args:
        finding: the finding.
        places: converts positions in its text.
        related: whether the client shows related positions.
    """
    registered = by_code().get(finding.code)
    steps = finding.calls if related else ()
    message = finding.message if finding.help is None else f"{finding.message}\n{finding.help}"
    if finding.calls and not related:
        message += f"\nCompiled via {' → '.join(step.name for step in finding.calls)}"
    return types.Diagnostic(
        range=places.range(finding.start, finding.end),
        message=message,
        severity=_SEVERITIES[finding.severity],
        code=finding.code,
        code_description=types.CodeDescription(href=registered.rule.url) if registered else None,
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if finding.code == "TS902" else None,
        related_information=[
            types.DiagnosticRelatedInformation(
                location=types.Location(uri=uri_of(step.filename), range=_point(step.position)),
                message=f"compiled via {step.name}",
            )
            for step in steps
        ]
        or None,
        data={"name": finding.name},
    )


def _point(position: Position) -> types.Range:
    """Return an empty range for a position in a file whose text is not loaded: only blanks precede it, so the text is
    not needed.
    """
    place = types.Position(line=position.row - 1, character=position.column - 1)
    return types.Range(start=place, end=place)


def hover(
    position: Position, findings: Sequence[Diagnostic], document: Document, places: Places, *, markdown: bool
) -> types.Hover | None:
    """Return the pages of the rules with a finding at a position, or named by a suppression there."""
    here = [each for each in findings if each.start <= position <= max(each.end, each.start)]
    parts: list[str] = []
    area: types.Range | None = None
    for each in here:
        registered = by_code().get(each.code)
        heading = f"**{each.code} {each.name}** ({each.severity.value}, {each.stage.value}): {each.message}"
        page = _page(registered) if registered else ""
        parts.append("\n\n".join(filter(None, [heading, each.help or "", page])))
        area = area or places.range(each.start, each.end)
    if not here:
        named = _suppressed(position, document)
        if named is not None:
            parts.append(f"**{named.rule.code} {named.rule.name}**\n\n{_page(named)}")
    if not parts:
        return None
    text = "\n\n---\n\n".join(dict.fromkeys(parts))
    kind = types.MarkupKind.Markdown if markdown else types.MarkupKind.PlainText
    content = text if markdown else text.replace("**", "").replace("`", "")
    return types.Hover(contents=types.MarkupContent(kind=kind, value=content), range=area)


def _page(registered: RegisteredRule) -> str:
    # Editors show a hover in a small window, so the headings must be small.
    page = _HEADINGS.sub("#### ", registered.page.strip()).replace("# ", "### ", 1)
    return f"{page}\n\n[{registered.rule.code} in the documentation]({registered.rule.url})"


def _suppressed(position: Position, document: Document) -> RegisteredRule | None:
    """Return the rule that a suppression names at a position."""
    for each in suppressions(document.source):
        if each.rules_start <= position <= each.rules_end and each.rules_start.row == position.row:
            line = document.source.lines[position.row - 1]
            for word in re.finditer(r"[\w-]+", line):
                if word.start() + 1 <= position.column <= word.end() + 1:
                    for registered in by_code().values():
                        if word.group() in (registered.rule.code, registered.rule.name):
                            return registered
    return None


def inlay_hint(hint: Hint, places: Places) -> types.InlayHint:
    """Convert an inferred type."""
    what = "treats it as" if hint.parameter else "infers"
    return types.InlayHint(
        position=places.to_client(hint.position),
        label=f": {hint.type}",
        kind=types.InlayHintKind.Type,
        tooltip=f"TorchScript {what} {hint.type}",
        padding_left=False,
        padding_right=False,
    )


def code_lens(lens: Lens, document: Document, places: Places) -> types.CodeLens:
    """Convert a lens: the callers that compile a function, or the command that verifies a target."""
    place = places.to_client(lens.position)
    area = types.Range(start=place, end=place)
    if lens.target:
        arguments: list[object] = [lens.target, document.uri]
        return types.CodeLens(
            range=area, command=types.Command(title=f"verify ({lens.target})", command=VERIFY, arguments=arguments)
        )
    others = f" and {lens.ways - 1} more" if lens.ways > 1 else ""
    title = f"compiled via {' → '.join(step.name for step in lens.via[:-1])}{others}"
    caller = lens.via[-2]
    steps = [{"name": step.name, "uri": uri_of(step.filename), "row": step.position.row} for step in lens.via]
    arguments = [uri_of(caller.filename), caller.position.row, caller.position.column, steps]
    return types.CodeLens(range=area, command=types.Command(title=title, command=SHOW_CALLER, arguments=arguments))


def word(value: Any) -> str:
    """Return a word of the protocol as a string: pygls uses an enumeration member only for words that it knows."""
    return str(getattr(value, "value", value))
