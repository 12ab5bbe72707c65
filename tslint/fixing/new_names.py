"""Finds the functions and methods that a fix defines, and other files in which these names mean something else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from tslint.diagnostics import Diagnostic
from tslint.fixing.scopes import definitions
from tslint.sources.file import SourceFile

_DEFINED = re.compile(r"\bdef (\w+)\(")
_IMPORT = re.compile(r"^[ \t]*(?:from|import)\b.*$", re.MULTILINE)
_WORD = re.compile(r"\w+")


def used_elsewhere(sources: Mapping[str, SourceFile], finding: Diagnostic) -> tuple[str, str] | None:
    """Return a name that a fix defines, and another file that uses the name; None if there is none. One of the two
    files must import the other.

    A base class or a subclass in the other file may have a method of this name: one of the two methods would then
    override the other one.

    Args:
        sources: the analysed files, by name.
        finding: a finding with a fix.
    """
    source = sources[finding.filename]
    new = dict.fromkeys(_defined(source, finding))
    known = {each.name.rpartition(".")[2] for each in definitions(source.text)} if new else set()
    for name in new:
        if name in known:
            continue  # the fix rewrites this code
        word = re.compile(rf"\b{name}\b")
        for filename, other in sources.items():
            if other is not source and _are_connected(source, other) and word.search(other.text):
                return name, filename
    return None


def _defined(source: SourceFile, finding: Diagnostic) -> Iterator[str]:
    for edit in finding.fix.edits if finding.fix is not None else ():
        yield from _DEFINED.findall(edit.content)
        if edit.content.isidentifier() and source.lines[edit.start.row - 1][: edit.start.column - 1].endswith("def "):
            yield edit.content


def _are_connected(source: SourceFile, other: SourceFile) -> bool:
    return _module(source) in _imported(other.text) or _module(other) in _imported(source.text)


def _module(source: SourceFile) -> str:
    return source.path.stem if source.path.stem != "__init__" else source.path.parent.name


@lru_cache(maxsize=4096)
def _imported(text: str) -> frozenset[str]:
    """Return the words of a file's imports."""
    return frozenset(word for line in _IMPORT.findall(text) for word in _WORD.findall(line))
