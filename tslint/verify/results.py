"""Defines the results of stages and targets, and their JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal

from tslint.diagnostics import Diagnostic
from tslint.util.record import record
from tslint.verify.stage_names import NEEDED

if TYPE_CHECKING:
    from tslint.verify.repair import Repair

Status = Literal["passed", "failed", "skipped", "unavailable"]
Judgement = Literal["pass", "fail", "error"]

# How the detail ends if a stage did not run because of an earlier one.
NOT_REACHED = (" failed", " ended the process", " ended before this stage")

NOT_ASKED_FOR = "not asked for (--stages, --skip)"
# If one of these fails, the target was not judged; if a later stage fails, it was.
_PRELIMINARY = ("import", "build")
# If none of these ran, nothing is known about TorchScript.
_JUDGING = ("script", "trace")
_INFORMATIVE = ("export",)


@record
class StageResult:
    """The result of one stage.

    Args:
        name: the name of the stage, such as ``script``.
        status: the status; ``unavailable`` if this machine or this torch lacks something that the stage needs.
        seconds: the elapsed time.
        detail: one line; empty if there is nothing to report.
        findings: the findings, in source order.
        limit: whether one of tslint's own limits prevented a result.
    """

    name: str
    status: Status
    seconds: float = 0.0
    detail: str = ""
    findings: tuple[Diagnostic, ...] = ()
    limit: bool = False

    @property
    def counts(self) -> bool:
        """Return whether the stage failed and its failure affects the verdict: some stages only inform."""
        return self.status == "failed" and self.name not in _INFORMATIVE

    def to_json(self) -> dict[str, Any]:
        """Return the stage as in the JSON contract."""
        from tslint.reporters.json import finding

        return {
            "name": self.name,
            "status": self.status,
            "seconds": round(self.seconds, 3),
            "detail": self.detail,
            "findings": [finding(each) for each in self.findings],
        }


@record
class TargetVerdict:
    """The result for one target.

    Args:
        target: the target as the user named it.
        stages: the stages, in the order in which they ran.
        artifacts: ``script`` and ``trace`` → path of the archive, None for one that was not written; None if archives
            were not requested.
        model_snapshot: further data for the HTML report; see ``model_snapshot.py``. None if it was not requested.
        snapshot: what must stay the same when the code changes; see ``snapshot.py``. None if it was not requested.
        repair: the result of fixing; None if it was not requested.
        needed: the stages that are required for a pass.
        archives: like ``artifacts``, but also if the archives were deleted with the worker.
        interfaces: ``script`` and ``trace`` → see ``interface.py``; None if they were not requested.
        facts: the attributes of the built module, if they were requested.
    """

    target: str
    stages: tuple[StageResult, ...]
    artifacts: Mapping[str, str | None] | None = None
    model_snapshot: Mapping[str, Any] | None = field(default=None, repr=False, compare=False)
    snapshot: Mapping[str, Any] | None = field(default=None, repr=False, compare=False)
    repair: Repair | None = field(default=None, compare=False)
    needed: tuple[str, ...] = NEEDED
    interfaces: Mapping[str, Any] | None = field(default=None, repr=False, compare=False)
    archives: Mapping[str, str | None] = field(default_factory=dict, repr=False, compare=False)
    facts: Mapping[str, Any] | None = field(default=None, repr=False, compare=False)

    @property
    def verdict(self) -> Judgement:
        """Return ``error`` if the module was not built; else ``fail`` if a stage of the pipeline failed; else ``error``
        if the target could not be judged for another reason; otherwise ``pass``.
        """
        status = {stage.name: stage.status for stage in self.stages}
        if any(status.get(name) != "passed" for name in _PRELIMINARY):
            return "error"
        if any(stage.counts for stage in self.stages):
            return "fail"
        if any(stage.limit and stage.name not in _INFORMATIVE for stage in self.stages):
            return "error"
        judged = any(status.get(name) == "passed" for name in _JUDGING)
        return "pass" if judged and all(status.get(name) == "passed" for name in self.needed) else "error"

    @property
    def reason(self) -> str:
        """Return one line with the reason if the verdict is not ``pass``; empty if it is."""
        verdict = self.verdict
        if verdict == "pass":
            return ""
        failed = [stage for stage in self.stages if stage.counts]
        if failed:
            return f"{failed[0].name}: {failed[0].detail}"
        limits = [stage for stage in self.stages if stage.limit]
        if limits:
            return f"{limits[0].name}: {limits[0].detail}"
        missing = [stage for stage in self.stages if stage.status != "passed" and stage.name in self.needed]
        skipped = missing or [stage for stage in self.stages if stage.status != "passed" and stage.name in _JUDGING]
        return f"could not be judged: {skipped[0].name}: {skipped[0].detail}" if skipped else "could not be judged"

    @property
    def left_out(self) -> list[str]:
        """Return the stages that were not requested."""
        return [stage.name for stage in self.stages if stage.detail == NOT_ASKED_FOR]

    def to_json(self) -> dict[str, Any]:
        """Return the target as in the JSON contract."""
        return {
            "target": self.target,
            "verdict": self.verdict,
            "stages": [stage.to_json() for stage in self.stages],
            "artifacts": dict(self.artifacts) if self.artifacts is not None else None,
            **({} if self.repair is None else self.repair.to_json()),
        }
