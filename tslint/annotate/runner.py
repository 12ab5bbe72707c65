"""Runs targets in workers, as ``verify`` does, and merges their records."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from tslint.annotate.seen import Seen
from tslint.util import installed
from tslint.verify.endings import ending
from tslint.verify.outcome import one_line
from tslint.verify.place import BadTarget, locate
from tslint.verify.processes import FORKS, ForkServer, Spawned, Start
from tslint.verify.request import Request
from tslint.verify.supervise import Ending, Worker


class TorchMissing(Exception):
    """Torch is not installed in the environment of tslint."""

    def __init__(self) -> None:
        super().__init__(f"tslint annotate needs torch: {installed.command('verify')}")


@dataclass
class Observed:
    """The records of all targets.

    Args:
        files: the records by absolute path.
        problems: one line for each target that did not run to the end.
    """

    files: dict[str, Seen] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def observe(requests: Sequence[Request]) -> Observed:
    """Run targets one after the other.

    Args:
        requests: the targets, with the pipeline ``OBSERVE``.

    Raises:
        TorchMissing: torch is not installed.
    """
    if find_spec("torch") is None:
        raise TorchMissing
    observed = Observed()
    with ForkServer(many=False) as server:
        start = server.start if FORKS else Spawned
        for request in requests:
            problem = _run(request, start, observed)
            if problem:
                observed.problems.append(f"{request.title}: {problem}")
    return observed


def _run(request: Request, start: Start, observed: Observed) -> str:
    """Run one target.

    Returns:
        Why the target did not run to the end; empty if it did.
    """
    try:
        locate(request.target, Path(request.base))
    except BadTarget as error:
        return f"{error}{request.hint}"
    problem, seen = "", False
    with Worker(request, start, threading.Event()) as worker:
        for event in worker:
            if event["event"] != "end":
                continue
            if event["status"] == "failed":
                problem = problem or str(event["detail"])
            for evidence in event["evidence"]:
                seen = True
                for file, data in evidence["files"].items():
                    _merge(observed, file, Seen.load(data))
    if not problem and not seen:
        problem = _broken_off(worker.ending, request)
    return problem


def _merge(observed: Observed, file: str, seen: Seen) -> None:
    known = observed.files.get(file)
    if known is None:
        observed.files[file] = seen
    elif known.digest == seen.digest:
        known.merge(seen)
    else:
        problem = f"{file} changed between two runs; run tslint again"
        observed.problems += [] if problem in observed.problems else [problem]


def _broken_off(how: Ending, request: Request) -> str:
    if how.kind == "timeout":
        return f"did not finish within {request.timeout:g} s (--timeout)"
    return one_line(f"the process {ending(how.status or 0)}")
