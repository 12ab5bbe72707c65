"""The worker: the only process of ``verify`` that imports torch and runs the user's code.

It is forked by the fork server or by :func:`tslint.verify.api.verify`; if the system cannot fork, it is started by its
path with a scratch folder as its argument. The request is the first line of its lifeline, which then stays open as
long as the parent lives; events go to the parent, one line of JSON each. The user's code gets an empty standard input,
and its standard output goes to stderr.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

if __name__ == "__main__":
    # Python adds this file's folder (or, with -m, the working folder) to the beginning of the path.
    if not getattr(sys.flags, "safe_path", False):
        del sys.path[0]
    if importlib.util.find_spec("tslint") is None:
        sys.path.append(str(Path(__file__).resolve().parents[2]))

import contextlib
import faulthandler
import json
import os
import signal
import threading
import time
import traceback
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

from tslint.verify.limits import limited
from tslint.verify.outcome import Outcome, StageFailed, StageSkipped, one_line
from tslint.verify.request import Request
from tslint.verify.results import NOT_ASKED_FOR
from tslint.verify.stage_names import STAGES
from tslint.verify.stages import load

if TYPE_CHECKING:
    from tslint.verify.forked_stages import ForkedStages, Stage
    from tslint.verify.grad_modes import BothGradModes
    from tslint.verify.session import Session

Given = tuple[Any, list[tuple[Any, ...]]]
"""The module for ``build`` (or the class or function that creates it), and its sets of arguments."""

_MIB = 1024 * 1024
# The virtual memory that each thread of torch's pools uses for its stack and its malloc arena.
_PER_THREAD = 80 * _MIB


class Channel:
    """Sends events to the parent.

    Args:
        descriptor: the descriptor to which events are written.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._process = os.getpid()

    def adopt(self) -> None:
        """Make this process the one that sends events, and that prints its stack on request."""
        self._process = os.getpid()
        self.send("process", pid=self._process)

    def send(self, event: str, **values: Any) -> None:
        """Send one event; when this returns, the event is in the pipe, even if the process then crashes."""
        if os.getpid() != self._process:
            # The user's code has forked, and the fork continues as if it were the worker.
            os._exit(0)
        data = json.dumps({"event": event, **values}, default=str).encode() + b"\n"
        while data:
            data = data[os.write(self._descriptor, data) :]

    def tell(self, event: str) -> Callable[[str, Any], None]:
        """Return a function that sends events of one kind, each with the name of a part and its value."""
        return lambda part, value: self.send(event, part=part, value=value)


def main(scratch: Path) -> None:
    """Verify the target that standard input names, in this process (if the system cannot fork)."""
    events = os.dup(1)
    work(scratch, *_settle(os.dup(0), events))


def fork_main(scratch: Path, lifeline: int, events: int, given: Given | None = None) -> NoReturn:
    """Verify one target in a process that has just been forked and leads a session of its own.

    Args:
        scratch: the target's folder.
        lifeline: the descriptor for the request; its end means that the result is no longer needed.
        events: the descriptor for events.
        given: a module and its inputs, if the request does not name a target.
    """
    try:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM):
            signal.signal(number, signal.SIG_DFL)
        # The old streams (those of a test runner, for example) belong to the parent.
        sys.stdin = os.fdopen(0, closefd=False)
        sys.stdout = os.fdopen(2, "w", closefd=False, errors="backslashreplace")
        sys.stderr = os.fdopen(2, "w", closefd=False, errors="backslashreplace", buffering=1)
        work(scratch, *_settle(lifeline, events), given)
    except BaseException:
        traceback.print_exc()
    finally:
        # Threads and atexit functions, the user's or the parent's, must not keep the process alive.
        os._exit(0)


def _settle(lifeline: int, events: int) -> tuple[int, Channel]:
    """Give the user's code an empty standard input, and send its standard output to stderr.

    Return the lifeline and the channel for events.
    """
    channel = Channel(events)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    return lifeline, channel


def work(scratch: Path, lifeline: int, channel: Channel, given: Given | None = None) -> None:
    """Run all stages of one target.

    Args:
        scratch: an empty folder for files; if Python crashes, its stack is written there.
        lifeline: the file descriptor whose first line is the request; when its other end is closed, this process ends.
        channel: gets the events: the start and the result of each stage, then ``done``.
        given: an existing module and its inputs; None to import the target that the request names.
    """
    request = Request.loads(_first_line(lifeline))
    _die_with_parent(lifeline)
    _write_stack_on_crash(scratch)
    channel.send("start", stage=STAGES[0])
    started = time.monotonic()
    try:
        # All of them import torch.
        from tslint.verify import built_facts, model_snapshot, snapshot
        from tslint.verify.forked_stages import ForkedStages
    except BaseException as error:
        detail = one_line(f"torch cannot be imported: {type(error).__name__}: {error}")
        _end(channel, STAGES[0], time.monotonic() - started, Outcome("failed", detail))
        channel.send("done")
        return
    session = _prepared(request, scratch, channel)
    if given is not None:
        session.attribute, session.inputs = given

    def reported(name: str, session: Session) -> Outcome:
        """Run a stage, and send the further data that was requested."""
        outcome = _run(name, session, session.request)
        if session.request.facts:
            built_facts.after(name, session, lambda facts: channel.send("facts", value=facts))
        if session.request.snapshot:
            snapshot.after(name, session, channel.tell("snapshot"))
        if session.request.model_snapshot:
            model_snapshot.after(name, session, channel.tell("model_snapshot"))
        _flush()
        return outcome

    forked = ForkedStages(session, reported, channel.adopt)
    _all_stages(forked, session, channel, reported, given is not None)
    if request.triton and session.eager is not None:
        from tslint.verify.interface import interface

        channel.send("interfaces", value={mode: interface(session, mode) for mode in session.archives})
    if request.model_snapshot:
        forked.apart(lambda: model_snapshot.at_the_end(session, channel.tell("model_snapshot")))
    channel.send("done")


def _all_stages(forked: ForkedStages, session: Session, channel: Channel, reported: Stage, given: bool) -> None:
    """Run one stage after the other, and send each result."""
    from tslint.verify.grad_modes import BothGradModes
    from tslint.verify.tools import Tools

    tools = Tools()
    request = session.request
    both: BothGradModes | None = None
    broken = ""
    for name in request.pipeline:
        if broken or not request.asks_for(name):
            _end(channel, name, 0.0, Outcome("skipped", broken or NOT_ASKED_FOR))
            continue
        channel.send("start", stage=name)
        started = time.monotonic()
        outcome: Outcome | int
        if name == "import" and given:
            outcome = Outcome(detail="given in Python")
        else:
            outcome = tools.replaced(name) or forked.run(name)
            if name == "build" and request.grad == "both":
                both = BothGradModes(session, reported, channel.adopt)
            elif both is not None:
                outcome = both.run(name, outcome)
        if isinstance(outcome, int):
            channel.send("died", stage=name, status=outcome, stack=_stack(session.scratch))
            broken = f"{name} ended the process" if name == "eager" else ""
            continue
        _end(channel, name, time.monotonic() - started, outcome)
        if outcome.status == "failed" and name in ("import", "build", "construct"):
            broken = f"{name} failed"
        if name == request.until:
            broken = broken or f"{name} was enough"


def _stack(scratch: Path) -> str:
    """Return the stack that a crashed process has written, and clear it."""
    file = scratch / "stack"
    with contextlib.suppress(OSError):
        text = file.read_text(encoding="utf-8", errors="replace")
        os.truncate(file, 0)
        return text
    return ""


def _prepared(request: Request, scratch: Path, channel: Channel) -> Session:
    """Return the session of a target, in a process with torch and the target's limits."""
    import torch

    from tslint.verify import moved
    from tslint.verify.session import Session

    for category in (DeprecationWarning, FutureWarning):  # FutureWarning since torch 2.14
        warnings.filterwarnings("ignore", message=r".*torch\.jit", category=category)
    # If `device` makes torch import its compiler, torch creates this folder and does not remove it.
    os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", str(scratch / "torchinductor"))
    if request.threads:
        torch.set_num_threads(request.threads)
    _limit_memory(request.memory)
    channel.send("hello", torch=str(torch.__version__), root=str(Path(torch.__file__).resolve().parent))
    if request.moved:
        moved.install(*request.moved)
    return Session(
        request,
        scratch,
        lambda mode, path: channel.send("artifact", mode=mode, path=str(path.resolve())),
        lambda seconds: channel.send("more-time", seconds=seconds),
        lambda words: channel.send("shown", words=words),
    )


def _run(name: str, session: Session, request: Request) -> Outcome:
    from tslint.verify.blame import describe

    try:
        outcome = load(name)(session)
    except (StageFailed, StageSkipped) as error:
        outcome = error.outcome
    except BaseException as error:
        outcome = Outcome("failed", describe(error))
    return limited(outcome, request)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        # The user's code may have closed or replaced the stream.
        with contextlib.suppress(Exception):
            stream.flush()


def _end(channel: Channel, name: str, seconds: float, outcome: Outcome) -> None:
    channel.send(
        "end", stage=name, status=outcome.status, seconds=seconds, detail=outcome.detail, evidence=outcome.evidence,
        limit=outcome.limit,
    )  # fmt: skip


def _first_line(descriptor: int) -> str:
    data = b""
    while not data.endswith(b"\n"):
        piece = os.read(descriptor, 1)
        if not piece:
            break
        data += piece
    return data.decode()


def _die_with_parent(lifeline: int) -> None:
    """End this process and its children when the parent has ended, for any reason."""

    def wait() -> None:
        while os.read(lifeline, 4096):
            pass
        if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _write_stack_on_crash(scratch: Path) -> None:
    """Make Python write the stack to a file on a crash, and when the parent asks for it."""
    stack = os.open(scratch / "stack", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    faulthandler.enable(file=stack, all_threads=False)
    if hasattr(faulthandler, "register"):
        # Only the stack of the thread that gets the signal is written.
        faulthandler.register(signal.SIGUSR1, file=stack, all_threads=False)


def _limit_memory(mebibytes: int) -> None:
    """Limit the address space to the current use plus the given mebibytes (on Linux, without CUDA), and write no core
    dumps.
    """
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    import torch

    # CUDA reserves hundreds of gigabytes of address space.
    if not sys.platform.startswith("linux") or torch.cuda.is_available():
        return
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    taken = pages * resource.getpagesize() + _PER_THREAD * (torch.get_num_threads() + torch.get_num_interop_threads())
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = taken + mebibytes * _MIB
    resource.setrlimit(resource.RLIMIT_AS, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
    # Threads and atexit functions of the user must not keep the process alive.
    os._exit(0)
