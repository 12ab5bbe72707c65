"""Checks whether fixes keep what a random module computes."""

from __future__ import annotations

import builtins
import hashlib
import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from random_modules import declared, fixing, running
from random_modules.modules import Made
from random_modules.running import Lived, Outcome, TooLong, as_list, draws_unread, lived, loaded, same
from tslint.diagnostics import Applicability, Diagnostic, Risk
from tslint.fixing.circles import Spot

# The number of fixes of a module that are applied alone, and of constructions that are compiled.
SINGLES = 3
SCRIPTED = 2
# The number of fixes that are left out, one after the other, to find those that change something together.
MOST_TRIED = 15
# The first words of the kinds of failures in Python.
EAGER = ("changed", "lost", "other", "refused")
_SIGNATURE = r"forward\(\) (takes|got an unexpected keyword)"


# Stored results are valid as long as these files are the same.
_JUDGES = [
    hashlib.sha256(Path(file).read_bytes()).hexdigest() for file in (__file__, declared.__file__, str(running.__file__))
]


class Invalid(Exception):
    """A module that cannot be compared."""


@dataclass(frozen=True)
class Failure:
    """A broken promise.

    Args:
        kind: the broken promise.
        variant: ``safe``, ``unsafe``, or ``single`` with the transformation.
        build, call: the construction, and the call if the failure is about a call.
        before, after: the two results.
        culprits: the transformation that causes it alone, or those that cause it together.
    """

    kind: str
    variant: str
    build: str
    call: str
    before: str
    after: str
    culprits: tuple[str, ...] = ()

    @property
    def group(self) -> str:
        """Return the group of the failure: failures of one group probably have the same cause."""
        return f"{self.kind}: {' + '.join(self.culprits)}"


@dataclass
class Variant:
    """A fixed text.

    Args:
        name: the name of the variant, as in a failure.
        text: the text of the file.
        safe: whether all fixes were safe.
        risks: the risks that the fixes declare.
        announced: whether a remaining finding says that compiled code differs.
        fixes: the transformations, as often as they were applied.
        notes: what was not done, as printed by ``--fix``.
        gives_up: the transformations that are a last resort, which only a person may choose.
    """

    name: str
    text: str
    safe: bool
    risks: frozenset[Risk]
    announced: bool
    fixes: list[str]
    notes: tuple[str, ...] = ()
    gives_up: tuple[str, ...] = ()


@dataclass
class Verdict:
    """The result for a module."""

    failures: list[Failure] = field(default_factory=list)
    drawn: Counter[str] = field(default_factory=Counter)
    fixed: bool = False
    returned: int = 0
    calls: int = 0
    newly: int = 0  # constructions that compile only after all fixes, or after all safe ones
    digest: str = ""


def variants(made: Made) -> tuple[list[Variant], Counter[str]]:
    """Return the texts to compare with the original, and how often each transformation is among all fixes."""
    fixing.forget()
    found = fixing.report(made.text)
    drawn: Counter[str] = Counter()
    all_: list[Variant] = []
    for unsafe in (False, True):
        outcome = fixing.fixed(made.text, unsafe)
        fixes = [each.finding for each in outcome.applied]
        if unsafe:
            drawn.update(f"{fixing.transformation(each)} @ {fixing.place(each)}" for each in fixes)
        left = fixing.announces(outcome, made.text)
        name = "unsafe" if unsafe else "safe"
        text = fixing.text_of(outcome, made.text)
        all_.append(variant(name, text, fixes, left, outcome.notes))
    alone = fixing.singles(made.text, found)
    for each in random.Random(made.text).sample(alone, min(SINGLES, len(alone))):
        all_.append(variant("single", each[1], [each[0]], True))
    return [each for each in all_ if each.text != made.text], drawn


def variant(name: str, text: str, fixes: list[Diagnostic], left: bool, notes: tuple[str, ...] = ()) -> Variant:
    applied = [each.fix for each in fixes if each.fix is not None]
    risks = frozenset(risk for each in applied for risk in each.risks)
    safe = all(each.applicability is Applicability.SAFE for each in applied)
    last = tuple(
        sorted({fixing.transformation(each) for each in fixes if each.fix is not None and each.fix.last_resort})
    )
    return Variant(name, text, safe, risks, left, [fixing.transformation(each) for each in fixes], notes, last)


def digest(made: Made, texts: list[Variant]) -> str:
    """Return a digest of the variants: if another version of tslint has the same digest, its result is the same."""
    whole = [_JUDGES, made, *((each.name, each.text, sorted(each.risks), each.announced) for each in texts)]
    return hashlib.sha256(repr(whole).encode()).hexdigest()[:24]


class Reference:
    """The results of the original text, which is run only once."""

    def __init__(self, made: Made) -> None:
        self.made = made
        self.newly: set[tuple[str, str]] = set()  # variants and constructions that compile only after the fixes
        try:
            with loaded(made.text) as evaluate:
                self.eager = {build: lived(evaluate, build, made.calls) for build in made.builds}
                good = [build for build, each in self.eager.items() if not each.built.raised]
                self.chosen = good[:SCRIPTED]
                self.scripted = {build: lived(evaluate, build, made.calls, script=True) for build in self.chosen}
        except (TooLong, Exception) as error:
            raise Invalid(f"{type(error).__name__}: {error}") from error

    def failures(self, variant: Variant, *, script: bool = True) -> Iterator[Failure]:
        """Yield differences of a variant: for each construction the first in Python, and up to two in compiled code."""
        made = self.made
        try:
            with loaded(variant.text) as evaluate:
                for build, before in self.eager.items():
                    after = lived(evaluate, build, made.calls)
                    yield from (each for each in [self.eager_failure(variant, build, before, after)] if each)
                for build, before in self.scripted.items() if script else ():
                    after = lived(evaluate, build, made.calls, script=True)
                    yield from self.script_failure(variant, build, before, after)
        except TooLong:
            yield Failure("changed result", variant.name, "", "", "an end", "none")
        except Exception as error:
            yield Failure("changed result", variant.name, "", "", "can be imported", f"{type(error).__name__}: {error}")

    def eager_failure(self, variant: Variant, build: str, before: Lived, after: Lived) -> Failure | None:
        """Return the first difference in Python."""

        def failure(kind: str, call: str, one: object, other: object) -> Failure:
            return Failure(kind, variant.name, build, call, str(one)[:300], str(other)[:300])

        for call, one, other in [("", before.built, after.built), *zip(self.calls, before.calls, after.calls)]:
            if one.raised or other.raised:
                if bool(one.raised) != bool(other.raised):
                    if other.raised and Risk.ASSUMES in variant.risks and self.made.misannotated:
                        return None  # the fix declares that it relies on an annotation, and the annotation is wrong
                    gone = other.raised == "TypeError" and re.search(_SIGNATURE, other.message)
                    return failure("refused argument" if gone else "changed result", call, one, other)
                if variant.safe and not _is_kind_of(other.raised, one.raised):
                    return failure("other exception", call, one, other)
                continue
            if not same(one.value, other.value):
                return failure("changed result", call, one, other)
            if not same(one.given, other.given):
                return failure("changed argument", call, one.given, other.given)
            if one.printed != other.printed:
                return failure("changed print", call, one.printed, other.printed)
            if one.drawn != other.drawn:
                return failure("changed draws", call, "the state of the generators", "another")
        if before.keys != after.keys:
            return failure("lost keys", "", before.keys, after.keys)
        for name, value in before.left.items():
            if name not in after.left or not same(value, after.left[name]):
                return failure("changed attribute", name, value, after.left.get(name, "nothing"))
        return None

    @property
    def calls(self) -> list[str]:
        return [*self.made.calls, self.made.calls[0]]

    def script_failure(self, variant: Variant, build: str, before: Lived, after: Lived) -> Iterator[Failure]:
        """Yield the differences of compiled code from the original compiled code, or from Python."""

        def failure(kind: str, call: str, one: object, other: object) -> Failure:
            return Failure(kind, variant.name, build, call, str(one)[:300], str(other)[:300])

        if after.built.raised:
            if not before.built.raised:
                yield failure("stops compiling", "", "compiles", after.built)
            return
        newly = bool(before.built.raised)
        if newly:
            self.newly.add((variant.name, build))
        # A None default without annotation cannot be saved; TS810 reports that if it is selected. Also, after many
        # other modules in one process, the compiler fails to save some modules that it can save in a new process.
        other = after.saved is not None and any(
            words in after.saved for words in ("undefined Tensor", "_M_range_check")
        )
        announced = variant.announced or Risk.UNSAVED in variant.risks or other
        if after.saved and not before.saved and not (newly and announced):
            kind = "newly compiled, cannot be saved" if newly else "cannot be saved any more"
            yield failure(kind, "", "no archive before" if newly else "saved", after.saved)
        first = self.eager[build]
        keeps_state = declared.keeps_state(self.made.text)
        for i, call in enumerate(self.calls):
            eager, new = first.calls[i], after.calls[i]
            old: Outcome | None = None if newly else before.calls[i]
            if old is not None and not old.raised:
                if new.raised:
                    yield failure("stops running", call, old, new)
                    return
                if not same(old.value, new.value, strict=False):
                    # If compiled code differed from Python before, a fix may make it equal, or may change an announced
                    # difference.
                    wrong = not eager.raised and not same(eager.value, old.value, strict=False)
                    mended = wrong and (variant.announced or same(eager.value, new.value, strict=False))
                    # A fix of TS6 makes compiled code do what Python does: unknown if Python raises here.
                    if not mended and not (eager.raised and any(fix.startswith("TS6") for fix in variant.fixes)):
                        yield failure("compiled changed", call, old, new)
                        return
                continue
            if variant.announced or "is_scripting" in self.made.text:
                continue  # the difference is announced, or intended by the author
            raises = bool({Risk.RAISES, Risk.REFUSES} & variant.risks)
            # Other random numbers may lead to code in which Python raises, too.
            raises = raises or (Risk.DIFFERS in variant.risks and eager.drawn != new.drawn)
            if new.raised and self.of_itself(variant, new.message):
                if keeps_state and not eager.raised:
                    return  # later calls begin with another state
                continue
            if new.raised and not eager.raised and not raises and (newly or not (old and old.raised)):
                yield failure("scripted raises unannounced", call, eager, new)
                return
            if new.raised and not eager.raised and keeps_state:
                return  # later calls begin with another state
            if not newly or Risk.DIFFERS in variant.risks or new.raised:
                continue
            if eager.raised:
                if not _unseen(eager):
                    yield failure("scripted returns where Python raises", call, eager, new)
                    return
                continue
            dropped = eager.drawn != new.drawn and draws_unread(self.made.text)
            value = eager.value
            if isinstance(value, tuple) and declared.returns_list(self.made.text):
                value = list(value)  # the author declares it as a list
            if declared.has_tuple_for_list(self.made.text):
                value = as_list(value, new.value)
            whole = declared.has_whole_float(self.made.text)
            if not dropped and not same(value, new.value, strict=False, whole=whole):
                yield failure("scripted differs unannounced", call, eager, new)
                return

    def of_itself(self, variant: Variant, message: str) -> bool:
        """Return whether compiled code rejects a value because of a type that no fix has written."""
        if "Cannot input a tensor of dimension other than 0 as a scalar argument" in message:
            # The compiler converts a tensor to a number if the author's own annotations require one.
            return declared.annotations(variant.text) <= declared.annotations(self.made.text)
        if "Tensor with no values" in message and declared.has_undefined(variant.text):
            return True
        if "undefined Tensor" in message and any(
            set(declared.types(variant.text, name)) == {None} for name in declared.inputs(variant.text)
        ):
            return True  # for a parameter without annotation, which is a Tensor for the compiler, None is accepted
        name = re.search(r"Expected a value of type .* for argument '(\w+)'", message)
        if name is None:
            return False
        before, after = declared.types(self.made.text, name[1]), declared.types(variant.text, name[1])
        return [declared.present(each) for each in before] == [declared.present(each) for each in after]


def _unseen(eager: Outcome) -> bool:
    """Return whether an exception of Python may be missing in compiled code.

    The compiler drops operators whose result is not used. A parameter without annotation whose default is None is an
    undefined tensor for it, and it leaves out None in a list of modules.
    """
    kinds = ("RuntimeError", "NotImplementedError", "KeyError", "IndexError")
    return eager.raised in kinds or "values to unpack" in eager.message or "NoneType" in eager.message


def _is_kind_of(name: str, base: str) -> bool:
    """Return whether a handler for the second exception also catches the first one."""
    one, other = getattr(builtins, name, None), getattr(builtins, base, None)
    return name == base or (isinstance(one, type) and isinstance(other, type) and issubclass(one, other))


def judged(made: Made, known: dict[str, Any] | None = None) -> Verdict:
    """Compare all variants of a module with the original; ``known`` is a record of the same seed by another version."""
    texts, drawn = variants(made)
    verdict = Verdict(drawn=drawn, fixed=bool(texts), digest=digest(made, texts))
    if known is not None and known["digest"] == verdict.digest:
        verdict.failures = [Failure(**{**each, "culprits": tuple(each["culprits"])}) for each in known["failures"]]
        verdict.returned, verdict.calls, verdict.newly = known["returned"], known["calls"], known["newly"]
        return verdict
    reference = Reference(made)
    for each in reference.eager.values():
        verdict.calls += len(each.calls) or 1
        verdict.returned += sum(not call.raised for call in each.calls)
    done: set[str] = set()
    for one in texts:
        verdict.failures += unstable(one)
        if one.text in done:
            continue
        done.add(one.text)
        found = list(reference.failures(one, script=one.name != "single"))
        for failure in _first_of_kind(found):
            culprits = _culprits(made, reference, one, failure)
            verdict.failures.append(Failure(**{**vars(failure), "culprits": culprits}))
    verdict.newly = len(reference.newly)
    return verdict


def _first_of_kind(failures: Iterable[Failure]) -> list[Failure]:
    return list({each.kind: each for each in reversed(list(failures))}.values())


def unstable(variant: Variant) -> Iterator[Failure]:
    """Yield a failure if a second run changes something, fixes went in a circle, or code was excluded."""
    if variant.name == "single":
        return
    if variant.gives_up:
        yield Failure("excludes code from compilation", variant.name, "", "", "", "", variant.gives_up)
    again = fixing.fixed(variant.text, variant.name == "unsafe")
    fixes = tuple(sorted({fixing.transformation(each.finding) for each in again.applied}))
    if again.changed:
        yield Failure("unstable", variant.name, "", "", "", "", fixes)
    if any("leads to the same finding again" in note for note in variant.notes):
        yield Failure(
            "circles", variant.name, "", "", "", "; ".join(variant.notes)[:300], tuple(sorted(set(variant.fixes)))[:3]
        )


def _culprits(made: Made, reference: Reference, variant: Variant, failure: Failure) -> tuple[str, ...]:
    """Return the transformation that alone causes a failure; if there is none, a few that cause it together."""
    if variant.name == "single":
        return tuple(variant.fixes)
    outcome = fixing.fixed(made.text, variant.name == "unsafe")
    names = {each.spot: fixing.transformation(each.finding) for each in outcome.applied}
    spots = list(names)

    def does(some: Iterable[Spot]) -> bool:
        only = frozenset(some)
        part = fixing.fixed(made.text, variant.name == "unsafe", lambda spot: spot in only)
        text = fixing.text_of(part, made.text)
        one = Variant(variant.name, text, variant.safe, variant.risks, variant.announced, [])
        script = not failure.kind.startswith(EAGER)
        return text != made.text and any(each.kind == failure.kind for each in reference.failures(one, script=script))

    alone = next((spot for spot in spots if does([spot])), None)
    if alone is not None:
        return (names[alone],)
    needed = spots
    for spot in spots[:MOST_TRIED]:
        fewer = [each for each in needed if each != spot]
        if fewer and does(fewer):
            needed = fewer
    return tuple(sorted({names[spot] for spot in needed}))


def record(seed: str, made: Made, verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as plain JSON."""
    found: dict[str, Any] = {
        "seed": seed, "digest": verdict.digest, "fixed": verdict.fixed, "drawn": dict(verdict.drawn),
        "returned": verdict.returned, "calls": verdict.calls, "newly": verdict.newly,
        "failures": [vars(each) for each in verdict.failures],
    }  # fmt: skip
    if verdict.failures:
        found |= {"text": made.text, "builds": made.builds, "args": made.calls}
    return json.loads(json.dumps(found))  # type: ignore[no-any-return]
