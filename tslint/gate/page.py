"""``--report F.html``: findings and verdicts on one self-contained page."""

from __future__ import annotations

from itertools import groupby

from tslint.gate.outcome import Outcome
from tslint.reporters.view import View, count
from tslint.verify.report.findings import article
from tslint.verify.report.markup import Markup, join, tag
from tslint.verify.report.page import badge, page, section, versions

_WORDS = {0: ("pass", "PASS"), 1: ("fail", "FAIL"), 2: ("error", "ERROR")}


def render(outcome: Outcome, view: View) -> str:
    """Return the HTML page for a run of ``tslint gate``: its findings, and the verdict of each target."""
    links: list[Markup] = []
    parts: list[Markup] = []
    if outcome.report is not None:
        links.append(tag("li", tag("a", "check", href="#check"), " ", _mark(1 if outcome.failing else 0)))
        parts.append(_check(outcome, view))
    if outcome.verdict is not None:
        for number, target in enumerate(outcome.verdict.targets):
            links.append(tag("li", tag("a", target.target, href=f"#target-{number}"), " ", badge(target)))
            parts.append(section(number, target, view))
    known = versions(outcome.verdict) if outcome.verdict is not None else ""
    note = " – ".join(filter(None, [outcome.summary, known]))
    return page("tslint gate", note, links, parts)


def _mark(status: int) -> Markup:
    name, word = _WORDS[status]
    return tag("span", word, class_=f"verdict {name}")


def _check(outcome: Outcome, view: View) -> Markup:
    report = outcome.report
    assert report is not None
    number = len({each.filename for each in report.diagnostics})
    facts = f"{count(len(report.diagnostics), 'finding')} in {count(number, 'file')} of {report.files}"
    if report.known:
        facts += f"; {count(report.known, 'known finding')} in the baseline"
    files = [
        join([tag("h3", view.path(filename)), *(article(each, each.stage.value, view) for each in group)])
        for filename, group in groupby(report.diagnostics, key=lambda each: each.filename)
    ]
    problems = [tag("p", f"{problem.path}: {problem.message}", class_="reason") for problem in report.problems]
    return tag(
        "section",
        tag("h2", "check ", _mark(2 if problems else 1 if outcome.failing else 0)),
        tag("p", facts, class_="note"),
        *problems,
        *files,
        id="check",
        class_="target",
    )
