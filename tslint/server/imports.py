"""Which files of a folder import which, from their text alone: who has to be looked at again when one changes."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

# Too much is harmless (an import in a docstring), a broken file no hindrance: it is being written.
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<level>\.*)[ \t]*(?P<module>[\w.]*)[ \t]+import\b[ \t]*(?P<names>\([^)]*\)|[^\n#;]*)"
    r"|import[ \t]+(?P<modules>[^\n#;]+))",
    re.MULTILINE,
)
_COMMENT = re.compile(r"#[^\n]*")


def imported(text: str) -> tuple[tuple[int, str], ...]:
    """The modules that a text may import, as levels of relative imports and dotted names."""
    found: dict[tuple[int, str], None] = {}
    for match in _IMPORT.finditer(text):
        if match["modules"] is not None:
            for part in match["modules"].split(","):
                words = part.split()
                if words:
                    found[0, words[0]] = None
            continue
        level, module = len(match["level"]), match["module"]
        found[level, module] = None
        for name in re.findall(r"(\w+)(?:[ \t]+as[ \t]+\w+)?", _COMMENT.sub("", match["names"])):
            found[level, f"{module}.{name}" if module else name] = None
    return tuple(found)


class Imports:
    """The imports between files, and the answers to who is concerned by a change.

    What the analysis has looked into is added with :meth:`learn`: it also follows names that are no imports.
    """

    def __init__(self) -> None:
        self._named: dict[Path, tuple[tuple[int, str], ...]] = {}
        self._learned: dict[Path, frozenset[Path]] = {}
        self._edges: dict[Path, frozenset[Path]] | None = None
        self._importers: dict[Path, set[Path]] | None = None

    def __contains__(self, path: Path) -> bool:
        return path in self._named

    @property
    def files(self) -> Collection[Path]:
        """The files that are known."""
        return self._named.keys()

    def put(self, path: Path, text: str) -> None:
        """Read a file's text."""
        names = imported(text)
        known = self._named.get(path)
        if known == names:
            return
        self._named[path] = names
        self._importers = None
        if known is None:
            # Others may have named it before it was there.
            self._edges = None
        elif self._edges is not None:
            places = {str(each): each for each in self._named}
            self._edges[path] = frozenset(_resolved(str(path), names, places)) | self._learned.get(path, frozenset())

    def remove(self, path: Path) -> None:
        """Forget a file that is gone."""
        self._learned.pop(path, None)
        if self._named.pop(path, None) is not None:
            self._edges = self._importers = None

    def learn(self, looked: Mapping[Path, Iterable[Path]]) -> bool:
        """Add what files were found to look into; whether that was news."""
        news = False
        for path, targets in looked.items():
            known = self._learned.get(path, frozenset())
            more = frozenset(targets) - known
            if more:
                self._learned[path] = known | more
                if not more <= self._direct().get(path, frozenset()):
                    news = True
        if news:
            self._edges = self._importers = None
        return news

    def dependents(self, paths: Iterable[Path]) -> dict[Path, None]:
        """Files and all that import them at any remove, the nearest first."""
        if self._importers is None:
            self._importers = {}
            for path, targets in self._direct().items():
                for target in targets:
                    self._importers.setdefault(target, set()).add(path)
        return _closure(paths, self._importers)

    def reached(self, paths: Iterable[Path]) -> dict[Path, None]:
        """Files and all that they import at any remove."""
        return _closure(paths, self._direct())

    def _direct(self) -> dict[Path, frozenset[Path]]:
        if self._edges is None:
            known = {str(path): path for path in self._named}
            self._edges = {
                path: frozenset(_resolved(str(path), names, known)) | self._learned.get(path, frozenset())
                for path, names in self._named.items()
            }
            for path, targets in self._learned.items():
                self._edges.setdefault(path, targets)
        return self._edges


def _resolved(path: str, names: Iterable[tuple[int, str]], known: Mapping[str, Path]) -> Iterator[Path]:
    """The known files that imports of a file name."""
    folder = os.path.dirname(path)
    root = folder
    while f"{root}{os.sep}__init__.py" in known and os.path.dirname(root) != root:
        root = os.path.dirname(root)
    for level, name in names:
        base = root
        if level:
            base = folder
            for _ in range(level - 1):
                base = os.path.dirname(base)
        place = base
        for part in [""] if not name else name.split("."):
            place = f"{place}{os.sep}{part}" if part else place
            for candidate in (f"{place}{os.sep}__init__.py", f"{place}.py"):
                if candidate in known and candidate != path:
                    yield known[candidate]
                    break


def _closure(start: Iterable[Path], edges: Mapping[Path, Iterable[Path]]) -> dict[Path, None]:
    found = dict.fromkeys(start)
    pending = list(found)
    for path in pending:
        for other in edges.get(path, ()):
            if other not in found:
                found[other] = None
                pending.append(other)
    return found
