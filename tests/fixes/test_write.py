"""Tests that a file is replaced as a whole, or left unchanged with an error message."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tslint.fixing.write import NotWritten, write, write_all
from tslint.sources import reading


def test_mode_and_links_are_kept_and_nothing_is_left_behind(folder: Callable[..., Path]) -> None:
    root = folder({"real/net.py": "a\n"})
    (root / "real" / "net.py").chmod(0o750)
    (root / "net.py").symlink_to(root / "real" / "net.py")
    source = reading.read(root / "net.py")
    write(source, replace(source, text="b\n"))
    assert (root / "net.py").is_symlink()
    assert (root / "real" / "net.py").read_text() == "b\n"
    assert stat.S_IMODE((root / "real" / "net.py").stat().st_mode) == 0o750
    assert os.listdir(root / "real") == ["net.py"]


def test_a_file_that_changed_meanwhile_is_left(folder: Callable[..., Path]) -> None:
    root = folder({"net.py": "a\n"})
    source = reading.read(root / "net.py")
    (root / "net.py").write_text("somebody else's\n")
    with pytest.raises(NotWritten, match="has changed"):
        write(source, replace(source, text="b\n"))
    assert (root / "net.py").read_text() == "somebody else's\n"


def test_a_failure_halfway_leaves_the_file(folder: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    root = folder({"net.py": "a\n"})
    source = reading.read(root / "net.py")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(NotWritten, match="No space left on device"):
        write(source, replace(source, text="b\n"))
    assert (root / "net.py").read_text() == "a\n"
    assert os.listdir(root) == ["net.py"]


def test_a_read_only_file_is_left(folder: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    root = folder({"net.py": "a\n"})
    source = reading.read(root / "net.py")
    # The root user may write any file.
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(NotWritten, match="read-only"):
        write(source, replace(source, text="b\n"))
    assert (root / "net.py").read_text() == "a\n"


def test_all_are_written_or_none(folder: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    root = folder({"a.py": "a\n", "b.py": "b\n"})
    sources = [reading.read(root / name) for name in ("a.py", "b.py")]
    changed = [(source, replace(source, text=source.text * 2)) for source in sources]
    original = os.replace

    def fails_for_b(temporary: str, path: str) -> None:
        if path.endswith("b.py"):
            raise OSError(28, "No space left on device")
        original(temporary, path)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", fails_for_b)
        with pytest.raises(NotWritten, match=r"^b\.py: not fixed: cannot be written: No space left on device$"):
            write_all(changed)
    assert [(root / name).read_text() for name in ("a.py", "b.py")] == ["a\n", "b\n"]
    (root / "b.py").write_text("c\n")
    with pytest.raises(NotWritten, match=r"^b\.py: not fixed: the file has changed"):
        write_all(changed)
    (root / "b.py").write_text("b\n")
    write_all(changed)
    assert [(root / name).read_text() for name in ("a.py", "b.py")] == ["a\na\n", "b\nb\n"]


def test_a_file_that_has_gone_is_named(folder: Callable[..., Path]) -> None:
    root = folder({"a.py": "a\n"})
    source = reading.read(root / "a.py")
    (root / "a.py").unlink()
    with pytest.raises(NotWritten, match=r"^a\.py: not fixed: cannot be read: No such file or directory$"):
        write_all([(source, source)])
