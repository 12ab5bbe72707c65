"""Applies the fixes of one round to a file, and drops those that would break it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from tslint.diagnostics import Diagnostic, Fix
from tslint.fixing.edits import Applied, apply_fixes
from tslint.fixing.trees import tree_of
from tslint.sources.file import SourceFile


def apply_sound(source: SourceFile, diagnostics: Iterable[Diagnostic], notes: dict[str, None]) -> Applied:
    """Apply the fixes of a round; leave out, with a note, those after which the file cannot be parsed or encoded."""
    codes = {id(each.fix): each.code for each in diagnostics}
    fixes = [each.fix for each in diagnostics if each.fix is not None]
    applied = apply_fixes(source, fixes)
    for fix in applied.invalid:
        notes[_dropped(source, codes[id(fix)], "its edits contradict each other")] = None
    if is_sound(source, applied.text):
        return applied
    good: list[Fix] = []
    for fix in applied.fixes:
        if is_sound(source, apply_fixes(source, [*good, fix]).text):
            good.append(fix)
        else:
            notes[_dropped(source, codes[id(fix)], "the result could not be parsed or encoded")] = None
    return apply_fixes(source, good)


def _dropped(source: SourceFile, code: str, reason: str) -> str:
    return f"{source.path}: a fix of {code} was left out: {reason}; please report it"


def is_sound(source: SourceFile, text: str) -> bool:
    """Return whether a text can be parsed, and encoded in the file's encoding."""
    try:
        replace(source, text=text).encode()
    except ValueError:
        return False
    return _can_be_parsed(text)


@lru_cache(maxsize=64)
def _can_be_parsed(text: str) -> bool:
    try:
        tree_of(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
