"""A file is replaced whole, or left as it is and said why."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tslint.fixes.write import NotWritten, write
from tslint.sources.file import SourceFile


def test_mode_and_links_are_kept_and_nothing_is_left_behind(folder: Callable[..., Path]) -> None:
    root = folder({"real/net.py": "a\n"})
    (root / "real" / "net.py").chmod(0o750)
    (root / "net.py").symlink_to(root / "real" / "net.py")
    source = SourceFile.read(root / "net.py")
    write(source, replace(source, text="b\n"))
    assert (root / "net.py").is_symlink()
    assert (root / "real" / "net.py").read_text() == "b\n"
    assert stat.S_IMODE((root / "real" / "net.py").stat().st_mode) == 0o750
    assert os.listdir(root / "real") == ["net.py"]


def test_a_file_that_changed_meanwhile_is_left(folder: Callable[..., Path]) -> None:
    root = folder({"net.py": "a\n"})
    source = SourceFile.read(root / "net.py")
    (root / "net.py").write_text("somebody else's\n")
    with pytest.raises(NotWritten, match="changed meanwhile"):
        write(source, replace(source, text="b\n"))
    assert (root / "net.py").read_text() == "somebody else's\n"


def test_a_failure_halfway_leaves_the_file(folder: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    root = folder({"net.py": "a\n"})
    source = SourceFile.read(root / "net.py")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(NotWritten, match="No space left on device"):
        write(source, replace(source, text="b\n"))
    assert (root / "net.py").read_text() == "a\n"
    assert os.listdir(root) == ["net.py"]


def test_a_read_only_file_is_left(folder: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    root = folder({"net.py": "a\n"})
    source = SourceFile.read(root / "net.py")
    # Whoever runs the tests as root may write anything.
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(NotWritten, match="read-only"):
        write(source, replace(source, text="b\n"))
    assert (root / "net.py").read_text() == "a\n"
