"""Tests that neighbouring blocks become one if fixes put them under the same test."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest

from tslint.fixing.edits import replaced
from tslint.fixing.joining import joined
from tslint.sources.file import SourceFile

HERE = Path("net.py")
ONE = "if not torch.jit.is_scripting():\n        self.a()\n    "
OTHER = "if not torch.jit.is_scripting():\n        self.b()\n    "
ROWS = {
    "two": (ONE + OTHER, ONE + "    self.b()\n    "),
    "three": (ONE + OTHER + ONE, ONE + "    self.b()\n        self.a()\n    "),
    "a comment between": (ONE + "# the other\n    " + OTHER, None),
    "a comment on the header": (ONE + OTHER.replace("():", "():  # why"), None),
    "an empty line between": (ONE.rstrip(" ") + "\n    " + OTHER, None),
    "an else": (ONE + OTHER + "else:\n        self.c()\n    ", None),
    "two with else": (
        ONE + "else:\n        self.c()\n    " + OTHER + "else:\n        self.d()\n    ",
        ONE + "    self.b()\n    else:\n        self.c()\n        self.d()\n    ",
    ),
    "two with elif": (
        ONE + "elif x:\n        self.c()\n    " + OTHER + "elif x:\n        self.d()\n    ",
        None,
    ),
    "the opposite": (ONE + OTHER.replace("not ", ""), None),
    "another test": ("if x:\n        self.a()\n    if x:\n        self.b()\n    ", None),
    "on one line": (ONE + "if not torch.jit.is_scripting(): self.b()\n    ", None),
}


@pytest.mark.parametrize("name", ROWS)
def test_blocks_under_one_test_are_joined(name: str) -> None:
    body, wanted = ROWS[name]
    text = f"def f(self, x):\n    {body}return x\n"
    found = joined(SourceFile(HERE, "def f(self, x):\n    return x\n"), SourceFile(HERE, text))
    assert replaced(text, found) == (text if wanted is None else f"def f(self, x):\n    {wanted}return x\n")
    assert joined(SourceFile(HERE, text), SourceFile(HERE, text)) == []  # the author's own blocks stay


def test_what_a_fix_wrote_twice_stands_under_one_test() -> None:
    before = "def f(self, x):\n    self.a()\n    self.b()\n    return x\n"
    after = f"def f(self, x):\n    {ONE}{OTHER}return x\n"
    (change,) = joined(SourceFile(HERE, before), SourceFile(HERE, after))
    assert after[change.start : change.end].strip() == "if not torch.jit.is_scripting():"


def test_pairs_at_several_depths_are_all_joined() -> None:
    pair = "if not torch.jit.is_scripting():\n    a()\nif not torch.jit.is_scripting():\n    b()\n"
    deep, flat = indent(pair, "        "), indent(pair, "    ")
    text = f"def f(x):\n    if x:\n{deep}    return x\n\n\ndef g(x):\n{flat}    return x\n"
    found = joined(SourceFile(HERE, "def f(x):\n    return x\n"), SourceFile(HERE, text))
    assert replaced(text, found).count("is_scripting()") == 2
    assert [each.start for each in found] == sorted(each.start for each in found)
