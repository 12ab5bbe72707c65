"""Tests the verdicts of the benchmark of fixes, from records of a module before and after."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from benchmarks import figures
from benchmarks.verdicts import Record, alike_runs, judged

TENSOR = ["tensor", [2, 3], "torch.float32", [0, 0, 0], [0.5, 0.25, 0.1, 0.1], [1.0, 2.0]]
OTHER = ["tensor", [2, 3], "torch.float32", [0, 0, 0], [0.5, 0.26, 0.1, 0.1], [1.0, 2.0]]


def run(out: Any = TENSOR, **parts: Any) -> Record:
    return {"out": out, "args": [], "state": ["dict", []], "drawn": [0.5], **parts}


RAISED = {"raised": "ValueError", "said": "no"}


def refused(**parts: Any) -> Record:
    return {
        "cls": "Net", "keys": ["weight"], "runs": [run(), run()], "again": None,
        "script": False, "lines": [["a.py", 3]], "message": "no\nmore", **parts,
    }  # fmt: skip


def compiled(*runs: Record, **parts: Any) -> Record:
    return {**refused(), "script": True, "used": False, "compiled": list(runs) or [run(), run()], **parts}


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (refused(), compiled(), ("rejected", "same", "fixed", False)),
        (refused(lines=[]), compiled(), ("unlocated", "same", "fixed", False)),
        (refused(), refused(), ("rejected", "same", "refused", False)),
        (refused(), compiled(run(OTHER), run()), ("rejected", "same", "differs", True)),
        (refused(), compiled(run(), RAISED), ("rejected", "same", "raises", True)),
        (refused(), compiled(runs=[run(), run(OTHER)]), ("rejected", "changed", "differs", True)),
        (refused(), compiled(runs=[run(), RAISED]), ("rejected", "changed", "differs", True)),
        (refused(), compiled(keys=[]), ("rejected", "changed", "fixed", True)),
        (refused(), {"unbuilt": "TypeError"}, ("rejected", "changed", "unknown", True)),
        (refused(), None, ("unknown", "crashed", "unknown", False)),
        (refused(again=[run(OTHER)]), compiled(), ("rejected", "flaky", "unknown", False)),
        (refused(runs=[RAISED]), compiled(run(), runs=[RAISED]), ("rejected", "same", "unrun", False)),
        (refused(script=None), refused(script=None), ("unknown", "same", "unknown", False)),
        (compiled(), refused(), ("accepted", "same", "uncompiled", True)),
        (compiled(), compiled(), ("accepted", "same", "same", False)),
        (compiled(), compiled(RAISED, run()), ("accepted", "same", "raises", True)),
        (compiled(), compiled(run(OTHER)), ("accepted", "same", "differs", True)),
        (compiled(RAISED), compiled(), ("accepted", "same", "same", False)),
        (compiled(run(OTHER)), compiled(), ("accepted", "same", "mended", False)),
        (compiled(used=True, expected=[run(OTHER)]), compiled(used=True, expected=[run(OTHER)]),
         ("accepted", "same", "same", False)),
    ],
)  # fmt: skip
def test_verdicts(before: Record, after: Record | None, expected: tuple[str, str, str, bool]) -> None:
    verdict = judged(before, after, safe=False)
    assert (verdict.before, verdict.eager, verdict.after, verdict.bad) == expected


@pytest.mark.parametrize(
    ("left", "risks", "raises", "differs"),
    [
        ([], [], False, False),
        (["TS610"], [], True, True),
        ([], ["raises"], True, False),
        ([], ["refuses"], True, False),
        ([], ["differs"], False, True),
        ([], ["assumes"], True, True),
        ([], ["unsaved", "exception"], False, False),
    ],
)
def test_announced_differences_are_not_bad(left: list[str], risks: list[str], raises: bool, differs: bool) -> None:
    for runs, announced in ((RAISED, raises), (run(OTHER), differs)):
        verdict = judged(refused(), compiled(runs), safe=False, left=left, risks=risks)
        assert (verdict.announced, verdict.bad) == (announced, not announced)


def test_safe_fixes_keep_the_type_of_an_exception() -> None:
    before, after = refused(runs=[RAISED]), compiled(runs=[{"raised": "KeyError", "said": ""}])
    assert judged(before, after, safe=True).eager == "changed"
    assert judged(before, after, safe=False).eager == "same"
    assert judged({"unbuilt": "KeyError"}, {"unbuilt": "TypeError"}, safe=True).eager == "changed"
    assert judged({"unbuilt": "KeyError"}, {"unbuilt": "TypeError"}, safe=False).eager == "same"


@pytest.mark.parametrize(
    ("one", "two", "alike"),
    [
        (TENSOR, TENSOR, True),
        (TENSOR, [*TENSOR[:4], [0.5, 0.25001, 0.1, 0.1], [1.0, 2.0]], True),
        (TENSOR, OTHER, False),
        (TENSOR, ["tensor", [3, 2], *TENSOR[2:]], False),
        (TENSOR, [*TENSOR[:2], "torch.float64", *TENSOR[3:]], False),
        (TENSOR, [*TENSOR[:3], [1, 0, 0], *TENSOR[4:]], False),
        (["list", [TENSOR]], ["tuple", [TENSOR]], False),
        (["list", [TENSOR]], ["list", [TENSOR, TENSOR]], False),
        (["int", 1], ["bool", True], False),
        (["float", 1.0], ["float", 1.0 + 1e-7], True),
        (["float", float("nan")], ["float", float("nan")], True),
    ],
)
def test_values_are_compared(one: Any, two: Any, alike: bool) -> None:
    assert (alike_runs(run(one), run(two)) == "") is alike


def test_side_effects_are_compared_and_random_draws_only_in_python() -> None:
    assert alike_runs(run(), run(args=[TENSOR])).startswith("args")
    assert alike_runs(run(), run(state=["dict", [["n", TENSOR]]])).startswith("state")
    assert alike_runs(run(), run(drawn=[0.7])).startswith("drawn")
    assert alike_runs(run(), run(drawn=[0.7]), compiled=True) == ""


def row(before: Record, after: Record | None, codes: list[str]) -> figures.Row:
    verdict = judged(before, after, safe=False)
    return {"module": "a.py:0", "cls": "Net", **vars(verdict), "bad": verdict.bad, "codes": codes}


def test_tables() -> None:
    rows = [
        row(refused(), compiled(), ["TS507", "TS507"]),
        row(refused(), refused(message="Unknown type name 'x7' at 3"), ["TS507"]),
        row(compiled(), refused(), []),
        row(refused(), None, []),
    ]
    table = "\n".join(figures.table(rows))
    for line in ("of the code    2", "fixed                           1 = 50.00%", "no longer compile               1"):
        assert line in table
    kinds = list(figures.kinds(rows, Counter(TS507=3)))
    assert kinds[1].split() == ["TS507", "3", "2", "1"]
    assert list(figures.left(rows)) == ["    1  Unknown type name '…' at N   (a.py:0 Net)"]
    assert [line.split(" ")[0] for line in figures.listed(rows, everything=False)] == ["BROKEN", "CRASHED"]
