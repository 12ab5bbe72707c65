"""Finds the Python environment from which the code imports packages; its interpreter is never run."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from tslint.util.record import record

# Debian's own Python has the packages of apt in folders of another name.
_FOLDERS = ("site-packages", "dist-packages")
_PROGRAMS = ("bin", "scripts")
_VERSION = re.compile(r"(\d+)\.(\d+)")


@record
class Environment:
    """A Python environment.

    Args:
        folder: the folder of the environment.
        origin: why it was chosen.
        packages: the folders from which packages are imported, in order; empty if there are none.
    """

    folder: Path
    origin: str
    packages: tuple[Path, ...]


def environment(configured: Path | None, root: Path) -> Environment:
    """Return the environment with a project's packages.

    Args:
        configured: an interpreter, or the folder of an environment; None for the first of the usual ones that exists.
        root: the folder of the configuration.
    """
    if configured is not None:
        return _located(configured, "configured") or Environment(configured, "configured", ())
    active, conda = os.environ.get("VIRTUAL_ENV"), os.environ.get("CONDA_PREFIX")
    usual = (
        ("VIRTUAL_ENV", active and Path(os.path.abspath(active))),
        ("`.venv` beside the configuration", root / ".venv"),
        ("`venv` beside the configuration", root / "venv"),
        ("CONDA_PREFIX", conda and Path(os.path.abspath(conda))),
    )
    for origin, place in usual:
        if place and (found := _located(place, origin)):
            return found
    return _own(sys.prefix)


@cache
def _own(prefix: str) -> Environment:
    """Return the environment in which tslint runs: it does not change meanwhile."""
    return _located(Path(prefix), "tslint's own") or Environment(Path(prefix), "tslint's own", ())


def problem(path: Path) -> str | None:
    """Explain what is wrong with a configured interpreter or environment; None if it can be used."""
    if not os.path.lexists(path):
        return "does not exist"
    return None if _located(path, "") else "is neither an interpreter nor the folder of an environment"


def _located(path: Path, origin: str) -> Environment | None:
    """Return the environment of an interpreter or a folder; None if no packages can be installed there."""
    version = _version_of(path.name) if not path.is_dir() else None
    # The interpreter in a virtual environment links to the base one, so the path itself comes first.
    for each in dict.fromkeys((path, Path(os.path.realpath(path)))):
        folder = each if each.is_dir() else each.parent
        if not each.is_dir() and folder.name.lower() in _PROGRAMS:
            folder = folder.parent
        packages = tuple(_packages(folder, version))
        if packages:
            return Environment(folder, origin, packages)
    return None


def _packages(folder: Path, version: str | None, *, depth: int = 0) -> Iterator[Path]:
    """Yield the folders from which an environment imports packages, in order."""
    configured = _configured(folder / "pyvenv.cfg")
    wanted = version or _version_of(configured.get("version_info") or configured.get("version") or "")
    for place in _site_packages(folder, wanted):
        yield place
        yield from _added(place)
    if configured.get("include-system-site-packages", "").lower() == "true" and depth == 0:
        home = Path(configured.get("home", ""))
        if home.is_absolute():
            base = home.parent if home.name.lower() in _PROGRAMS else home
            yield from _packages(base, wanted, depth=1)


def _configured(file: Path) -> dict[str, str]:
    """Return the keys of a ``pyvenv.cfg``; empty if there is no such file."""
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    pairs = (line.partition("=") for line in lines if "=" in line)
    return {key.strip().lower(): value.strip() for key, _, value in pairs}


def _version_of(text: str) -> str | None:
    found = _VERSION.search(text)
    return f"{found[1]}.{found[2]}" if found else None


def _site_packages(folder: Path, version: str | None) -> list[Path]:
    """Return the folders below a folder in which packages are installed: for one version of Python, or the newest."""
    found: dict[tuple[int, ...], list[Path]] = {}
    for library in ("local/lib", "lib", "lib64"):
        for place in _folders_in(folder / library):
            if place.name.startswith(("python", "pypy")):
                numbers = tuple(map(int, re.findall(r"\d+", place.name)))
                found.setdefault(numbers, []).extend(p for name in _FOLDERS if (p := place / name).is_dir())
    found = {numbers: places for numbers, places in found.items() if places}
    exact = tuple(map(int, version.split("."))) if version else None
    numbers = exact if exact in found else max((each for each in found if len(each) > 1), default=())
    places = list(found.get(numbers, ()))
    # Debian's folder is the same for all versions of Python 3.
    places += found.get((3,), [])
    windows = folder / "Lib" / "site-packages"
    if not places and windows.is_dir():
        places = [windows]
    # `lib64` is often a link to `lib`.
    return list({os.path.realpath(place): place for place in reversed(places)}.values())[::-1]


def _folders_in(folder: Path) -> list[Path]:
    try:
        return sorted(Path(entry.path) for entry in os.scandir(folder) if entry.is_dir())
    except OSError:
        return []


def _added(place: Path) -> Iterator[Path]:
    """Yield the folders that plain lines of ``.pth`` files add, as editable installs write them."""
    files: list[str] = []
    with suppress(OSError):
        files = sorted(entry.path for entry in os.scandir(place) if entry.name.endswith(".pth"))
    for file in files:
        with suppress(OSError, ValueError):
            for line in Path(file).read_text(encoding="utf-8-sig").splitlines():
                line = line.strip()
                if line and not line.startswith(("#", "import ", "import\t")):
                    added = Path(os.path.normpath(place / line))
                    if added.is_dir() and added != place:
                        yield added
