"""threads: calls one loaded instance from several threads at once; compares results, and measures throughput and
stalls.
"""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from tslint.verify.arguments import Arguments, cloned, split
from tslint.verify.arguments import run as run_on
from tslint.verify.blame import TORCH_ROOT, describe
from tslint.verify.difference import first_difference
from tslint.verify.fresh import Encoded, encode
from tslint.verify.messages import runtime_error
from tslint.verify.outcome import Evidence, Outcome, StageFailed, StageSkipped
from tslint.verify.session import SEED, Session, drew, kept_grad_mode, seed
from tslint.verify.stages.eager import NO_INPUTS

THREADS = 4
# The number of calls before the optimised code runs: the executor profiles the first and optimises in the second.
_WARM = 3
# If a second call takes this long, and this many times longer than later ones, the first users of a service would wait.
_STALL_SECONDS = 0.25
_STALL_TIMES = 10
_SECONDS = 0.25
_MOST_CALLS = 250


def run(session: Session) -> Outcome:
    """Call every archive from several threads, and compare each output with that of a single thread."""
    if not session.archives:
        raise StageSkipped("nothing was saved")
    if session.eager is None:
        raise StageSkipped("eager did not pass" if session.inputs else NO_INPUTS)
    if session.unsteady:
        raise StageSkipped(f"no reference to compare with: two eager runs differ ({session.unsteady})")
    said: list[str] = []
    problems: list[str] = []
    stateful: list[str] = []
    evidence: list[Evidence] = []
    # Users who share an instance between threads turn off torch's own threads, which every caller would start again.
    own = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        for mode, path in session.archives.items():
            numbers = sorted(session.outputs.get(mode, {}))
            if not numbers:
                continue
            try:
                report = functools.partial(_report, session, said, mode)
                instance = _Instance(session, _loaded(session, mode, path), report)
                said.append(f"{mode}: {instance.run(numbers)}")
                session.report_shown("; ".join(said))
                if instance.stall:
                    said.append(instance.stall)
                    evidence.append(_evidence(session, f"{mode}: {instance.stall}"))
            except StageFailed as error:
                problems.append(f"{mode}: {error.outcome.detail}")
            except StageSkipped as error:
                stateful.append(f"{mode}: {error.outcome.detail}")
    finally:
        torch.set_num_threads(own)
    if problems:
        raise StageFailed("; ".join([*problems, *stateful]))
    if stateful:
        raise StageSkipped("; ".join([*stateful, *said]))
    if not said:
        raise StageSkipped("no compiled module ran without an error")
    return Outcome(detail="; ".join(said), evidence=tuple(evidence))


def _report(session: Session, said: list[str], mode: str, words: str) -> None:
    """Report the results of the earlier modes, and the results of this mode so far."""
    session.report_shown("; ".join([*said, f"{mode}: {words}"]))


def _loaded(session: Session, mode: str, path: Path) -> Any:
    try:
        return session.compiled.to_run(mode, path)
    except Exception as error:
        raise StageSkipped(f"cannot be loaded: {describe(error, where=False)}") from error


def _evidence(session: Session, stall: str) -> Evidence:
    message = (
        f"{stall}: the executor profiles and optimises in the first calls of each process; make two warm-up calls "
        "before serving"
    )
    return {
        "kind": "observed", "code": "TS907", "severity": "info", "stage": "load", "message": message,
        "place": session.place,
    }  # fmt: skip


class _Instance:
    """One loaded module and its results in a single thread.

    Args:
        session: the session of the target.
        module: the loaded module.
        report: called with a remark on the calls so far.
    """

    def __init__(self, session: Session, module: Any, report: Callable[[str], None]) -> None:
        self._session = session
        self._report = report
        self._module = module
        self._tolerance = session.tolerance
        self._reference: dict[int, Encoded] = {}
        self._random = False
        self._grad = torch.is_grad_enabled()
        self._problems: list[str] = []
        self.stall = ""
        """A remark on slow first calls, which profile and optimise; empty if they take about as long as later ones."""

    def run(self, numbers: list[int]) -> str:
        """Compute the reference, then call from all threads.

        Raises:
            StageFailed: a thread got another result, or an exception.
            StageSkipped: consecutive calls differ, so there is no reference.
        """
        seconds = self._alone(numbers)
        calls = max(1, min(_MOST_CALLS, int(_SECONDS / max(*seconds, 1e-6)) // THREADS))
        todo = [numbers[call % len(numbers)] for call in range(max(calls, len(numbers)))]
        outputs: dict[str, list[Any]] = {"a single thread": []}
        self._report("the same outputs in calls in a row, threads not yet run")
        single = 1 / max(sum(seconds) / len(seconds), 1e-6)
        if len(todo) > len(numbers):
            started = time.perf_counter()
            self._calls(todo, "a single thread", outputs["a single thread"])
            single = len(todo) / (time.perf_counter() - started)
        gate = threading.Barrier(THREADS + 1)

        def caller(number: int) -> None:
            who = f"thread {number + 1} of {THREADS}"
            kept = outputs.setdefault(who, [])
            gate.wait()
            # Each thread begins with another set of inputs, so that the threads do not all run the same set.
            self._calls(todo[number % len(todo) :] + todo[: number % len(todo)], who, kept)

        threads = [threading.Thread(target=caller, args=(number,), daemon=True) for number in range(THREADS)]
        for thread in threads:
            thread.start()
        gate.wait()
        started = time.perf_counter()
        for thread in threads:
            thread.join()
        together = THREADS * len(todo) / (time.perf_counter() - started)
        if not self._problems:
            self._report(f"{THREADS} threads on one instance without an exception, outputs not yet compared")
        # Compared only afterwards, because comparing runs in Python, where only one thread runs at a time.
        for who, kept in outputs.items():
            self._compare(who, kept)
        if self._problems:
            raise StageFailed(self._problems[0])
        same = "outputs of the same form (values are drawn at random)" if self._random else "the same outputs"
        rate = f"{together / single:.1f} times one thread's throughput ({_rate(single)} to {_rate(together)} calls/s)"
        return f"{THREADS} threads on one instance, {same}, {rate}"

    def _alone(self, numbers: list[int]) -> list[float]:
        """Compute the reference by consecutive calls in one thread; return the seconds of a warm call for each set of
        inputs.
        """
        seconds: list[float] = []
        for number in numbers:
            arguments = self._session.inputs[number]
            first: list[float] = []
            for _ in range(_WARM):
                seed()
                started = time.perf_counter()
                output = self._call(arguments)
                first.append(time.perf_counter() - started)
                self._check_state(number, output)
            warm = first[-1]
            if drew() or max(first) >= _STALL_SECONDS:
                positional, keywords = split(cloned(arguments))
                seed(SEED + 1)
                started = time.perf_counter()
                again = encode(self._module(*positional, **keywords))
                warm = time.perf_counter() - started
                self.stall = self.stall or _stall(first, warm)
                # A module whose output differs with another seed draws random numbers.
                self._random = self._random or bool(self._differs(number, again))
            seconds.append(warm)
        # Check whether calls on one set of inputs change the result for another.
        for number in numbers if len(numbers) > 1 else ():
            seed()
            self._check_state(number, self._call(self._session.inputs[number]))
        return seconds

    def _check_state(self, number: int, output: Encoded) -> None:
        if number not in self._reference:
            self._reference[number] = output
            return
        difference = self._differs(number, output)
        if difference:
            raise StageSkipped(
                f"calls in a row differ ({difference}): forward keeps state, so threads must not share an instance; "
                "load one for each"
            )

    def _differs(self, number: int, output: Encoded) -> str | None:
        return first_difference(self._reference[number], output, "in one call", "in a later one", self._tolerance)

    def _calls(self, todo: list[int], who: str, kept: list[tuple[int, Any]]) -> None:
        """Call the module and store each result, or the exception, which would be lost in a thread."""
        torch.set_num_threads(1)
        # The grad mode is that of the current thread, so each thread sets it.
        with torch.set_grad_enabled(self._grad):
            for number in todo:
                try:
                    kept.append((number, run_on(self._module, self._session.inputs[number])))
                except BaseException as error:
                    reason = runtime_error(str(error), TORCH_ROOT) or describe(error)
                    self._problems.append(f"{who} raised {reason}{self._session.set_name(number)}")
                    return

    def _compare(self, who: str, kept: list[tuple[int, Any]]) -> None:
        for number, output in kept:
            difference = first_difference(
                self._reference[number], encode(output), "in a single thread", f"in {who}", self._tolerance,
                values=not self._random,
            )  # fmt: skip
            if difference:
                self._problems.append(difference + self._session.set_name(number))
                return

    def _call(self, arguments: Arguments) -> Encoded:
        with kept_grad_mode():
            return encode(run_on(self._module, arguments))


def _stall(first: list[float], warm: float) -> str:
    slowest = max(first)
    if slowest < _STALL_SECONDS or slowest < _STALL_TIMES * warm:
        return ""
    which = ("first", "second", "third")[first.index(slowest)]
    return f"the {which} call takes {slowest:.1f} s, a later one {warm * 1000:.1f} ms"


def _rate(calls: float) -> str:
    return f"{calls:,.0f}" if calls >= 100 else f"{calls:.3g}"
