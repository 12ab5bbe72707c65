"""Comments in code that a fix writes again: one that would be gone keeps the fix from being applied."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from tokenize import COMMENT, TokenError, generate_tokens

from tslint.diagnostics import Applicability, Edit, Fix
from tslint.sources.file import SourceFile


def with_comments(source: SourceFile, fix: Fix) -> Fix:
    """A fix as it is, or for a person to make where a comment would be lost.

    Type comments become annotations, and what is removed line by line goes with its comments.

    Args:
        source: the file.
        fix: with its edits.
    """
    written = "".join(edit.content for edit in fix.edits)
    for edit in fix.edits:
        for comment in _comments(source, edit):
            if comment not in written and "type:" not in comment:
                message = f"{fix.message}, and keep the comment `{comment}`"
                return replace(fix, applicability=Applicability.DISPLAY, message=message, edits=())
    return fix


def _comments(source: SourceFile, edit: Edit) -> Iterator[str]:
    """The comments in the code that an edit takes away."""
    start, end = source.offset(edit.start), source.offset(edit.end)
    is_removal = edit.start.column == edit.end.column == 1 and not edit.content
    if is_removal or "#" not in source.text[start:end]:
        return
    lines = iter(source.lines)
    try:
        for token in generate_tokens(lambda: next(lines, "")):
            first = source.lines.starts[token.start[0] - 1] + token.start[1]
            if token.type == COMMENT and start < first + len(token.string) and first < end:
                yield token.string
    except (TokenError, SyntaxError):
        return
