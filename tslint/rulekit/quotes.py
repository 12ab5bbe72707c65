"""Writes the strings of fixes in the quotes that the file uses."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from tslint.diagnostics import Fix

# A string with triple quotes, one with single quotes, one with double quotes, or a comment.
_STRING = re.compile(r"""('{3}|"{3}).*?\1|'(?:\\.|[^'\\\n])*'|(?P<double>"(?:\\.|[^"\\\n])*")|\#[^\n]*""", re.DOTALL)


def in_own_quotes(text: str, fix: Fix) -> Fix:
    """Return a fix with single quotes around its new strings, if most strings of the file have single quotes.

    Args:
        text: the text of the file.
        fix: the fix with its edits, whose new strings have double quotes.
    """
    if not any('"' in edit.content for edit in fix.edits) or not _prefers_single(text):
        return fix

    def requoted(found: re.Match[str]) -> str:
        string = found["double"]
        if string is None or "'" in string or "\\" in string or string in text:
            return found[0]  # a string that the file contains is probably the author's own
        return f"'{string[1:-1]}'"

    return replace(fix, edits=tuple(replace(each, content=_STRING.sub(requoted, each.content)) for each in fix.edits))


@lru_cache(maxsize=64)
def _prefers_single(text: str) -> bool:
    found = [each[0] for each in _STRING.finditer(text)]
    return sum(each[0] == "'" != each[1:2] for each in found) > sum(each[0] == '"' != each[1:2] for each in found)
