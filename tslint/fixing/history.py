"""Remembers what rounds of fixes have changed, to find the code of a finding in the first text."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tslint.diagnostics import Diagnostic
from tslint.fixing.applying import is_sound
from tslint.fixing.circles import Spot
from tslint.fixing.edits import Change, by_words, replaced, traced_back
from tslint.fixing.joining import joined
from tslint.fixing.unused import removals, used
from tslint.fixing.wrapping import wrapped
from tslint.lint.engine import Loaded
from tslint.sources.file import SourceFile


@dataclass
class History:
    """The changes of the rounds of a run.

    Args:
        first: the files at the start, by name.
        changes: by file, the changes of each round.
        used: by file, the names that its code used at the beginning of any round.
        traced: the results of :func:`traced_back` through all rounds, by file, number of rounds and offset.
    """

    first: Mapping[str, SourceFile]
    changes: dict[str, list[tuple[Change, ...]]] = field(default_factory=dict)
    used: dict[str, set[str]] = field(default_factory=dict)
    traced: dict[tuple[str, int, int], tuple[int, bool]] = field(default_factory=dict)

    def copy(self) -> History:
        """Return a copy, which can be discarded."""
        changes = {name: list(rounds) for name, rounds in self.changes.items()}
        used = {name: set(each) for name, each in self.used.items()}
        return replace(self, changes=changes, used=used, traced={})

    def spot(self, source: SourceFile, diagnostic: Diagnostic) -> Spot:
        """Return the identity of a finding in an intermediate text."""
        rounds, offset = self.changes.get(diagnostic.filename, []), source.offset(diagnostic.start)
        key = (diagnostic.filename, len(rounds), offset)
        if key not in self.traced:
            inserted = False
            for each in reversed(rounds):
                offset, inside = traced_back(each, offset)
                inserted = inserted or inside
            self.traced[key] = offset, inserted
        offset, inserted = self.traced[key]
        return Spot(diagnostic.filename, offset, diagnostic.code, diagnostic.message if inserted else "")

    def tidied(self, loaded: Loaded) -> dict[str, SourceFile]:
        """Remove new unused imports, join blocks with one test, break long lines; return the changed files."""
        new: dict[str, SourceFile] = {}
        for source in loaded.sources:
            name = str(source.path)
            names = self.used.get(name)
            found = removals(source, names, loaded.sources) if names else []
            if found and is_sound(source, replaced(source.text, found)):
                new[name] = source = self.changed(source, found)
            for tidy in (joined, wrapped):
                found = tidy(self.first[name], source) if name in self.changes else []
                if found and is_sound(source, replaced(source.text, found)):
                    new[name] = source = self.changed(source, found)
        return new

    def changed(self, source: SourceFile, changes: Sequence[Change]) -> SourceFile:
        """Return a file with the changes of a round, which are remembered."""
        filename = str(source.path)
        self.used.setdefault(filename, set()).update(used(source))
        parts = [each for change in changes for each in by_words(source.text, change)]
        self.changes.setdefault(filename, []).append(tuple(parts))
        # Texts are the keys of several caches: one object for each is compared faster.
        return replace(source, text=sys.intern(replaced(source.text, changes)))
