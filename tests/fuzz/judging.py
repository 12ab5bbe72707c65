"""Checks a text as ``tslint check`` does, and tests that its findings, fixes and reports are consistent."""

from __future__ import annotations

import ast
import warnings
from pathlib import Path

from tslint.config import Settings
from tslint.fixing.rounds import fix
from tslint.lint.engine import Loaded, Report, judge
from tslint.lint.incremental import Judge
from tslint.reporters import MODULES, render
from tslint.reporters.view import View
from tslint.sources import reading
from tslint.sources.file import UnreadableSource

HOME = Path("fuzz").absolute()


def judged(data: bytes, name: str = "made.py", *, fixes: bool = True, formats: bool = False) -> Report | None:
    """Return the report on the bytes of a file; None if they are not text.

    Raises:
        AssertionError: an internal error, a position that is not in the file, or fixes that break its syntax.
    """
    try:
        source = reading.decode(HOME / name, data)
    except UnreadableSource:
        return None
    assert source.encode() == data or b"coding" in data
    settings = Settings(root=HOME)
    loaded = Loaded((source,))
    report = judge(loaded, settings)
    for each in report.diagnostics:
        assert each.code != "TS900", (each.message, each.help)
        assert each.start <= each.end and 1 <= each.start.row <= len(source.lines) + 1, each
        assert "\n" not in each.message
    if fixes and any(each.fix for each in report.diagnostics):
        outcome = fix(loaded, Judge(settings), unsafe=True)
        assert not any(each.code == "TS900" for each in outcome.report.diagnostics)
        for _, after in outcome.changed:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ast.parse(after.text)
    if formats:
        for output_format in MODULES:
            render(output_format, report, View(cwd=HOME, root=HOME))
    return report
