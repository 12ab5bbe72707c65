"""Finds the installed packages to which imports refer."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tslint.config import Settings

# Tables describe these and the standard library, so they are never read from the disk.
_TABLES = frozenset(["torch", "numpy", "einops", "typing_extensions", *sys.stdlib_module_names])


class Installed:
    """The folders of installed packages.

    Args:
        folders: the folders, in the order in which Python searches them.
        own: the folder of the project; packages that are installed from it in editable mode belong to the author.
    """

    def __init__(self, folders: Iterable[Path] = (), own: Path | None = None) -> None:
        self._folders = tuple(folders)
        self._own = own
        self._around: dict[Path, tuple[Path, ...]] = {}
        self._foreign = frozenset(
            folder
            for folder in self._folders
            if own is None or folder.name.endswith("-packages") or not folder.is_relative_to(own)
        )

    @classmethod
    def of(cls, settings: Settings) -> Installed:
        """Return the folders from which the code of a run may import.

        Raises:
            ConfigError: the configured environment cannot be used.
        """
        return cls(settings.environment.packages, own=settings.root)

    def holds(self, path: Path) -> bool:
        """Return whether a file belongs to an installed package, and not to the project."""
        return not self._foreign.isdisjoint(path.parents)

    def import_folders(self, root: Path, name: str) -> Iterator[Path]:
        """Yield the folders in which an absolute import is searched, in order.

        Args:
            root: the folder where the packages of the importing file begin.
            name: the dotted name of the module.
        """
        known = name.partition(".")[0] in _TABLES
        if not (known and root in self._foreign):
            yield root
        if not known:
            if root not in self._around:
                self._around[root] = tuple(dict.fromkeys([*self._above(root), *self._folders]))
            yield from (folder for folder in self._around[root] if folder != root)

    def _above(self, root: Path) -> Iterator[Path]:
        """Yield the folders above the root of a file, up to the project's: the file may be run from each of them.

        Packages may have no ``__init__.py`` (PEP 420), and scripts import neighbouring packages.
        """
        own, parents = self._own, root.parents
        if own is not None and (own == root or own in parents):
            yield from parents[: parents.index(own) + 1] if own != root else ()
            yield own / "src"
            return
        ends = [folder for folder in self._folders if folder in parents]
        ends += [folder.parent for folder in reversed(parents) if (folder / "__init__.py").is_file()][:1]
        if ends:
            yield from parents[: parents.index(ends[0]) + 1]
