"""Converts fixes and suppressions to edits that the client applies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from lsprotocol import types

from tslint.diagnostics import Applicability, Diagnostic
from tslint.fixing.add_ignore import NEVER, add_ignores
from tslint.fixing.edits import Change, apply_fixes, replaced
from tslint.fixing.wrapping import wrapped
from tslint.project.trees import parse
from tslint.server.documents import Document
from tslint.server.positions import Places
from tslint.sources.file import SourceFile

_MARKS = {
    Applicability.SAFE: "",
    Applicability.UNSAFE: " (unsafe: {})",
    Applicability.DISPLAY: " (removes a path from the compiled model)",
}
FIX_ALL_KIND = "source.fixAll.tslint"


def wanted(kind: str, only: Sequence[str] | None) -> bool:
    """Return whether a client requests actions of a kind: all actions, this kind, or a family that contains it."""
    return only is None or any(kind == each or kind.startswith(each + ".") or each == "" for each in only)


def workspace_edit(document: Document, edits: Sequence[types.TextEdit], *, versioned: bool) -> types.WorkspaceEdit:
    """Return an edit of the workspace from edits of one text; with the text's version if the client supports that."""
    if versioned:
        identifier = types.OptionalVersionedTextDocumentIdentifier(uri=document.uri, version=document.version)
        return types.WorkspaceEdit(
            document_changes=[types.TextDocumentEdit(text_document=identifier, edits=list(edits))]
        )
    return types.WorkspaceEdit(changes={document.uri: list(edits)})


def quick_fix(finding: Diagnostic, places: Places, *, unsafe: bool) -> tuple[str, list[types.TextEdit]] | None:
    """Return the title and edits of a finding's fix; None if there is no fix to apply.

    Args:
        finding: the finding.
        places: converts positions in its text.
        unsafe: whether unsafe fixes are offered.
    """
    fix = finding.fix
    if fix is None or (fix.applicability is Applicability.DISPLAY and not fix.last_resort):
        return None
    if fix.applicability is not Applicability.SAFE and not unsafe:
        return None
    applied = apply_fixes(places.source, [fix])
    if not applied.changes or not _parses(places.source, applied.text):
        return None
    mark = _MARKS[fix.applicability].format(fix.caution)
    short = wrapped(places.source, replace(places.source, text=applied.text))
    edits = [_edit(change, places) for change in applied.changes]
    if short:
        edits = difference(places, replaced(applied.text, short))
    return f"{fix.message}{mark} ({finding.code})", edits


def suppression(finding: Diagnostic, places: Places) -> list[types.TextEdit]:
    """Return the edits that suppress a finding at its position; empty if no comment is possible there."""
    if finding.code in NEVER:
        return []
    added = add_ignores(places.source, [finding])
    return difference(places, added.source.text) if added.placed else []


def difference(places: Places, new: str) -> list[types.TextEdit]:
    """Return the edits that turn one text into another, line by line, so that cursors elsewhere do not move."""
    old = places.source
    before, after = old.lines, replace(old, text=new).lines
    starts = [0]
    for line in before:
        starts.append(starts[-1] + len(line))
    changes = []
    for tag, first, last, other_first, other_last in SequenceMatcher(None, before, after, False).get_opcodes():
        if tag != "equal":
            changes.append(
                _trimmed(old.text, Change(starts[first], starts[last], "".join(after[other_first:other_last])))
            )
    return [_edit(change, places) for change in changes]


def _trimmed(text: str, change: Change) -> Change:
    """Return a change without unchanged text at its ends; it never splits a line end."""
    old, new = text[change.start : change.end], change.content
    front = 0
    while front < min(len(old), len(new)) and old[front] == new[front] and old[front] not in "\r\n":
        front += 1
    back = 0
    while back < min(len(old), len(new)) - front and old[-1 - back] == new[-1 - back]:
        back += 1
    while back and text[change.end - back] == "\n" and text[change.end - back - 1] == "\r":
        back -= 1
    return Change(change.start + front, change.end - back, new[front : len(new) - back])


def _edit(change: Change, places: Places) -> types.TextEdit:
    return types.TextEdit(
        range=types.Range(start=places.at(change.start), end=places.at(change.end)), new_text=change.content
    )


def _parses(source: SourceFile, text: str) -> bool:
    try:
        parse(text, str(source.path))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
