"""The results of stages and targets, and their json."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from tslint.diagnostics import Diagnostic
from tslint.verify.stage_names import NEEDED

if TYPE_CHECKING:
    from tslint.verify.repair import Repair

Status = Literal["passed", "failed", "skipped", "unavailable"]
Judgement = Literal["pass", "fail", "error"]

# How the details of stages end that an earlier one kept from running.
NOT_REACHED = (" failed", " ended the worker", " ended before it")

NOT_ASKED_FOR = "not asked for (--stages, --skip)"
# A target whose module or inputs cannot be had was not judged; whatever fails later was.
_PRELIMINARY = ("import", "build")
# Without one of these, nothing about TorchScript was found out.
_JUDGING = ("script", "trace")
_INFORMATIVE = ("export",)


@dataclass(frozen=True)
class StageResult:
    """What one stage came to.

    Args:
        name: ``script``.
        status: ``unavailable`` where this machine or this torch lacks what the stage needs.
        seconds: wall time.
        detail: one line; empty where there is nothing to say.
        findings: places in the source, sorted.
        limit: whether one of tslint's own limits kept it from judging.
    """

    name: str
    status: Status
    seconds: float = 0.0
    detail: str = ""
    findings: tuple[Diagnostic, ...] = ()
    limit: bool = False

    @property
    def counts(self) -> bool:
        """Whether it failed and the verdict says so too: what only informs does not count."""
        return self.status == "failed" and self.name not in _INFORMATIVE

    def to_json(self) -> dict[str, Any]:
        """The stage as in the json contract."""
        from tslint.reporters.json import finding

        return {
            "name": self.name,
            "status": self.status,
            "seconds": round(self.seconds, 3),
            "detail": self.detail,
            "findings": [finding(each) for each in self.findings],
        }


@dataclass(frozen=True)
class TargetVerdict:
    """What one target came to.

    Args:
        target: as the user named it.
        stages: in the order in which they ran.
        artifacts: ``script`` and ``trace`` → path of the archive, None for one that was not written; None where
            archives were not asked for.
        model_snapshot: what the html report shows beside; see ``model_snapshot.py``. None where none was asked for.
        snapshot: what must stay the same when the code changes; see ``snapshot.py``. None where it was not asked for.
        repair: what fixes came to; None where they were not asked for.
        needed: the stages without which it has not passed.
        archives: as ``artifacts``, also where they are gone with the worker.
        interfaces: ``script`` and ``trace`` → see ``interface.py``; None where they were not asked for.
        facts: what the built module holds, where that was asked for.
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
        """``fail`` if a stage of the pipeline failed, ``error`` if the target could not be judged."""
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
        """One line that says why the verdict is not ``pass``; empty where it is."""
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
        """The stages that were not asked for."""
        return [stage.name for stage in self.stages if stage.detail == NOT_ASKED_FOR]

    def to_json(self) -> dict[str, Any]:
        """The target as in the json contract."""
        return {
            "target": self.target,
            "verdict": self.verdict,
            "stages": [stage.to_json() for stage in self.stages],
            "artifacts": dict(self.artifacts) if self.artifacts is not None else None,
            **({} if self.repair is None else self.repair.to_json()),
        }
