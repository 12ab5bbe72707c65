"""The result of ``verify``, and its json."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tslint.verify.results import TargetVerdict


@dataclass(frozen=True)
class Verdict:
    """What the whole run came to.

    Args:
        torch: the version that judged; empty where no worker came so far as to load it.
        python: the version that judged.
        targets: in the order in which they were asked for.
    """

    torch: str
    python: str
    targets: tuple[TargetVerdict, ...]

    @property
    def exit_status(self) -> int:
        """0 all passed, 1 some failed, 2 some could not be judged."""
        verdicts = {target.verdict for target in self.targets}
        return 2 if "error" in verdicts else 1 if "fail" in verdicts else 0

    @property
    def passed(self) -> bool:
        """Whether every target passed."""
        return self.exit_status == 0

    def raise_for_failure(self) -> None:
        """Do nothing where every target passed.

        Raises:
            VerificationFailed: some did not; the message is the report.
        """
        if not self.passed:
            from tslint.verify.reports.plain import render

            raise VerificationFailed(self, render(self.targets, self.torch))

    def to_json(self) -> dict[str, Any]:
        """The run as in the json contract."""
        return {"torch": self.torch, "python": self.python, "targets": [target.to_json() for target in self.targets]}


class VerificationFailed(AssertionError):
    """A module does not survive on its way to a loaded archive.

    Args:
        verdict: what was found.
        report: as ``tslint verify`` prints it.
    """

    def __init__(self, verdict: Verdict, report: str) -> None:
        super().__init__(report)
        self.verdict = verdict
