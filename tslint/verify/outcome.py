"""Defines the result of a stage, and how the worker sends it to its parent."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tslint.util.record import record
from tslint.verify.results import Status

Evidence = Mapping[str, Any]
"""The data for findings, as plain JSON, with a ``kind``: ``compiler``, ``tracer``, ``observed`` or ``compiled``."""


@record
class Outcome:
    """The result of a stage.

    Args:
        status: see :class:`tslint.verify.results.StageResult`.
        detail: one line.
        evidence: the data for findings.
        limit: whether one of tslint's own limits prevented a result.
    """

    status: Status = "passed"
    detail: str = ""
    evidence: tuple[Evidence, ...] = ()
    limit: bool = False


class StageFailed(Exception):
    """Raised by a stage that failed; means the same as a failed :class:`Outcome`."""

    def __init__(self, detail: str, *evidence: Evidence) -> None:
        super().__init__(detail)
        self.outcome = Outcome("failed", detail, evidence)


class StageSkipped(Exception):
    """Raised by a stage that was not requested, or that cannot run because its input is missing."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.outcome = Outcome("skipped", detail)


def one_line(text: str, limit: int = 300) -> str:
    """Return a text on one line, without control characters, memory addresses, and advice for torch's own
    developers.
    """
    text = re.sub(r" \(of Python compilation unit at:? 0x[0-9a-f]+\)| at 0x[0-9a-f]{6,}", "", text)
    text = re.sub(r"(?s)(backend)\. This could be because the operator doesn't exist.*", r"\1", text)
    joined = " ".join("".join(c if c.isprintable() or c.isspace() else "?" for c in text).split())
    return joined if len(joined) <= limit else joined[: limit - 1] + "…"
