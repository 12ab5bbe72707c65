"""Fill docs/output-formats.md with the output of tslint's commands.

Run it if a test says that the page is out of date: ``python scripts/document_output_formats.py``.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "output-formats.md"
BLOCK = re.compile(r"(```console\ntslint ([^\n]*)\n```\n\n```(\w+)\n)(.*?)(^```$)", re.MULTILINE | re.DOTALL)
WIDEST = 160  # the number of characters of a line that the page shows
# The page must not depend on the checkout or the version.
FOLDER = "/home/you/net"
VERSION = re.compile(r'(?<="version": ")[^"]*(?=",\n *"rules")')
SHOWN_VERSION = "1.0.0"
# On CI services, these variables determine the folder to which paths are relative.
UNSET = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR", "FORCE_COLOR")


def printed(command: str) -> str:
    """Return the output of a command, for the page."""
    environ = {name: value for name, value in os.environ.items() if name not in UNSET}
    environ |= {"PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "tslint", *shlex.split(command)],
        cwd=ROOT, env=environ, stdout=subprocess.PIPE, encoding="utf-8",
    )  # fmt: skip
    text = done.stdout.replace(ROOT.as_uri(), "file://" + FOLDER).replace(str(ROOT), FOLDER)
    text = VERSION.sub(SHOWN_VERSION, text)
    lines = [line if len(line) <= WIDEST else line[: WIDEST - 1] + "…" for line in text.splitlines()]
    return "".join(line + "\n" for line in lines)


def filled(page: str) -> str:
    """Return the page with its blocks filled."""
    return BLOCK.sub(lambda match: match[1] + printed(match[2]) + match[5], page)


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
