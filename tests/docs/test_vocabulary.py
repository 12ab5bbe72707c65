"""Tests that documentation, messages, help texts and docstrings do not use certain words; names the words to use."""

from __future__ import annotations

import ast
import re
from functools import cache
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
    r"nobody|whoever": "the passive: is not read, the code that calls it",
    r"where (it|there) is none": "if it is missing",
    r"(?-i:Where (there|nothing|no|a|an))": "If",
    r"all the same": "still",
    r"whichever way": "on every path",
    r"on (its|their) account": "because of it",
    r"looked into": "searched, checked",
    r"handed (on|over)": "passed on",
    r"ways? out": "what to do",
    r"for want of": "because it has no",
    r"for ever": "forever",
    r"(first|later|earlier|each|every|last|next) turns?|turns? of (a|the) loop": "iteration",
    r"(knows?|says?|tells?) nothing of": "does not show",
    r"cannot be told": "is not known",
    r"(is|are|was|were) told (of|that|what|where|whether|by)": "gets, is known from",
    r"what (is|was) (given|told|asked|held)": "the noun: the argument, the message",
    r"what it is given": "its arguments",
    r"as (it|they) stands?": "unchanged",
    r"cop(e|es|ing) with": "accept, handle",
    r"(some|any)thing else than": "other than; a different result than",
    r"display-only": "*display*",
    r"(dict|list|tuple|set) displays?": "literal",
    r"outside (of (the )?|the )(compiled code|model's code)": "outside compiled code",
}
# The style page shows what not to write.
PAGES = [
    *(page for page in (ROOT / "docs").rglob("*.md") if page.name != "style.md"),
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "action.yml")),
    *(path for folder in ("rules", "tslint", "scripts/site") for path in (ROOT / folder).rglob("*.py")),
    *(ROOT / "editors").glob("*/package.json"),
]


@cache
def texts() -> dict[Path, str]:
    """Return the pages and what they say."""
    return {page: page.read_text("utf-8") for page in PAGES}


@pytest.mark.parametrize("word", INSTEAD)
def test_a_word_is_not_used(word: str) -> None:
    pattern = re.compile(rf"\b(?:{word})\b", re.IGNORECASE)
    found = [
        f"{page.relative_to(ROOT)}:{text.count(chr(10), 0, match.start()) + 1}: {match[0]}"
        for page, text in texts().items()
        for match in pattern.finditer(text)
    ]
    assert not found, f"write {INSTEAD[word]!r}:\n" + "\n".join(found)


def test_a_function_s_docstring_has_a_verb() -> None:
    bad = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {text.splitlines()[0]}"
        for folder in ("tslint", "rules", "scripts", "benchmarks")
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and re.match(r"(Whether|What|Where|Who|How|As|Of)\b", text := ast.get_docstring(node) or "")
    ]
    assert not bad, "begin with the verb, 'Return whether …':\n" + "\n".join(bad)
