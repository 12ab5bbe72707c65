"""Tests what is shown on a terminal, and nowhere else."""

from __future__ import annotations

import contextlib
import io
import os
import pty
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tslint.cli.progress import Progress
from tslint.config import Settings
from tslint.lint.engine import judge, load
from tslint.util.progress import advance, listening

# Without the delay, a short run shows progress like a long one.
AT_ONCE = "import tslint.cli.progress as progress; progress.DELAY = 0; from tslint.cli import main; main()"
CLEARED = "\r\x1b[K"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    for name in ("CI", "TERM", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return Terminal()


def shown(progress: Progress, stream: Terminal) -> str:
    """Return the contents of a terminal during the progress, and afterwards."""
    with progress:
        until = time.monotonic() + 30
        while not stream.getvalue() and time.monotonic() < until and progress._thread is not None:
            time.sleep(0.01)
    return stream.getvalue()


def test_a_long_run_is_shown_and_leaves_nothing(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tslint.cli.progress.DELAY", 0.0)
    text = shown(Progress(terminal, "Checking 3 files"), terminal)
    assert text.startswith(f"{CLEARED}Checking 3 files ... 0 s")
    assert text.endswith(CLEARED)


def test_the_share_that_is_done_is_shown(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tslint.cli.progress.DELAY", 0.0)
    with Progress(terminal, "Checking 8 files", 8):
        for files, share in ((1, "12%"), (3.0, "50%"), (6, "99%")):
            advance(files)
            until = time.monotonic() + 30
            while f" s, {share}" not in terminal.getvalue():
                assert time.monotonic() < until, terminal.getvalue()
                time.sleep(0.01)
    advance(1)


def test_analysis_tells_how_far_it_is(tmp_path: Path) -> None:
    for name in ("a.py", "b.py", "c.py"):
        (tmp_path / name).write_text("import torch\n\n\n@torch.jit.script\ndef f(x):\n    return x[(yield)]\n")
    told: list[float] = []
    with listening(told.append):
        judge(load([tmp_path], Settings()), Settings())
    assert sum(told) == 3


def test_a_long_line_does_not_wrap(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tslint.cli.progress.DELAY", 0.0)
    monkeypatch.setenv("COLUMNS", "12")
    assert shown(Progress(terminal, "Checking 3 files"), terminal).startswith(f"{CLEARED}Checking 3 \r")


def test_a_short_run_shows_nothing(terminal: Terminal) -> None:
    with Progress(terminal, "Checking 3 files"):
        pass
    assert terminal.getvalue() == ""


@pytest.mark.parametrize("environ", [{"CI": "true"}, {"TERM": "dumb"}])
def test_nothing_on_ci_and_on_dumb_terminals(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, environ: dict[str, str]
) -> None:
    monkeypatch.setattr("tslint.cli.progress.DELAY", 0.0)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    assert shown(Progress(terminal, "Checking"), terminal) == ""


def test_nothing_if_quiet_or_without_a_terminal(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tslint.cli.progress.DELAY", 0.0)
    assert shown(Progress(terminal, "Checking", quiet=True), terminal) == ""
    monkeypatch.setattr(Terminal, "isatty", lambda self: False)
    assert shown(Progress(terminal, "Checking"), terminal) == ""


def in_terminal(folder: Path, *arguments: str, **environ: str) -> tuple[str, str]:
    """Return stdout and stderr of a run; stderr is a terminal, and with ``BOTH``, stdout is one, too."""
    (folder / "net.py").write_bytes(b"x = '\xff'\n")
    (folder / "tslint.toml").touch()
    both = environ.pop("BOTH", "")
    kept = {name: value for name, value in os.environ.items() if name not in ("CI", "NO_COLOR", "FORCE_COLOR")}
    reader, writer = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", AT_ONCE, "check", *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=writer if both else subprocess.PIPE,
        stderr=writer,
        env={**kept, "TERM": "xterm", **environ},
    ) as process:
        os.close(writer)
        data = b""
        # Linux raises if the last writer is gone; other systems end the file.
        with contextlib.suppress(OSError):
            while part := os.read(reader, 4096):
                data += part
        out = b"" if process.stdout is None else process.stdout.read()
        assert process.wait(60) == 1
    os.close(reader)
    return out.decode(), data.decode()


def test_a_real_terminal(tmp_path: Path) -> None:
    out, error = in_terminal(tmp_path, "--output-format", "concise")
    # Only stderr is a terminal here, so stdout is plain.
    assert out.startswith("net.py:1:1: TS901 ") and "\x1b" not in out
    assert error.startswith(f"{CLEARED}Checking ") and error.endswith(CLEARED)


def test_a_terminal_has_colours_and_the_report_alone_in_the_end(tmp_path: Path) -> None:
    _, screen = in_terminal(tmp_path, BOTH="1")
    report = screen.rpartition(CLEARED)[2]
    assert report.startswith("\x1b[31m\x1b[1mTS901 unparsable-file")
    assert "Checking" not in report
    _, screen = in_terminal(tmp_path, "-q", BOTH="1", NO_COLOR="1")
    assert screen.startswith("TS901 unparsable-file") and "\x1b" not in screen


def test_nothing_but_the_report_on_ci(tmp_path: Path) -> None:
    assert in_terminal(tmp_path, CI="true")[1] == ""
