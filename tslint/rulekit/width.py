"""Determines the line width of a file: from a formatter's or style checker's settings, or from its own lines."""

from __future__ import annotations

import configparser
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from tslint.sources.file import Lines, SourceFile

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

# The limit of most formatters, and the longest line to allow in a file without a formatter.
_USUAL, _MOST = 88, 120
_TAB = 4
_SECTIONS = ("flake8", "pycodestyle", "pep8")


def allowed_width(source: SourceFile) -> int:
    """Return the line width for code that fixes write: the nearest configured width, or else the width of the file's
    lines.
    """
    return _configured(source.path.parent) or shown_width(source)


def shown_width(source: SourceFile) -> int:
    """Return the width of the longest line of code in a file, but at least 88 and at most 120 columns."""
    return _longest(source.text)


@lru_cache(maxsize=16)
def _longest(text: str) -> int:
    found = _USUAL
    for line in Lines(text):
        if is_wider(line, found) and not line.lstrip().startswith("#"):
            found = width(line)
    return min(found, _MOST)


def is_wider(line: str, limit: int) -> bool:
    """Return whether a line has more columns than a limit."""
    return (len(line) > limit or "\t" in line) and width(line) > limit


def width(line: str) -> int:
    """Return the number of columns of a line, without its end."""
    return len(line.rstrip().expandtabs(_TAB))


@lru_cache(maxsize=4096)
def _configured(folder: Path) -> int | None:
    """Return the line width that is configured in a folder, or in the nearest one above it in the repository."""
    for name, read in _FILES.items():
        try:
            found = read((folder / name).read_text("utf-8"))
        except (OSError, ValueError, configparser.Error):
            continue
        if found is not None:
            return found
    above = folder.parent
    return None if above == folder or (folder / ".git").exists() else _configured(above)


def _of_project(text: str) -> int | None:
    tools = tomllib.loads(text).get("tool")
    ruff, black = (_table(tools, name) for name in ("ruff", "black"))
    for table in (ruff, black):
        if _is_width(table.get("line-length")):
            return int(table["line-length"])
    # Both formatters have this default.
    return _USUAL if black or "format" in ruff else None


def _of_ruff(text: str) -> int | None:
    found = tomllib.loads(text).get("line-length")
    return found if _is_width(found) else None


def _of_checker(text: str) -> int | None:
    parser = configparser.RawConfigParser()
    parser.read_string(text)
    return next(_numbers(parser), None)


def _numbers(parser: configparser.RawConfigParser) -> Iterator[int]:
    for section in _SECTIONS:
        for key in ("max-line-length", "max_line_length"):
            found = parser.get(section, key, fallback="").partition("#")[0].strip()
            if found.isdecimal() and int(found):
                yield int(found)


def _table(holder: object, name: str) -> Mapping[str, Any]:
    found = holder.get(name) if isinstance(holder, dict) else None
    return found if isinstance(found, dict) else {}


def _is_width(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


# The files that may configure the width, in order of precedence in one folder.
_FILES: dict[str, Callable[[str], int | None]] = {
    ".ruff.toml": _of_ruff,
    "ruff.toml": _of_ruff,
    "pyproject.toml": _of_project,
    "setup.cfg": _of_checker,
    "tox.ini": _of_checker,
    ".flake8": _of_checker,
}
