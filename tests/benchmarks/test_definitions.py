"""Tests which modules the benchmark of fixes runs again: those that use something that was changed."""

from __future__ import annotations

import pytest

from benchmarks.definitions import Definitions

BEFORE = """\
import torch
from b import far
EPS = 1e-5
def helper(x):
    return x + EPS
def other(x):
    return x
class Net:
    def forward(self, x):
        return far(helper(x))
class Alone:
    def forward(self, x):
        return x
"""
FAR = "def far(x):\n    return x\n"


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("EPS = 1e-5", "EPS = 1e-6", True),
        ("return x + EPS", "return EPS + x", True),
        ("    return x\nclass Net", "    return +x\nclass Net", False),
        ("import torch\n", "import torch\nfrom typing import List\n", False),
        ("        return x\n", "        return +x\n", False),
        ("from b import far\n", "", True),
        ("import torch\n", "import torch\nprint()\n", None),
    ],
)
def test_changes_that_concern_a_class(old: str, new: str, changed: bool | None) -> None:
    before = Definitions.of({"a.py": BEFORE, "b.py": FAR})
    after = Definitions.of({"a.py": BEFORE.replace(old, new), "b.py": FAR})
    places = before.changed(after)
    reached = before.reached([("a.py", "Net")]) | after.reached([("a.py", "Net")])
    assert (None if places is None else bool(places & reached)) is changed


def test_a_change_in_another_file_concerns_its_users() -> None:
    before = Definitions.of({"a.py": BEFORE, "b.py": FAR})
    after = Definitions.of({"a.py": BEFORE, "b.py": FAR.replace("x\n", "-x\n")})
    changed = before.changed(after)
    assert changed == {("b.py", "far")}
    assert changed & before.reached([("a.py", "Net")])
    assert not changed & before.reached([("a.py", "Alone")])
    assert "-    return x" in before.diff(after, changed)


def test_functions_around_rows() -> None:
    found = Definitions.of({"a.py": BEFORE}).around([("a.py", 5), ("a.py", 10), ("a.py", 3), ("c.py", 1)])
    assert [each[1] for each in found] == ["helper", "Net.forward"]


def test_moved_rows_are_mapped() -> None:
    before, after = Definitions.of({"a.py": BEFORE}), Definitions.of({"a.py": "import math\n" + BEFORE})
    assert after.moved(("a.py", 10), before) == ("a.py", 11)
    assert after.moved(("a.py", 1), before) == ("a.py", 1)
