"""Renders the page: its head, and one section for each target."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from tslint.reporters.view import View, count
from tslint.verify.report.code import compiled_code
from tslint.verify.report.findings import counterexamples, findings
from tslint.verify.report.graph import arrow_head
from tslint.verify.report.markup import Markup, join, tag
from tslint.verify.report.tree import module_tree
from tslint.verify.results import StageResult, TargetVerdict
from tslint.verify.verdict import Verdict

_WORDS = {"pass": "PASS", "fail": "FAIL", "error": "ERROR"}
_MARKS = {"passed": "✓", "failed": "✗", "skipped": "–", "unavailable": "?"}
# A self-contained page may not load anything.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def render(verdict: Verdict, view: View | None = None) -> str:
    """Return the whole page.

    Args:
        verdict: the verdict, with model snapshots if they were recorded.
        view: defines the folder to which paths are relative.
    """
    shown = view or View()
    several = len(verdict.targets) > 1
    title = "tslint verify" if several or not verdict.targets else f"{verdict.targets[0].target} – tslint verify"
    links = [
        tag("li", tag("a", target.target, href=f"#target-{number}"), " ", badge(target))
        for number, target in enumerate(verdict.targets)
    ]
    sections = [section(number, target, shown) for number, target in enumerate(verdict.targets)]
    return page("tslint verify", versions(verdict), links if several else (), sections, title)


def versions(verdict: Verdict) -> str:
    """Return the versions of Python and torch."""
    known = (("torch", verdict.torch), ("Python", verdict.python))
    return ", ".join(f"{name} {version}" for name, version in known if version)


def page(heading: str, note: str, links: Sequence[Markup], sections: Sequence[Markup], title: str = "") -> str:
    """Return a self-contained page.

    Args:
        heading: the heading of the page.
        note: a text next to the heading.
        links: links to the sections; empty for none.
        sections: the sections, one below the other.
        title: the title of the window, if it is not the heading.
    """
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        tag("title", title or heading),
        tag("style", Markup(_style())),
    )
    body = tag(
        "body",
        arrow_head(),
        tag("header", tag("h1", heading), tag("p", note, class_="note")),
        tag("nav", tag("ul", *links), aria_label="targets") if links else None,
        tag("main", *sections),
    )
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}\n"


@cache
def _style() -> str:
    return files(__package__).joinpath("style.css").read_text(encoding="utf-8")


def badge(target: TargetVerdict) -> Markup:
    """Return the verdict in one word."""
    return tag("span", _WORDS[target.verdict], class_=f"verdict {target.verdict}")


def section(number: int, target: TargetVerdict, view: View) -> Markup:
    """Return the section of a target."""
    seconds = sum(stage.seconds for stage in target.stages)
    total = sum(len(stage.findings) for stage in target.stages)
    facts = f"{count(total, 'finding')}, {seconds:.1f} s"
    model_snapshot = target.model_snapshot or {}
    return tag(
        "section",
        tag("h2", target.target, " ", badge(target)),
        tag("p", target.reason, class_="reason") if target.reason else None,
        tag("p", facts, class_="note"),
        _part("Stages", _stages(target.stages)),
        _part("Counterexamples", counterexamples(target, view)),
        _part("Findings", findings(target, view)),
        _part("Modules", module_tree(target)),
        _part("Scripted", compiled_code("script", model_snapshot, view)),
        _part("Traced", compiled_code("trace", model_snapshot, view)),
        _part("Archives", _archives(target)),
        id=f"target-{number}",
        class_="target",
    )


def _part(title: str, content: Markup | None) -> Markup | None:
    return tag("section", tag("h3", title), content) if content else None


def _stages(stages: tuple[StageResult, ...]) -> Markup:
    rows = [
        tag(
            "li",
            tag("span", _MARKS[stage.status], class_="mark", aria_hidden="true"),
            tag("span", stage.name, class_="name"),
            tag("span", stage.status, class_="status"),
            tag("span", f"{stage.seconds:.2f} s" if stage.status in ("passed", "failed") else "", class_="time"),
            tag("span", stage.detail, class_="detail"),
            class_=stage.status,
        )
        for stage in stages
    ]
    return tag("ol", *rows, class_="stages")


def _archives(target: TargetVerdict) -> Markup | None:
    paths = [
        join([tag("dt", mode), tag("dd", tag("code", path))]) for mode, path in (target.artifacts or {}).items() if path
    ]
    return tag("dl", *paths) if paths else None
