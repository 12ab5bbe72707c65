"""Tests fixes of the syntax rules on code other than that of the pages, and code without fixes."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from tests.rules.compiler import the_compiler
from tests.rules.driver import HERE, findings
from tslint.diagnostics import Applicability, Risk
from tslint.fixing.edits import apply_fixes
from tslint.sources.file import SourceFile

HEAD = "from typing import *\nimport torch\nfrom torch import nn, Tensor\n\n"
TAIL = "\nscripted = torch.jit.script(f)\n"


# Signatures on which users may rely are for a person to change; the edits that are shown must be right, too.
SHOWN = ("TS115", "TS116", "TS117")


def fixed(text: str) -> str:
    """Return a text with all fixes of its syntax findings, unsafe ones too, applied until none is left."""
    for _ in range(10):
        fixes = [
            finding.fix for finding in findings(text)
            if finding.code.startswith("TS1") and finding.fix
            if finding.fix.applicability is not Applicability.DISPLAY or finding.code in SHOWN
        ]  # fmt: skip
        if not fixes:
            return text
        applied = apply_fixes(SourceFile(HERE, text), fixes)
        assert not applied.invalid
        text = applied.text
        ast.parse(text)
    raise AssertionError("the fixes do not come to an end")


# The code before and after; it compiles afterwards and computes the same as before.
MENDED = [
    (
        """
        def f(n: int):
            found = 0
            for i in range(n):
                for j in range(3):
                    if j > 5:
                        break
                else:
                    found += 1
                if i > 1:
                    break
            else:
                found = -1
            return found
        inputs = (5,)
        """,
        """
        def f(n: int):
            found = 0
            broken = False
            for i in range(n):
                broken_2 = False
                for j in range(3):
                    if j > 5:
                        broken_2 = True
                        break
                if not broken_2:
                    found += 1
                if i > 1:
                    broken = True
                    break
            if not broken:
                found = -1
            return found
        inputs = (5,)
        """,
    ),
    (
        """
        def f(n: int, mode: str):
            # é
            match mode:
                # first
                case "a" | "b":  # two: both
                    if n > 1:
                        # deep
                        return n
                    return 3
                case "c" if n > 2:
                    return 4

                case None:
                    return 5
                case _ if n > 3:
                    return 6
                case _:
                    return 7
        inputs = (3, "c")
        """,
        """
        def f(n: int, mode: str):
            # é
            # first
            if mode == "a" or mode == "b":  # two: both
                if n > 1:
                    # deep
                    return n
                return 3
            elif mode == "c" and n > 2:
                return 4

            elif mode is None:
                return 5
            elif n > 3:
                return 6
            else:
                return 7
        inputs = (3, "c")
        """,
    ),
    (
        """
        def f(x: Tensor):
            "é"; y = x.dim()
            if (n := y + 1) > 1 and n < 9:
                return max((m := n + 1), 1)
            return 1
        inputs = (torch.ones(2),)
        """,
        """
        def f(x: Tensor):
            "é"; y = x.dim()
            n = y + 1
            if n > 1 and n < 9:
                m = n + 1
                return max(m, 1)
            return 1
        inputs = (torch.ones(2),)
        """,
    ),
    (
        """
        def f(x: Tensor, y: int = (3), /, z: int = 4, *  , a: int = 1):
            return x + y + z + a
        inputs = (torch.ones(2), 2)
        """,
        """
        def f(x: Tensor, y: int = (3), z: int = 4, a: int = 1):
            return x + y + z + a
        inputs = (torch.ones(2), 2)
        """,
    ),
    (
        """
        def f(*args: Tensor, **kwargs):
            return 3
        inputs = ()
        """,
        """
        def f():
            return 3
        inputs = ()
        """,
    ),
    (
        """
        def f(x: Tensor, *rest, y: int):
            return x + y
        """,
        """
        def f(x: Tensor, *, y: int):
            return x + y
        """,
    ),
    (
        """
        def f(l: List[int]):
            a = 3
            k: List[int] = [a for a in l if a > 1 or a < 0 if a]
            return k
        inputs = ([1, 2, 3],)
        """,
        """
        def f(l: List[int]):
            a = 3
            k: List[int] = []
            for a_2 in l:
                if (a_2 > 1 or a_2 < 0) and a_2:
                    k.append(a_2)
            return k
        inputs = ([1, 2, 3],)
        """,
    ),
    (
        """
        def f(d: Dict[str, int]):
            e = {"a": 1, **d, "b": 2}
            return e
        inputs = ({"q": 3},)
        """,
        """
        def f(d: Dict[str, int]):
            e = {"a": 1}
            e.update(dict(d.items()))
            e["b"] = 2
            return e
        inputs = ({"q": 3},)
        """,
    ),
    (
        """
        def f(n: int):
            y = 3 - +n
            y = +(n + 1) * 2 + y
            return - +1 + y
        inputs = (3,)
        """,
        """
        def f(n: int):
            value = n if torch.jit.is_scripting() else operator.pos(n)
            y = 3 - value
            value = n + 1 if torch.jit.is_scripting() else operator.pos(n + 1)
            y = value * 2 + y
            return - 1 + y
        inputs = (3,)
        """,
    ),
    (
        """
        def f(n: int, x: Tensor):
            n //= 2 + 1
            x @= (x + x)
            return x * n
        inputs = (9, torch.ones(2, 2))
        """,
        """
        def f(n: int, x: Tensor):
            n = n // (2 + 1)
            x = x @ (x + x) if torch.jit.is_scripting() else operator.imatmul(x, x + x)
            return x * n
        inputs = (9, torch.ones(2, 2))
        """,
    ),
    (
        """
        def f(n: int):
            k: int
            if n:
                k = 3
            else:
                m: int
                k = 2
                m = k
            z: List[int]; z = []
            z.append(k)
            return z
        inputs = (1,)
        """,
        """
        def f(n: int):
            if n:
                k = 3
            else:
                k = 2
                m = k
            z: List[int] = []
            z.append(k)
            return z
        inputs = (1,)
        """,
    ),
    (
        """
        def f(n: int):
            [a, b] = [n, n]
            [c] = [n]
            for [d, e] in [(1, 2)]:
                a += d
            for[f, g]in [(1, 2)]:
                a += f
            [[a, b], c] = (a, 2), 3
            [
                a,
                b] = c, c
            return a
        inputs = (1,)
        """,
        """
        def f(n: int):
            a, b = [n, n]
            (c,) = [n]
            for d, e in [(1, 2)]:
                a += d
            for(f, g)in [(1, 2)]:
                a += f
            (a, b), c = (a, 2), 3
            (
                a,
                b) = c, c
            return a
        inputs = (1,)
        """,
    ),
    (
        """
        def f(n: int, x: float):
            return f"é{n}" f"{n!s} {n = } { x :.1f}" "b"
        inputs = (1, 2.5)
        """,
        """
        def f(n: int, x: float):
            return ('é{}{} n = {} {}b' if torch.jit.is_scripting() else 'é{}{!s} n = {!r} {:.1f}b').format(n, n, n, x)
        inputs = (1, 2.5)
        """,
    ),
    (
        """
        def f(x: Tensor):
            import math
            import torch
            def g(t: Tensor) -> Tensor:
                # not far
                return t + 1
            return g(x) * math.pi
        inputs = (torch.ones(1),)
        """,
        None,
    ),
    (
        """
        def f(l: List[int], a: int, x: Tensor):
            del (l[0], a)
            del [x]
            return 3
        inputs = ([1, 2, 3], 3, torch.ones(1))
        """,
        """
        def f(l: List[int], a: int, x: Tensor):
            del l[0], a
            del x
            return 3
        inputs = ([1, 2, 3], 3, torch.ones(1))
        """,
    ),
    (
        """
        def f(n: int):
            if n in {1, 2, }: ...
            return n not in {3}
        inputs = (3,)
        """,
        """
        def f(n: int):
            if n in [1, 2, ]: pass
            return n not in [3]
        inputs = (3,)
        """,
    ),
    (
        """
        def f(n: int, m: int):
            if(k := n) > 3:
                n = k
            # before
            match n:  # head
                # one
                case 1:
                    m = 3
                case _ if m > 2 or m < 0:
                    m = 4
                # foot
            return n + m
        inputs = (5, 7)
        """,
        """
        def f(n: int, m: int):
            k = n
            if(k) > 3:
                n = k
            # before
            # head
            # one
            if n == 1:
                m = 3
            elif m > 2 or m < 0:
                m = 4
                # foot
            return n + m
        inputs = (5, 7)
        """,
    ),
]

# Code for which there is no safe fix, or whose meaning a fix would change.
LEFT_ALONE = [
    "while (k := n) > 3:\n    n -= 1",
    "y = n + (k := 3)",
    "if n > 1:\n    pass\nelif (k := n) > 3:\n    pass",
    "print(n); y = (k := n) + 1",
    "match n:\n    case 1: y = 3",
    "match n:\n    case (1 |\n          2):\n        y = 3",
    "match n:\n    case k if k > 3:\n        y = 3",
    "match n + 1:\n    case 1:\n        y = 3",
    'match n:\n    case 1:\n        """\n        rows\n        """',
    "y = {n}",
    "y = n in {n}",
    "y = [k for k in l if k] if n else l",
    "y = [[k for k in l if k] for _ in l]",
    "y: int",
    "y: List[int]\nif n:\n    y = []\nelse:\n    y = []",
    "def g():\n    return n",
    "def g(k: int) -> int:\n    return g(k)",
    "if n:\n    def g():\n        return 3",
    "e = {**d, **{'a': 1}}",
    "d = {**d}",
    "*y, = 1, 2",
    "y = x[...]",
    "del l[1:2]",
]


@pytest.mark.parametrize(("before", "after"), MENDED)
def test_fixed_code_compiles_and_computes_the_same(before: str, after: str | None) -> None:
    text = HEAD + dedent(before).strip() + "\n" + TAIL
    result = fixed(text)
    if after is not None:
        top = "import operator\n" if "operator." in after else ""
        assert result == top + HEAD + dedent(after).strip() + "\n" + TAIL
    was, became = the_compiler()(text), the_compiler()(result)
    assert not was.ok
    assert became.ok, result + became.message
    assert was.eager == became.eager == became.scripted


@pytest.mark.parametrize("body", LEFT_ALONE)
def test_code_without_a_safe_form_is_left_alone(body: str) -> None:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    text = f"{HEAD}def f(x: Tensor, l: List[int], d: Dict[str, int], n: int):\n{lines}    return x\n{TAIL}"
    assert [finding for finding in findings(text) if finding.code.startswith("TS1")]
    assert fixed(text) == text


MEMBERS = """
def f(x: Tensor, n: int, s: str = "a"):
    m, k = x.dim(), n + 1
    for i in range(3):
        m += x.size(0) if i in {{1, 2}} else 0
    return {test}
inputs = (torch.ones(2), 3)
"""


@pytest.mark.parametrize(
    ("test", "certain"),
    [
        ("m in {1, 7}", True),
        ("m + 1 in {1, 2}", True),
        ("x.size(0) not in {2}", True),
        # Python does not check the annotations of parameters: callers may pass a tensor, or a list.
        ("n in {1, 3}", False),
        ("k in {1, 4}", False),
        ("s not in {'a', 'b'}", False),
    ],
)
def test_membership_is_safe_for_numbers_that_no_caller_passes(test: str, certain: bool) -> None:
    before = HEAD + MEMBERS.format(test=test) + TAIL
    in_loop, returned = [each.fix for each in findings(before) if each.code == "TS111" and each.fix is not None]
    assert in_loop.applicability is Applicability.SAFE
    assert returned.applicability is (Applicability.SAFE if certain else Applicability.UNSAFE)
    assert returned.risks == (() if certain else (Risk.ASSUMES,))
    after = apply_fixes(SourceFile(HERE, before), [in_loop, returned]).text
    assert after == before.replace("{1, 2}", "[1, 2]").replace(test, test.replace("{", "[").replace("}", "]"))
    old, new = the_compiler()(before), the_compiler()(after)
    assert not old.ok and new.ok and old.eager == new.eager == new.scripted


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_line_ends_are_kept(newline: str) -> None:
    before, after = (HEAD + dedent(text or "").strip() + "\n" + TAIL for text in MENDED[0])
    assert fixed(before.replace("\n", newline)) == after.replace("\n", newline)
