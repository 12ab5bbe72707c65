"""Tests the parsers for external files: any bytes are parsed, or rejected with one line."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from tslint.config import ConfigError, load_file
from tslint.lint.selection import Selection
from tslint.sources import reading
from tslint.sources.file import UnreadableSource
from tslint.sources.notebook import Notebook
from tslint.sources.suppressions import suppressions


def read_configuration(data: bytes, file: Path) -> None:
    """Write and read a configuration file.

    Args:
        data: the content of the file.
        file: the path of the file; ``pyproject.toml`` or ``tslint.toml``.
    """
    file.write_bytes(data)
    try:
        Selection(load_file(file))
    except ConfigError as error:
        assert str(error) and "\n" not in str(error), str(error)


def read_suppressions(data: bytes) -> None:
    """Read the suppression comments of a file."""
    with contextlib.suppress(UnreadableSource):
        source = reading.decode(Path("made.py").absolute(), data)
        for each in suppressions(source):
            assert each.start < each.end and each.rules_start <= each.rules_end
            assert each.first_row <= each.last_row
            assert source.slice(each.start, each.end).startswith("#")


def read_notebook(data: bytes) -> None:
    """Read a notebook, and write it unchanged and with a new line in each cell."""
    try:
        source = reading.decode(Path("made.ipynb").absolute(), data)
    except UnreadableSource as error:
        assert "\n" not in str(error)
        return
    assert isinstance(source, Notebook)
    assert source.encode() == data
    for row in range(1, len(source.lines) + 1):
        source.row_in_file(row)
    cells = list(source.codes())
    assert [code.text for _, code in cells] == [cell.text for cell in source.cells]
    # A lone surrogate is valid JSON, but text with it cannot be written.
    with contextlib.suppress(UnicodeEncodeError):
        if source.cells:
            after = json.loads(source.encode("added = 1\n" + source.text).decode("utf-8-sig"))
            added = after["cells"][source.cells[0].number - 1]["source"]
            assert "".join(added) == "added = 1\n" + source.cells[0].text
