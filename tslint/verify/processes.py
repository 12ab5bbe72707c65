"""Starts workers: from a fork server, as forks of this process, or as new processes."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Protocol

from tslint.verify import worker

FORKS = os.name == "posix"
_SERVER = Path(__file__).with_name("forkserver.py")
_WORKER = Path(__file__).with_name("worker.py")


class Process(Protocol):
    """A worker's process, which leads a process group if the system has process groups."""

    pid: int
    events: IO[bytes]
    """The descriptor from which its events are read."""
    lifeline: IO[bytes]
    """The descriptor to which its request is written; when it is closed, the process ends."""

    def poll(self) -> int | None:
        """Return the exit status, as ``subprocess`` does; None while the process runs."""

    def kill(self) -> None:
        """End the process, and wait until it has ended."""


Start = Callable[[Path], Process]
"""Starts a worker with a scratch folder."""


def _environment() -> dict[str, str]:
    # Threads of OpenMP that wait actively slow an operator down, up to sixty times, if other processes need the cores.
    calm = {"OMP_WAIT_POLICY": "PASSIVE"}
    # PYTORCH_JIT=0 disables the compiler for debugging; then everything would seem to compile.
    return calm | {key: value for key, value in os.environ.items() if key != "PYTORCH_JIT"}


class Spawned:
    """A worker as a new process, if the system cannot fork."""

    def __init__(self, scratch: Path) -> None:
        self._process = subprocess.Popen(
            # Started by its path, so that no module in the working folder can replace one that the worker imports.
            [sys.executable, str(_WORKER), str(scratch)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=_environment(),
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.pid, self.lifeline, self.events = self._process.pid, self._process.stdin, self._process.stdout

    def poll(self) -> int | None:
        """Return the exit status of the process; None while it runs."""
        return self._process.poll()

    def kill(self) -> None:
        """End the process."""
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait(timeout=5)


class _Pipes:
    """The two ends of the pipe for a worker's lifeline, and of the pipe for its events."""

    def __init__(self) -> None:
        self.child_lifeline, lifeline = os.pipe()
        events, self.child_events = os.pipe()
        self.lifeline: IO[bytes] = os.fdopen(lifeline, "wb")
        self.events: IO[bytes] = os.fdopen(events, "rb")

    def close_childs(self) -> None:
        """Close the ends that the child uses."""
        os.close(self.child_lifeline)
        os.close(self.child_events)


class Forked:
    """A worker forked from this process, which has the module in its memory.

    Args:
        scratch: the worker's folder.
        given: the module and its inputs.
    """

    def __init__(self, scratch: Path, given: worker.Given) -> None:
        pipes = _Pipes()
        self.lifeline, self.events = pipes.lifeline, pipes.events
        self._status: int | None = None
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):
                stream.flush()
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            os.close(pipes.lifeline.fileno())
            os.close(pipes.events.fileno())
            _limit_threads()
            worker.fork_main(scratch, pipes.child_lifeline, pipes.child_events, given)
        pipes.close_childs()

    def poll(self) -> int | None:
        """Return the exit status of the process; None while it runs."""
        if self._status is None:
            try:
                ended, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:  # other code of this process waits for all children
                self._status = 0
            else:
                self._status = os.waitstatus_to_exitcode(status) if ended else None
        return self._status

    def kill(self) -> None:
        """End the process and its children."""
        _kill_group(self)


def _limit_threads() -> None:
    """Limit torch to one thread: the threads of its pools do not exist in a fork, which would wait for them forever."""
    torch: Any = sys.modules.get("torch")
    with contextlib.suppress(Exception):
        torch.set_num_threads(1)


class _OfServer:
    """A worker that a server has forked."""

    def __init__(self, pipes: _Pipes, status: int, pid: int) -> None:
        self.lifeline, self.events, self.pid = pipes.lifeline, pipes.events, pid
        self._awaited = status
        self._status: int | None = None
        os.set_blocking(status, False)

    def poll(self) -> int | None:
        """Return the exit status; if the server has ended first, the status of a killed process."""
        if self._status is None:
            try:
                said = os.read(self._awaited, 64)
            except BlockingIOError:
                return None
            if not said and _lives(self.pid):  # another worker has killed the server
                return None
            self._status = int(said) if said else -signal.SIGKILL
            os.close(self._awaited)
        return self._status

    def kill(self) -> None:
        """End the process and its children."""
        _kill_group(self)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        # A process for which nothing waits becomes a zombie.
        state = Path(f"/proc/{pid}/stat")
        return not state.is_file() or state.read_text(errors="replace").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _kill_group(process: Process) -> None:
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    deadline = time.monotonic() + 5
    while process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)


class ForkServer:
    """Imports torch once and forks for each target; started on first use, and again if it has died.

    Args:
        many: whether there are several targets, for which common modules are imported once.
    """

    def __init__(self, many: bool) -> None:
        self._many = many
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._closed = False

    def __enter__(self) -> ForkServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self, scratch: Path) -> Process:
        """Start a worker.

        Raises:
            ServerDied: the server ended before it forked the worker.
        """
        pipes = _Pipes()
        status, child_status = os.pipe()
        try:
            with self._lock:
                control = self._running()
                descriptors = [pipes.child_lifeline, pipes.child_events, child_status]
                socket.send_fds(control, [str(scratch).encode()], descriptors)
                # Wait for its answer before the next request: otherwise, two requests could arrive as one message.
                os.close(child_status)
                child_status = -1
                said = _line(status)
            if not said:
                raise ServerDied(self._ended())
            return _OfServer(pipes, status, int(said))
        except BaseException as error:
            os.close(status)
            pipes.lifeline.close()
            pipes.events.close()
            if child_status >= 0:
                os.close(child_status)
            if isinstance(error, OSError):
                raise ServerDied(self._ended()) from error
            raise
        finally:
            pipes.close_childs()

    def close(self) -> None:
        """End the server and all processes that it started."""
        self._closed = True
        if self._control is not None:
            self._control.close()
        if self._process is None:
            return
        try:
            # Wait: the server ends its children first. If it were killed, some of them would become orphans.
            self._process.wait(timeout=3)
        except subprocess.TimeoutExpired:
            pass
        finally:
            # This also ends the server of fresh processes, which is in the same process group.
            with contextlib.suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def interrupt(self) -> None:
        """Cancel a start that waits for torch to load."""
        self._closed = True
        if self._process is not None and self._lock.locked():
            self._process.kill()

    def _running(self) -> socket.socket:
        if self._closed:
            raise ServerDied(-signal.SIGKILL)
        if self._control is not None and self._process is not None and self._process.poll() is None:
            return self._control
        if self._control is not None:
            self._control.close()
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, str(_SERVER), str(theirs.fileno()), "many" if self._many else "one"],
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                # stdout is only for the report, and a sitecustomize may print something.
                stdout=2,
                env=_environment(),
                start_new_session=True,
            )
        return self._control

    def _ended(self) -> int:
        if self._process is None:
            return 0
        try:
            return self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return 0


class ServerDied(Exception):
    """Raised if the fork server ended before it forked a worker.

    Args:
        status: its exit status, as ``subprocess`` returns it.
    """

    def __init__(self, status: int) -> None:
        super().__init__(f"the fork server ended with {status}")
        self.status = status


def _line(descriptor: int) -> bytes:
    line = b""
    while not line.endswith(b"\n"):
        piece = os.read(descriptor, 1)
        if not piece:
            return b""
        line += piece
    return line
