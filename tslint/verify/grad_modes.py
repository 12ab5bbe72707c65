"""``grad = "both"``: runs each stage without grad, and again with it (worker side)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tslint.verify.endings import ending
from tslint.verify.forked_stages import ForkedStages, Stage
from tslint.verify.outcome import Evidence, Outcome
from tslint.verify.session import Compiled, Session

# Stages that the grad mode cannot change, or that only inform.
_ONCE = ("import", "build", "native", "threads", "export")


class BothGradModes:
    """Runs the stages with grad on, after the same stages without grad.

    Args:
        session: the session of the runs without grad, which has the module.
        run: runs a stage in the current process.
        adopt: called at the start of each fork.
    """

    def __init__(self, session: Session, run: Stage, adopt: Callable[[], None]) -> None:
        scratch = session.scratch / "grad"
        scratch.mkdir()
        request = replace(session.request, grad="on", save_to=None, snapshot=False, model_snapshot=False)
        self._session = replace(
            session, request=request, scratch=scratch, report_artifact=lambda mode, path: None, compiled=Compiled(),
            warned=[], outputs={}, archives={}, called={}, reloaded={},
        )  # fmt: skip
        self._forked = ForkedStages(self._session, run, adopt)

    def run(self, name: str, without: Outcome | int) -> Outcome | int:
        """Run a stage with grad; return its outcome without grad or, if it only fails or is only unavailable with grad,
        that outcome.

        Args:
            name: the name of the stage.
            without: its outcome without grad.
        """
        if name in _ONCE:
            return without
        found = self._forked.run(name)
        if isinstance(without, int) or without.status != "passed":
            return without
        if isinstance(found, int):
            found = Outcome("failed", f"the process {ending(found)}")
        if found.status == "unavailable":
            return found
        if found.status != "failed":
            return without
        words = f"fails only with grad on: {found.detail}"
        evidence = self._evidence(name, words, found.evidence)
        return Outcome("failed", words, (*without.evidence, evidence), found.limit)

    def _evidence(self, name: str, words: str, found: Sequence[Evidence]) -> Evidence:
        """Return the evidence for a failure: on the line that the stage blames, otherwise on ``forward``."""
        stage = name if name in ("script", "trace", "save") else "load"
        stacks = [each["stack"] for each in found if each.get("severity") == "error" and each.get("stack")]
        return {
            "kind": "observed", "code": "TS908", "severity": "error", "stage": stage, "message": f"{name} {words}",
            "place": stacks[0][-1] if stacks else self._session.forward_place,
        }  # fmt: skip
