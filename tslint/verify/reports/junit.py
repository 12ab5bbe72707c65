"""The format for CI dashboards: a test suite for each target, a test case for each stage."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree

from tslint.reporters.markup import document
from tslint.reporters.markup import xml_text as _text

if TYPE_CHECKING:
    from tslint.verify.results import StageResult, TargetVerdict
    from tslint.verify.verdict import Verdict


def render(verdict: Verdict) -> str:
    """Return a ``testsuites`` document."""
    root = ElementTree.Element("testsuites", name="tslint verify")
    for target in verdict.targets:
        _suite(root, target)
    return document(root)


def _suite(root: ElementTree.Element, target: TargetVerdict) -> None:
    # JUnit's word for a test without a result is "error".
    unjudged = target.verdict == "error"
    failed = sum(stage.counts for stage in target.stages)
    suite = ElementTree.SubElement(
        root,
        "testsuite",
        name=_text(target.target),
        tests=str(len(target.stages)),
        failures=str(0 if unjudged else failed),
        errors=str(max(1, failed) if unjudged else 0),
        skipped=str(sum(stage.status != "passed" and not stage.counts for stage in target.stages)),
        time=f"{sum(stage.seconds for stage in target.stages):.3f}",
    )
    for stage in target.stages:
        case = ElementTree.SubElement(
            suite, "testcase", classname=_text(target.target), name=stage.name, time=f"{stage.seconds:.3f}"
        )
        if stage.counts:
            problem = ElementTree.SubElement(case, "error" if unjudged else "failure", message=_text(stage.detail))
            problem.text = _text(_findings(stage))
        elif stage.status != "passed":
            ElementTree.SubElement(case, "skipped", message=_text(stage.detail))
        elif stage.findings:
            ElementTree.SubElement(case, "system-out").text = _text(_findings(stage))
    if unjudged and not failed:
        case = ElementTree.SubElement(suite, "testcase", classname=_text(target.target), name="verdict", time="0.000")
        ElementTree.SubElement(case, "error", message=_text(target.reason))
        suite.set("tests", str(len(target.stages) + 1))


def _findings(stage: StageResult) -> str:
    return "\n".join(
        f"{each.filename}:{each.start.row}:{each.start.column}: {each.code} {each.name}: {each.message}"
        for each in stage.findings
    )
