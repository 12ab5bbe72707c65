"""Forks programs from one process that has imported what each of them would import first: torch, or the server.

``run`` is ``subprocess.run`` for a Python program: the program runs in a process of its own that has only imported
torch. ``python -m tslint``, which never imports torch, is started as usual, and only its fork server is forked. The
fork servers for targets that this process verifies are forked, too. Everything else about these servers is unchanged:
they are ``forkserver.py``, run as separate processes that have only imported torch, here with a few more of its
modules.

``language_server`` is ``subprocess.Popen`` for ``python -m tslint server``, which never imports torch: it is forked
from a process that has only imported tslint.

Run as a program, this file has two uses. With a key of ``PARTS`` and the descriptor of a socket, it is the process that
has imported these modules. It gets one message for each program (arguments, folder, variables) with some descriptors:
for its process id and exit status, its output, its errors, and its input or, for a fork server, the socket of that.
With ``tslint``, a descriptor and arguments, it is tslint, which requests its fork server there.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import runpy
import select
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

# Modules that nearly every program imports at some time; of torch, most of those that export imports.
PARTS = {
    "torch": (
        "torch", "torch.testing", "torch.distributed._functional_collectives", "torch.distributed.tensor",
        "torch._dynamo", "torch.export._trace", "torch._export.passes.replace_set_grad_with_hop_pass",
        "torch._inductor.fx_passes.dedupe_symint_uses", "torch._inductor.sizevars", "sympy.tensor.tensor",
    ),
    "server": ("tslint.cli.server", "tslint.server.server", "tslint.lint.analysis", "tslint.rulekit.code", "libcst"),
}  # fmt: skip
# Variables that do not affect what was done before the fork, or that the fork applies; torch itself sets the last one.
FREE = (
    "CI", "COLUMNS", "FORCE_COLOR", "GITHUB_", "NO_COLOR", "PYTEST_", "PYTHONDONTWRITEBYTECODE", "PYTHONIOENCODING",
    "PYTHONPATH", "PYTORCH_JIT", "TORCHINDUCTOR_CACHE_DIR",
)  # fmt: skip
TSLINT = ([sys.executable, "-m", "tslint", "verify"], [sys.executable, "-m", "tslint", "annotate"])


class Forked:
    """A forked process, with the interface of ``subprocess.Popen``."""

    def __init__(self, pipe: int) -> None:
        self._pipe = os.fdopen(pipe, "rb", buffering=0)
        said = b""
        while not said.endswith(b"\n"):
            piece = self._pipe.read(1)
            if not piece:
                raise ConnectionError("the process that forks has ended")
            said += piece
        self.pid = int(said)
        os.set_blocking(pipe, False)
        self.returncode: int | None = None

    def poll(self) -> int | None:
        if self.returncode is None:
            said = self._pipe.read(64)
            if said is not None:
                self.returncode = int(said or b"-9")
                self._pipe.close()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        end = None if timeout is None else time.monotonic() + timeout
        while self.poll() is None:
            if end is not None and time.monotonic() > end:
                raise subprocess.TimeoutExpired("forked", timeout or 0)
            select.select([self._pipe], [], [], 0.05)
        assert self.returncode is not None
        return self.returncode

    def kill(self) -> None:
        if self.poll() is None:
            os.kill(self.pid, 9)


class Warm:
    """Replaces ``subprocess`` in ``tslint.verify.processes``.

    Args:
        server: the program of fork servers.
        control: the socket of the process that forks; None to start one on first use.
        parts: the modules that it has imported, a key of ``PARTS``.
    """

    def __init__(self, server: Path, control: socket.socket | None = None, parts: str = "torch") -> None:
        self._server = str(server)
        self._parts = parts
        self._environ = _of_torch(os.environ)
        self._process: subprocess.Popen[bytes] | None = None
        self._control = control

    def __getattr__(self, name: str) -> Any:
        return getattr(subprocess, name)

    def Popen(self, command: Sequence[str], **options: Any) -> Any:
        """Fork a server; start other programs, and servers with other variables, as usual."""
        environ = dict(options.get("env") or {})
        if command[:2] != [sys.executable, self._server] or not self.serves(environ):
            return subprocess.Popen(command, **options)
        # Its output goes to the same place as its errors.
        descriptors = [options["stdout"], options["stdout"], *options["pass_fds"]]
        return self.fork(command[1:], environ, Path.cwd(), descriptors)

    def run(self, command: Sequence[str], **options: Any) -> Any:
        """Fork the fresh process of ``reload``, if the process that forks is running; start others as usual."""
        if self._control is None or command[1] != "-I" or not self.serves(options["env"]):
            return subprocess.run(command, **options)
        status = self.fork(command[1:], options["env"], options["cwd"], [1, 2]).wait()
        return subprocess.CompletedProcess(command, status)

    def serves(self, environ: Mapping[str, str]) -> bool:
        """Return whether a process with these variables would have imported torch in the same way."""
        return _of_torch(environ) == self._environ

    def fork(
        self,
        arguments: Sequence[str],
        environ: Mapping[str, str],
        folder: Path,
        descriptors: list[int],
        *,
        reads: bool = False,
    ) -> Forked:
        """Start Python with these arguments; the last descriptor is its input if it ``reads``."""
        request = {"arguments": arguments, "folder": str(folder), "environ": dict(environ), "reads": reads}
        reading, writing = os.pipe()
        try:
            socket.send_fds(self.control, [json.dumps(request).encode()], [writing, *descriptors])
        finally:
            os.close(writing)
        return Forked(reading)

    @property
    def control(self) -> socket.socket:
        """Return the socket for requests; start the process that forks if it is not running yet."""
        if self._control is None:
            self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with theirs:
                command = [sys.executable, __file__, self._parts, str(theirs.fileno())]
                self._process = subprocess.Popen(
                    command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stdout=2, start_new_session=True
                )
        return self._control

    def close(self) -> None:
        """End the process."""
        if self._control is not None and self._process is not None:
            self._control.close()
            self._process.wait()


_current: list[Warm] = []
_servers: list[Warm] = []


def ready() -> None:
    """Start the process that has imported torch, for workers that this process forks itself."""
    if _current:
        _ = _current[-1].control


def language_server(folder: Path | None, *, fresh: bool = False) -> Any:
    """Start ``python -m tslint server`` as ``subprocess.Popen`` would, with pipes for its input and output."""
    arguments = ["-m", "tslint", "server"]
    if fresh or not _servers:
        pipe = subprocess.PIPE
        return subprocess.Popen([sys.executable, *arguments], stdin=pipe, stdout=pipe, stderr=pipe, cwd=folder)
    (theirs_in, stdin), (stdout, theirs_out), (stderr, theirs_err) = os.pipe(), os.pipe(), os.pipe()
    try:
        descriptors = [theirs_out, theirs_err, theirs_in]
        process: Any = _servers[-1].fork(arguments, os.environ, folder or Path.cwd(), descriptors, reads=True)
    finally:
        for descriptor in (theirs_in, theirs_out, theirs_err):
            os.close(descriptor)
    process.stdin, process.stdout, process.stderr = (
        os.fdopen(stdin, "wb"),
        os.fdopen(stdout, "rb"),
        os.fdopen(stderr, "rb"),
    )
    return process


def run(
    command: Sequence[str],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float = 500,
    check: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Run Python as ``subprocess.run`` would, and capture its output; torch is already imported."""
    environ = dict(os.environ if env is None else env)
    warm = _current[-1] if _current else None
    if warm is None or command[0] != sys.executable or not warm.serves(environ):
        return subprocess.run(
            command, cwd=cwd, env=environ, timeout=timeout, check=check, capture_output=True, encoding="utf-8"
        )
    if command[:4] in TSLINT:
        descriptor = warm.control.fileno()
        command = [sys.executable, __file__, "tslint", str(descriptor), *command[3:]]
        return subprocess.run(
            command, cwd=cwd, env=environ, timeout=timeout, check=check, capture_output=True, encoding="utf-8",
            pass_fds=[descriptor],
        )  # fmt: skip
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = warm.fork(command[1:], environ, cwd or Path.cwd(), [out.fileno(), err.fileno()])
        try:
            status = process.wait(timeout)
        finally:
            process.kill()
        printed = []
        for stream in (out, err):
            stream.seek(0)
            printed.append(stream.read().decode("utf-8"))
    done = subprocess.CompletedProcess(list(command), status, *printed)
    if check:
        done.check_returncode()
    return done


def _of_torch(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that could affect what was done before the fork."""
    return {key: value for key, value in environ.items() if not key.startswith(FREE)}


def patched() -> Iterator[None]:
    """Fork tslint's fork servers in the tests of this process; for programs that the tests start, ``run`` does it."""
    # Imported here, because the program only knows torch.
    import pytest

    from tslint.verify import fresh_process, processes

    warm, servers = Warm(processes._SERVER), Warm(processes._SERVER, parts="server")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(processes, "subprocess", warm)
        patch.setattr(fresh_process, "subprocess", warm)
        _current.append(warm)
        _servers.append(servers)
        yield
        _current.remove(warm)
        _servers.remove(servers)
    warm.close()
    servers.close()


def serve(control: socket.socket, parts: str) -> None:
    """Fork programs until the tests have ended."""
    for part in PARTS[parts]:
        with contextlib.suppress(ImportError):
            importlib.import_module(part)
    # Garbage collection in each process need not visit these objects.
    gc.collect()
    gc.freeze()
    running: dict[int, int] = {}
    while True:
        ready, _, _ = select.select([control], [], [], 0.01 if running else None)
        if ready:
            message, descriptors, _, _ = socket.recv_fds(control, 1 << 20, 4)
            if not message:
                return
            request = json.loads(message)
            pipe, *theirs = descriptors
            process = os.fork()
            if process == 0:
                for descriptor in (control.fileno(), pipe, *running.values()):
                    os.close(descriptor)
                become(request, *theirs)
            for descriptor in theirs:
                os.close(descriptor)
            os.write(pipe, f"{process}\n".encode())
            running[process] = pipe
        for process in list(running):
            ended, status = os.waitpid(process, os.WNOHANG)
            if ended:
                pipe = running.pop(process)
                with contextlib.suppress(OSError):  # the requester no longer waits for it
                    os.write(pipe, f"{os.waitstatus_to_exitcode(status)}\n".encode())
                os.close(pipe)


def become(request: dict[str, Any], out: int, err: int, *more: int) -> None:
    """Continue as the requested program, in a session of its own; when it ends, the process does."""
    os.setsid()
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environ"])
    arguments = request["arguments"]
    own = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    if arguments[0] == "-I":
        sys.path[:] = [each for each in sys.path if each not in own]
    else:
        sys.path[:0] = [each for each in own if each not in {"", *sys.path}]
    sys.dont_write_bytecode = bool(os.environ.get("PYTHONDONTWRITEBYTECODE"))
    os.dup2(out, 1)
    os.dup2(err, 2)
    reads = more if request["reads"] else ()
    for descriptor in reads:
        os.dup2(descriptor, 0)
    for descriptor in {out, err, *reads}:
        os.close(descriptor)
    encoding = os.environ.get("PYTHONIOENCODING") or None
    sys.stdout = open(1, "w", encoding=encoding, closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", 1, encoding=encoding, errors="backslashreplace", closefd=False)  # noqa: SIM115
    if more and not reads:
        # The socket of a fork server has another number in this process.
        arguments[1] = str(more[0])
    execute(arguments)
    sys.exit()


def execute(arguments: list[str]) -> None:
    """Run Python code as the Python program does with these arguments; the first folder of the path is set in the same
    way.
    """
    first, *rest = arguments
    if first == "-c":
        code, *rest = rest
        sys.argv = ["-c", *rest]
        sys.path.insert(0, "")
        sys.modules["__main__"] = main = ModuleType("__main__")
        exec(compile(code, "<string>", "exec"), vars(main))
    elif first == "-m":
        name, *rest = rest
        sys.argv = [name, *rest]
        sys.path.insert(0, os.getcwd())
        runpy.run_module(name, run_name="__main__", alter_sys=True)
    elif first == "-I":
        sys.argv = rest
        runpy.run_path(rest[0], run_name="__main__")
    else:
        sys.argv = [first, *rest]
        sys.path.insert(0, str(Path(first).resolve().parent))
        runpy.run_path(first, run_name="__main__")


def tslint(control: socket.socket, arguments: list[str]) -> None:
    """Run ``python -m tslint``; its fork server is forked from the process that has imported torch."""
    from tslint.verify import processes

    vars(processes)["subprocess"] = Warm(processes._SERVER, control)
    execute(["-m", "tslint", *arguments])


if __name__ == "__main__":
    del sys.path[0]
    if sys.argv[1] == "tslint":
        tslint(socket.socket(fileno=int(sys.argv[2])), sys.argv[3:])
    else:
        serve(socket.socket(fileno=int(sys.argv[2])), sys.argv[1])
