"""Tests that whatever the user's code does is a failed stage of its own target; other targets continue, and nothing is
left behind.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests import warm

pytestmark = pytest.mark.slow

SOURCE = '''\
import os, signal, subprocess, sys, time
import torch
from torch import nn


class Good(nn.Module):
    def forward(self, x):
        return x * 2


class ReadsInput(nn.Module):
    def forward(self, x):
        return x if torch.jit.is_scripting() else self.ask(x)

    @torch.jit.unused
    def ask(self, x):
        return x * float(input("how much? "))


class Eats(nn.Module):
    def forward(self, x):
        eaten = []
        while True:
            eaten.append(bytearray(64 * 2**20))


class Daemon(nn.Module):
    """Leaves a process in a session of its own behind, and goes on."""

    @torch.jit.unused
    def leave(self):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(600)
            os._exit(0)
        os.wait()

    def forward(self, x):
        if not torch.jit.is_scripting():
            self.leave()
        return x


class ForksOn(nn.Module):
    """A fork that goes on with the stages as if it were the worker."""

    def forward(self, x):
        os.fork()
        os.fork()
        raise ValueError("forked")


class KillsServer(nn.Module):
    def forward(self, x):
        with open(f"/proc/{os.getppid()}/stat") as stat:
            server = int(stat.read().rpartition(")")[2].split()[1])
        os.kill(server, signal.SIGKILL)
        raise ValueError("killed")


class Prints(nn.Module):
    def forward(self, x):
        for _ in range(200):
            print("loud " * 20_000)
        raise ValueError("printed")


class Closes(nn.Module):
    def forward(self, x):
        sys.stdout.close()
        sys.stderr.close()
        raise ValueError("closed")


def replaces():
    torch.jit.script = lambda module: module
    return Good()


def blinds():
    def assert_close(*_, **__):
        pass
    torch.testing.assert_close = assert_close
    torch.equal = lambda one, other: True
    return Good()


def daemon_thread():
    import threading
    threading.Thread(target=time.sleep, args=(600,)).start()
    return Good()
'''
NAMES = (
    "ReadsInput", "Eats", "Daemon", "ForksOn", "Prints", "Closes", "replaces", "blinds", "daemon_thread", "Good",
)  # fmt: skip
MARKER = f"TSLINT_ROBUST_MARKER={os.getpid()}"


def marked() -> list[str]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if MARKER.encode() in (process / "environ").read_bytes():
                found.append(process.name)
        except OSError:
            continue
    return found


def verify(folder: Path, *arguments: str, timeout: float = 200) -> subprocess.CompletedProcess[str]:
    name, _, value = MARKER.partition("=")
    return subprocess.run(
        [sys.executable, "-m", "tslint", "verify", *arguments, "--output-format", "json"],
        cwd=folder, capture_output=True, text=True, timeout=timeout, check=False, env={**os.environ, name: value},
        # Standard input contains data, as in a terminal, in case that the code reads it.
        input="3\n3\n3\n",
    )  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("robust")
    (folder / "net.py").write_text(SOURCE, encoding="utf-8")
    (folder / "pyproject.toml").write_text(
        "".join(
            f'[tool.tslint.targets.{name}]\ntarget = "net.py:{name}"\ninputs = ["torch.rand(2, 3)"]\n'
            'modes = ["script"]\nmemory = 600\ntimeout = 60\n'
            for name in NAMES
        ),
        encoding="utf-8",
    )
    return folder


@pytest.fixture(scope="module")
def targets(folder: Path) -> dict[str, dict[str, Any]]:
    done = verify(folder, *NAMES)
    assert done.stdout.startswith("{"), done.stderr
    deadline = time.monotonic() + 5
    while marked() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert marked() == []
    return {target["target"]: target for target in json.loads(done.stdout)["targets"]}


@pytest.mark.parametrize(
    ("name", "failed", "words"),
    [
        ("ReadsInput", "eager", "forward raised EOFError"),
        ("ForksOn", "eager", "forward raised ValueError: forked"),
        ("Prints", "eager", "forward raised ValueError: printed"),
        ("Closes", "eager", "forward raised ValueError: closed"),
        ("replaces", "script", "torch.jit.script has been replaced by replaces.<locals>.<lambda> (net.py:"),
        ("blinds", "compare", "torch.testing.assert_close has been replaced by blinds.<locals>.assert_close (net.py:"),
    ],
)
def test_each_crash_or_hang_is_a_failed_stage(
    targets: dict[str, dict[str, Any]], name: str, failed: str, words: str
) -> None:
    stages = {stage["name"]: stage for stage in targets[name]["stages"]}
    assert targets[name]["verdict"] == "fail"
    assert stages[failed]["status"] == "failed", targets[name]
    assert words in stages[failed]["detail"]
    before = [stage["status"] for stage in targets[name]["stages"][: list(stages).index(failed)]]
    assert "failed" not in before


def test_what_needs_more_memory_than_allowed_could_not_be_judged(targets: dict[str, dict[str, Any]]) -> None:
    eager = next(stage for stage in targets["Eats"]["stages"] if stage["name"] == "eager")
    # That it cannot be compiled either is not reported here.
    assert (targets["Eats"]["verdict"], eager["status"]) == ("fail", "unavailable")
    assert eager["detail"].startswith("out of memory: the limit is 600 MiB above torch (--memory, or memory = ")


@pytest.mark.parametrize("name", ["Daemon", "daemon_thread", "Good"])
def test_the_other_targets_are_still_verified(targets: dict[str, dict[str, Any]], name: str) -> None:
    assert targets[name]["verdict"] == "pass", targets[name]


def test_the_server_is_started_anew_when_one_target_kills_it(folder: Path) -> None:
    x = ("--isolated", "--mode", "script", "--inputs", "torch.rand(2, 3)")
    targets = ("net.py:Good", "net.py:KillsServer", "net.py:Good", "net.py:Good")
    command = [sys.executable, "-m", "tslint", "verify", *targets, *x, "--output-format", "json"]
    done = warm.run(command, cwd=folder)
    targets = json.loads(done.stdout)["targets"]
    assert [target["verdict"] for target in targets] == ["pass", "fail", "pass", "pass"], done.stdout


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_nothing_behind_not_even_daemons(folder: Path, number: int, tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    (folder / "daemon.py").write_text(
        SOURCE.replace("        return x\n\n\nclass ForksOn", "        time.sleep(600)\n\n\nclass ForksOn"),
        encoding="utf-8",
    )
    name, _, value = MARKER.partition("=")
    process = subprocess.Popen(
        [sys.executable, "-m", "tslint", "verify", *["daemon.py:Daemon"] * 2, "--inputs", "torch.rand(1)"],
        cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        env={**os.environ, name: value, "TMPDIR": str(temporary)},
    )  # fmt: skip
    deadline = time.monotonic() + 60
    # tslint, two servers, two workers with a fork for each stage, and the processes that each of these left behind.
    while len(marked()) < 7 + min(2, os.cpu_count() or 1) and time.monotonic() < deadline:
        time.sleep(0.1)
    process.send_signal(number)
    _, said = process.communicate(timeout=20)
    assert process.returncode == (2 if number == signal.SIGTERM else 130)
    if number == signal.SIGTERM:
        assert "terminated (SIGTERM); nothing was checked" in said.splitlines()[-1]
    assert "Traceback" not in said
    assert list(temporary.glob("tslint*")) == []
    deadline = time.monotonic() + 10
    while marked() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert marked() == []


def test_six_targets_take_less_than_half_the_work_of_six_runs(folder: Path) -> None:
    def seconds(count: int) -> float:
        """Return the processor time, because the machine may be busy."""
        before = os.times()
        done = verify(
            folder, *["net.py:Good"] * count, "--isolated", "--mode", "script", "--inputs", "torch.rand(2, 3)",
            "--skip", "threads,export",
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system

    assert seconds(6) < 6 * seconds(1) / 2
