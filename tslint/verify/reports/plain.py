"""The text report of a run that is over, for where it is not watched: exceptions and test reports."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from tslint.reporters.view import View
from tslint.verify.progress import Running
from tslint.verify.reports.text import TextReport
from tslint.verify.request import Request

if TYPE_CHECKING:
    from tslint.verify.verdict import Verdict


class _Text(io.StringIO):
    encoding = "utf-8"


def render(verdict: Verdict) -> str:
    """As ``tslint verify`` prints it, without colours."""
    stream = _Text()

    def write(text: str) -> None:
        stream.write(text)

    report = TextReport(write, stream, View(), Running(stream, False))
    for target in verdict.targets:
        report.target_started(Request(target.target))
        for stage in target.stages:
            report.stage_ended(stage)
        report.target_ended(target)
    report.finish(verdict)
    return stream.getvalue()
