"""Runs the code blocks of the pages in docs/ as a reader would; see tests/docs/test_blocks.py.

A page is processed from top to bottom in one folder that is empty at first:

- a block with ``title="net.py"`` is written to the file of this name; Python blocks are run, with or without a title;
- in a ``console`` block each line ``$ command`` is run, and the lines after it are its output; ``⋮`` stands for omitted
  output, and times and rates may differ;
- a comment ``<!-- rejected: words -->`` before a Python block says that the compiler rejects the block with a message
  that contains these words; ``<!-- not run: why -->`` says that the test does not run the block.

Called as ``python -m scripts.site.blocks PAGE...``, it updates the output of the commands.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(r"^(?:<!-- (rejected|not run): (.*) -->\n)?```(\w*)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_TITLE = re.compile(r'title="([^"]+)"')
_COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
ELIDED = "⋮"
Done = subprocess.CompletedProcess[str]


@dataclass(frozen=True)
class Block:
    """One block of a page.

    Args:
        language: the language after the fence.
        title: the name of its file; empty for none.
        text: the text with its last line end.
        mark: ``rejected`` or ``not run``; empty for none.
        words: the words in the mark.
    """

    language: str
    title: str
    text: str
    mark: str = ""
    words: str = ""


@dataclass(frozen=True)
class Command:
    """A command of a console block, and its output on the page."""

    line: str
    shown: str


def blocks(page: str) -> Iterator[Block]:
    """Yield the blocks of a page, in order."""
    for mark, words, language, rest, text in _BLOCK.findall(page):
        title = _TITLE.search(rest)
        yield Block(language, title.group(1) if title else "", text, mark, words)


def commands(block: Block) -> list[Command]:
    """Return the commands of a console block."""
    return [Command(line, shown) for line, shown in _COMMAND.findall(block.text)]


def environ() -> Mapping[str, str]:
    """Return the environment for commands on pages: without colours, and without variables of CI services."""
    unset = {"CI", "FORCE_COLOR", "GITHUB_WORKSPACE", "CI_PROJECT_DIR", "PYTEST_CURRENT_TEST", "PYTEST_ADDOPTS"}
    kept = {name: value for name, value in os.environ.items() if name not in unset}
    return (
        kept
        | {"NO_COLOR": "1", "PYTHONIOENCODING": "utf-8", "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "80"}
        | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    )


def captured(command: list[str], *, cwd: Path, env: Mapping[str, str], timeout: float) -> Done:
    """Run a command."""
    return subprocess.run(command, cwd=cwd, env=env, timeout=timeout, capture_output=True, encoding="utf-8")


def run(line: str, folder: Path, start: Callable[..., Done] = captured) -> str:
    """Return the output of a command: stdout, then stderr.

    Args:
        line: the line on the page.
        folder: the folder in which it is run.
        start: runs the command; it is called like ``captured``.

    Raises:
        ValueError: a command that pages do not use.
    """
    program, *arguments = shlex.split(line)
    if program not in ("tslint", "pytest", "python"):
        raise ValueError(f"who runs `{line}`?")
    python = [sys.executable] if program == "python" else [sys.executable, "-m", program]
    done = start([*python, *_plugins(program), *arguments], cwd=folder, env=environ(), timeout=300)
    return done.stdout + done.stderr


def _plugins(program: str) -> list[str]:
    # The plug-in is named here, because tslint may be installed from an older checkout that does not register it.
    return ["-p", "no:cacheprovider", "-p", "tslint.verify.pytest_plugin"] if program == "pytest" else []


def put(block: Block, folder: Path) -> Path:
    """Write the file of a block."""
    path = folder / block.title
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.text, encoding="utf-8")
    return path


def steady(text: str) -> str:
    """Return a text without the parts that differ from run to run: times and rates, and the blanks that align them."""
    text = re.sub(r"\b\d[\d,]*(?:\.\d+)? ?(?=(?:s|kB|ms)\b|times\b|to \d[\d,]* calls|calls/s)", "N ", text)
    return re.sub(r"[ \t]+", " ", text).replace(" \n", "\n").strip()


def matches(shown: str, printed: str) -> bool:
    """Return whether a command's output matches the page, on which ``⋮`` stands for any text."""
    parts = [steady(part) for part in shown.split(ELIDED)]
    text = steady(printed)
    if len(parts) == 1:
        return parts[0] == text
    place = len(parts[0])
    if not text.startswith(parts[0]) or not text.endswith(parts[-1]):
        return False
    for part in parts[1:]:
        place = text.find(part, place)
        if place < 0:
            return False
        place += len(part)
    return True


def fill(page: Path, folder: Path) -> None:
    """Update the outputs of commands on a page, except outputs with omitted parts (``⋮``)."""
    text = page.read_text(encoding="utf-8")

    def block(match: re.Match[str]) -> str:
        (one,) = blocks(match.group())
        if one.title:
            put(one, folder)
        if one.language != "console" or one.mark:
            return match.group()
        new = one.text
        for command in commands(one):
            printed = run(command.line, folder)
            if ELIDED not in command.shown and not matches(command.shown, printed):
                new = new.replace(f"$ {command.line}\n{command.shown}", f"$ {command.line}\n{printed}")
        return match.group().replace(one.text, new)

    page.write_text(_BLOCK.sub(block, text), encoding="utf-8")


if __name__ == "__main__":
    import tempfile

    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as scratch:
            fill(Path(name), Path(scratch))
