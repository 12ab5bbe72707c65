"""Tests what ``check``, ``rule``, ``scope`` and ``server`` do outside of the process, with an audit hook.

They must import neither user code nor torch, write only what was requested, and read only the project and installed
files.
"""

from __future__ import annotations

import json
import os
import site
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import tslint

WATCHED = Path(__file__).with_name("watched.py")
# Importing this file, or running it as a configuration, creates a file.
TRAP = "import pathlib\npathlib.Path(__file__).with_name('imported').write_text('')\n"
NET = f"""\
{TRAP}
import torch
from torch import nn
import numpy as np
from pkg.other import helper
from .other import helper as again
import beside
import outside_of_everything


class Net(nn.Module):
    def forward(self, x, size: int = None):
        return +helper(beside.double(x)), again(x)


torch.jit.script(Net())
"""
OTHER = f"{TRAP}\nimport torch\n\n\ndef helper(x):\n    return +x\n"
FILES = {
    "project/pyproject.toml": '[tool.tslint]\nselect = ["TS"]\nextend-exclude = ["skipped"]\n',
    "project/.gitignore": "ignored/\n",
    "project/.git/HEAD": "",
    "project/setup.py": TRAP,
    "project/conftest.py": TRAP,
    "project/sitecustomize.py": TRAP,
    "project/beside.py": f"{TRAP}\n\ndef double(x):\n    return x\n",
    "project/torch.py": TRAP,
    "project/pkg/__init__.py": TRAP,
    "project/pkg/net.py": NET,
    "project/pkg/other.py": OTHER,
    "project/ignored/net.py": NET,
    "project/skipped/net.py": NET,
    "outside_of_everything.py": TRAP,
    "secret.py": "def f(:\n",
}
TOOLS = {"torch", "numpy", "pandas", "scipy"}
# Audit events for actions that change something, or communicate.
CHANGES = (
    "write", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "os.symlink", "os.truncate", "os.chmod",
    "os.chown", "os.utime", "os.system", "os.exec", "os.spawn", "os.kill", "subprocess.Popen", "os.posix_spawn",
    "shutil.", "tempfile.", "urllib.", "http.", "socket.connect", "socket.bind", "socket.getaddrinfo",
)  # fmt: skip


@dataclass(frozen=True)
class Seen:
    """The actions of a command.

    Args:
        root: the folder of the files.
        out: the output of the command.
        rows: the events with their details.
    """

    root: Path
    out: str
    rows: list[list[str]]

    def of(self, *events: str) -> set[str]:
        return {row[1] for row in self.rows if row[0].startswith(events)}

    @property
    def changes(self) -> list[list[str]]:
        return [row for row in self.rows if row[0].startswith(CHANGES) and row[1] not in (os.devnull, "")]

    @property
    def modules(self) -> dict[str, str]:
        return {row[1]: row[2] for row in self.rows if row[0] == "module"}

    def below(self, *events: str) -> set[str]:
        """Return the paths of events below the root, relative to it."""
        root = str(self.root) + os.sep
        return {Path(path[len(root) :]).as_posix() for path in self.of(*events) if path.startswith(root)}


def installed() -> tuple[str, ...]:
    """Return the folders of Python, of its packages, and of tslint itself if that is installed from a checkout."""
    names = ("stdlib", "platstdlib", "purelib", "platlib", "scripts")
    folders = [sysconfig.get_path(name) for name in names] + [*site.getsitepackages(), site.getusersitepackages()]
    spec = find_spec("tslint.rules")
    assert spec is not None and spec.origin is not None and tslint.__file__ is not None
    package = os.path.dirname(tslint.__file__)
    own = [package, os.path.dirname(spec.origin), f"{package}.egg-info", str(WATCHED)]
    real = [sys.prefix, sys.base_prefix, sys.exec_prefix, *own, *folders]
    return tuple({os.path.abspath(each) for each in real} | {os.path.realpath(each) for each in real})


@pytest.fixture
def watch(folder: Callable[..., Path], tmp_path: Path) -> Callable[..., Seen]:
    root = folder(FILES)
    (root / "project/pkg/linked.py").symlink_to(root / "secret.py")
    (root / "project/pkg/linked").symlink_to(root, target_is_directory=True)

    def run(*arguments: str, talk: Callable[[subprocess.Popen[bytes]], bytes] | None = None) -> Seen:
        log = tmp_path / "log.txt"
        environ = {key: value for key, value in os.environ.items() if not key.startswith(("TSLINT", "PYTHONPATH"))}
        environ |= {"PYTHONDONTWRITEBYTECODE": "1", "XDG_CACHE_HOME": str(root / "cache"), "HOME": str(root / "home")}
        command = [sys.executable, str(WATCHED), str(log), *arguments]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        with subprocess.Popen(command, cwd=root / "project", env=environ, **pipes) as process:
            said = talk(process) if talk is not None else b""
            out, err = process.communicate(timeout=120)
        assert process.returncode in (0, 1), err.decode()
        rows = [line.split("\t") for line in log.read_text("utf-8", "surrogateescape").splitlines() if "\t" in line]
        log.unlink()
        return Seen(root, (said + out).decode(), rows)

    return run


def harmless(seen: Seen) -> None:
    """Check that no user code and no torch ran, and that only the project and installed files were read."""
    assert not list(seen.root.rglob("imported"))
    assert not TOOLS & set(seen.modules)
    root = str(seen.root)
    assert not [name for name, path in seen.modules.items() if path.startswith(root)]
    assert not [path for path in seen.of("exec") if path.startswith(root)]
    read = seen.of("read", "os.listdir", "os.scandir")
    known = (str(seen.root / "project"), *installed())
    strange = {path for path in read if os.path.isabs(path) and not path.startswith(known)}
    # Files that Python itself reads when it starts, or sets up messages and time zones.
    assert not {path for path in strange if not path.startswith(("/proc/", "/etc/", "/usr/share/", "/dev/"))}, strange
    assert not {path for path in seen.below("read") if "secret" in path or path.startswith("outside")}
    assert str(seen.root / "secret.py") not in {os.path.realpath(path) for path in seen.of("read")}


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "--no-cache"),
        ("check", "--no-cache", "pkg/net.py", "--output-format", "sarif"),
        ("check", "--no-cache", "--isolated", "--diff", "--unsafe-fixes", "."),
        ("check", "--no-cache", "--statistics", "--jobs", "1"),
        ("check", "--show-files"),
        ("check", "--show-settings"),
        ("scope", "pkg/net.py"),
        ("scope", "."),
        ("rule", "--all"),
        ("rule", "try-block"),
    ],
    ids=" ".join,
)
def test_a_command_reads_and_writes_nothing_else(watch: Callable[..., Seen], arguments: tuple[str, ...]) -> None:
    seen = watch(*arguments)
    harmless(seen)
    assert seen.changes == []
    assert not seen.of("os.fork")


def test_check_finds_what_is_there(watch: Callable[..., Seen]) -> None:
    """The planted files are found, so that the other tests do not test an empty run."""
    seen = watch("check", "--no-cache", "--output-format", "concise", "pkg/net.py", "pkg/other.py")
    assert "TS122" in seen.out
    expected = {"pkg/net.py", "pkg/other.py", "beside.py", "pyproject.toml"}
    assert {f"project/{name}" for name in expected} <= seen.below("read")


def test_a_fix_writes_the_file_and_nothing_else(watch: Callable[..., Seen]) -> None:
    seen = watch("check", "--no-cache", "--fix", "--unsafe-fixes", "pkg/net.py")
    harmless(seen)
    folder = str(seen.root / "project/pkg")
    assert {row[0] for row in seen.changes} <= {"write", "tempfile.mkstemp", "os.chmod", "os.chown", "os.rename"}
    for _, path, *_ in seen.changes:
        name = os.path.relpath(path, folder)
        assert (name.startswith(".tslint-") and name.endswith(".tmp")) or name == "net.py", path
    text = " ".join((seen.root / "project/pkg/net.py").read_text().split())
    assert "( helper(beside.double(x)) if torch.jit.is_scripting() else " in text
    assert "return +x" in (seen.root / "project/pkg/other.py").read_text()


def test_a_cached_run_writes_the_cache_and_nothing_else(watch: Callable[..., Seen]) -> None:
    for _ in range(2):
        seen = watch("check")
        harmless(seen)
        places = (".tslint_cache", ".tslint-cache", ".cache", "cache")
        for row in seen.changes:
            relative = Path(os.path.relpath(row[1], seen.root)).parts
            assert any(part in places for part in relative), row


def test_modules_of_known_names_in_the_working_folder_are_not_imported(watch: Callable[..., Seen]) -> None:
    root = watch("rule", "try-block").root
    for name in ("click", "libcst", "pathspec", "json", "difflib", "torch"):
        (root / "project" / f"{name}.py").write_text(TRAP)
    harmless(watch("check", "--no-cache", "--diff", "--output-format", "json", "pkg/net.py"))
    # ``python -m`` adds the working folder to the path first; tslint removes it.
    command = [sys.executable, "-m", "tslint", "check", "--no-cache", "--diff", "pkg/net.py"]
    result = subprocess.run(command, cwd=root / "project", capture_output=True, text=True, timeout=120)
    assert result.returncode == 1, result.stderr
    assert not list(root.rglob("imported"))


def message(method: str, params: dict[str, Any], number: int | None = None) -> bytes:
    body: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
    if number is not None:
        body["id"] = number
    data = json.dumps(body).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(data), data)


@pytest.mark.slow
def test_the_server_reads_and_writes_nothing_else(watch: Callable[..., Seen], tmp_path: Path) -> None:
    root = tmp_path / "project"
    uri = (root / "pkg/net.py").as_uri()
    document = {"uri": uri, "languageId": "python", "version": 1, "text": NET}
    questions = [
        message("initialize", {"processId": None, "rootUri": root.as_uri(), "capabilities": {}}, 1),
        message("initialized", {}),
        message("textDocument/didOpen", {"textDocument": document}),
        message("textDocument/diagnostic", {"textDocument": {"uri": uri}}, 2),
    ]

    def talk(process: subprocess.Popen[bytes]) -> bytes:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(b"".join(questions))
        process.stdin.flush()
        said = b""
        while b"TS122" not in said:
            part = os.read(process.stdout.fileno(), 65536)
            assert part, said
            said += part
        process.stdin.write(message("shutdown", {}, 3) + message("exit", {}))
        process.stdin.flush()
        return said

    seen = watch("server", talk=talk)
    harmless(seen)
    assert seen.changes == []
    assert "TS122" in seen.out
