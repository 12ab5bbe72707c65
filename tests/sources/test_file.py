"""Tests that every byte of a file can be restored, and that its positions are Python's."""

from __future__ import annotations

import ast
import codecs
import pickle
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tslint.sources import reading
from tslint.sources.file import LateSource, SourceFile, UnreadableSource

HERE = Path("net.py")
# Characters that end a line in Python, similar ones that do not, and characters of one to four bytes.
PIECES = st.sampled_from(["\n", "\r\n", "\r", "\f", "\v", "\u2028", "\x85", " ", "\t", "a", "é", "漢", "𝒳", "#", "'"])
TEXTS = st.lists(PIECES, max_size=40).map("".join)


@given(TEXTS, st.booleans())
def test_bytes_come_back(text: str, bom: bool) -> None:
    data = (codecs.BOM_UTF8 if bom else b"") + text.encode()
    source = reading.decode(HERE, data)
    assert source.encode() == data
    assert source.bom is bom
    assert "".join(source.lines) == text


@given(TEXTS)
def test_offsets_and_positions_are_inverse(text: str) -> None:
    source = SourceFile(HERE, text)
    places = [source.position(offset) for offset in range(len(text) + 1)]
    assert [source.offset(place) for place in places] == list(range(len(text) + 1))
    assert places == sorted(places)


@given(st.lists(st.sampled_from(["x", "é", "漢", "𝒳", "\f", "\t", "'"]), max_size=6).map("".join), st.data())
def test_columns_count_code_points(before: str, data: st.DataObject) -> None:
    line = f"value = {before!r}, name"
    end = data.draw(st.sampled_from(["\n", "\r\n", "\r"]))
    source = SourceFile(HERE, f"pass{end}{line}{end}")
    name = next(node for node in ast.walk(ast.parse(source.text)) if isinstance(node, ast.Name) and node.id == "name")
    place = source.from_ast(name.lineno, name.col_offset)
    assert (place.row, source.text[source.offset(place) :]) == (2, f"name{end}")


def test_latin_1_by_declaration() -> None:
    data = "# coding: latin-1\r\nname = 'é'\r\n".encode("latin-1")
    source = reading.decode(HERE, data)
    assert (source.lines[1], source.encode()) == ("name = 'é'\r\n", data)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\xff\xfe\x00x", "binary"),
        (b"name = '\xff'\n", "decoded"),
        (b"# coding: no-such\n", "no-such"),
        (b"a = 1\0", "null bytes"),
    ],
)
def test_what_is_not_text_is_said_in_one_line(data: bytes, words: str) -> None:
    with pytest.raises(UnreadableSource, match=words) as caught:
        reading.decode(HERE, data)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("data", [b"x = 1\n", "\ufeffx = 'ß…😀'\r\n".encode(), b"# coding: latin-1\nx = '\xe9'\n"])
def test_a_late_text_is_the_same(data: bytes) -> None:
    known = SourceFile.from_bytes(Path("a.py"), data)
    late = pickle.loads(pickle.dumps(LateSource.of(known, data)))
    assert "text" not in vars(late)
    assert (late.text, late.lines[:], late.encode()) == (known.text, known.lines[:], data)
    assert replace(late, text="y").encode() == replace(known, text="y").encode()
