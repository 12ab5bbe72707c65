"""Tests that certain words are not used in documentation, messages, help and docstrings, with their replacements."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
INSTEAD = {
    r"mend(s|ed|ing)?": "fix",
    r"left are": "remaining",
    r"puts? off": "postpone",
    r"none of (the|its|their) \w+('s)? business": "does not look at",
    r"stand the call": "put the call",
    r"whence|thereof|therein|herein": "the plain word",
    r"names all of (it|them) at once": "reports everything in one run",
    r"takes? \S+ for an? [A-Z]\w+": "treats it as a Tensor",
    r"(?<!there )(is|are) no (tensor|module|list|tuple|int|integer|literal|string|statement|value)": "is not a",
    r"where it is compiled": "in compiled code",
    r"compiled code alone": "compiled code only",
    r"behind `if": "under `if",
    r"handed to": "passed to",
    r"drags? (it|them|the code|a function) into": "the calls that lead to it",
    r"comes? to be compiled": "is compiled, the calls that lead to it",
    r"the harm shows": "the problem shows",
    r"as its uses look": "inferred from its uses",
    r"for the author to say": "only the author knows",
    r"stops when it runs": "raises when it runs",
}
# The style page shows what not to write.
PAGES = [
    *(page for page in (ROOT / "docs").rglob("*.md") if page.name != "style.md"),
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "action.yml")),
    *(path for folder in ("rules", "tslint", "scripts/site") for path in (ROOT / folder).rglob("*.py")),
    *(ROOT / "editors").glob("*/package.json"),
]


@pytest.mark.parametrize("word", INSTEAD)
def test_a_word_is_not_used(word: str) -> None:
    pattern = re.compile(rf"\b(?:{word})\b", re.IGNORECASE)
    found = [
        f"{page.relative_to(ROOT)}:{row}: {line.strip()}"
        for page in PAGES
        for row, line in enumerate(page.read_text("utf-8").splitlines(), 1)
        if pattern.search(line)
    ]
    assert not found, f"write {INSTEAD[word]!r}:\n" + "\n".join(found)
