"""Tests that the page on output formats shows the real output of each."""

from __future__ import annotations

import re

import pytest

from scripts.document_output_formats import BLOCK, PAGE, filled
from tslint.config import OUTPUT_FORMATS

TEXT = PAGE.read_text(encoding="utf-8")


def test_each_format_has_its_part_with_a_real_output() -> None:
    assert tuple(re.findall(r"^\| \[`([\w-]+)`\]\(#\1\)", TEXT, re.MULTILINE)) == OUTPUT_FORMATS
    for name in OUTPUT_FORMATS:
        part = TEXT.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        (block,) = BLOCK.finditer(part)
        assert f"--output-format {name}" in block[2] and block[4].strip()


@pytest.mark.slow
def test_what_it_shows_is_what_is_printed() -> None:
    assert filled(TEXT) == TEXT, "run scripts/document_output_formats.py"
