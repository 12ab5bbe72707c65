"""Tests that no data is lost if writing a file fails, or tslint is killed at any moment."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

import tslint.fixing.write
import tslint.util.atomic
from tslint.cli import cli
from tslint.fixing.write import NotWritten, write, write_all
from tslint.sources import reading
from tslint.sources.file import SourceFile
from tslint.util.atomic import write_bytes

OLD, NEW = "old = 'é'\r\n" * 1000, "new = 'é'\r\n" * 2000
FULL = OSError(28, "No space left on device")


class Killed(BaseException):
    """The process is killed: nothing that it would have done later happens."""


class Steps:
    """Counts the calls of the operating system, and makes one of them fail.

    Args:
        at: the number of the call.
        error: the exception that the call raises.
        after: whether the call is executed before it raises.
    """

    def __init__(self, at: int, error: BaseException, *, after: bool) -> None:
        self.at, self.error, self.after = at, error, after
        self.done: list[str] = []

    def wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def step(*args: Any, **options: Any) -> Any:
            number = len(self.done)
            self.done.append(name)
            dead = isinstance(self.error, Killed) and number > self.at >= 0
            if dead or (number == self.at and not self.after):
                raise self.error
            if name == "write" and number == self.at:
                # Only a part of the data is written to the disk.
                function(args[0], bytes(args[1])[:7])
                raise self.error
            result = function(*args, **options)
            if number == self.at:
                if hasattr(result, "close"):
                    # Close the file, because the caller does not get it.
                    result.close()
                raise self.error
            return result

        return step


class Proxy:
    """A module whose functions are counted."""

    def __init__(self, module: ModuleType, steps: Steps) -> None:
        self._module, self._steps = module, steps

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._module, name)
        if isinstance(found, ModuleType):
            return Proxy(found, self._steps)
        counted = callable(found) and not isinstance(found, type) and name not in ("dirname",)
        return self._steps.wrap(name, found) if counted else found


def inject(monkeypatch: pytest.MonkeyPatch, steps: Steps) -> None:
    """Count every call of ``os``, ``tempfile`` and ``open`` in the two modules that write."""
    for module in (tslint.util.atomic, tslint.fixing.write):
        monkeypatch.setattr(module, "os", Proxy(os, steps), raising=False)
    monkeypatch.setattr(tslint.util.atomic, "tempfile", Proxy(tempfile, steps))
    monkeypatch.setattr(tslint.fixing.write, "open", steps.wrap("open", open), raising=False)


def runs(error: BaseException, work: Callable[[], object]) -> Iterator[tuple[list[str], bool]]:
    """Repeat some work with its first, second, third … step failing, before or after it is executed.

    Yield the steps of each run, and whether it reported success.
    """
    for after in (False, True):
        at = 0
        while True:
            steps = Steps(at, error, after=after)
            with pytest.MonkeyPatch.context() as monkeypatch:
                inject(monkeypatch, steps)
                try:
                    work()
                    told = True
                except (NotWritten, OSError, Killed):
                    told = False
            if len(steps.done) <= at:
                break
            yield steps.done, told
            at += 1
        assert at > 5


@pytest.fixture
def source(tmp_path: Path) -> SourceFile:
    path = tmp_path / "net.py"
    path.write_bytes(OLD.encode())
    path.chmod(0o750)
    return reading.read(path)


def reset(source: SourceFile) -> None:
    for path in source.path.parent.iterdir():
        path.unlink()
    source.path.write_bytes(OLD.encode())
    source.path.chmod(0o750)


@pytest.mark.parametrize("error", [FULL, PermissionError(13, "Permission denied"), OSError(5, "Input/output error")])
def test_a_call_that_fails_leaves_the_file_as_it_was_or_written(source: SourceFile, error: OSError) -> None:
    names: set[str] = set()
    for done, told in runs(error, lambda: write(source, replace(source, text=NEW))):
        names.update(done)
        content = source.path.read_bytes()
        assert content in (OLD.encode(), NEW.encode())
        if told:
            assert content == NEW.encode()
        if "unlink" not in done[:-1]:
            # One file may be left, with the new content, if even its removal failed.
            beside = [path for path in source.path.parent.iterdir() if path != source.path]
            assert not beside or done[-1] == "unlink" or "mkstemp" in done[-1]
        assert stat.S_IMODE(source.path.stat().st_mode) == 0o750
        reset(source)
    assert {"realpath", "open", "access", "stat", "mkstemp", "write", "fsync", "close", "chmod", "replace"} <= names


def test_a_crash_between_any_two_steps_loses_nothing(source: SourceFile) -> None:
    for _, told in runs(Killed(), lambda: write(source, replace(source, text=NEW))):
        assert not told
        assert source.path.read_bytes() in (OLD.encode(), NEW.encode())
        assert stat.S_IMODE(source.path.stat().st_mode) == 0o750
        for path in source.path.parent.iterdir():
            # A crash leaves no Python file behind, and other users must not be able to read the file before it has its
            # mode.
            assert path == source.path or path.suffix == ".tmp"
        reset(source)


def test_of_several_files_each_is_old_or_new(source: SourceFile) -> None:
    other = source.path.with_name("other.py")

    def work() -> None:
        write_all([(each, replace(each, text=NEW)) for each in (source, SourceFile(other, OLD))])

    for error in (FULL, Killed()):
        reset(source)
        other.write_bytes(OLD.encode())
        for _, told in runs(error, work):
            contents = [path.read_bytes() for path in (source.path, other)]
            assert set(contents) <= {OLD.encode(), NEW.encode()}
            if told:
                assert set(contents) == {NEW.encode()}
            reset(source)
            other.write_bytes(OLD.encode())


def test_reports_and_baselines_are_written_the_same_way(tmp_path: Path) -> None:
    for exists in (True, False):
        for error in (FULL, Killed()):
            target = tmp_path / "report.json"
            if exists:
                target.write_bytes(b"old")
            for _, told in runs(error, lambda: write_bytes(tmp_path / "report.json", b"new content")):
                content = target.read_bytes() if target.exists() else None
                assert content in ((b"old" if exists else None), b"new content")
                assert content == b"new content" or not told
                for path in tmp_path.iterdir():
                    path.unlink()
                if exists:
                    target.write_bytes(b"old")
            for path in tmp_path.iterdir():
                path.unlink()


def test_a_write_that_is_done_in_parts_is_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: original(handle, bytes(data)[:3]))
    write_bytes(tmp_path / "a", b"0123456789")
    assert (tmp_path / "a").read_bytes() == b"0123456789"


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o664])
def test_the_mode_is_kept(source: SourceFile, mode: int) -> None:
    source.path.chmod(mode)
    write(source, replace(source, text=NEW))
    assert stat.S_IMODE(source.path.stat().st_mode) == mode
    assert source.path.read_bytes() == NEW.encode()


def test_the_owner_is_kept_where_that_is_allowed(source: SourceFile, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, int]] = []
    status = os.stat(source.path)
    theirs = os.stat_result((*status[:4], status.st_uid + 1, status.st_gid + 1, *status[6:]))
    original = os.stat

    def stat_of(path: Any, **options: Any) -> os.stat_result:
        return theirs if str(path) == str(source.path) else original(path, **options)

    def chown(path: str, user: int, group: int) -> None:
        asked.append((user, group))
        if user != -1:
            raise PermissionError(1, "Operation not permitted")

    with monkeypatch.context() as patch:
        patch.setattr(os, "stat", stat_of)
        patch.setattr(os, "chown", chown, raising=False)
        write(source, replace(source, text=NEW))
    assert asked == [(status.st_uid + 1, status.st_gid + 1), (-1, status.st_gid + 1)]
    assert source.path.read_bytes() == NEW.encode()


def test_links_are_followed_and_stay(source: SourceFile) -> None:
    folder = source.path.parent / "links"
    folder.mkdir()
    link = folder / "net.py"
    link.symlink_to(source.path)
    linked = reading.read(link)
    write(linked, replace(linked, text=NEW))
    assert link.is_symlink() and source.path.read_bytes() == NEW.encode()
    assert sorted(path.name for path in folder.iterdir()) == ["net.py"]


@pytest.mark.parametrize(("encoding", "newline"), [("latin-1", "\r\n"), ("utf-8", "\r"), ("utf-8-sig", "\n")])
def test_fixes_keep_line_ends_and_encoding(folder: Callable[..., Path], encoding: str, newline: str) -> None:
    declared = "" if encoding == "utf-8-sig" else f"# coding: {encoding}\n"
    text = f"{declared}import torch  # é\n\n\n@torch.jit.script\ndef f(x):\n    return x.ndimension()  # é\n"
    path = folder({"net.py": text.replace("\n", newline).encode(encoding)}) / "net.py"
    CliRunner().invoke(cli, ["check", "--fix", "--unsafe-fixes", "--isolated", "--no-cache"])
    assert path.read_bytes() == text.replace("ndimension", "dim").replace("\n", newline).encode(encoding)


def test_a_tree_that_cannot_be_written_is_checked_and_left_alone(
    folder: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "import torch\n\n\n@torch.jit.script\ndef f(x):\n    return +x\n"
    path = folder({"net.py": text}) / "net.py"

    def denied(*args: object, **options: object) -> None:
        raise PermissionError(30, "Read-only file system")

    monkeypatch.setattr(tempfile, "mkstemp", denied)
    result = CliRunner().invoke(cli, ["check", "--fix", "--unsafe-fixes", "--isolated", "--no-cache"])
    assert result.exit_code == 2
    assert "error: net.py: not fixed: cannot be written: Read-only file system" in result.stderr
    assert "TS122" in result.stdout
    assert path.read_text() == text
