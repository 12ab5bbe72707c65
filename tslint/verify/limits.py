"""Reports limits that are not errors of the user's module: memory, time and disk, with the setting to change."""

from __future__ import annotations

import signal

from tslint.verify.outcome import Outcome
from tslint.verify.request import Request

# Messages of torch, Python and the C++ library if they cannot allocate memory.
_NO_MEMORY = ("can't allocate memory", "not enough memory", "MemoryError", "Cannot allocate memory", "bad_alloc")
_NO_ROOM = ("No space left on device", "Disk quota exceeded", "failed writing file", "unexpected pos")
NO_ROOM_STATUS = 74
"""The exit status of a process that has no disk space to report its result."""
NO_FOLDER_STATUS = 75
"""The exit status of a process whose working folder has been removed."""


def out_of_memory(words: str) -> bool:
    """Return whether an error's message is about memory."""
    return any(each in words for each in _NO_MEMORY)


def limited(outcome: Outcome, request: Request) -> Outcome:
    """Return the outcome or, if it failed because memory or disk space ran out, an ``unavailable`` one instead."""
    if outcome.status not in ("failed", "skipped"):
        return outcome
    if out_of_memory(outcome.detail):
        return Outcome("unavailable", f"{memory(request)}: {outcome.detail}", limit=True)
    if any(each in outcome.detail for each in _NO_ROOM):
        return Outcome("unavailable", f"{room(request)}: {outcome.detail}", limit=True)
    return outcome


def of_ending(status: int, request: Request) -> str:
    """Describe the limit that ended a process; empty if it was not ended by a limit."""
    if status == -signal.SIGKILL:
        return f"{memory(request)}, or the machine has no memory left: the system killed the process"
    if status == NO_FOLDER_STATUS:
        return "something has removed the temporary folder that tslint works in"
    return room(request) if status == NO_ROOM_STATUS else ""


def memory(request: Request) -> str:
    """Return the message for running out of memory."""
    return f"out of memory: the limit is {request.memory} MiB above torch ({_setting('memory')})"


def time(request: Request) -> str:
    """Return the message for running out of time."""
    return f"did not finish within {request.timeout:g} s for all stages ({_setting('timeout')})"


def busy(waited: float) -> str:
    """Return a remark for a target that ran out of time on a busy machine; empty if the target hardly waited for a
    core.

    Args:
        waited: the seconds in which it had work to do and no core.
    """
    return f"; the machine is busy: for {waited:.0f} s, other processes used the cores" if waited >= 1 else ""


def room(request: Request) -> str:
    """Return the message for running out of disk space."""
    folders = "--save-to" if request.save_to else "TMPDIR"
    return f"the disk is full (choose another folder with {folders})"


def _setting(name: str) -> str:
    return f"--{name}, or {name} = … under [tool.tslint.targets.NAME]"
