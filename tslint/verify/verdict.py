"""Defines the result of ``verify``, and its JSON."""

from __future__ import annotations

from typing import Any

from tslint.util.record import record
from tslint.verify.results import TargetVerdict


@record
class Verdict:
    """The result of the whole run.

    Args:
        torch: the version of torch that was used; empty if no worker could load torch.
        python: the version of Python that was used.
        targets: the verdicts on the targets, in the requested order.
    """

    torch: str
    python: str
    targets: tuple[TargetVerdict, ...]

    @property
    def exit_status(self) -> int:
        """Return 2 if a target could not be judged, otherwise 1 if a target failed, otherwise 0."""
        verdicts = {target.verdict for target in self.targets}
        return 2 if "error" in verdicts else 1 if "fail" in verdicts else 0

    @property
    def passed(self) -> bool:
        """Return whether every target passed."""
        return self.exit_status == 0

    def raise_for_failure(self) -> None:
        """Do nothing if every target passed.

        Raises:
            VerificationFailed: a target did not pass; the message is the report.
        """
        if not self.passed:
            from tslint.verify.reports.plain import render

            raise VerificationFailed(self, render(self.targets, self.torch))

    def to_json(self) -> dict[str, Any]:
        """Return the run in the form of the JSON contract."""
        return {"torch": self.torch, "python": self.python, "targets": [target.to_json() for target in self.targets]}


class VerificationFailed(AssertionError):
    """Raised for a module that failed verification.

    Args:
        verdict: the results.
        report: the report, as ``tslint verify`` prints it.
    """

    def __init__(self, verdict: Verdict, report: str) -> None:
        super().__init__(report)
        self.verdict = verdict
