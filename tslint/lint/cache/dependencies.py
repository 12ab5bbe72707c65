"""Records what a run read from disk, and checks whether it has changed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tslint.project.installed import Installed
from tslint.project.place import candidates, module_place
from tslint.sources.digest import UNREADABLE, digest

Lookups = dict[str, dict[str, str | None]]
Run = dict[tuple[str, str], str]


class Disk:
    """The current state of the disk; each file is read once.

    Args:
        digests: the digests of files that have already been read.
        installed: the packages that imports may refer to.
    """

    def __init__(self, digests: Mapping[str, str], installed: Installed | None = None) -> None:
        self._digests = dict(digests)
        self._installed = installed or Installed()
        self._places: dict[str, tuple[str, str, str]] = {}
        self._taken: dict[tuple[str, str], str | None] = {}
        self._starts: dict[tuple[str, str], bool] = {}

    def digest(self, path: str) -> str:
        """Return the digest of a file."""
        if path not in self._digests:
            try:
                with open(path, "rb") as file:
                    self._digests[path] = digest(file.read())
            except (OSError, ValueError):
                self._digests[path] = UNREADABLE
        return self._digests[path]

    def place(self, path: str) -> tuple[str, str, str]:
        """Return :func:`tslint.project.place.module_place` of a path, cached."""
        found = self._places.get(path)
        if found is None:
            folder, name, package = module_place(Path(path))
            found = self._places[path] = (str(folder), name, package)
        return found

    def run(self, members: Iterable[str]) -> Run:
        """Return the files of a run by their module; if two files are the same module, the last one is used."""
        return {self.place(path)[:2]: path for path in members}

    def taken(self, folder: str, name: str, run: Run) -> str | None:
        """Return the file that an import of a name finds, for files whose packages begin in a folder; None if none."""
        places = map(str, self._installed.import_folders(Path(folder), name))
        return next((found for place in places if (found := self._taken_in(place, name, run)) is not None), None)

    def _taken_in(self, folder: str, name: str, run: Run) -> str | None:
        key = (folder, name)
        if key in run:
            return run[key]
        if key not in self._taken:
            self._taken[key] = None
            if self._begins(folder, name.partition(".")[0]):
                for path in candidates(Path(folder), name):
                    if path.is_file():
                        self._taken[key] = str(path)
                        break
        return self._taken[key]

    def _begins(self, folder: str, first: str) -> bool:
        # If the first part does not exist here, neither does any name that begins with it.
        key = (folder, first)
        if key not in self._starts:
            base = os.path.join(folder, first)
            self._starts[key] = not first or os.path.exists(base) or os.path.exists(base + ".py")
        return self._starts[key]


@dataclass
class Group:
    """The files that were analysed together, and what was read because of them.

    Args:
        members: the files, in order.
        outside: other files of the run that have findings because of the code of these files.
        lookups: by file, the modules that were looked for because of it, and the files that were found for them.
        places: by file, its position among packages.
        others: the digests of the files that are not members.
        tracing_known: whether something is traced, and all code that passes modules to the compiler is known.
    """

    members: list[str]
    outside: list[str] = field(default_factory=list)
    lookups: Lookups = field(default_factory=dict)
    places: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    others: dict[str, str] = field(default_factory=dict)
    tracing_known: bool = False

    @classmethod
    def of(cls, data: Any) -> Group:
        """Return a group from the JSON of :meth:`data`."""
        places = {path: (folder, name, package) for path, (folder, name, package) in data["places"].items()}
        return cls(**{**data, "places": places})

    def data(self) -> dict[str, Any]:
        """Return the group as JSON."""
        return dict(vars(self))

    def edges(self) -> dict[str, set[str]]:
        """Return, by file, the files that were read because of it."""
        return {path: {each for each in found.values() if each} for path, found in self.lookups.items()}

    def nodes(self) -> set[str]:
        """Return every file that contributed to the result."""
        return {*self.members, *self.others, *self.lookups}.union(*self.edges().values())

    def changed(self, disk: Disk, members: Iterable[str] | None = None) -> set[str]:
        """Return the files whose findings may be different now, because they or files that they import have changed.

        Args:
            disk: the current state of the disk.
            members: the files of the run now; None for the same files.
        """
        run = disk.run(self.members if members is None else members)
        found = {path for path, known in self.others.items() if disk.digest(path) != known}
        found |= {path for path, place in self.places.items() if disk.place(path) != place}
        for path, asked in self.lookups.items():
            folder = disk.place(path)[0]
            for name, known in asked.items():
                if disk.taken(folder, name, run) != known:
                    found.add(path)
                    break
        return found
