"""Tests ``--watch``, in a process of its own that notices changes of files."""

from __future__ import annotations

import os
import pty
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from tslint.cli import cli

GOOD = "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return x\n"
BAD = GOOD.replace("return x", "return x.numpy()")
TIMEOUT = 60.0


class Watched:
    """A process that watches, and its lines as they arrive."""

    def __init__(self, folder: Path, *options: str, stdout: int = subprocess.PIPE) -> None:
        arguments = [sys.executable, "-u", "-m", "tslint", "check", "--watch", "--output-format", "concise", *options]
        # A runner in the background ignores Ctrl-C, and the processes that it starts would ignore it, too.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            self.process = subprocess.Popen(arguments, cwd=folder, stdout=stdout, stderr=subprocess.STDOUT)
        finally:
            signal.signal(signal.SIGINT, before)
        self.lines: queue.Queue[str] = queue.Queue()
        stream = self.process.stdout
        self.reader = threading.Thread(target=lambda: [self.lines.put(line.decode()) for line in stream or ()])
        self.reader.start()

    def until(self, words: str) -> str:
        """Return the output up to a line with these words."""
        text = ""
        while words not in text:
            text += self.lines.get(timeout=TIMEOUT)
        return text

    def end(self) -> int:
        """Press Ctrl-C."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(TIMEOUT)


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Callable[..., Watched]]:
    processes: list[Watched] = []

    def start(*options: str, stdout: int = subprocess.PIPE) -> Watched:
        processes.append(Watched(tmp_path, *options, stdout=stdout))
        return processes[-1]

    yield start
    for each in processes:
        each.process.kill()
        each.process.wait()
        if each.process.stdout is not None:
            each.reader.join(TIMEOUT)
            each.process.stdout.close()


def test_a_change_is_reported_and_ctrl_c_is_no_failure(watched: Callable[..., Watched], tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(GOOD)
    process = watched()
    assert "All checks passed!" in process.until("Watching 1 file for changes")
    (tmp_path / "net.py").write_text(BAD)
    assert "net.py:6" in process.until("Watching")
    (tmp_path / "more.py").write_text(BAD)
    text = process.until("Watching 2 files")
    assert "net.py:6" in text and "more.py:6" in text
    assert process.end() == 0


def test_a_configuration_that_breaks_is_told_and_can_be_mended(watched: Callable[..., Watched], tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(BAD)
    (tmp_path / "tslint.toml").write_text("")
    process = watched()
    assert "net.py:6" in process.until("Watching 2 files")
    (tmp_path / "tslint.toml").write_text("nonsense = 1\n")
    assert "unknown key nonsense" in process.until("until that is corrected")
    (tmp_path / "tslint.toml").write_text('ignore = ["TS"]\n')
    assert "All checks passed!" in process.until("for changes")
    assert process.end() == 0


def test_a_terminal_is_cleared(watched: Callable[..., Watched], tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(GOOD)
    reader, writer = pty.openpty()
    process = watched(stdout=writer)
    os.close(writer)
    shown = b""
    while b"Ctrl-C" not in shown:
        shown += os.read(reader, 1024)
    assert shown.startswith(b"\x1b[2J\x1b[3J\x1b[H") and b"All checks passed!" in shown
    assert process.end() == 0
    os.close(reader)


@pytest.mark.parametrize("options", [["--fix"], ["--diff"], ["--show-files"], ["--add-ignore"], ["-"]])
def test_options_that_act_once_exclude_watch(options: list[str]) -> None:
    result = CliRunner().invoke(cli, ["check", "--watch", *options])
    assert result.exit_code == 2 and "--watch" in result.output
