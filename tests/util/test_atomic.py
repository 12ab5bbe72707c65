"""Tests that a file which is written in one step is complete or as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from tslint.util.atomic import completed


def test_a_file_is_replaced_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "config.pbtxt"
    path.write_text("old")
    with completed(path) as part:
        part.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("old", [["config.pbtxt"], []], ids=["it exists", "it is new"])
def test_a_file_that_is_not_complete_stays_as_it_was(tmp_path: Path, old: list[str]) -> None:
    path = tmp_path / "config.pbtxt"
    for name in old:
        (tmp_path / name).write_text("old")

    def fill(part: Path) -> None:
        part.write_text("half")
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"), completed(path) as part:
        fill(part)
    assert [each.name for each in tmp_path.iterdir()] == old
    assert [each.read_text() for each in tmp_path.iterdir()] == ["old"] * len(old)
