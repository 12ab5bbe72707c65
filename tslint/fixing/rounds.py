"""Alternates fixing and checking until nothing changes; every intermediate text can be parsed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tslint.fixing.circles import Spot
from tslint.fixing.history import History
from tslint.fixing.outcome import Outcome
from tslint.fixing.run import ROUNDS, Run
from tslint.lint.engine import Loaded, Report
from tslint.lint.incremental import Judge
from tslint.script.refusals import worse
from tslint.util.process_pool import without_collection

PASSES = 3


@without_collection()
def fix(loaded: Loaded, judge: Judge, *, unsafe: bool, allowed: Callable[[Spot], bool] = lambda spot: True) -> Outcome:
    """Apply fixes in memory until none is left.

    Args:
        loaded: the files before fixing.
        judge: returns the findings.
        unsafe: whether to apply unsafe fixes, too.
        allowed: returns whether to fix a finding.
    """
    run = Run(History({str(source.path): source for source in loaded.sources}), unsafe, allowed)
    report = judge(loaded)
    for number in range(PASSES):
        run = run.renewed() if number else run  # an applied fix may be what a rejected one needed
        texts = [each.text for each in loaded.sources]
        run, judge, loaded, report = _settled(run, judge, loaded, report)
        if not run.spoiling or texts == [each.text for each in loaded.sources]:
            break
    return run.outcome(loaded, report)


def _settled(run: Run, judge: Judge, loaded: Loaded, report: Report) -> tuple[Run, Judge, Loaded, Report]:
    """Apply fixes until only rejected ones are left; return the run, the judge, the files and the report then."""
    settled, tried_again, anew, turn = True, False, False, 0
    first_run, first_judge, first_loaded, first_report = run, judge.copy(), loaded, report
    ends: dict[object, tuple[Run, Judge, Loaded, Report]] = {}
    while turn <= ROUNDS:
        attempt = run.copy()
        new = attempt.round(report, last=turn == ROUNDS) or (attempt.texts.tidied(loaded) if turn < ROUNDS else {})
        if not new and run.waiting:  # one half of the suspects is settled; now the other half
            run.waiting.clear()
            continue
        if not new:
            run = attempt
            # Code that compiled may fail to compile between the rounds, but not at the end.
            if first_run.gives_up(run, first_judge.refused, judge.refused, report, first_report) or anew:
                run, judge, loaded = first_run.again_after(run), first_judge.copy(), first_loaded
                report, settled, turn, tried_again, anew = first_report, True, 0, False, False
                if end := ends.get(run.left_out):  # an earlier run left out the same fixes: go on from its end
                    run, judge, loaded, report = run.after_rounds_of(end[0]), end[1].copy(), *end[2:]
                continue
            # Findings that were only updated from round to round may be out of date, so everything is checked again.
            if not settled:
                report, settled, turn = judge.settle(loaded), True, turn + 1
                continue
            # A fix that was harmful in an earlier round may be harmless now, so it is tried again.
            ends.setdefault(first_run.left_out, (run.copy(), judge.copy(), loaded, report))
            if tried_again or not run.tries_again(first_run):
                break
            tried_again = True
            continue
        changed = replace(loaded, sources=tuple(new.get(str(each.path), each) for each in loaded.sources))
        trial = judge.copy()
        result = trial(changed)
        broken = worse(judge.refused, trial.refused)
        new_fixes = attempt.applied[len(run.applied) :]
        hopeless = attempt.beyond_fixing(broken, result) if broken else {}
        if hopeless and run.without(new_fixes, hopeless):
            continue  # repeat the round with fewer fixes; it ends, because there are fewer each time
        attempt.begins(new_fixes, judge.refused, {root: each for root, each in broken.items() if root not in hopeless})
        # Fixes that repeat themselves must leave no changes: after all other fixes, the run starts again without them.
        anew = attempt.leave_circles(first_run) or anew
        run, judge, loaded, report, settled, tried_again = attempt, trial, changed, result, False, False
        run.waiting.clear()
        run.halved.clear()
        turn += 1
    if not settled:
        report = judge.settle(loaded)
    return run, judge, loaded, report
