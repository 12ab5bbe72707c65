"""The result of ``tslint verify --fix`` for one target, as plain data for reports."""

from __future__ import annotations

from typing import Any, Literal

from tslint.diagnostics import Position
from tslint.util.record import record

Status = Literal["applied", "left out"]


@record
class ProvenFix:
    """One fix, and whether it is part of the proven set.

    Args:
        code, name: the code and the name of its rule.
        filename: the absolute path of the file.
        position: the position of the finding in the file before all fixes.
        message: what the fix does.
        status: ``applied`` or ``left out``.
        reason: why it was left out; empty if it was applied.
    """

    code: str
    name: str
    filename: str
    position: Position
    message: str
    status: Status
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the fix as in the JSON contract."""
        return {
            "code": self.code,
            "name": self.name,
            "filename": self.filename,
            "location": {"row": self.position.row, "column": self.position.column},
            "message": self.message,
            "status": self.status,
            "reason": self.reason,
        }


@record
class Repair:
    """The result of fixing a target.

    Args:
        fixes: all fixes that were tried, by file and position.
        files: the files that the applied fixes change.
        written: whether the files have been written.
        diff: the changes of the files.
        note: a remark on the whole result; empty if the fixes say everything.
        problem: why the fixes could not be judged at all; empty if they were.
        runs: how many times the target was run.
    """

    fixes: tuple[ProvenFix, ...] = ()
    files: tuple[str, ...] = ()
    written: bool = False
    diff: str = ""
    note: str = ""
    problem: str = ""
    runs: int = 0

    @property
    def applied(self) -> int:
        """Return how many fixes were applied."""
        return sum(each.status == "applied" for each in self.fixes)

    def to_json(self) -> dict[str, Any]:
        """Return the fields that ``--fix`` adds to a target in the JSON contract."""
        return {
            "fixes": [each.to_json() for each in self.fixes],
            "files": list(self.files),
            "written": self.written,
            "diff": self.diff,
            "note": self.problem or self.note,
        }
