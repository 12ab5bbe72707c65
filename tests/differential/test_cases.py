"""Reduced programs on which the static model once disagreed with the compiler, with the compiler's verdict and row."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.script.model import refusals
from tslint.project.index import Project
from tslint.script.model import Model
from tslint.sources.file import SourceFile

HERE = Path(__file__).parent
ROWS_OF_A_FINDING = 3


class Case(NamedTuple):
    """A text that defines ``target``, and the verdict of ``torch.jit.script(target)``."""

    title: str
    source: str
    accepted: bool
    message: str
    row: int


with (HERE / "cases.jsonl").open(encoding="utf-8") as _lines:
    CASES = [Case(**json.loads(line)) for line in _lines]


def spans(source: str) -> list[tuple[int, int]]:
    """Return the rows of the unconditional events."""
    project = Project()
    made = "target()" if "class target(nn.Module)" in source else "target"
    text = source + f"\n\nimport torch\n\ntorch.jit.script({made})\n"
    module = project.add(SourceFile(HERE / "case.py", text))
    model = Model(project)
    model.analyse([module])
    sure = [event.span for event in model.all_events() if event.condition is None and event.kind in refusals()]
    return [(span.row, max(span.row, min(span.end_row, span.row + ROWS_OF_A_FINDING - 1))) for span in sure]


@pytest.mark.parametrize("case", CASES, ids=[f"{i}-{case.title[:50]}" for i, case in enumerate(CASES)])
def test_the_model_says_what_the_compiler_said(case: Case) -> None:
    found = spans(case.source)
    if case.accepted:
        assert not found
    else:
        assert found, case.message
        assert not case.row or any(first <= case.row <= last for first, last in found)


def test_both_verdicts_are_there() -> None:
    assert {case.accepted for case in CASES} == {True, False}
    assert len(CASES) > 200
