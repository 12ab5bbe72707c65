"""Reports findings and verdicts as GitHub annotations, with a summary in the log."""

from __future__ import annotations

from tslint.gate.outcome import Outcome
from tslint.reporters import github
from tslint.reporters.view import View, clean


def render(outcome: Outcome, view: View) -> str:
    """Return workflow commands and plain lines."""
    lines = [github.render(outcome.everything, view)]
    for problem in outcome.report.problems if outcome.report is not None else ():
        lines.append(f"::error title=tslint::{github.escape(f'{problem.path}: {problem.message}')}\n")
    for target in outcome.verdict.targets if outcome.verdict is not None else ():
        if target.verdict == "pass":
            lines.append(f"{clean(target.target)}: passed\n")
        else:
            title = github.escape_property(f"tslint verify: {target.target}")
            lines.append(f"::error title={title}::{github.escape(clean(f'{target.target}: {target.reason}'))}\n")
    return "".join(lines) + outcome.summary + "\n"
