"""Reports findings and verdicts as one JUnit document."""

from __future__ import annotations

from xml.etree import ElementTree

from tslint.gate.outcome import Outcome
from tslint.reporters import junit
from tslint.reporters.markup import document
from tslint.reporters.view import View
from tslint.verify.reports import junit as verified


def render(outcome: Outcome, view: View) -> str:
    """Return a ``testsuites`` document: a suite for each checked file and for each target."""
    root = ElementTree.Element("testsuites", name="tslint gate")
    if outcome.report is not None:
        root.extend(ElementTree.fromstring(junit.render(outcome.report, view)))
    if outcome.verdict is not None:
        root.extend(ElementTree.fromstring(verified.render(outcome.verdict)))
    for attribute in ("tests", "failures", "errors"):
        root.set(attribute, str(sum(int(suite.get(attribute, "0")) for suite in root)))
    root.set("time", f"{sum(float(suite.get('time', '0')) for suite in root):.3f}")
    return document(root)
