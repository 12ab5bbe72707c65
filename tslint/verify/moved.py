"""Makes the worker import a project's modules from a copy (worker side)."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from types import ModuleType
from typing import Any


def install(original: str, copy: str) -> None:
    """From now on, import the modules of one folder from another one, without writing compiled files.

    Args:
        original: the project's folder.
        copy: the folder with the copies of its modules. Linked files are imported from the original.
    """
    # A compiled file is used if its source has the same size and time in seconds: two copies may agree in both.
    sys.dont_write_bytecode = True
    sys.meta_path.insert(0, Redirect(os.path.realpath(original), os.path.realpath(copy)))


class Redirect(MetaPathFinder):
    """An import finder that asks the other finders, and changes the paths in their answers to those in the copy."""

    def __init__(self, original: str, copy: str) -> None:
        self._original = original
        self._copy = copy

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:  # fmt: skip
        """Return the spec of a module, from the copy if that contains the module; None if no finder finds it."""
        found: ModuleSpec | None = None
        for finder in sys.meta_path:
            search: Any = getattr(finder, "find_spec", None)
            if finder is not self and search is not None:
                found = search(fullname, path, target)
                if found is not None:
                    break
        if found is None:
            return None
        if found.origin is None or not found.origin.endswith(".py"):
            if found.loader is None and found.submodule_search_locations is not None:
                # A package without __init__.py: its folder may be found twice.
                places = [self._copied(place) or place for place in found.submodule_search_locations]
                spec = ModuleSpec(fullname, None, is_package=True)
                spec.submodule_search_locations = list(dict.fromkeys(places))
                return spec
            return found
        copied = self._copied(found.origin)
        if copied is None:
            return found
        package = found.submodule_search_locations is not None
        return spec_from_file_location(
            fullname, copied, submodule_search_locations=[os.path.dirname(copied)] if package else None
        )

    def _copied(self, place: str) -> str | None:
        """Return the copy of a file or folder; None if there is none, or if the path is in the copy already."""
        real = os.path.realpath(place)
        if not real.startswith(self._original + os.sep):
            return None
        copied = os.path.join(self._copy, os.path.relpath(real, self._original))
        return copied if os.path.exists(copied) and os.path.realpath(copied) == copied else None
