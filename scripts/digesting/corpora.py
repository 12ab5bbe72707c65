"""Chooses the files of a corpus that are checked, and groups them into runs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tslint.config import DEFAULT_EXCLUDE
from tslint.sources.discovery import discover


@dataclass(frozen=True)
class Unit:
    """The subject of one run: a file, or a package.

    Args:
        corpus: the name of the corpus.
        folder: the folder of the corpus, to which names of files are relative.
        path: the path of the file, or the folder of the package.
    """

    corpus: str
    folder: Path
    path: Path

    @cached_property
    def files(self) -> tuple[str, ...]:
        """Return the files, by their names in the corpus."""
        return tuple(str(path.relative_to(self.folder)) for path in _below(self.path, self.folder))


def units(corpus: str, folder: Path, labels: Path | None) -> list[Unit]:
    """Return the runs over a corpus. A file of a package is checked together with the whole package, any other file
    alone.

    Args:
        corpus: the name of the corpus.
        folder: the folder of the corpus.
        labels: JSON lines that name files or packages; None for everything below the folder.
    """
    folder = folder.resolve()
    if labels is None:
        paths = [_package(path, folder) or path for path in _below(folder, folder)]
    else:
        paths = list(_labelled(folder, labels))
    return [Unit(corpus, folder, path) for path in dict.fromkeys(paths)]


def _below(path: Path, folder: Path) -> tuple[Path, ...]:
    return discover([path], root=folder, exclude=DEFAULT_EXCLUDE).files


def _package(path: Path, folder: Path) -> Path | None:
    """Return the outermost package of a file."""
    inner = [each for each in path.parents if each.is_relative_to(folder)]
    return next((each for each in reversed(inner) if (each / "__init__.py").exists()), None)


def _labelled(folder: Path, labels: Path) -> Iterator[Path]:
    """Yield the paths to which labels refer: a package (``kind``), a test (``variant``) or a file."""
    names: dict[str, None] = {}
    for line in labels.read_text(encoding="utf-8").splitlines():
        label = json.loads(line)
        test = f"cases/{label['variant']}" if "variant" in label else ""
        names[label.get("kind") or test or label["file"]] = None
    for name in names:
        path = next((each for each in (folder / name, folder / f"{name}.py") if each.exists()), None)
        if path is not None:
            yield path
        else:
            print(f"not there: {name}", file=sys.stderr)
