"""Proves fixes before they are written: runs the target with them in a copy of its project."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tslint.config import ConfigError, Settings, Target, shown
from tslint.diagnostics import Applicability, Diagnostic
from tslint.fixing.circles import Spot
from tslint.fixing.diff import diff
from tslint.fixing.outcome import AppliedFix, Outcome
from tslint.fixing.project_copy import ProjectCopy
from tslint.fixing.rounds import fix
from tslint.fixing.same import difference
from tslint.fixing.search import RUNS, Allowed, Found, OutOfRuns, largest
from tslint.fixing.write import NotWritten, write_all
from tslint.lint.engine import Loaded
from tslint.lint.incremental import Judge
from tslint.sources import reading
from tslint.sources.file import SourceFile, UnreadableSource
from tslint.util.record import record
from tslint.verify.findings import forget
from tslint.verify.place import locate
from tslint.verify.repair import ProvenFix, Repair
from tslint.verify.request import Request
from tslint.verify.results import TargetVerdict
from tslint.verify.runner import Progress, Runs

_UNPROVEN = "not proven: "


def fix_target(
    request: Request, settings: Settings, runs: Runs, *, unsafe: bool, write: bool, progress: Progress | None = None
) -> TargetVerdict:
    """Fix the code of a target, as far as a run proves that the fixes work.

    A set of fixes works if the target passes with it, and its eager outputs and the keys of its ``state_dict`` are the
    same as before. (If two eager runs differ, only the form of the outputs is compared.) If no set makes the target
    pass, the largest set is kept with which every stage that passed before still passes.

    Args:
        request: the target.
        settings: of the project; findings that are not selected, suppressed or excluded are not fixed.
        runs: runs the target.
        unsafe: whether to try unsafe fixes, too.
        write: whether to write the files after the proof.
        progress: is called for every run.

    Returns:
        The verdict on the final files, with the result of each fix in ``repair``.
    """
    plain = replace(request, save_to=None, model_snapshot=False, snapshot=True, native=False, all_errors=False)
    before = runs.verify(plain, progress)
    if "outputs" not in (before.snapshot or {}):
        return replace(before, repair=_unprovable(before))
    trials = _Trials(plain, settings, runs, before, unsafe, progress)
    everything = trials.fixed(lambda spot: True)
    if not everything.applied:
        notes = "; ".join(everything.notes)
        return _as_it_is(request, runs, before, progress, Repair(note=notes or "there is nothing to fix", runs=1))
    found = largest(trials.attempt, passed_before=before.verdict == "pass")
    best = found.best if isinstance(found.best, _Trial) else None
    changed = best.outcome.changed if best is not None else ()
    repair = Repair(
        trials.proven(found, best),
        tuple(str(after.path) for _, after in changed),
        diff="".join(diff(old, new, shown(old.path)) for old, new in changed),
        note=_note(found, best, before, everything),
        runs=trials.runs + 1,
    )
    if not changed or not write:
        return _as_it_is(request, runs, before, progress, repair)
    try:
        write_all(changed)
    except NotWritten as error:
        return replace(before, repair=replace(repair, problem=str(error)))
    forget()
    after = runs.verify(request, progress)
    if after.verdict == "pass" or (found.partial and not _setback(before, after)):
        return replace(after, repair=replace(repair, written=True))
    return replace(before, repair=replace(repair, problem=_taken_back(changed, after)))


def _unprovable(before: TargetVerdict) -> Repair:
    """Explain why the runs of a target cannot be compared with each other."""
    eager = next(stage for stage in before.stages if stage.name == "eager")
    if any(stage.counts for stage in before.stages if stage.name in ("import", "build")):
        return Repair(runs=1)
    if eager.status == "skipped":
        return Repair(problem=f"fixes cannot be proven: {eager.detail}", runs=1)
    return Repair(note=f"no fix can be proven, as there is no eager output to compare with: {eager.detail}", runs=1)


def _as_it_is(
    request: Request, runs: Runs, before: TargetVerdict, progress: Progress | None, repair: Repair
) -> TargetVerdict:
    """Return the verdict on the unchanged target; run it again if the first run did not have all requested stages."""
    if request.save_to or request.model_snapshot or request.native or request.all_errors:
        before = runs.verify(request, progress)
        repair = replace(repair, runs=repair.runs + 1)
    return replace(before, repair=repair)


def _taken_back(changed: Iterable[tuple[SourceFile, SourceFile]], after: TargetVerdict) -> str:
    try:
        write_all([(new, old) for old, new in changed])
    except NotWritten as error:
        words = f"the fixed files do not pass, unlike the copy that was run ({after.reason})"
        return f"{words}, and could not be restored: {error}"
    forget()
    return f"the fixed files did not pass, unlike the copy that was run, and were restored: {after.reason}"


def _note(found: Found, best: _Trial | None, before: TargetVerdict, everything: Outcome) -> str:
    notes = list(everything.notes)
    if not found.complete:
        notes.append(f"not every set of fixes was tried: {RUNS} runs are the limit")
    if found.partial and best is not None and best.spots:
        notes.append(f"these fixes change no result, and the target does not pass yet: {best.problem}")
    elif best is None:
        end = "no set of fixes works" if before.verdict == "pass" else "no set of fixes makes it pass"
        notes.append(f"{end}: {found.last}" if found.last else end)
    elif not best.spots:
        notes.append("no fix works")
    return "; ".join(notes)


@record
class _Trial:
    """The run of a set of fixes; see :class:`tslint.fixing.search.Trial`."""

    outcome: Outcome
    harm: str
    setback: str
    problem: str
    suspects: Collection[Spot]

    @property
    def spots(self) -> frozenset[Spot]:
        return frozenset(each.spot for each in self.outcome.applied)

    @property
    def unsafe(self) -> frozenset[Spot]:
        return frozenset(
            each.spot
            for each in self.outcome.applied
            if each.finding.fix is not None and each.finding.fix.applicability is Applicability.UNSAFE
        )


@dataclass
class _Trials:
    """Runs a target with sets of fixes.

    Args:
        request: the target.
        settings: the settings of the project.
        verifier: runs the target.
        before: the verdict without fixes.
        unsafe: whether unsafe fixes are tried.
        progress: is called for every run.
    """

    request: Request
    settings: Settings
    verifier: Runs
    before: TargetVerdict
    unsafe: bool
    progress: Progress | None
    runs: int = 0
    seen: dict[Spot, AppliedFix] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._root = _root(self.request, self.settings)
        snapshot: Mapping[str, Any] = self.before.snapshot or {}
        self._files = [Path(file) for file in snapshot["files"] if _is_part(Path(file), self._root)]
        sources: list[SourceFile] = []
        for file in self._files:
            try:
                sources.append(reading.read(file))
            except UnreadableSource:
                continue
        self._loaded = Loaded(tuple(sources))
        self._judge = self._judging(snapshot["classes"])
        self._known: dict[tuple[object, bool], _Trial] = {}

    def _judging(self, classes: Iterable[tuple[str, str]]) -> Judge:
        """Return the function that checks fixed files: only the classes of the target's modules if their names are
        found, otherwise all code.
        """
        modes = self.request.modes
        settings = replace(self.settings, mode=modes[0] if len(modes) == 1 else "both", targets={})
        entries = [f"{file}:{name}" for file, name in classes if name.isidentifier() and Path(file) in self._files]
        if "trace" in modes and entries:
            # The tracer begins with the target's own module, the first entry, and reaches the others from there.
            settings = replace(settings, targets={"traced": Target(entries[0], modes=("trace",))})
        if "script" not in modes:
            entries = entries[:1]
        if entries:
            judge = Judge(replace(settings, entry_points=tuple(entries)))
            try:
                judge(self._loaded)
            except ConfigError:
                pass
            else:
                return judge
        judge = Judge(replace(settings, entry_points=()))
        judge(self._loaded)
        return judge

    def fixed(self, allowed: Allowed) -> Outcome:
        """Apply the allowed fixes in memory."""
        outcome = fix(self._loaded, self._judge.copy(), unsafe=self.unsafe, allowed=allowed)
        for each in outcome.applied:
            self.seen.setdefault(each.spot, each)
        return outcome

    def attempt(self, allowed: Allowed, only_harm: bool) -> _Trial:
        """Run the target with a set of fixes.

        Raises:
            OutOfRuns: the limit on runs is reached.
        """
        outcome = self.fixed(allowed)
        texts = frozenset((after.path, after.text) for _, after in outcome.changed)
        for known in ((texts, False), (texts, only_harm)):
            if known in self._known:
                return replace(self._known[known], outcome=outcome)
        if not texts:
            verdict, harm = self.before, ""
        else:
            # Only `export` comes after `threads`, and it never changes the verdict.
            verdict = self._run(outcome, "eager" if only_harm else "threads")
            harm = difference(self.before, verdict)
        problem = harm or ("" if only_harm or verdict.verdict == "pass" else verdict.reason)
        setback = harm or ("" if only_harm else _setback(self.before, verdict))
        trial = _Trial(outcome, harm, setback, problem, _suspects(verdict, outcome.applied))
        self._known[texts, only_harm] = trial
        return trial

    def _run(self, outcome: Outcome, until: str) -> TargetVerdict:
        if self.runs >= RUNS:
            raise OutOfRuns
        self.runs += 1
        place = locate(self.request.target, Path(self.request.base))
        texts = {after.path: after.encode() for _, after in outcome.changed}
        with ProjectCopy(self._root, self._files, texts) as project:
            target = self.request.target
            if place.file is not None:
                target = f"{project.of(place.file)}:{place.attribute}"
            request = replace(
                self.request,
                target=target,
                base=str(project.of(Path(self.request.base))),
                name=self.request.title,
                until=until,
                moved=(str(project.root), str(project.copy)),
            )
            verdict = self.verifier.verify(request, self.progress)
            copy, root = str(project.copy), str(project.root)
        return _in_place(verdict, copy, root)

    def proven(self, found: Found, best: _Trial | None) -> tuple[ProvenFix, ...]:
        """Return the result of each fix that was tried."""
        sources = {str(source.path): source for source in self._loaded.sources}
        applied = best.spots if best is not None else frozenset()
        fixes: list[ProvenFix] = []
        for spot, each in sorted(self.seen.items()):
            reason = ""
            if spot not in applied:
                reason = found.left.get(spot) or (_UNPROVEN + found.last if best is None else "")
                reason = reason or "it depends on a fix that was left out"
            fixes.append(
                ProvenFix(
                    each.finding.code,
                    each.finding.name,
                    spot.filename,
                    sources[spot.filename].position(spot.offset),
                    each.finding.fix.message if each.finding.fix is not None else "",
                    "left out" if reason else "applied",
                    reason,
                )
            )
        return tuple(fixes)


def _setback(before: TargetVerdict, after: TargetVerdict) -> str:
    """Return a sentence about the first stage that passed before and now fails; empty if there is none."""
    passed = {stage.name for stage in before.stages if stage.status == "passed"}
    lost = next((stage for stage in after.stages if stage.name in passed and stage.status == "failed"), None)
    return "" if lost is None else f"{lost.name} passed before, and fails with the fixes: {lost.detail}"


def _root(request: Request, settings: Settings) -> Path:
    """Return the folder to copy: the project's if it contains the target, otherwise the folder from which the target is
    imported.
    """
    search = Path(os.path.realpath(locate(request.target, Path(request.base)).search))
    root = Path(os.path.realpath(settings.root))
    if root != search and root not in search.parents:
        root = search
    # A package can only be imported by its name from the folder above it.
    while (root / "__init__.py").is_file() and root.parent != root:
        root = root.parent
    return root


def _is_part(file: Path, root: Path) -> bool:
    """Return whether a file belongs to the project, and not to a virtual environment inside its folder."""
    inside = file.relative_to(root).parts if root in file.parents else ()
    return bool(inside) and not {"site-packages", "dist-packages"} & set(inside)


def _suspects(verdict: TargetVerdict, applied: Iterable[AppliedFix]) -> frozenset[Spot]:
    """Return the fixes in the functions of failed findings; all fixes if no function is named."""
    every = {each.spot: _holder(each.finding) for each in applied}
    failed = [finding for stage in verdict.stages if stage.counts for finding in stage.findings]
    names = {(step.filename, step.name) for finding in failed for step in finding.compiled_via}
    found = frozenset(spot for spot, holder in every.items() if holder in names)
    return found if names else frozenset(every)


def _holder(finding: Diagnostic) -> tuple[str, str]:
    return finding.filename, finding.holder.name if finding.holder is not None else ""


def _in_place(verdict: TargetVerdict, copy: str, root: str) -> TargetVerdict:
    """Return a verdict on the copy, with the file names of the project."""
    here = os.path.realpath(Path.cwd())

    def words(text: str) -> str:
        text = text.replace(copy, root)
        return text.replace(f"{here}{os.sep}", "")

    def finding(each: Diagnostic) -> Diagnostic:
        path = tuple(replace(step, filename=step.filename.replace(copy, root)) for step in each.compiled_via)
        return replace(
            each, message=words(each.message), filename=each.filename.replace(copy, root), compiled_via=path
        )  # fmt: skip

    stages = tuple(
        replace(stage, detail=words(stage.detail), findings=tuple(finding(each) for each in stage.findings))
        for stage in verdict.stages
    )
    return replace(verdict, stages=stages)
