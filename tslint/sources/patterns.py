"""Matches patterns as in .gitignore: against one entry at a time, never against its parents."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from pathspec import GitIgnoreSpec

from tslint.util.record import record


@record
class _Pattern:
    """A compiled line of a file of patterns.

    Args:
        line: the text.
        excludes: whether it excludes files; a pattern with ``!`` includes them.
        anchored: whether it contains a ``/``, so that it is compared with the whole path.
        spec: the compiled pattern.
    """

    line: str
    excludes: bool
    anchored: bool
    spec: GitIgnoreSpec

    def matches(self, path: str) -> bool:
        return self.spec.match_file(path)


def _compile(line: str) -> _Pattern | None:
    excludes = not line.startswith("!")
    bare = line if excludes else line[1:]
    try:
        # Always compiled as an exclusion, because a "!" line alone would never match.
        spec = GitIgnoreSpec.from_lines([bare])
    except ValueError:
        return None
    if not len(spec) or not bare.strip() or (excludes and bare.startswith("#")):
        return None
    return _Pattern(line, excludes, "/" in bare.rstrip().rstrip("/"), spec)


class Patterns:
    """The patterns of one .gitignore, or of one setting.

    Entries are matched one by one from the folder downwards, so that the parents of an entry are not compared with
    patterns. Therefore a folder that is named on the command line is checked even if a pattern excludes it.

    Args:
        base: the folder to which anchored patterns are relative.
        lines: lines as in a .gitignore; broken patterns and comments are skipped.
    """

    def __init__(self, base: Path, lines: Iterable[str]) -> None:
        self.base = base
        # Reversed, because the last pattern that matches decides.
        self._patterns = [pattern for pattern in map(_compile, lines) if pattern is not None][::-1]

    @classmethod
    def read(cls, file: Path) -> Patterns | None:
        """Return the patterns of a .gitignore; None if it is missing or cannot be read."""
        try:
            return cls(file.parent, file.read_text("utf-8-sig", "replace").splitlines())
        except OSError:
            return None

    def below(self, named: Path) -> Patterns:
        """Return the same patterns, without the anchored ones that exclude ``named`` itself or a parent of it."""
        kept = Patterns(self.base, ())
        relative = _relative(named, self.base)
        for pattern in self._patterns:
            if pattern.anchored and relative is not None and pattern.matches(relative + "/"):
                continue
            kept._patterns.append(pattern)
        return kept

    def verdict(self, entry: Path, is_folder: bool) -> bool | None:
        """Return True if an entry is excluded, False if a pattern with ``!`` includes it again, None if no pattern
        matches.
        """
        end = "/" if is_folder else ""
        relative: str | None = None
        for pattern in self._patterns:
            if pattern.anchored:
                relative = relative or _relative(entry, self.base)
                matched = relative is not None and pattern.matches(relative + end)
            else:
                matched = pattern.matches(entry.name + end)
            if matched:
                return pattern.excludes
        return None


def _relative(path: Path, base: Path) -> str | None:
    """Return ``path`` relative to ``base``, with forward slashes; None if it is not below ``base``."""
    try:
        relative = path.relative_to(base).as_posix()
    except ValueError:
        return None
    return None if relative == os.curdir else relative
