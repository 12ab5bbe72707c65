"""Tests that the static model and the rules agree with the compiler's verdicts on the snippets.

A snippet that the compiler accepts has no error. One that it rejects has an error on the row where the compiler
stopped, or anywhere if it named no row. Known differences are in ``known_disagreements.json``, each with the reason;
the list must be exact, so that it can only get shorter.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.script.model import refusals
from tslint.diagnostics import Diagnostic, Severity, Stage
from tslint.lint.analysis import analyse
from tslint.project.index import Project
from tslint.script.model import Model
from tslint.sources.file import SourceFile

HERE = Path(__file__).parent
ROWS_OF_A_FINDING = 3
# The snippets at which tslint quotes other words of the compiler than its first line has.
MISQUOTED = {
    "377c286ef4": "the first quotation mark of the message is missing in the record",
    "82443edc1d": "the record is cut before the overload that is quoted",
    "bf0bd43c46": "the words depend on whether the class was compiled before",
    "711689983b": "the quote is the line below the message, which names the author's code",
    "cf6b35f1e6": "the quote is the line below the message, which names the author's code",
    "fabee58fe7": "the compiler knows the parameters of ignored functions as Tensors without `(inferred)`",
    "45f128b0e4": "a static method fails before the class method",
    "bd2beb0a55": "the class was compiled before its base",
    "5f8391e184": "the class of a logger depends on its name",
}
KNOWN: dict[str, dict[str, str]] = json.loads((HERE / "known_disagreements.json").read_text(encoding="utf-8"))


class Snippet(NamedTuple):
    """A file, and the verdict of ``torch.jit.script`` on it."""

    id: str
    title: str
    source: str
    verdict: str
    lines: list[int]
    message: str = ""


@cache
def snippets() -> tuple[Snippet, ...]:
    with (HERE / "snippets.jsonl").open(encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    return tuple(
        Snippet(**{field: record[field] for field in Snippet._fields if field in record}) for record in records
    )


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
def errors() -> dict[str, list[Diagnostic]]:
    """Return the errors that ``analyse`` reports, by snippet."""
    sources = [SourceFile(place(snippet), snippet.source) for snippet in snippets()]
    return {
        snippet.id: [
            finding
            for finding in analyse([source])[source.path]
            if finding.severity is Severity.ERROR and finding.stage is Stage.SCRIPT and finding.code < "TS6"
        ]
        for snippet, source in zip(snippets(), sources)
    }


def rows_of_findings(snippet: Snippet) -> list[range]:
    return [covered(finding.start.row, finding.end.row) for finding in errors()[snippet.id]]


def plain(message: str) -> str:
    """Return a message without what differs between two runs: the names of generated modules and classes."""
    short = re.sub(r" \(of Python compilation unit at: 0x[0-9a-f]+\)| of \w+ object at 0x[0-9a-f]+", "", message)
    short = re.sub(r"__torch__\.[\w.]*?(\w+)(?=[^\w.])", r"__torch__.\1", short)
    return re.sub(r"\s+", " ", short)


def misquotes(snippet: Snippet) -> list[str]:
    """Return the quotes of the errors where the compiler stopped, if none of them occurs in its message."""
    here = [each for each in errors()[snippet.id] if snippet.lines and each.start.row == snippet.lines[0]]
    quotes = [each.compiler or "" for each in here]
    said = plain(snippet.message)
    return [] if any(plain(quote + " ").strip().rstrip(".") in said for quote in quotes) else quotes


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
    wrong = {s.id: s.title for s in snippets() if not agrees(s, rows_of_findings(s))}
    assert wrong == {id: entry["title"] for id, entry in KNOWN.items()}


def test_few_disagreements_are_known() -> None:
    assert len(KNOWN) <= 0.03 * len(snippets())


@pytest.mark.parametrize("id", KNOWN)
def test_a_known_disagreement_says_why(id: str) -> None:
    titles = {snippet.id: snippet.title for snippet in snippets()}
    assert titles[id] == KNOWN[id]["title"]
    assert len(KNOWN[id]["reason"].split()) > 5


def test_the_compiler_is_quoted() -> None:
    wrong = {snippet.id: quotes for snippet in snippets() if (quotes := misquotes(snippet))}
    assert wrong.keys() == MISQUOTED.keys()
