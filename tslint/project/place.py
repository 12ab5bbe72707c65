"""The position of a file among packages, as imports see it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path


def module_place(path: Path) -> tuple[Path, str, str]:
    """Return the folder where imports start, the dotted name of a file, and the package of its relative imports."""
    folder, parts = path.parent, [path.stem] if path.stem != "__init__" else []
    is_package = path.stem == "__init__"
    while (folder / "__init__.py").is_file() and folder.parent != folder:
        parts.insert(0, folder.name)
        folder = folder.parent
    name = ".".join(parts) or path.stem
    package = name if is_package else name.rpartition(".")[0]
    return folder, name, package


def package_above(path: Path, level: int) -> list[str] | None:
    """Return the parts of the dotted name of the folder from which a relative import starts; None if that folder is not
    a package. The folders between that folder and the file need no ``__init__.py`` (PEP 420).
    """
    folder = path.parents[min(level, len(path.parents)) - 1]
    return module_place(folder / "__init__.py")[1].split(".") if (folder / "__init__.py").is_file() else None


def candidates(folder: Path, name: str) -> tuple[Path, Path]:
    """Return the files that may be the module of a dotted name below a folder; the first one that exists is used."""
    base = folder.joinpath(*name.split("."))
    return base / "__init__.py", base.with_name(base.name + ".py")


def named_files(place: str, root: Path, more: Iterable[Path] = ()) -> Iterator[Path]:
    """Yield the files that the configuration may mean by ``path.py`` or a dotted name; the first one that exists is
    used.

    Args:
        place: the configured text, without ``:attribute``.
        root: the folder of the configuration; ``src`` below it is searched, too.
        more: other folders that may contain modules.
    """
    if place.endswith(".py"):
        yield root / place
        return
    for folder in dict.fromkeys((root, root / "src", *more)):
        yield from candidates(folder, place)
