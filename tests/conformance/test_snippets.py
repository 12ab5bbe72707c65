"""Tests that the static model and the rules agree with the compiler's verdicts on the snippets.

A snippet that the compiler accepts has no error. One that it rejects has an error on the row where the compiler
stopped, or anywhere if it named no row. Known differences are in ``known_disagreements.json``, each with the reason;
the list must be exact, so that it can only get shorter.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.script.model import refusals
from tslint.diagnostics import Severity, Stage
from tslint.lint.analysis import analyse
from tslint.project.index import Project
from tslint.script.model import Model
from tslint.sources.file import SourceFile

HERE = Path(__file__).parent
ROWS_OF_A_FINDING = 3
KNOWN: dict[str, dict[str, str]] = json.loads((HERE / "known_disagreements.json").read_text(encoding="utf-8"))


class Snippet(NamedTuple):
    """A file, and the verdict of ``torch.jit.script`` on it."""

    id: str
    title: str
    source: str
    verdict: str
    lines: list[int]


@cache
def snippets() -> tuple[Snippet, ...]:
    with (HERE / "snippets.jsonl").open(encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    return tuple(Snippet(*(record[field] for field in Snippet._fields)) for record in records)


def place(snippet: Snippet) -> Path:
    return HERE / f"snippet_{snippet.id}.py"


def rows_of_events(snippet: Snippet) -> list[range]:
    """Return the rows of the unconditional events."""
    project = Project()
    module = project.add(SourceFile(place(snippet), snippet.source))
    model = Model(project)
    model.analyse([module])
    return [
        covered(e.span.row, e.span.end_row) for e in model.all_events() if e.condition is None and e.kind in refusals()
    ]


@cache
def rows_of_findings() -> dict[str, list[range]]:
    """Return the rows of the errors that ``analyse`` reports, by snippet."""
    sources = [SourceFile(place(snippet), snippet.source) for snippet in snippets()]
    found: dict[str, list[range]] = {}
    for snippet, source in zip(snippets(), sources):
        found[snippet.id] = [
            covered(finding.start.row, finding.end.row)
            for finding in analyse([source])[source.path]
            if finding.severity is Severity.ERROR and finding.stage is Stage.SCRIPT and finding.code < "TS6"
        ]
    return found


def covered(start: int, end: int) -> range:
    return range(start, max(start, min(end, start + ROWS_OF_A_FINDING - 1)) + 1)


def agrees(snippet: Snippet, rows: list[range]) -> bool:
    if snippet.verdict == "ok":
        return not rows
    return bool(rows) and (not snippet.lines or any(snippet.lines[0] in span for span in rows))


def test_the_snippets_are_all_there() -> None:
    assert len(snippets()) == len({snippet.id for snippet in snippets()}) == 578
    assert {snippet.verdict for snippet in snippets()} == {"ok", "error"}


def test_events_agree_with_the_compiler() -> None:
    wrong = {snippet.id: snippet.title for snippet in snippets() if not agrees(snippet, rows_of_events(snippet))}
    assert wrong == {id: entry["title"] for id, entry in KNOWN.items()}


def test_findings_agree_with_the_compiler() -> None:
    wrong = {s.id: s.title for s in snippets() if not agrees(s, rows_of_findings()[s.id])}
    assert wrong == {id: entry["title"] for id, entry in KNOWN.items()}


def test_few_disagreements_are_known() -> None:
    assert len(KNOWN) <= 0.03 * len(snippets())


@pytest.mark.parametrize("id", KNOWN)
def test_a_known_disagreement_says_why(id: str) -> None:
    titles = {snippet.id: snippet.title for snippet in snippets()}
    assert titles[id] == KNOWN[id]["title"]
    assert len(KNOWN[id]["reason"].split()) > 5
