"""The process that imports torch once for all targets, and forks for each of them (POSIX).

It is run by its path; its arguments are a descriptor, and ``one`` or ``many`` for the number of targets. The descriptor
is a socket on which the parent requests workers: one message for each, with the worker's scratch folder and three
descriptors (for its lifeline, for its events, and for its process id and exit status). When the parent ends, all
started processes are ended.

Before it imports anything except torch, it forks a second server (``fresh.py``), which forks the fresh processes of
``reload``: these use the same import of torch, and have neither tslint nor the user's code in memory.
"""

from __future__ import annotations

import contextlib
import gc
import importlib.util
import os
import select
import signal
import socket
import sys
import threading
from pathlib import Path
from types import ModuleType

_PR_SET_CHILD_SUBREAPER = 36
# Modules that the stages need, and whose import takes longer than verifying a small target.
_PRELOADED = ("torch.testing", "tslint.verify.session", "tslint.verify.blame")
# Modules that ``trace``, ``device`` and ``export`` import: loading them is only worth it for several targets.
_PRELOADED_FOR_MANY = (
    "torch.fx", "torch.distributed._functional_collectives", "torch.distributed.tensor", "torch._dynamo",
    "torch.export._trace", "torch._export.db.examples",
)  # fmt: skip


def main(control: socket.socket, many: bool) -> None:
    """Import torch, and fork on request until the parent ends.

    Args:
        control: the socket to the parent.
        many: whether there are several targets.
    """
    _adopt_orphans()
    try:
        import torch  # noqa: F401
    except BaseException:
        # Every worker tries again, and reports the error.
        fresh = None
    else:
        fresh = _fork_fresh(control)
    if importlib.util.find_spec("tslint") is None:
        sys.path.append(str(Path(__file__).resolve().parents[2]))
    from tslint.verify import fresh_process, worker

    fresh_process.SERVER = fresh
    _preload((*_PRELOADED, *_PRELOADED_FOR_MANY) if many else _PRELOADED)
    _preload_stages()
    # The garbage collector of a worker then skips these million objects, so their memory need not be copied.
    gc.collect()
    gc.freeze()
    # The descriptors to which exit statuses are sent, by the id of the process.
    running: dict[int, int] = {}
    while True:
        ready, _, _ = select.select([control], [], [], 0.02 if running else None)
        if ready:
            message, descriptors, _, _ = socket.recv_fds(control, 65536, 3)
            if not message:
                break
            lifeline, events, status = descriptors
            process = os.fork()
            if process == 0:
                for descriptor in (control.fileno(), status, *running.values()):
                    os.close(descriptor)
                os.setsid()
                worker.fork_main(Path(message.decode()), lifeline, events)
            os.close(lifeline)
            os.close(events)
            _send(status, f"{process}\n")
            running[process] = status
        _reap(running)
    _kill_descendants()


def _reap(running: dict[int, int]) -> None:
    """Report the exit statuses of workers that have ended; for adopted orphans, only free their process ids."""
    while True:
        try:
            process, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not process:
            return
        if process in running:
            awaited = running.pop(process)
            _send(awaited, f"{os.waitstatus_to_exitcode(status)}\n")
            os.close(awaited)


def _send(descriptor: int, text: str) -> None:
    with contextlib.suppress(OSError):  # the parent no longer needs the result
        os.write(descriptor, text.encode())


def _preload(names: tuple[str, ...]) -> None:
    for name in names:
        try:
            importlib.import_module(name)
        except Exception:
            continue  # torch is missing or has no such module; the stage that needs it reports that


def _preload_stages() -> None:
    """Import the stages and the modules that they share, so that forks need not."""
    from tslint.verify import stages
    from tslint.verify.stage_names import STAGES

    for name in STAGES:
        # Torch is missing or another version; the stage that needs it reports that.
        with contextlib.suppress(Exception):
            stages.load(name)


def _fork_fresh(control: socket.socket) -> socket.socket | None:
    """Fork the server of fresh processes, which ends with this process.

    Returns:
        The socket for requests to it.
    """
    mine, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    process = os.fork()
    if process:
        theirs.close()
        return mine
    control.close()
    mine.close()
    try:
        path = Path(__file__).with_name("fresh.py")
        spec = importlib.util.spec_from_file_location("fresh", path)
        assert spec is not None
        assert spec.loader is not None
        fresh: ModuleType = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(fresh)
        fresh.serve(theirs)
    finally:
        os._exit(0)


def _adopt_orphans() -> None:
    """Become the parent of orphaned processes of the user's code, so that they can be ended."""
    if not sys.platform.startswith("linux"):
        return
    import ctypes

    # With another libc this fails: then only process groups are ended.
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _kill_descendants() -> None:
    """End every process below this one, also those that have left their process group."""
    while True:
        below = _children(os.getpid())
        if not below:
            return
        for process in below:
            try:
                # When a process has ended, its children become children of this process.
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)
            except OSError:
                continue


def _children(parent: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name in parentheses may contain anything, parentheses included.
            fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent:
            found.append(int(stat.parent.name))
    return found


if __name__ == "__main__":
    # Python adds this file's folder to the beginning of the path.
    if not getattr(sys.flags, "safe_path", False):
        del sys.path[0]
    # In a fork of a process with several threads, locks may stay held forever.
    assert threading.active_count() == 1
    main(socket.socket(fileno=int(sys.argv[1])), sys.argv[2] == "many")
    os._exit(0)
