"""generalize: runs script and trace on other inputs for which eager works."""

from __future__ import annotations

from typing import Any

from tslint.util.record import record
from tslint.verify.agreement import complaint, disagreement, excused
from tslint.verify.arguments import Arguments
from tslint.verify.baked import Baked, baked
from tslint.verify.fresh import Encoded
from tslint.verify.interface import shapes
from tslint.verify.limits import out_of_memory
from tslint.verify.outcome import Evidence, Outcome, StageFailed, StageSkipped
from tslint.verify.session import Session, call
from tslint.verify.shrink import smallest
from tslint.verify.spelled import spelled
from tslint.verify.stages.eager import NO_INPUTS, summary
from tslint.verify.time_limit import Budget, Clock, at_most
from tslint.verify.variants import Variant, is_large, tensors, values, variants

SECONDS = 10.0
_SECONDS_TO_SHRINK = 3.0
_SECONDS_PER_CALL = 2.0
_MORE_THAN_GIVEN = 50


@record
class Counterexample:
    """Inputs for which eager works, and a compiled module has another result.

    Args:
        mode: ``script`` or ``trace``.
        words: how the inputs differ from the given ones.
        arguments: the inputs.
        expected: eager's output.
        output: the compiled module's output; None if it raises.
        difference: the difference of the two, as text.
        error: the exception of the compiled module.
    """

    mode: str
    words: str
    arguments: Arguments
    expected: Encoded
    output: Encoded | None = None
    difference: str | None = None
    error: BaseException | None = None

    def describe(self) -> str:
        """Return a sentence, such as ``trace differs from eager on torch.zeros(1, 3): output: 1 of 1 values differ by
        up to 2 in trace``.
        """
        given = spelled(self.arguments, self.words)
        if self.error is None:
            return f"{self.mode} differs from eager on {given}: {self.difference}"
        return (
            f"{self.mode} raises on {given}, where eager gives {summary(self.expected)}: {complaint(self.error)}"
        )  # fmt: skip


def run(session: Session) -> Outcome:
    """Search for a counterexample for each mode, and reduce it to the smallest inputs. It fails the stage, unless its
    inputs are of another kind than the given ones: then it is a warning.
    """
    if session.eager is None:
        raise StageSkipped("eager did not pass" if session.inputs else NO_INPUTS)
    if not session.compiled:
        raise StageSkipped("nothing was compiled")
    modes = [mode for mode in session.compiled if _agrees(session, mode)]
    if not modes:
        raise StageSkipped("the compiled module already differs from eager on the given inputs; see compare")
    search = _Search(session, modes)
    search.run()
    failed = [_described(session, example) for example in search.found]
    warned = [_described(session, example) for example in search.warned]
    evidence = [item for _, item in failed if item]
    evidence += [{**item, "severity": "warning"} for _, item in warned if item]
    if failed:
        raise StageFailed("; ".join(text for text, _ in (*failed, *warned)), *evidence)
    if not search.tried and search.broken_off:
        raise StageSkipped(f"one run takes too long to try other inputs within {search.seconds:g} s")
    if not search.tried:
        raise StageSkipped("no other inputs were found for which eager works")
    rest = f", {search.seconds:.3g} s were not enough for more" if search.broken_off else ""
    detail = f"{' and '.join(modes)} as in eager on {_other_sets(search.tried)}{rest}"
    return Outcome(detail="; but ".join([detail, *(text for text, _ in warned)]), evidence=tuple(evidence))


def _other_sets(number: int) -> str:
    return f"{number} other set{'s' if number != 1 else ''} of inputs"


def _agrees(session: Session, mode: str) -> bool:
    outputs = session.outputs.get(mode, {})
    assert session.eager is not None
    return len(outputs) == len(session.eager) and not any(
        disagreement(session, session.eager[number], output, mode, session.inputs[number])
        for number, output in outputs.items()
    )


class _Search:
    """The search for counterexamples, one for each mode.

    Args:
        session: the session with the given inputs.
        modes: the modes that agree with eager on these inputs.
    """

    def __init__(self, session: Session, modes: list[str]) -> None:
        self.found: list[Counterexample] = []
        self.warned: list[Counterexample] = []
        """Inputs with other dtypes than the given ones, which the module may not support."""
        self.tried = 0
        self.broken_off = False
        self._taken: set[str] = set()
        self._session = session
        self._live = list(modes)
        # Examples for which eager gives nan, by mode: most often these inputs are not valid (a length of 0).
        self._doubtful: dict[str, Counterexample] = {}
        self._nan_is_normal = any(_has_nan(output) for output in session.eager or ())
        # The time-out is for the whole target: without a limit here, the search could make a correct module fail.
        self.seconds = min(SECONDS, session.request.timeout / 6)
        self._budget = Budget(self.seconds, session.request.timeout / 5)
        # A loop that does not end for other inputs is not a counterexample, and must not use up all the time.
        self._limit = _SECONDS_PER_CALL

    def run(self) -> None:
        """Search until every mode has a counterexample, all variants are tried, or the time is over."""
        self._try_all()
        for mode, example in self._doubtful.items():
            if mode in self._live:
                self._fail(example)

    def _try_all(self) -> None:
        for arguments in self._session.inputs:
            second = self._seconds_for(arguments)
            given = sum(tensor.numel() for tensor in tensors(arguments))
            others = list(values(arguments))
            # If a run is costly, each change of values is first tried together with a change of sizes, in one run; it
            # is tried alone only if eager rejects both together.
            waiting = [each for each in others if each.varied] if is_large(arguments) else []
            alone = [each for each in others if each not in waiting]
            for variant in variants(arguments, getattr(self._session.built, "forward", None), alone):
                if not self._live:
                    return
                if variant.last_resort and variant.family in self._taken:
                    continue
                size = sum(tensor.numel() for tensor in tensors(variant.arguments))
                if not self._budget or second * max(1.0, size / max(given, 1)) > self._budget.left:
                    self.broken_off = True
                    continue
                if waiting and variant.resized:
                    first = waiting.pop(0)
                    if self._try(first.of(variant)):
                        continue
                    # Eager may still accept each of the two changes alone.
                    waiting.append(first)
                self._try(variant)
            for each in waiting:
                if not self._live:
                    return
                if second > self._budget.left:
                    self.broken_off = True
                    break
                self._try(each.of(Variant("", arguments)))

    def _seconds_for(self, arguments: Arguments) -> float:
        """Run eager on the given inputs; return the expected seconds for one variant, and set the limit for a call."""
        self._limit = self.seconds
        clock = Clock()
        self._eager(arguments)
        self._limit = max(0.5, min(_SECONDS_PER_CALL, _MORE_THAN_GIVEN * clock.wall))
        return clock.spent * (1 + len(self._live))

    def _try(self, variant: Variant) -> bool:
        """Compare the modes with eager on a variant, if eager accepts it; return whether eager does."""
        modes = [mode for mode in self._live if variant.for_trace or mode == "script"]
        arguments = variant.arguments
        expected = self._eager(arguments) if modes else None
        if expected is None:
            return False
        self._taken.add(variant.family)
        self.tried += 1
        for mode in modes:
            example = self._against(mode, variant.words, arguments, expected)
            shown = shapes(arguments, expected) if example is None and not variant.of_another_kind else None
            if shown:
                self._session.agreed.setdefault(mode, []).append(shown)
            if not example or excused(self._session, expected, example.output, arguments):
                continue
            if not variant.of_another_kind and self._is_doubtful(expected):
                self._doubtful.setdefault(mode, example)
            elif not variant.of_another_kind:
                self._fail(example)
            elif mode not in [other.mode for other in self.warned]:
                self.warned.append(self._shrunk(example))
        if self._live and not self.warned:
            self._session.report_shown(f"{' and '.join(self._live)} as in eager on {_other_sets(self.tried)}")
        return True

    def _fail(self, example: Counterexample) -> None:
        self._live.remove(example.mode)
        self.found.append(self._shrunk(example))

    def _is_doubtful(self, expected: Encoded) -> bool:
        return not self._nan_is_normal and _has_nan(expected)

    def _eager(self, arguments: Arguments) -> Encoded | None:
        try:
            with at_most(min(self._limit, max(self._budget.left, 0.1))):
                return call(self._session.built, arguments)
        except BaseException:
            # Inputs that eager rejects are not counterexamples.
            return None

    def _against(self, mode: str, words: str, arguments: Arguments, expected: Encoded) -> Counterexample | None:
        module: Any = self._session.compiled[mode]
        try:
            output = call(module, arguments)
        except BaseException as error:
            if out_of_memory(str(error) or type(error).__name__):
                # The limit is tslint's, not an error of the module.
                return None
            return Counterexample(mode, words, arguments, expected, error=error)
        difference = disagreement(self._session, expected, output, mode, arguments)
        return Counterexample(mode, words, arguments, expected, output, difference) if difference else None

    def _shrunk(self, example: Counterexample) -> Counterexample:
        best = example

        def happens(arguments: Arguments) -> bool:
            nonlocal best
            expected = self._eager(arguments)
            if expected is None or (self._is_doubtful(expected) and not self._is_doubtful(example.expected)):
                return False
            found = self._against(example.mode, example.words, arguments, expected)
            # Another kind of failure is not the same counterexample.
            if found is None or (found.error is None) != (example.error is None):
                return False
            if excused(self._session, expected, found.output, arguments):
                return False
            best = found
            return True

        smallest(example.arguments, happens, Budget(min(_SECONDS_TO_SHRINK, self.seconds / 3)))
        return best


def _has_nan(output: Encoded) -> bool:
    return any(bool(tensor.isnan().any()) for tensor in tensors(output))


def _described(session: Session, example: Counterexample) -> tuple[str, Evidence | None]:
    text = example.describe()
    line: Baked | None = None
    if example.mode == "trace":
        line = baked(session, example.arguments)
    return (text + line.words, line.evidence(text)) if line else (text, None)
