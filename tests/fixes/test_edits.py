"""Tests that edits change only what they cover, in any order."""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tslint.diagnostics import Applicability, Edit, Fix
from tslint.fixing.edits import Change, apply_fixes, by_words, changes, origin, replaced
from tslint.sources.file import SourceFile

HERE = Path("net.py")
TEXTS = st.text(st.sampled_from("abc\né漢\t "), min_size=1, max_size=30)
# A test must not fail because the machine is busy.
calmly = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def make(source: SourceFile, *spans: tuple[int, int, str]) -> Fix:
    edits = tuple(Edit(source.position(start), source.position(end), content) for start, end, content in spans)
    return Fix(Applicability.SAFE, "Mend", edits)


@st.composite
def mends(draw: st.DrawFn) -> tuple[SourceFile, list[Fix]]:
    source = SourceFile(HERE, draw(TEXTS))
    size = len(source.text)
    span = st.tuples(st.integers(0, size), st.integers(0, size), st.text("XY", max_size=2)).map(
        lambda span: (min(span[:2]), max(span[:2]), span[2])
    )
    fixes = draw(st.lists(st.lists(span, min_size=1, max_size=2), max_size=6))
    return source, [make(source, *spans) for spans in fixes]


@calmly
@given(mends(), st.randoms())
def test_the_order_of_fixes_does_not_matter(mend: tuple[SourceFile, list[Fix]], random: object) -> None:
    source, fixes = mend
    shuffled = sorted(fixes, key=lambda fix: random.random())  # type: ignore[attr-defined]
    assert apply_fixes(source, fixes).text == apply_fixes(source, shuffled).text


@calmly
@given(mends())
def test_each_fix_is_applied_deferred_or_invalid(mend: tuple[SourceFile, list[Fix]]) -> None:
    source, fixes = mend
    outcome = apply_fixes(source, fixes)
    parts = [*outcome.fixes, *outcome.deferred, *outcome.invalid]
    assert sorted(map(id, parts)) == sorted(map(id, fixes))
    if any(fix not in outcome.invalid for fix in fixes):
        assert outcome.fixes


@calmly
@given(mends())
def test_text_outside_of_edits_is_kept(mend: tuple[SourceFile, list[Fix]]) -> None:
    source, fixes = mend
    outcome = apply_fixes(source, fixes)
    touched = {
        offset for fix in outcome.fixes for change in changes(source, fix) for offset in range(change.start, change.end)
    }
    kept = "".join(char for offset, char in enumerate(source.text) if offset not in touched)
    assert "".join(char for char in outcome.text if char not in "XY") == kept


@calmly
@given(mends())
def test_applying_only_the_applied_fixes_gives_the_same(mend: tuple[SourceFile, list[Fix]]) -> None:
    source, fixes = mend
    outcome = apply_fixes(source, fixes)
    again = apply_fixes(source, outcome.fixes)
    assert (again.text, again.deferred) == (outcome.text, ())


def test_a_fix_is_applied_whole_or_not_at_all() -> None:
    source = SourceFile(HERE, "abcdef")
    first, second = make(source, (0, 2, "X")), make(source, (1, 3, "Y"), (4, 5, "Y"))
    outcome = apply_fixes(source, [second, first])
    assert (outcome.text, outcome.fixes, outcome.deferred) == ("Xcdef", (first,), (second,))


def test_an_edit_that_fixes_share_is_applied_once() -> None:
    source = SourceFile(HERE, "a b\n")
    outcome = apply_fixes(
        source, [make(source, (0, 0, "import x\n"), (2, 3, "B")), make(source, (0, 0, "import x\n"), (1, 2, "_"))]
    )
    assert outcome.text == "import x\na_B\n"


def test_different_insertions_at_one_place_wait_for_each_other() -> None:
    source = SourceFile(HERE, "a\n")
    outcome = apply_fixes(source, [make(source, (0, 0, "x\n")), make(source, (0, 0, "y\n"))])
    assert (outcome.text, len(outcome.deferred)) == ("x\na\n", 1)


def test_a_fix_that_contradicts_itself_is_invalid() -> None:
    source = SourceFile(HERE, "abcdef")
    outcome = apply_fixes(source, [make(source, (0, 3, "X"), (2, 4, "Y"))])
    assert (outcome.text, len(outcome.invalid)) == ("abcdef", 1)


def test_insertions_of_one_fix_keep_their_order() -> None:
    source = SourceFile(HERE, "ab")
    assert apply_fixes(source, [make(source, (1, 1, "Y"), (1, 1, "X"), (1, 2, "Z"))]).text == "aYXZ"


def test_new_lines_end_as_the_file_does() -> None:
    for end in ("\n", "\r\n", "\r"):
        source = SourceFile(HERE, f"a{end}b{end}")
        assert apply_fixes(source, [make(source, (0, 1, "x\ny"))]).text == f"x{end}y{end}b{end}"


@calmly
@given(mends())
def test_every_place_is_traced_back_to_where_it_stood(mend: tuple[SourceFile, list[Fix]]) -> None:
    source, fixes = mend
    outcome = apply_fixes(source, fixes)
    assert replaced(source.text, outcome.changes) == outcome.text
    for offset, char in enumerate(outcome.text):
        before = origin(outcome.changes, offset)
        assert 0 <= before <= len(source.text)
        if char not in "XY":
            assert source.text[before] == char


@given(st.lists(st.sampled_from(["a\n", "  b\n", "\n", "    c\n", "d"]), max_size=8), st.data())
def test_lines_of_a_change_make_the_same_text(before: list[str], data: st.DataObject) -> None:
    after = data.draw(st.lists(st.sampled_from(["a\n", "    a\n", "b\n", "\n", "  c\n", "e"]), max_size=8))
    text, change = "x\n" + "".join(before) + "y\n", Change(2, 2 + len("".join(before)), "".join(after))
    assert replaced(text, by_words(text, change)) == replaced(text, [change])


def test_a_line_that_is_only_indented_has_its_own_origin() -> None:
    text = "one()\ntwo()\n"
    change = Change(0, len(text), "if x:\n    one()\n    two()\n")
    after = replaced(text, [change])
    lines = by_words(text, change)
    assert origin(lines, after.index("two")) == text.index("two")
    assert origin(lines, after.index("if")) == 0
