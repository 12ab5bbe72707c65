"""Keeps the state of a run of fixes over its rounds: what was applied, and what is left out, and why."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from tslint.config import shown
from tslint.diagnostics import Diagnostic
from tslint.fixing.applying import apply_sound
from tslint.fixing.blame import compiled_before, declarers, writers
from tslint.fixing.circles import Done, Spot, circling
from tslint.fixing.dependence import independent
from tslint.fixing.explained import explained
from tslint.fixing.harm import Begun, Broken, beyond_fixing, suspects
from tslint.fixing.history import History
from tslint.fixing.new_names import used_elsewhere
from tslint.fixing.outcome import AppliedFix, Outcome
from tslint.fixing.reported import What, fixable, silent, what
from tslint.fixing.scopes import scopes
from tslint.fixing.workarounds import Failures, in_vain, served, useless
from tslint.lint.engine import Loaded, Report
from tslint.script.refusals import Refusal, Scope, spoiled
from tslint.sources.file import SourceFile

ROUNDS = 40
Refused = Mapping[Scope, Refusal]


@dataclass
class Run:
    """The state of a run over its rounds.

    Args:
        texts: the files at the start, and what each round has changed in them.
        unsafe, allowed: see :func:`tslint.fixing.rounds.fix`.
        harmful: the findings whose fixes would break code that compiles, each with its note; they may be tried again.
        waiting: findings that wait for the next round, while the other half of the suspects is tried without them.
        halved: sets of suspected fixes, and how many halves of each have waited.
        spoiling: the findings that are not fixed for the rest of the run, each with its note.
        vain: those of them to try once more at the end: workarounds in code that does not compile, and fixes that
            together kept code from compiling.
        freed: those of ``vain`` that were tried once more.
        retried: those of ``freed`` whose retry has ended.
        refused: those of ``harmful`` that were harmful at the end of an earlier run, too.
        tried: those of ``harmful`` that were tried again at the end of this run.
        begun: the roots that further fixes should make compile again.
        blamed: by each finding about a result that differs from Python's, the fixes that were left out because of it;
            empty if that did not remove the finding.
        rounds: what was fixed in each round.
        earlier: what was fixed before this run began to try rejected fixes again.
    """

    texts: History
    unsafe: bool
    allowed: Callable[[Spot], bool]
    applied: list[AppliedFix] = field(default_factory=list)
    notes: dict[str, None] = field(default_factory=dict)
    harmful: dict[Spot, str] = field(default_factory=dict)
    waiting: set[Spot] = field(default_factory=set)
    halved: dict[frozenset[Spot], int] = field(default_factory=dict)
    spoiling: dict[Spot, str] = field(default_factory=dict)
    vain: set[Spot] = field(default_factory=set)
    freed: set[Spot] = field(default_factory=set)
    retried: set[Spot] = field(default_factory=set)
    refused: set[Spot] = field(default_factory=set)
    tried: set[Spot] = field(default_factory=set)
    begun: dict[Scope, Begun] = field(default_factory=dict)
    blamed: dict[Spot, set[Spot]] = field(default_factory=dict)
    rounds: list[list[Done]] = field(default_factory=list)
    earlier: tuple[AppliedFix, ...] = ()

    def renewed(self) -> Run:
        """Return a run that goes on from here, and tries all fixes again that this one has left out."""
        earlier = (*self.earlier, *self.applied)
        return Run(self.texts, self.unsafe, self.allowed, notes=self.notes, earlier=earlier)

    def copy(self) -> Run:
        """Return a copy of the state, which can be discarded."""
        return replace(
            self, texts=self.texts.copy(), applied=list(self.applied), notes=dict(self.notes),
            harmful=dict(self.harmful), waiting=set(self.waiting), halved=dict(self.halved),
            spoiling=dict(self.spoiling), vain=set(self.vain), freed=set(self.freed),
            retried=set(self.retried), refused=set(self.refused), tried=set(self.tried),
            begun=dict(self.begun), blamed=dict(self.blamed), rounds=list(self.rounds),
        )  # fmt: skip

    def without(self, applied: Iterable[AppliedFix], broken: Broken) -> bool:
        """Leave out harmful fixes in the next attempt, or one half of the suspects; return whether there were any.

        Args:
            applied: the fixes of the round that is undone.
            broken: the roots that no longer compile.
        """
        known = suspects([each for each in applied if each.spot not in self.harmful], broken, self._unfixed)
        for found in sorted(known.values(), key=len):  # the suspects of each root are halved independently
            if not found.keys().isdisjoint(self.harmful):
                continue  # what is harmful for another root may be the only reason here, too
            turn, middle = self.halved.get(frozenset(found), 0), (len(found) + 1) // 2
            if len(found) == 1 or turn > 1:  # neither half works without the other
                self.harmful.update(found)
            else:
                self.waiting.update(list(found)[:middle] if turn else list(found)[middle:])
                self.halved[frozenset(found)] = turn + 1
        return bool(known)

    def beyond_fixing(self, broken: Broken, report: Report) -> Broken:
        """Return the broken roots that no further fixes can make compile again.

        Args:
            broken: the roots that no longer compile.
            report: the findings after the round.
        """
        return beyond_fixing(report, broken, self._possible(report))

    def begins(self, applied: Iterable[AppliedFix], before: Refused, broken: Broken) -> None:
        """Record the roots that further fixes should make compile again. If errors remain at the end, the fixes of this
        round are left out.

        Args:
            applied: the fixes of the round.
            before: the roots that the compiler rejected before it.
            broken: the roots.
        """
        for root, fixes in suspects(applied, broken, self._unfixed).items():
            self.begun[root] = self.begun.get(root, Begun(before.get(root), {})).more(fixes)

    def without_begun(self, run: Run, now: Refused) -> bool:
        """Leave out the fixes of roots that no further fix has made compile again; return whether there were any."""
        failed = [each.fixes for root, each in run.begun.items() if each.failed(root, now)]
        new = {spot: why for fixes in failed for spot, why in fixes.items() if spot not in self.spoiling}
        self.spoiling.update(new)
        return bool(new)

    def gives_up(self, run: Run, refused: Refused, now: Refused, report: Report, before: Report) -> bool:
        """Leave out the fixes that break something at the end; return whether there were any.

        Args:
            run: the finished run.
            refused, now: the roots that the compiler rejects, at the start and now.
            report: the remaining findings.
            before: the findings at the start.
        """
        if self.without_begun(run, now):
            return True
        spoils = self.without_spoilers(run.applied, spoiled(refused, now))
        spoils |= self.without_workarounds(run, report, spoils, now)
        for spot in self.freed.intersection(each.spot for each in run.applied) - spoils - self.retried:
            self.spoiling.pop(spot, None)  # the retry of this fix worked, even if another retry did not
        self.retried |= self.freed
        return self.without_silent(run, report, before, refused) or bool(spoils)

    def without_workarounds(self, run: Run, report: Report, known: set[Spot], refused: Refused) -> set[Spot]:
        """Leave out workarounds in code that does not compile at the end; return those that were not left out before.

        ``known`` contains further fixes that are left out already.
        """
        later = {id(each) for each in (*run.tried_later(report), *run.not_allowed(report))}
        failing = Failures(report, refused).obstacles([each for each in report.diagnostics if id(each) not in later])
        known = known | (self.spoiling.keys() - self.freed)
        vain = {each.spot: found for each in run.applied if (found := failing(each.serves, each.finding))}
        new = vain.keys() - known
        self.vain |= new
        for spot in sorted(new):
            self.spoiling[spot] = self._unfixed(spot, in_vain(vain[spot].unit, vain[spot].obstacle.what))
        return new

    def tries_again(self, beginning: Run) -> bool:
        """Retry fixes that earlier rounds rejected; retry fixes in ``vain`` only once. Return whether there are any
        fixes to retry.
        """
        freed = beginning.vain - beginning.freed
        beginning.freed |= freed
        self.freed |= freed
        again = self.harmful.keys() - beginning.refused
        for spot in freed:
            self.spoiling.pop(spot, None)
        for spot in again:
            self.harmful.pop(spot)
        beginning.tried |= again
        return bool(again or freed)

    def again_after(self, run: Run) -> Run:
        """Return a new run from this beginning that knows which fixes were harmful at the end of ``run``."""
        self.harmful = dict(run.harmful)
        self.refused |= self.tried & run.harmful.keys()
        self.tried = set()
        return self.copy()

    @property
    def left_out(self) -> object:
        """Return the fixes that a run which begins with this one never applies."""
        return frozenset(self.spoiling), frozenset(self.harmful)

    def after_rounds_of(self, other: Run) -> Run:
        """Return this run as it would be after the rounds of another run that leaves out the same fixes."""
        done = other.copy()
        return replace(
            self, texts=done.texts, applied=done.applied, notes=done.notes, rounds=done.rounds, begun=done.begun
        )  # fmt: skip

    def without_spoilers(self, applied: Iterable[AppliedFix], broken: Mapping[Scope, Refusal]) -> set[Spot]:
        """Leave out all fixes of code that compiled at the start and does not at the end; return them."""
        through = {scope: root for root, refusal in broken.items() for scope in refusal.through}
        found, known = set(), self.spoiling.keys() - self.freed
        for each in applied if through else ():
            root = next((through[scope] for scope in each.within if scope in through), None)
            if root is not None and each.spot not in known:
                found.add(each.spot)
                self.spoiling[each.spot] = self._unfixed(each.spot, f"`{root[1]}` would no longer compile")
        self.vain |= found
        return found

    def without_silent(self, run: Run, report: Report, before: Report, refused: Refused) -> bool:
        """Leave out fixes after which compiled code computes another result than Python, in the fixed code or in
        callers that compiled before; return whether there were any.
        """
        known = {self.spot(before.sources[each.filename], each) for each in silent(before)}
        left_out, changed = set(self.spoiling), False
        for each in silent(report):
            at = run.spot(report.sources[each.filename], each)
            if at in known or self.blamed.get(at) == set():
                continue
            source = report.sources[each.filename]
            found = set(writers(source, each, run.applied, run.rounds, run.texts.changes))
            if not found and compiled_before(each, refused):
                found = set(declarers(source, each, run.applied))
            found -= left_out
            for spot in found:
                why = f"it would compile, but compute a different result than Python ({each.code})"
                self.spoiling[spot] = self._unfixed(spot, why)
            changed = changed or bool(found or at in self.blamed)
            if found:
                self.blamed[at] = self.blamed.get(at, set()) | found
            elif at in self.blamed:
                # The finding remains without these fixes: another fix, of the code around it, is the reason.
                freed, self.blamed[at] = self.blamed[at], set()
                for spot in freed.difference(*self.blamed.values()):
                    self.spoiling.pop(spot, None)
        return changed

    def outcome(self, loaded: Loaded, report: Report) -> Outcome:
        """Return the result, with the current files and findings."""
        before = [self.texts.first[str(source.path)] for source in loaded.sources]
        changed = tuple((old, new) for old, new in zip(before, loaded.sources) if old.text != new.text)
        notes = dict.fromkeys([*self.notes, *self.spoiling.values(), *self.harmful.values()])
        return Outcome(self._explained(report), changed, (*self.earlier, *self.applied), tuple(notes))

    def _explained(self, report: Report) -> Report:
        """Return a report in which findings whose fixes were rejected say so, and have no fix."""
        rejected = self._same(report, notes := {**self.harmful, **self.spoiling})
        vain = useless(report, self._possible(report), self._at(report, self.vain))
        return explained(report, {key: notes[spot] for key, spot in rejected.items()}, vain)

    def leave_circles(self, beginning: Run) -> bool:
        """Leave out fixes after which the same finding occurs again; return whether there were any."""
        circles = circling(self.rounds, self.texts.changes)
        first = {each.spot: each.finding for each in reversed(self.applied)}
        for spot in sorted(set(circles) - beginning.spoiling.keys()):
            help = first[spot].help if spot in first else None
            said = self._unfixed(spot, "its fix leads to the same finding again")
            beginning.spoiling[spot] = f"{said}. {help}" if help else said
        if circles:
            self.spoiling.update(beginning.spoiling)
        return bool(circles)

    def round(self, report: Report, *, last: bool) -> dict[str, SourceFile]:
        """Apply what can be applied at once; return the changed files. The ``last`` round only notes what remains."""
        wanted: dict[str, list[tuple[Spot, Diagnostic]]] = {}
        for spot, diagnostic in self._wanted(report):
            wanted.setdefault(diagnostic.filename, []).append((spot, diagnostic))
        new: dict[str, SourceFile] = {}
        self.rounds.append([])
        for filename, pairs in wanted.items():
            source = report.sources[filename]
            result = apply_sound(source, [diagnostic for _, diagnostic in pairs], self.notes)
            if result.text == source.text:
                continue
            if last:
                codes = ", ".join(sorted({each.code for _, each in pairs}))
                self.notes[f"{filename}: {codes} were not fixed: stopped after {ROUNDS} rounds; run it again"] = None
                continue
            new[filename] = self.texts.changed(source, result.changes)
            done = {id(each) for each in result.fixes}
            applied = [
                AppliedFix(spot, each, frozenset(scopes(report.sources, each)), served(source, each, self.unsafe))
                for spot, each in pairs
                if id(each.fix) in done
            ]
            self.applied += applied
            # The last entry of the history is the change of this round itself.
            turn = len(self.texts.changes[filename]) - 1
            self.rounds[-1] += [Done.of(each.spot, each.finding, source, turn) for each in applied]
        return new

    def _wanted(self, report: Report) -> list[tuple[Spot, Diagnostic]]:
        """Return the findings to fix in this round: none whose fix relies on a type that another fix changes."""
        possible = self._possible(report)
        vain = useless(report, possible, self.tried_later(report))
        waiting = self._same(report, self.waiting)
        found: list[tuple[Spot, Diagnostic]] = []
        for diagnostic in possible:
            spot = self.spot(report.sources[diagnostic.filename], diagnostic)
            if id(diagnostic) in vain or what(diagnostic) in waiting or not self.allowed(spot):
                continue
            if taken := used_elsewhere(report.sources, diagnostic):
                self.harmful[spot] = self._unfixed(spot, f"`{taken[0]}` is already a name in {shown(Path(taken[1]))}")
                continue
            found.append((spot, diagnostic))
        ready = independent([(report.sources[diagnostic.filename], diagnostic) for _, diagnostic in found])
        return [pair for pair, now in zip(found, ready) if now]

    def tried_later(self, report: Report) -> list[Diagnostic]:
        """Return the findings whose rejected fixes will be tried once more at the end."""
        return self._at(report, self.vain - self.freed)

    def _at(self, report: Report, spots: Collection[Spot]) -> list[Diagnostic]:
        found = [each for each in report.diagnostics if each.fix and each.filename in report.sources] if spots else []
        return [each for each in found if self.spot(report.sources[each.filename], each) in spots]

    def not_allowed(self, report: Report) -> list[Diagnostic]:
        """Return the findings whose fixes this run may not apply: they are no reason to reject other fixes."""
        possible = self._possible(report)
        return [each for each in possible if not self.allowed(self.spot(report.sources[each.filename], each))]

    def _possible(self, report: Report) -> list[Diagnostic]:
        """Return the findings that a fix of this run may remove, now or later."""
        left_out = self._same(report, {**self.harmful, **self.spoiling})
        return [
            each
            for each in report.diagnostics
            if fixable(each, self.unsafe) and each.filename in report.sources and what(each) not in left_out
        ]

    def _same(self, report: Report, spots: Collection[Spot]) -> dict[What, Spot]:
        """Return the spots of findings by the edits of their fixes; if several have the same edits, the first one."""
        found: dict[What, Spot] = {}
        for each in self._at(report, spots):
            found.setdefault(what(each), self.spot(report.sources[each.filename], each))
        return found

    def spot(self, source: SourceFile, diagnostic: Diagnostic) -> Spot:
        """Return the identity of a finding in an intermediate text."""
        return self.texts.spot(source, diagnostic)

    def _unfixed(self, spot: Spot, why: str) -> str:
        source = self.texts.first[spot.filename]
        return f"{shown(source.path)}:{source.position(spot.offset).row}: {spot.code} was not fixed: {why}"
