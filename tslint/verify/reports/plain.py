"""The text report of a finished run, for exceptions and test reports."""

from __future__ import annotations

import io
from collections.abc import Sequence

from tslint.reporters.view import View
from tslint.verify.progress import Running
from tslint.verify.reports.text import TextReport
from tslint.verify.request import Request
from tslint.verify.results import TargetVerdict


class _Text(io.StringIO):
    encoding = "utf-8"


def render(targets: Sequence[TargetVerdict], torch: str) -> str:
    """Return the report as ``tslint verify`` prints it, without colours."""
    stream = _Text()

    def write(text: str) -> None:
        stream.write(text)

    report = TextReport(write, stream, View(), Running(stream, False))
    for target in targets:
        report.target_started(Request(target.target))
        for stage in target.stages:
            report.stage_ended(stage)
        report.target_ended(target)
    report.finish(targets, torch)
    return stream.getvalue()
