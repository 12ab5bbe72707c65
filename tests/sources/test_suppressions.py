"""Tests where suppression comments are found, and to which rows they apply."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tslint.sources.file import SourceFile
from tslint.sources.suppressions import suppressions


def found(text: str) -> list[tuple[str, tuple[str, ...] | None, int, int]]:
    """Return the kind, rules (None: every) and rows of each suppression."""
    source = SourceFile(Path("net.py"), text)
    return [
        (each.kind, None if each.bare else each.rules, each.first_row, each.last_row) for each in suppressions(source)
    ]


@pytest.mark.parametrize(
    ("comment", "rules"),
    [
        ("# tslint: ignore", None),
        ("#tslint:ignore", None),
        ("# tslint: ignore[TS104]", ("TS104",)),
        ("# tslint: ignore[TS104, try-block ,]", ("TS104", "try-block")),
        ("# tslint: ignore[TS104] because it is unused", ("TS104",)),
        ("# noqa: E501  # tslint: ignore[TS104]", ("TS104",)),
        ("# tslint: ignore[]", ()),
    ],
)
def test_forms(comment: str, rules: tuple[str, ...] | None) -> None:
    assert found(f"x = 1  {comment}\n") == [("ignore", rules, 1, 1)]


@pytest.mark.parametrize(
    "text",
    [
        'x = "# tslint: ignore"\n',
        '"""\n# tslint: ignore\n"""\n',
        "# tslint: the linter for TorchScript\n",
        "# our tslint: none\n",
        "x = 1  # see tslint ignore\n",
    ],
)
def test_other_comments_suppress_nothing(text: str) -> None:
    assert found(text) == []


def test_a_misspelt_kind_is_kept_for_its_message() -> None:
    assert found("# tslint: disable[TS104]\n")[0][0] == "disable"


def test_the_last_row_of_a_statement_stands_for_all_of_it() -> None:
    text = "x = f(  # tslint: ignore[TS1]\n    1,  # tslint: ignore[TS2]\n)  # tslint: ignore[TS3]\n"
    assert [rows[2:] for rows in found(text)] == [(1, 1), (2, 2), (1, 3)]


def test_a_header_is_no_whole_block() -> None:
    assert found("def f(\n    a,\n):  # tslint: ignore\n    return a\n") == [("ignore", None, 1, 3)]


def test_blocks() -> None:
    text = "# tslint: off\na\n# tslint: off[TS1]\nb\n# tslint: on\nc\n# tslint: off[TS2]\n# tslint: on[TS3]\n"
    rows = {(kind, rules): rows for kind, rules, *rows in found(text)}
    assert rows["off", None] == [1, 5]
    assert rows["off", ("TS1",)] == [3, 5]
    assert rows["off", ("TS2",)] == [7, 9]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(end: str) -> None:
    assert found(f"x = 1{end}y = 2  # tslint: ignore[TS104]{end}") == [("ignore", ("TS104",), 2, 2)]


def test_after_what_cannot_be_tokenized() -> None:
    text = "# tslint: ignore-file[TS901]\ndef f(:\n    x = $\n  y = 1\nz = 1  # tslint: ignore[TS104]\n"
    assert [kind for kind, *_ in found(text)] == ["ignore-file", "ignore"]


@given(st.text(st.sampled_from("ab'\"#()[]:\\ \n\r\f\t=tslint"), max_size=60))
def test_no_text_is_too_broken(text: str) -> None:
    found(text + "\n# tslint: ignore")
