"""The import graph of a folder, from import statements and from earlier analyses."""

from __future__ import annotations

import ast
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, MutableMapping
from pathlib import Path

from tslint.project.definitions import Module
from tslint.project.impact import Impact, deciding, reachable, role
from tslint.project.index import Project
from tslint.sources.file import SourceFile
from tslint.util import astwalk
from tslint.util.record import record

Name = tuple[int, str]
"""The level of a relative import (0 for an absolute one), and a dotted name."""


@record
class Imports:
    """The imports of a file, according to its text.

    Args:
        names: the modules to which its imports, and attributes of imported names, may refer; None if the text cannot be
            parsed.
        role: how it influences what is only traced (see :func:`tslint.project.impact.role`).
    """

    names: frozenset[Name] | None
    role: int

    @classmethod
    def of(cls, source: SourceFile, warm: MutableMapping[Path, Module] | None = None) -> Imports:
        """Read the imports of a text.

        Args:
            source: the text.
            warm: see :class:`tslint.project.index.Project`; a later analysis then need not parse the text again.
        """
        try:
            tree = Project(warm=warm).add(source).tree
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return cls(None, role(source.text))
        # Modules of torch are not read: the operator tables describe them.
        return cls(frozenset(name for name in _named(tree) if name[1].partition(".")[0] != "torch"), role(source.text))


def _named(tree: ast.Module) -> Iterator[Name]:
    bound: dict[str, set[Name]] = {}
    for node in astwalk.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name if alias.asname else alias.name.partition(".")[0]
                yield from ((0, alias.name), (0, first))
                bound.setdefault(alias.asname or first, set()).add((0, first))
        elif isinstance(node, ast.ImportFrom):
            yield node.level, node.module or ""
            for alias in node.names:
                name = (node.level, f"{node.module}.{alias.name}" if node.module else alias.name)
                yield name
                bound.setdefault(alias.asname or alias.name, set()).add(name)
    for node in astwalk.walk(tree):
        if isinstance(node, ast.Attribute):
            first, _, rest = _dotted(node).partition(".")
            for level, module in bound.get(first, ()):
                yield level, f"{module}.{rest}"


def _dotted(node: ast.expr) -> str:
    """Return ``a.b.c`` as written; empty if it begins with something other than a name."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(names)]) if isinstance(node, ast.Name) else ""


def imported_by(paths: Iterable[Path], sources: Mapping[Path, SourceFile]) -> set[Path]:
    """Return those of some files that the given ones import, directly or not."""
    known = {str(path): path for path in sources}

    def targets(path: Path) -> Iterator[Path]:
        return _resolved(str(path), Imports.of(sources[path]).names or (), known)

    return set(reachable((each for path in paths for each in targets(path)), targets))


class ImportGraph:
    """Stores which files of a folder depend on which."""

    def __init__(self) -> None:
        self._named: dict[Path, frozenset[Name]] = {}
        self._roles: dict[Path, int] = {}
        self._learned: dict[Path, frozenset[Path]] = {}
        self._edges: dict[Path, frozenset[Path]] | None = None
        self._impact: Impact[Path] | None = None
        self.tracing_known = False
        """Whether something is traced, and all code that passes modules to the compiler is known."""

    def __contains__(self, path: Path) -> bool:
        return path in self._named

    def put(self, path: Path, imports: Imports) -> None:
        """Store the imports of a file."""
        # A file that cannot be parsed, because it is being edited, keeps its earlier imports.
        names = self._named.get(path, frozenset()) if imports.names is None else imports.names
        # The earlier role counts, too: known findings may rely on it.
        part = max(imports.role, self._roles.get(path, 0))
        if self._named.get(path) == names and self._roles.get(path) == part:
            return
        if path not in self._named:
            # Other files may have imported it before it existed.
            self._edges = None
        self._named[path], self._roles[path], self._impact = names, part, None
        if self._edges is not None:
            self._edges[path] = self._targets(path, {str(each): each for each in self._named})

    def remove(self, path: Path) -> None:
        """Remove a deleted file."""
        self._learned.pop(path, None)
        self._roles.pop(path, None)
        if self._named.pop(path, None) is not None:
            self._edges = self._impact = None

    def learn(self, looked: Mapping[Path, Iterable[Path]]) -> None:
        """Add dependencies that an analysis found: an analysis also follows names that are not in imports."""
        for path, targets in looked.items():
            known = self._learned.get(path, frozenset())
            more = frozenset(targets) - known
            if more:
                self._learned[path] = known | more
                if self._edges is not None and not more <= self._edges.get(path, frozenset()):
                    self._edges[path] = self._edges.get(path, frozenset()) | more
                    self._impact = None

    @property
    def deciding(self) -> set[Path]:
        """Return the files that together decide what is only traced."""
        return deciding(self._roles)

    def impact(self, together: Collection[Path] = ()) -> Impact[Path]:
        """Return the object that computes what changes in the folder can affect.

        Args:
            together: see :class:`tslint.project.impact.Impact`.
        """
        if self._edges is None:
            known = {str(path): path for path in self._named}
            self._edges = {path: self._targets(path, known) for path in {**self._named, **self._learned}}
        if together:
            return Impact(self._edges, together)
        if self._impact is None:
            self._impact = Impact(self._edges)
        return self._impact

    def _targets(self, path: Path, known: Mapping[str, Path]) -> frozenset[Path]:
        named = _resolved(str(path), self._named.get(path, ()), known)
        return self._learned.get(path, frozenset()).union(named)


def _resolved(path: str, names: Iterable[Name], known: Mapping[str, Path]) -> Iterator[Path]:
    """Yield those of the known files that the imports of a file name."""
    folder = os.path.dirname(path)
    root = folder
    while f"{root}{os.sep}__init__.py" in known and os.path.dirname(root) != root:
        root = os.path.dirname(root)
    for level, name in names:
        if level:
            places = [folder]
            for _ in range(level - 1):
                places = [os.path.dirname(places[0])]
        else:
            places = list(_with_parents(root))  # the folders of packages without `__init__.py` begin further up
        for place in places:
            whole = os.sep.join([place, *name.split(".")]) if name else place
            found = known.get(f"{whole}{os.sep}__init__.py") or known.get(f"{whole}.py")
            if found is not None:
                if str(found) != path:
                    yield found
                break


def _with_parents(folder: str) -> Iterator[str]:
    while True:
        yield folder
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above
