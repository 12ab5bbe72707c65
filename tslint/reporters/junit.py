"""The format for CI dashboards: a test suite for each file, a test case for each finding."""

from __future__ import annotations

from xml.etree import ElementTree

from tslint.diagnostics import Diagnostic, Severity
from tslint.lint.engine import Report
from tslint.reporters.markup import document, xml_text
from tslint.reporters.view import View

# These findings mean that the file was not checked: in JUnit's terms an error, not a failure.
_UNJUDGED = ("TS900", "TS901")
_NO_TIME = "0.000"


def render(report: Report, view: View) -> str:
    """Return a ``testsuites`` document.

    A finding at or above ``--fail-on`` is a failure. One below it is a passed test with the finding as its output, so
    that the dashboard is red exactly when the run fails. A file without findings is one passed test.
    """
    by_file: dict[str, list[Diagnostic]] = {filename: [] for filename in report.sources}
    for each in report.diagnostics:
        by_file.setdefault(each.filename, []).append(each)
    root = ElementTree.Element("testsuites", name="tslint check")
    for filename in sorted(by_file):
        _suite(root, view, filename, by_file[filename])
    for problem in report.problems:
        suite = ElementTree.SubElement(root, "testsuite", name=xml_text(view.address(str(problem.path))))
        ElementTree.SubElement(_case(suite, "tslint"), "error", type="path", message=xml_text(problem.message))
        _count(suite)
    if not len(root):
        suite = ElementTree.SubElement(root, "testsuite", name="tslint")
        _case(suite, "tslint")
        _count(suite)
    for attribute in ("tests", "failures", "errors"):
        root.set(attribute, str(sum(int(suite.get(attribute, "0")) for suite in root)))
    root.set("time", _NO_TIME)
    return document(root)


def _suite(root: ElementTree.Element, view: View, filename: str, findings: list[Diagnostic]) -> None:
    suite = ElementTree.SubElement(root, "testsuite", name=xml_text(view.address(filename)))
    for each in findings:
        case = _case(suite, f"{each.code} {each.name} ({each.place})")
        details = xml_text(_details(view, each))
        if each.severity.rank < view.fail_on.rank:
            ElementTree.SubElement(case, "system-out").text = details
            continue
        kind = "error" if each.code in _UNJUDGED else "failure"
        ElementTree.SubElement(case, kind, type=each.severity.value, message=xml_text(each.message)).text = details
    if not findings:
        _case(suite, "tslint")
    _count(suite)


def _case(suite: ElementTree.Element, name: str) -> ElementTree.Element:
    # Jenkins reads the part before the last dot as the package; the folders of a path are not packages.
    classname = suite.get("name", "").removesuffix(".py").strip("/").replace("/", ".")
    return ElementTree.SubElement(suite, "testcase", classname=classname or "tslint", name=name, time=_NO_TIME)


def _count(suite: ElementTree.Element) -> None:
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(len(suite.findall("testcase/failure"))))
    suite.set("errors", str(len(suite.findall("testcase/error"))))
    suite.set("skipped", "0")
    suite.set("time", _NO_TIME)


def _details(view: View, each: Diagnostic) -> str:
    severity = "" if each.severity is Severity.ERROR else f" ({each.severity.value})"
    place = f"{view.address(each.filename)}:{each.place}"
    lines = [f"{place}: {each.code} {each.name}{severity}: {each.message}"]
    if len(each.compiled_via) > 1:
        lines.append("compiled via: " + " → ".join(step.name for step in each.compiled_via))
    if each.compiler:
        lines.append(f'TorchScript says: "{each.compiler}"')
    if each.help:
        lines.append(f"help: {each.help}")
    return "\n".join(lines)
