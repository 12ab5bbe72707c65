"""Tests the text of verdicts."""

from __future__ import annotations

import io
from pathlib import Path
from xml.etree import ElementTree

from tslint.diagnostics import CallStep, Diagnostic, Position, Severity, Stage
from tslint.reporters.view import View
from tslint.verify.progress import Running, StderrProgress
from tslint.verify.reports.formats import render
from tslint.verify.reports.text import TextReport
from tslint.verify.request import Request
from tslint.verify.results import StageResult, TargetVerdict
from tslint.verify.verdict import Verdict


class Stream(io.StringIO):
    """A stream with an encoding."""

    def __init__(self, encoding: str = "utf-8") -> None:
        super().__init__()
        self._encoding = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """Return the encoding."""
        return self._encoding


def result(name: str, status: str = "passed", detail: str = "", *findings: Diagnostic) -> StageResult:
    return StageResult(name, status, 1.5, detail, findings)  # type: ignore[arg-type]


def failing(folder: Path) -> TargetVerdict:
    file = folder / "net.py"
    file.write_text("class Net:\n    def forward(self, x):\n        return foo(x)\n", encoding="utf-8")
    steps = (CallStep("Net.forward", str(file), Position(2, 5)), CallStep("Net.g", str(file), Position(2, 5)))
    finding = Diagnostic(
        "TS903", "compiler-error", Severity.ERROR, Stage.SCRIPT, "undefined value foo", str(file),
        Position(3, 16), Position(3, 19), steps,
    )  # fmt: skip
    stages = (
        result("import"),
        result("build", detail="Net"),
        result("script", "failed", "undefined value foo", finding),
        result("trace", "skipped", "no inputs"),
    )
    return TargetVerdict("net.py:Net", stages)


def unjudged() -> TargetVerdict:
    stages = (result("import", "failed", "no \x00module"), result("build", "skipped", "import failed"))
    return TargetVerdict("x:Net", stages)


def text(targets: list[TargetVerdict], encoding: str = "utf-8", folder: Path | None = None) -> str:
    written: list[str] = []
    stream = Stream(encoding)
    view = View(cwd=folder or Path("/"))
    report = TextReport(written.append, stream, view, Running(stream, False))
    for target in targets:
        report.target_started(Request(target.target))
        for stage in target.stages:
            report.stage_started(stage.name)
            report.stage_ended(stage)
        report.target_ended(target)
    report.finish(targets, "2.13.0")
    return "".join(written)


def test_text(tmp_path: Path) -> None:
    assert (
        text([failing(tmp_path), unjudged()], folder=tmp_path)
        == """\
net.py:Net
  ✓ import      1.50 s
  ✓ build       1.50 s  Net
  ✗ script      1.50 s  undefined value foo
  - trace               no inputs

  TS903 compiler-error: undefined value foo
   --> net.py:3:16
    |
  2 |     def forward(self, x):
  3 |         return foo(x)
    |                ^^^
    |
    = compiled via: Net.forward (net.py:2) → Net.g (net.py:2)

  FAIL: script failed (6.0 s)

x:Net
  ✗ import      1.50 s  no �module
  - not reached: build
  ERROR: import failed (1.5 s)

2 targets: 1 failed, 1 could not be judged (torch 2.13.0)
"""
    )


def test_text_in_ascii(tmp_path: Path) -> None:
    report = text([failing(tmp_path)], "ascii", tmp_path)
    assert report.isascii()
    assert "  FAILED  script      1.50 s  undefined value foo\n" in report


def test_junit_counts_what_dashboards_count(tmp_path: Path) -> None:
    nothing = TargetVerdict("y:Net", (result("import"), result("build"), result("script", "skipped", "no inputs")))
    document = render("junit", Verdict("2.13.0", "3.11.0", (failing(tmp_path), unjudged(), nothing)))
    suites = ElementTree.fromstring(document.partition("\n")[2])
    counts = [tuple(suite.get(name) for name in ("tests", "failures", "errors", "skipped")) for suite in suites]
    assert counts == [("4", "1", "0", "1"), ("2", "0", "1", "1"), ("4", "0", "1", "1")]
    failure = suites.find(".//failure")
    assert failure is not None
    assert failure.get("message") == "undefined value foo"
    assert str(failure.text).endswith("net.py:3:16: TS903 compiler-error: undefined value foo")
    for suite in suites:
        cases = suite.findall("testcase")
        assert len(cases) == int(str(suite.get("tests")))


def test_progress_beside_a_report_is_plain_lines_where_it_is_no_terminal() -> None:
    stream = Stream()
    progress = StderrProgress(stream)
    target = unjudged()
    progress.target_started(Request(target.target))
    for stage in target.stages:
        progress.stage_started(stage.name)
        progress.stage_ended(stage)
    progress.target_ended(target)
    progress.close()
    assert stream.getvalue() == "x:Net: import failed (1.50 s)\nerror: x:Net: import: no \x00module\n"


def test_the_running_stage_comes_and_goes_on_a_terminal() -> None:
    stream = Stream()
    running = Running(stream, True)
    running.show("eager")
    running.close()
    shown = stream.getvalue()
    assert "eager" in shown
    assert shown.endswith("\r\x1b[K")


def test_the_verdict_follows_from_the_stages() -> None:
    def verdict(*stages: StageResult) -> str:
        return TargetVerdict("t", (result("import"), result("build"), *stages)).verdict

    ran = (result("eager"), result("compare"))
    assert verdict(*ran, result("script")) == "pass"
    assert verdict(*ran, result("script"), result("trace", "skipped")) == "pass"
    assert verdict(result("eager", "failed")) == "fail"
    assert verdict(result("script"), result("compare", "failed")) == "fail"
    # These stages only inform, and never change the verdict.
    assert verdict(*ran, result("script"), result("export", "failed")) == "pass"
    assert verdict(*ran, result("script"), result("native", "unavailable")) == "pass"
    assert verdict(*ran, result("script", "skipped")) == "error"
    # Without these stages, it is not known whether the module computes the same.
    assert verdict(result("script"), result("eager", "skipped")) == "error"
    assert verdict(result("script"), result("eager"), result("compare", "skipped")) == "error"
    # Tslint's own limits are not errors of the user's module, and do not hide any.
    out_of_memory = StageResult("device", "unavailable", limit=True)
    assert verdict(*ran, result("script"), out_of_memory) == "error"
    assert verdict(*ran, result("script", "failed"), out_of_memory) == "fail"
    assert verdict(*ran, result("script"), StageResult("export", "unavailable", limit=True)) == "pass"


def test_only_the_configured_stages_are_needed() -> None:
    stages = (result("import"), result("build"), result("eager", "skipped"), result("script"), result("save"))
    assert TargetVerdict("t", stages, needed=("script", "save")).verdict == "pass"
    assert TargetVerdict("t", stages, needed=("script", "reload")).verdict == "error"


def test_exit_status() -> None:
    ran = [result(name) for name in ("import", "build", "eager", "script", "compare")]
    good = TargetVerdict("t", tuple(ran))
    bad = TargetVerdict("t", (result("import"), result("build"), result("script", "failed")))

    def status(*targets: TargetVerdict) -> int:
        return Verdict("", "", targets).exit_status

    assert (status(good), status(good, bad), status(good, bad, unjudged())) == (0, 1, 2)
