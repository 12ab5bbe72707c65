"""Draw docs/images/check.svg: a terminal that runs ``tslint check``, recorded by rich from a real run.

Run it if a test says that the picture is out of date: ``python scripts/record_terminal.py`` (needs rich).
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tempfile
from html import unescape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "images" / "check.svg"
WIDTH = 112
# The example of the first page: the same file, the same command.
PAGE = ROOT / "docs" / "index.md"
COMMAND = "tslint check net.py"


def printed(color: str = "always") -> str:
    """Return the command's output for the file of the first page."""
    text = PAGE.read_text(encoding="utf-8").partition('```python title="net.py"\n')[2].partition("```")[0]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "net.py").write_text(text, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "tslint", "check", "net.py", "--isolated", "--color", color],
            cwd=folder, stdout=subprocess.PIPE, encoding="utf-8",
        )  # fmt: skip
    return done.stdout


def text_of(svg: str) -> str:
    """Return the text of a picture, without blanks and line ends, because rich breaks long lines."""
    body = svg[svg.index('-matrix">') :]
    return re.sub(r"\s", "", unescape(re.sub(r"<[^>]+>", "", body)))


def draw() -> str:
    """Return the picture."""
    from rich.console import Console
    from rich.text import Text

    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text.assemble(("$ ", "bold green"), (COMMAND, "bold")))
    console.print(Text.from_ansi(printed()))
    svg = console.export_svg(title="tslint")
    # No font is loaded from elsewhere, and ids do not change from run to run.
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    return re.sub(r"terminal-\d+", "terminal", svg).replace(
        "Fira Code", "ui-monospace, SFMono-Regular, Menlo, Consolas"
    )


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(draw(), encoding="utf-8")
