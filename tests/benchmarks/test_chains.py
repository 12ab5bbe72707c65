"""Tests the packages of the growth benchmark: their names are found through the chain, and found quickly."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import tslint
from benchmarks.chains import FOLDERS, write_package
from tslint.project import index


def test_names_are_found_through_the_chain(tmp_path: Path) -> None:
    package = write_package(tmp_path, 2 * FOLDERS)
    assert tslint.check([package]) == []
    # The last module uses the function of one in the middle.
    file = package / f"part{FOLDERS - 1}" / f"module{2 * FOLDERS - 1}.py"
    text = file.read_text("utf-8")
    assert "from chained import Block14, Net18, scaled10" in text
    file.write_text(text.replace("scaled10(y, 0.5)", "scaled10(y, 'much')"), "utf-8")
    found = tslint.check([package])
    assert {(each.code, Path(each.filename)) for each in found} == {("TS301", file)}


def test_no_file_is_read_twice(tmp_path: Path) -> None:
    package = write_package(tmp_path, 4 * FOLDERS)
    with patch.object(index, "parse", wraps=index.parse) as parse:
        assert tslint.check([package]) == []
    assert parse.call_count == len(list(package.rglob("*.py")))
