"""The result of ``tslint verify --fix`` for one target; plain data, for reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from tslint.diagnostics import Position

Status = Literal["applied", "left out"]


@dataclass(frozen=True)
class ProvenFix:
    """One fix, and whether it is part of what was proven.

    Args:
        code, name: of its rule.
        filename: absolute.
        position: where the finding stands in the file as it was before all fixes.
        message: what the fix does.
        status: ``applied`` or ``left out``.
        reason: why it was left out; empty for one that was applied.
    """

    code: str
    name: str
    filename: str
    position: Position
    message: str
    status: Status
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        """The fix as in the json contract."""
        return {
            "code": self.code,
            "name": self.name,
            "filename": self.filename,
            "location": {"row": self.position.row, "column": self.position.column},
            "message": self.message,
            "status": self.status,
            "reason": self.reason,
        }


@dataclass(frozen=True)
class Repair:
    """What fixes came to for a target.

    Args:
        fixes: all that were tried, by file and place.
        files: the files that the applied ones change.
        written: whether they have been written.
        diff: what they change.
        note: what there is to say of the whole; empty where the fixes say it all.
        problem: what kept the fixes from being judged at all; empty where nothing did.
        runs: how often the target was run.
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
        """How many fixes hold."""
        return sum(each.status == "applied" for each in self.fixes)

    def to_json(self) -> dict[str, Any]:
        """The fields that ``--fix`` adds to a target in the json contract."""
        return {
            "fixes": [each.to_json() for each in self.fixes],
            "files": list(self.files),
            "written": self.written,
            "diff": self.diff,
            "note": self.problem or self.note,
        }
