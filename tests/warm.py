"""Fork servers of tslint, forked off one process that has imported torch: what each of them would do first.

The tests that verify something in this process would have torch imported once for each of them. Everything else about
the server is as it would be: it is ``forkserver.py``, run as a process of its own that knows nothing but torch, here
with a few more of its parts.

Run as a program, this is that process. Its argument is the descriptor of a socket with one message for each server
(arguments, folder) and three descriptors: the server's socket, its stderr, and where its process id and its exit status
are told.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import runpy
import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

# What nearly every worker imports sooner or later; the last of them, where it exports.
PARTS = ("torch", "torch.testing", "torch.distributed._functional_collectives", "torch._dynamo", "torch.export._trace")


class Server:
    """A server that was forked, as ``subprocess.Popen`` has it."""

    def __init__(self, told: int) -> None:
        self._told = os.fdopen(told, "rb", buffering=0)
        said = b""
        while not said.endswith(b"\n"):
            piece = self._told.read(1)
            if not piece:
                raise ConnectionError("the process that forks has ended")
            said += piece
        self.pid = int(said)
        os.set_blocking(told, False)
        self.returncode: int | None = None

    def poll(self) -> int | None:
        if self.returncode is None:
            said = self._told.read(64)
            if said is not None:
                self.returncode = int(said or b"-9")
                self._told.close()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        end = None if timeout is None else time.monotonic() + timeout
        while self.poll() is None:
            if end is not None and time.monotonic() > end:
                raise subprocess.TimeoutExpired("forkserver", timeout or 0)
            select.select([self._told], [], [], 0.05)
        assert self.returncode is not None
        return self.returncode

    def kill(self) -> None:
        if self.poll() is None:
            os.kill(self.pid, 9)


class Warm:
    """Stands for ``subprocess`` in ``tslint.verify.processes``."""

    def __init__(self, server: Path) -> None:
        self._server = str(server)
        self._environ = _of_torch(os.environ)
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(subprocess, name)

    def Popen(self, command: Sequence[str], **options: Any) -> Any:
        """Fork a server; whatever else is started, or gets other variables, is started as ever."""
        environ = dict(options.get("env") or {})
        if command[:2] != [sys.executable, self._server] or _of_torch(environ) != self._environ:
            return subprocess.Popen(command, **options)
        control = self._running()
        reading, writing = os.pipe()
        request = json.dumps({"arguments": command[1:], "folder": os.getcwd(), "environ": environ})
        socket.send_fds(control, [request.encode()], [*options["pass_fds"], options["stdout"], writing])
        os.close(writing)
        return Server(reading)

    def _running(self) -> socket.socket:
        if self._control is None:
            self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with theirs:
                command = [sys.executable, __file__, str(theirs.fileno())]
                self._process = subprocess.Popen(
                    command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stdout=2, start_new_session=True
                )
        return self._control

    def close(self) -> None:
        """End the process."""
        if self._control is not None and self._process is not None:
            self._control.close()
            self._process.wait()


def _of_torch(environ: Mapping[str, str]) -> dict[str, str]:
    """All variables but those that say which test runs."""
    return {key: value for key, value in environ.items() if not key.startswith(("PYTEST_", "PYTORCH_JIT"))}


def patched() -> Iterator[None]:
    """Have tslint's fork servers forked in this process's tests (not in the programs that these start)."""
    # Not at the top: the program knows nothing but torch.
    import pytest

    from tslint.verify import processes

    warm = Warm(processes._SERVER)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(processes, "subprocess", warm)
        yield
    warm.close()


def serve(control: socket.socket) -> None:
    """Fork servers until the tests have ended."""
    for part in PARTS:
        with contextlib.suppress(ImportError):
            importlib.import_module(part)
    running: dict[int, int] = {}
    while True:
        ready, _, _ = select.select([control], [], [], 0.01 if running else None)
        if ready:
            message, descriptors, _, _ = socket.recv_fds(control, 1 << 20, 3)
            if not message:
                return
            request = json.loads(message)
            theirs, stderr, told = descriptors
            process = os.fork()
            if process == 0:
                for descriptor in (control.fileno(), told, *running.values()):
                    os.close(descriptor)
                become(request, theirs, stderr)
            os.close(theirs)
            os.close(stderr)
            os.write(told, f"{process}\n".encode())
            running[process] = told
        for process in list(running):
            ended, status = os.waitpid(process, os.WNOHANG)
            if ended:
                told = running.pop(process)
                with contextlib.suppress(OSError):  # nobody waits for it
                    os.write(told, f"{os.waitstatus_to_exitcode(status)}\n".encode())
                os.close(told)


def become(request: dict[str, Any], theirs: int, stderr: int) -> None:
    """Go on as the server that was asked for, in a session of its own."""
    try:
        os.setsid()
        os.chdir(request["folder"])
        os.environ.clear()
        os.environ.update(request["environ"])
        os.dup2(stderr, 1)
        os.dup2(stderr, 2)
        os.close(stderr)
        script, _, many = request["arguments"]
        sys.argv = [script, str(theirs), many]
        # As Python has it for a script; the server takes it away.
        sys.path.insert(0, str(Path(script).parent))
        runpy.run_path(script, run_name="__main__")
    finally:
        os._exit(1)


if __name__ == "__main__":
    del sys.path[0]
    serve(socket.socket(fileno=int(sys.argv[1])))
