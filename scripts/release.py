"""Compare a tag with the version, the changelog and the extension, and print the release's section of the changelog.

python scripts/release.py v0.1.0
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def version() -> str:
    """Return the version, read from the only file that contains it, without importing the package."""
    text = (ROOT / "tslint" / "util" / "version.py").read_text(encoding="utf-8")
    (found,) = re.findall(r'^__version__ = "([^"]+)"$', text, re.MULTILINE)
    return str(found)


def notes(released: str) -> str:
    """Return the changelog's section for a version.

    Raises:
        ValueError: the version has no section, or the section has no date.
    """
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    sections = re.split(r"^## ", text, flags=re.MULTILINE)
    for section in sections[1:]:
        heading, _, body = section.partition("\n")
        if heading.startswith(f"[{released}]"):
            if not re.fullmatch(r"\[[^]]+\] - \d{4}-\d\d-\d\d", heading):
                raise ValueError(f"CHANGELOG.md: the section of {released} has no date: `## [{released}] - YYYY-MM-DD`")
            return body.strip() + "\n"
    raise ValueError(f"CHANGELOG.md has no section `## [{released}] - YYYY-MM-DD`")


def check(tag: str) -> str:
    """Return the notes of the release that a tag names.

    Raises:
        ValueError: the tag, the version, the changelog and the extension do not agree; one line that says which.
    """
    released = version()
    if tag != f"v{released}":
        raise ValueError(f"the tag is {tag}, tslint.__version__ is {released}: tag v{released}, or change the version")
    extension = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text(encoding="utf-8"))["version"]
    if extension != released:
        raise ValueError(f"editors/vscode/package.json has version {extension}, tslint.__version__ is {released}")
    return notes(released)


def main(arguments: list[str]) -> int:
    """Print the notes, or one line with the error."""
    if len(arguments) != 1:
        print("usage: python scripts/release.py TAG", file=sys.stderr)
        return 2
    try:
        print(check(arguments[0]), end="")
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
