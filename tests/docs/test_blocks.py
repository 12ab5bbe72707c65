"""Tests every code block of the pages in docs/: it is run as a reader would run it, from top to bottom, in an empty
folder.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from scripts.site.blocks import Block, blocks, commands, environ, matches, put, run
from tests import warm
from tests.rules.compiler import the_compiler
from tslint.config import load_file
from tslint.rulekit.registry import all_rules

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md"))
# The test of a page that a script fills is found by the script's name.
SCRIPTS = {"output-formats.md": "scripts.document_output_formats"}


def elsewhere() -> dict[str, list[Path]]:
    """Return the pages that have tests of their own, which name them."""
    found: dict[str, list[Path]] = {}
    for test in sorted((ROOT / "tests").rglob("test_*.py")):
        text = test.read_text("utf-8")
        for page in PAGES:
            names = (f"docs/{page}", f'"docs" / "{page}"', SCRIPTS.get(page, f"docs/{page}"))
            if test.parent != Path(__file__).parent and any(name in text for name in names):
                found.setdefault(page, []).append(test)
    return found


ELSEWHERE = elsewhere()
OWN = [page for page in PAGES if page not in ELSEWHERE and any(blocks((DOCS / page).read_text("utf-8")))]
SLOW = ("tslint verify", "tslint annotate", "pytest")


def rejected(block: Block, folder: Path) -> None:
    if block.title:
        put(block, folder)
    verdict = the_compiler()(block.text)
    assert not verdict.ok, f"the compiler takes it: {block.text}"
    assert block.words in verdict.message


def console(block: Block, folder: Path) -> None:
    found = commands(block)
    assert found, f"no command: {block.text}"
    assert "".join(f"$ {command.line}\n{command.shown}" for command in found) == block.text, "text before a command"
    for command in found:
        printed = run(command.line, folder, warm.run)
        assert matches(command.shown, printed), f"$ {command.line}\nprints\n{printed}\nthe page shows\n{command.shown}"


def python(block: Block, folder: Path) -> None:
    path = put(block, folder) if block.title else folder / "block.py"
    path.write_text(block.text, encoding="utf-8")
    done = warm.run([sys.executable, path.name], cwd=folder, env=environ(), timeout=300)
    assert done.returncode == 0, done.stderr


def toml(block: Block, folder: Path) -> None:
    path = put(block, folder) if block.title else folder / "of_the_page" / "pyproject.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(block.text, encoding="utf-8")
    load_file(path)


def text(block: Block) -> None:
    # Text that is not the output of a command: a drawing, or a message of the compiler that a rule's page quotes, too.
    quoted = any(block.text.strip() in registered.page for registered in all_rules())
    assert quoted or "─►" in block.text, f"who says so? {block.text}"


def parameters() -> list[object]:
    return [
        pytest.param(page, marks=pytest.mark.slow)
        if any(f"$ {command}" in (DOCS / page).read_text("utf-8") for command in SLOW)
        else page
        for page in OWN
    ]


@pytest.mark.parametrize("page", parameters())
def test_the_blocks_of_a_page(page: str, tmp_path: Path) -> None:
    for block in blocks((DOCS / page).read_text("utf-8")):
        if block.mark == "not run":
            assert block.words, "why not?"
        elif block.mark == "rejected":
            rejected(block, tmp_path)
        elif block.language == "console":
            console(block, tmp_path)
        elif block.language == "python":
            python(block, tmp_path)
        elif block.language == "toml":
            toml(block, tmp_path)
        elif block.language == "text":
            text(block)
        else:
            pytest.fail(f"{page}: nobody runs ```{block.language}")


def test_pages_with_a_test_of_their_own_are_few_and_known() -> None:
    assert {"adopting.md", "output-formats.md"} <= set(ELSEWHERE)
    assert not {"index.md", "checking.md", "verify.md", "cookbook.md", "model.md", "configuration.md"} & set(ELSEWHERE)


def test_only_installing_is_left_to_the_reader() -> None:
    left = [block for page in OWN for block in blocks((DOCS / page).read_text("utf-8")) if block.mark == "not run"]
    assert all(command.line.startswith("pip install") for block in left for command in commands(block))


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a\n", "a\n", True),
        ("a\n", "a\nb\n", False),
        ("⋮\nb\n", "a\nb\n", True),
        ("a\n⋮\nb\n", "a\nc\nb\n", True),
        ("a\n⋮\nb\n", "a\nc\n", False),
        ("b\n⋮\na\n⋮\n", "a\nb\n", False),
        ("  ✓ save  0.01 s  4.5 kB\n", "  ✓ save  12.00 s  17.1 kB\n", True),
        ("found 4 errors\n", "found 5 errors\n", False),
    ],
)
def test_what_counts_as_the_same(shown: str, printed: str, same: bool) -> None:
    assert matches(shown, printed) is same


def test_every_fence_is_found() -> None:
    for page in OWN:
        content = (DOCS / page).read_text("utf-8")
        assert len(re.findall(r"^```", content, re.MULTILINE)) == 2 * len(list(blocks(content))), page
