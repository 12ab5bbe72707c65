"""Verifies targets in parallel, one worker each, and computes a verdict from their results."""

from __future__ import annotations

import os
import platform
import queue
import signal
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from tslint.config import shown
from tslint.diagnostics import Diagnostic
from tslint.util import installed
from tslint.verify import limits
from tslint.verify.also_checked import also_checked
from tslint.verify.endings import ending
from tslint.verify.findings import enclosing, finding
from tslint.verify.outcome import Evidence, one_line
from tslint.verify.place import BadTarget, locate
from tslint.verify.processes import FORKS, Forked, ForkServer, Spawned, Start
from tslint.verify.request import Request
from tslint.verify.results import StageResult, Status, TargetVerdict
from tslint.verify.stage_names import STAGES
from tslint.verify.supervise import LOADING_TIMEOUT, Ending, Event, Worker, frames
from tslint.verify.users import is_users
from tslint.verify.verdict import Verdict
from tslint.verify.worker import Given

# Every worker needs its share of memory, and more workers would only compete for the same cores.
_MOST_JOBS = 4
# The static model does not support threads.
_findings_lock = threading.Lock()

_News = StageResult | TargetVerdict | BaseException | str


class TorchMissing(Exception):
    """Torch is not installed in the environment of tslint."""

    def __init__(self) -> None:
        super().__init__(f"tslint verify needs torch: {installed.command('verify')}")


class Progress(Protocol):
    """Receives the progress of a run."""

    def target_started(self, request: Request) -> None:
        """Handle the start of a target."""

    def stage_started(self, name: str) -> None:
        """Handle the start of a stage."""

    def stage_ended(self, result: StageResult) -> None:
        """Handle the end of a stage, or a stage that was skipped."""

    def target_ended(self, verdict: TargetVerdict) -> None:
        """Handle the end of a target."""


class Silence:
    """A :class:`Progress` that shows nothing."""

    def target_started(self, request: Request) -> None:
        """Do nothing."""

    def stage_started(self, name: str) -> None:
        """Do nothing."""

    def stage_ended(self, result: StageResult) -> None:
        """Do nothing."""

    def target_ended(self, verdict: TargetVerdict) -> None:
        """Do nothing."""


def run(requests: Sequence[Request], progress: Progress | None = None, *, jobs: int | None = None) -> Verdict:
    """Verify targets in parallel; an error in the user's code is a stage's result, never an exception.

    Args:
        requests: the targets.
        progress: receives the events of one target after the other; those of the first unfinished one immediately.
        jobs: how many targets at a time; None for a suitable number.

    Raises:
        TorchMissing: torch is not installed.
    """
    if find_spec("torch") is None:
        raise TorchMissing
    heard = progress or Silence()
    cores = os.cpu_count() or 1
    jobs = jobs or min(cores, _MOST_JOBS)
    if len(requests) > 1:
        # Targets that run at the same time share the cores; with more threads, they would wait for each other.
        requests = [replace(request, threads=max(1, cores // min(jobs, len(requests)))) for request in requests]
    stop = threading.Event()
    news: list[queue.SimpleQueue[_News]] = [queue.SimpleQueue() for _ in requests]
    targets: list[_Target] = []
    with ForkServer(many=len(requests) > 1) as server:
        start = server.start if FORKS else Spawned
        pool = ThreadPoolExecutor(max_workers=jobs)
        targets = [_Target(request, _Recorder(inbox), start, stop) for request, inbox in zip(requests, news)]
        try:
            for target in targets:
                pool.submit(target.run_and_tell)
            verdicts = [_listen(target, inbox, heard) for target, inbox in zip(targets, news)]
        finally:
            stop.set()
            server.interrupt()
            pool.shutdown(cancel_futures=True)
    torch = next(filter(None, (target.torch for target in targets)), "") or _installed_torch()
    return Verdict(torch, platform.python_version(), tuple(verdicts))


class Runs:
    """Verifies targets one after the other, and imports torch only once for all; a context manager.

    Raises:
        TorchMissing: torch is not installed.
    """

    def __init__(self) -> None:
        if find_spec("torch") is None:
            raise TorchMissing
        self._server = ForkServer(many=True)
        self._stop = threading.Event()
        self.torch = _installed_torch()

    def __enter__(self) -> Runs:
        self._server.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._server.close()

    def verify(self, request: Request, progress: Progress | None = None) -> TargetVerdict:
        """Verify one target; an error in the user's code is a stage's result, never an exception."""
        heard = progress or Silence()
        heard.target_started(request)
        target = _Target(request, heard, self._server.start if FORKS else Spawned, self._stop)
        verdict = target.run()
        self.torch = target.torch or self.torch
        heard.target_ended(verdict)
        return verdict


def run_given(request: Request, given: Given) -> Verdict:
    """Verify an existing module, in a fork of this process.

    Args:
        request: its target is only a name.
        given: a module (or a class or function that creates one), and the sets of arguments.
    """
    target = _Target(request, Silence(), lambda scratch: Forked(scratch, given), threading.Event(), given=True)
    verdict = target.run()
    return Verdict(target.torch or _installed_torch(), platform.python_version(), (verdict,))


def _listen(target: _Target, news: queue.SimpleQueue[_News], progress: Progress) -> TargetVerdict:
    """Forward a target's events, until its verdict."""
    progress.target_started(target.request)
    while True:
        item = news.get()
        if isinstance(item, BaseException):
            raise item
        if isinstance(item, TargetVerdict):
            progress.target_ended(item)
            return item
        if isinstance(item, StageResult):
            progress.stage_ended(item)
        else:
            progress.stage_started(item)


class _Recorder(Silence):
    """Queues a target's progress for the reporting thread."""

    def __init__(self, news: queue.SimpleQueue[_News]) -> None:
        self._news = news

    def stage_started(self, name: str) -> None:
        """Queue the name of a stage that begins."""
        self._news.put(name)

    def stage_ended(self, result: StageResult) -> None:
        """Queue the result of a stage."""
        self._news.put(result)

    def target_ended(self, verdict: TargetVerdict) -> None:
        """Queue the verdict: the last event of a target, unless its run raises."""
        self._news.put(verdict)

    def broke(self, error: BaseException) -> None:
        """Queue an exception that the run has raised; it is the last event."""
        self._news.put(error)


def _installed_torch() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("torch")
    except PackageNotFoundError:
        return ""


def evidence_findings(evidence: Sequence[Evidence], torch_root: str) -> tuple[Diagnostic, ...]:
    """Return the findings for the evidence of a stage, sorted and without duplicates."""
    with _findings_lock:
        found = [finding(item, torch_root) for item in evidence]
    return tuple(sorted({item for item in found if item}, key=lambda item: item.sort_key))


@dataclass
class _Target:
    """The run of one target through its stages."""

    request: Request
    progress: Progress
    start: Start
    stop: threading.Event
    given: bool = False
    torch: str = ""
    torch_root: str = ""
    results: dict[str, StageResult] = field(default_factory=dict)
    artifacts: dict[str, str | None] = field(default_factory=lambda: {"script": None, "trace": None})
    model_snapshot: dict[str, Any] = field(default_factory=dict)
    snapshot: dict[str, Any] = field(default_factory=dict)
    interfaces: dict[str, Any] | None = None
    facts: dict[str, Any] | None = None
    current: str = STAGES[0]
    shown: str = ""
    since: float = field(default_factory=time.monotonic)

    def run_and_tell(self) -> None:
        """Run a target as :meth:`run` does, and send the result to the recorder."""
        assert isinstance(self.progress, _Recorder)
        try:
            self.progress.target_ended(self.run())
        except BaseException as error:
            self.progress.broke(error)

    def run(self) -> TargetVerdict:
        """Run all stages in order; always return a verdict."""
        if not self.given:
            try:
                # If the target does not exist, no worker is needed.
                locate(self.request.target, Path(self.request.base))
            except BadTarget as error:
                self._end(STAGES[0], "failed", 0.0, f"{error}{self.request.hint}")
                self._skip_rest(f"{STAGES[0]} failed")
                return self._verdict()
        self.progress.stage_started(self.current)
        for _ in range(2):
            with Worker(self.request, self.start, self.stop) as worker:
                for event in worker:
                    self._hear(event)
            # If another worker kills the server, a worker that has not begun may be killed, too: try again.
            if self.torch or worker.ending.kind != "died" or worker.ending.status != -signal.SIGKILL:
                break
        # Once all stages have results, the worker only collects data for the report.
        if worker.ending.kind != "done" and len(self.results) < len(STAGES):
            self._broken_off(worker.ending)
        self._skip_rest("the process ended before this stage")
        return self._verdict()

    def _hear(self, event: Event) -> None:
        kind = event["event"]
        if kind == "hello":
            self.torch, self.torch_root = event["torch"], event["root"]
        elif kind == "start":
            self.current, self.since, self.shown = event["stage"], time.monotonic(), ""
            self.progress.stage_started(self.current)
        elif kind == "model_snapshot":
            self.model_snapshot[event["part"]] = event["value"]
        elif kind == "snapshot":
            self.snapshot[event["part"]] = event["value"]
        elif kind == "interfaces":
            self.interfaces = event["value"]
        elif kind == "facts":
            self.facts = event["value"]
        elif kind == "artifact":
            self.artifacts[event["mode"]] = event["path"]
        elif kind == "died":
            self._died(event["stage"], Ending("died", event["status"], frames(event["stack"])))
        elif kind == "end":
            evidence = tuple(event["evidence"])
            self._end(event["stage"], event["status"], event["seconds"], event["detail"], evidence, event["limit"])
        elif kind == "shown":
            self.shown = event["words"]

    def _broken_off(self, how: Ending) -> None:
        """Mark the worker's current stage as failed, and the later ones as not reached."""
        if how.kind == "timeout" and not self.torch:
            detail = f"torch was not loaded within {LOADING_TIMEOUT:g} s"
        elif how.kind == "timeout":
            users = self.current in ("import", "build", "eager")
            detail = (
                f"did not finish within {self.request.timeout:g} s (--timeout)" if users else limits.time(self.request)
            )
        elif not self.torch:
            detail = f"loading torch failed: the worker {ending(how.status or 0)}"
        else:
            detail = f"the process {ending(how.status or 0)}"
        self._died(self.current, how, detail)
        self._skip_rest(f"{self.current} ended the process")

    def _died(self, stage: str, how: Ending, detail: str = "") -> None:
        """Record a stage whose process ended before it sent an outcome."""
        # Up to `eager`, the user's code has used up the time; in later stages, tslint's own runs have.
        words = "" if how.kind == "timeout" or detail else limits.of_ending(how.status or 0, self.request)
        limit = bool(words) or (how.kind == "timeout" and stage not in ("import", "build", "eager"))
        detail = words or detail or f"the process {ending(how.status or 0)}"
        place = self._innermost(how)
        if place:
            detail += f" {'while at' if how.kind == 'timeout' else 'at'} {place}"
        detail += limits.busy(how.waited)
        self.results.pop(stage, None)
        if limit and self.shown:
            detail += f"; until then: {self.shown}"
        status: Status = "unavailable" if limit else "failed"
        self._end(stage, status, time.monotonic() - self.since, one_line(detail, 600), limit=limit)

    def _innermost(self, how: Ending) -> str:
        for filename, row, _ in how.stack:
            if is_users(filename, self.torch_root):
                step = enclosing(filename, row)
                return f"{shown(Path(filename))}:{row}" + (f" in {step.name}" if step else "")
        return ""

    def _end(
        self, name: str, status: Status, seconds: float, detail: str, evidence: tuple[Evidence, ...] = (),
        limit: bool = False,
    ) -> None:  # fmt: skip
        findings = evidence_findings(evidence, self.torch_root)
        for each in evidence:
            if each["kind"] == "compiled":
                with _findings_lock:
                    findings = also_checked(findings, each)
        result = StageResult(name, status, seconds, detail, findings, limit)
        self.results[name] = result
        self.progress.stage_ended(result)

    def _skip_rest(self, why: str) -> None:
        for name in STAGES:
            if name not in self.results:
                self._end(name, "skipped", 0.0, why)

    def _verdict(self) -> TargetVerdict:
        stages = tuple(self.results[name] for name in STAGES)
        artifacts = self.artifacts if self.request.save_to else None
        return TargetVerdict(
            self.request.title, stages, artifacts, self.model_snapshot or None, self.snapshot or None,
            needed=self.request.needed, interfaces=self.interfaces, archives=self.artifacts, facts=self.facts,
        )  # fmt: skip
