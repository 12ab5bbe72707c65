"""Tests fixes of the same round: a fix that relies on a type which another one changes waits for the next round."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.rules.driver import HERE
from tslint.diagnostics import Applicability, Diagnostic, Edit, Fix, Position, Severity, Stage
from tslint.fixing.dependence import independent
from tslint.sources.file import SourceFile

TEXT = dedent("""
    class Net:
        def forward(self, x, n=None):
            sizes = []
            for i in range(3):
                sizes.append(x.size(0) + i)
            total = sum(sizes)
            other = self.scale(x, total)
            if self.deep:
                other = self.more(x)
            return n

    class Levels:
        def __init__(self, levels=4):
            self.levels = levels
            self.sums = [0 for _ in range(self.levels)]
    """).lstrip()


def finding(at: str, *edits: tuple[str, str]) -> tuple[SourceFile, Diagnostic]:
    """Return a finding on a piece of the text, with a fix that replaces pieces of it."""
    source = SourceFile(HERE, TEXT)

    def span(piece: str) -> tuple[Position, Position]:
        start = TEXT.index(piece)
        return source.position(start), source.position(start + len(piece))

    fix = Fix(Applicability.SAFE, "Fix it", tuple(Edit(*span(old), new) for old, new in edits))
    return source, Diagnostic("TS999", "toy", Severity.ERROR, Stage.SCRIPT, at, str(HERE), *span(at), fix=fix)


ANNOTATES_SIZES = finding("sizes.append(x.size(0) + i)", ("sizes = []", "sizes: List[int] = []"))
STACKS = finding("sum(sizes)", ("sum(sizes)", "torch.stack(sizes).sum(0)"))
ANNOTATES_N = finding("n=None", ("n=None", "n: Optional[int] = None"))
READS_N = finding("return n", ("return n", "return int(n)"))
ANNOTATES_LEVELS = finding("levels=4", ("levels=4", "levels: int = 4"))
READS_LEVELS = finding("range(self.levels)", ("self.levels)", "int(self.levels))"))
READS_TOTAL = finding("self.scale(x, total)", ("total)", "float(total))"))
DECIDES = finding("return n", ("self.deep", "(self._deep if torch.jit.is_scripting() else self.deep)"))
DECLARES = finding("return n", ("class Net:", 'class Net:\n    __constants__ = ["deep"]'))
ASSERTS = finding(
    "self.more", ("        other = self.more", '        assert hasattr(self, "more")\n        other = self.more')
)
ASSERTS_TOTAL = finding(
    "self.more", ("        other = self.more", "        assert total is not None\n        other = self.more")
)
WHOLE = finding("x.size(0) + i", ("+ i", "+ float(i)"))
WHOLE_CALL = finding("x.size(0)", ("(0)", "(1)"))
CALLED = finding("x.size", ("x.size", "x.shape.__getitem__"))
PART = finding("x.size(0)", ("x.size(0)", "int(x.size(0))"))
OUTSIDE = finding("class Net", ("class Net:", "class Net(object):"))


@pytest.mark.parametrize(
    ("found", "now"),
    [
        pytest.param([STACKS], [True], id="alone"),
        pytest.param([ANNOTATES_SIZES, STACKS], [True, False], id="a list that another fix annotates"),
        pytest.param([STACKS, ANNOTATES_SIZES], [False, True], id="in whatever order"),
        pytest.param([ANNOTATES_SIZES, READS_TOTAL], [True, False], id="at one remove"),
        pytest.param([ANNOTATES_SIZES, ANNOTATES_N], [True, True], id="variables that have nothing to do with it"),
        pytest.param([ANNOTATES_N, READS_N], [True, False], id="a parameter"),
        pytest.param([READS_LEVELS, ANNOTATES_LEVELS], [False, True], id="an attribute that stores a parameter"),
        pytest.param([ASSERTS, DECIDES], [False, True], id="a branch that may not be compiled any more"),
        pytest.param([ASSERTS_TOTAL, DECIDES], [False, True], id="a variable that a test may exclude to be None"),
        pytest.param([ASSERTS, DECLARES], [False, True], id="a branch that a constant decides"),
        pytest.param([WHOLE, PART], [False, True], id="a part of its expression"),
        pytest.param([CALLED, WHOLE_CALL], [True, False], id="a part with which it begins"),
        pytest.param([READS_N, READS_TOTAL, OUTSIDE], [True, True, True], id="no types are changed"),
    ],
)
def test_fixes_that_depend_on_another_wait(found: list[tuple[SourceFile, Diagnostic]], now: list[bool]) -> None:
    assert independent(found) == now


def test_attributes_of_local_variables_in_two_functions_are_independent() -> None:
    source = SourceFile(HERE, "".join(f"def {name}(x):\n    y = x[0]\n    y.requires_grad = True\n\n" for name in "fg"))
    found = []
    for row in (3, 7):
        start, end = Position(row, 5), Position(row, 27)
        fix = Fix(Applicability.SAFE, "Fix it", (Edit(start, end, "y.requires_grad_(True)"),))
        at = Diagnostic("TS999", "toy", Severity.ERROR, Stage.SCRIPT, "y", str(HERE), start, end, fix=fix)
        found.append((source, at))
    assert independent(found) == [True, True]


def test_of_fixes_that_wait_for_each_other_the_first_is_applied() -> None:
    one = finding("n=None", ("sizes = []", "sizes = [n]"), ("n=None", "n: int = 0"))
    other = finding("sizes.append(x.size(0) + i)", ("sizes = []", "sizes = [1]"), ("n=None", "n: float = 0.0"))
    assert independent([one, other, READS_N]) == [True, False, False]
