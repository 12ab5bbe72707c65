"""Tests fixes of type comments: each compiles afterwards, computes the same, and is safe if its names are known."""

from __future__ import annotations

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.driver import HERE, findings
from tslint.diagnostics import Applicability
from tslint.fixing.edits import apply_fixes
from tslint.sources.file import SourceFile

TAIL = "\n\nscripted = torch.jit.script(f)\ninputs = (torch.ones(2), 3)\n"

MENDED = [
    (
        "def f(x, n):  # type: (Tensor, int) -> Tensor\n    return x * n",
        "def f(x: torch.Tensor, n: int) -> torch.Tensor:\n    return x * n",
    ),
    (
        "def f(\n    x,\n    n=1,\n):  # type: (torch.Tensor, int) -> List[int] # é\n    return [n, x.size(0)]",
        "def f(\n    x: torch.Tensor,\n    n: int = 1,\n) -> List[int]:  # é\n    return [n, x.size(0)]",
    ),
    (
        "def f(x, n):\n    #type: (Tensor, int) -> Tensor\n    return x * n",
        "def f(x: torch.Tensor, n: int) -> torch.Tensor:\n    return x * n",
    ),
    (
        "def f(x, n: int):\n    out = []  # type: List[int]  # noqa\n    return out + [n]",
        "def f(x, n: int):\n    out: List[int] = []  # noqa\n    return out + [n]",
    ),
    (
        "def f(x, n):\n    # type: (Tensor, int) -> Tensor\n    é = {}  # type: Dict[str, Tensor]\n"
        "    é['a'] = x * n\n    return é['a']",
        "def f(x, n):\n    # type: (Tensor, int) -> Tensor\n    é: Dict[str, torch.Tensor] = {}\n"
        "    é['a'] = x * n\n    return é['a']",
    ),
]


def mended(text: str) -> str:
    fixes = [finding.fix for finding in findings(text) if finding.code == "TS509" and finding.fix is not None]
    assert {fix.applicability for fix in fixes} == {Applicability.SAFE}
    applied = apply_fixes(SourceFile(HERE, text), fixes)
    assert not applied.invalid
    return applied.text


@pytest.mark.parametrize(("before", "after"), MENDED)
def test_a_comment_becomes_annotations(before: str, after: str) -> None:
    imports = "from typing import Dict, List\nimport torch\n"
    before = imports + before + TAIL
    assert not the_compiler()(before).ok
    assert mended(before) == imports + after + TAIL
    verdict = the_compiler()(imports + after + TAIL)
    assert verdict.ok, verdict.message
    assert the_compiler()(before).eager == verdict.eager == verdict.scripted


def test_what_is_missing_is_imported() -> None:
    text = "import torch\ndef f(x, n: int):\n    out = []  # type: List[int]\n    return out + [n]" + TAIL
    assert mended(text).startswith("from typing import List\n\nimport torch\n")
    assert the_compiler()(mended(text)).ok


@pytest.mark.parametrize(
    ("code", "applicability"),
    [
        ("def f(x, n):  # type: (Tensor, Missing) -> Tensor\n    return x", None),
        ("def f(x, n):  # type: (Tensor, Later) -> Tensor\n    return x\nLater = int", None),
        ("def f(x, n):  # type: (Tensor) -> Tensor\n    return x", None),
        ("def f(x, n: int):  # type: (Tensor, int) -> Tensor\n    return x", None),
        ("def f(x, n):\n    for i in range(2):  # type: int\n        x = x + i\n    return x", None),
        ("def f(x, n):\n    y = x.view()  # type: ignore[attr-defined, call-arg]\n    return y", None),
        ("def f(x, n):\n    y = x + n  # type: the sum of both\n    return y", None),
        ("def f(x, n):\n    a = b = x  # type: Tensor\n    return a + b", None),
        ("def f(x, n):\n    a = '# type: Tensor'\n    return x", None),
    ],
)
def test_a_fix_is_unsafe_or_missing_where_names_or_types_are_not_known(
    code: str, applicability: Applicability | None
) -> None:
    text = "import torch\n" + code + TAIL
    assert not the_compiler()(text).ok
    (found,) = [finding for finding in findings(text) if finding.code == "TS509"]
    assert (found.fix.applicability if found.fix is not None else None) is applicability
