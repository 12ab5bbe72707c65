"""Tests annotations of empty lists and dicts: the code compiles afterwards, and no annotation is written that cannot
help.
"""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.driver import HERE, findings
from tslint.fixing.edits import apply_fixes
from tslint.sources.file import SourceFile

HEAD = "from typing import Dict, List\nimport torch\n"
TAIL = "\n\nscripted = torch.jit.script(f)\ninputs = (torch.ones(2), 3)\n"

ANNOTATED = [
    (
        "def f(x, n: int):\n    rows, seen = [], {}  # é\n    rows.append(n)\n    seen['a'] = x\n    return rows",
        "def f(x, n: int):\n    rows: List[int] = []\n    seen = {}  # é\n    rows.append(n)\n    seen['a'] = x\n"
        "    return rows",
    ),
    (
        "def f(x, n: int):\n    rows=[]; rows.append([n])\n    return rows",
        "def f(x, n: int):\n    rows: List[List[int]]=[]; rows.append([n])\n    return rows",
    ),
    (
        "def f(x, n: int):\n    seen = dict()\n    seen[n] = (n,)\n    return x",
        "def f(x, n: int):\n    seen: Dict[int, Tuple[int]] = dict()\n    seen[n] = (n,)\n    return x",
    ),
]


def fixed(text: str) -> str:
    found = [finding for finding in findings(text) if finding.code == "TS504"]
    applied = apply_fixes(SourceFile(HERE, text), [finding.fix for finding in found if finding.fix is not None])
    assert found and not applied.invalid
    return applied.text


@pytest.mark.parametrize(("before", "after"), ANNOTATED)
def test_an_empty_container_is_annotated(before: str, after: str) -> None:
    assert not the_compiler()(HEAD + before + TAIL).ok
    head = HEAD if "Tuple" not in after else HEAD.replace("List", "List, Tuple")
    assert fixed(HEAD + before + TAIL) == head + after + TAIL
    verdict = the_compiler()(head + after + TAIL)
    assert verdict.ok, verdict.message


@pytest.mark.parametrize(("added", "annotated"), [("i", True), ("x.size(0)", True), ("x.sum()", False)])
def test_a_sum_of_tensors_is_no_number(added: str, annotated: bool) -> None:
    """The compiler gives the sum the type of the int with which it begins."""
    body = f"    total = 0\n    for i in range(n):\n        total += {added}\n"
    body += "    sums = {}\n    sums['total'] = total\n    return sums"
    text = f"{HEAD}def f(x, n: int):\n{body}{TAIL}"
    assert ("sums: Dict[str, int] = {}" in fixed(text)) is annotated


@pytest.mark.parametrize("value", ["x", "(n, n)", "{'a': n}"])
def test_a_list_extended_by_no_list_is_not_annotated(value: str) -> None:
    text = f"{HEAD}def f(x, n: int):\n    rows = []\n    rows.extend({value})\n    return x{TAIL}"
    assert not the_compiler()(text).ok
    assert fixed(text) == text
