"""Builds the playground, tslint in the reader's browser, from editors/playground, and links to it."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import logging
import re
import shutil
import subprocess
import tempfile
import zipfile
import zlib
from importlib import metadata
from pathlib import Path

import tslint
import tslint.rules
from tslint.rulekit.registry import all_rules

SOURCE = Path(__file__).resolve().parents[2] / "editors" / "playground"
# The packages that tslint needs for checking. Only the Python part of libcst is needed, see pure_parser.py.
REQUIRED = ("libcst", "click", "pathspec")
_EXAMPLE = re.compile(r"(^```python\n(.*?)^```$)", re.MULTILINE | re.DOTALL)
# A paragraph that is shown only if the site has the playground.
_MARK = re.compile(r"<!-- with the playground -->\n(.*?\n)\n", re.DOTALL)
_LEFT_OUT = (".so", ".pyd", ".pyc", ".c", ".rs", ".pyi")
_log = logging.getLogger("mkdocs.plugins.tslint")


def available() -> bool:
    """Return whether the page can be built here: `npm ci` has been run in its folder."""
    return shutil.which("node") is not None and (SOURCE / "node_modules" / "pyodide").is_dir()


def build(to: Path, distribution: str = "") -> bool:
    """Build the page into a folder of the site; if Node.js or its packages are missing, it is left out.

    Args:
        to: the folder, which need not exist.
        distribution: the address of Pyodide's packages, with a slash at its end; empty for none. The page loads libcst
            from there for code that libcst's Python parser cannot read.

    Returns:
        Whether the page was built.
    """
    if not available():
        _log.info("The playground is left out: it needs Node.js, and `npm ci` in editors/playground")
        return False
    subprocess.run(["node", "esbuild.mjs"], cwd=SOURCE, check=True, timeout=300)
    shutil.copytree(SOURCE / "dist", to, dirs_exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        python = Path(folder)
        archive(python / "python.zip")
        (python / "warm.json").write_text(json.dumps(_examples()), encoding="utf-8")
        subprocess.run(["node", "compile.mjs", folder], cwd=SOURCE, check=True, timeout=600)
        parts = [python / name for name in ("python.zip", "snapshot.gz")]
        # Files below kept/ never change under the same address, so browsers can cache them.
        digest = hashlib.sha256(b"".join(part.read_bytes() for part in parts)).hexdigest()[:16]
        (to / "kept" / digest).mkdir()
        for part in parts:
            shutil.copy(part, to / "kept" / digest)
    pyodide = next((to / "kept").glob("pyodide-*")).name
    places = {"pyodide": f"kept/{pyodide}/", "python": f"kept/{digest}/", "distribution": distribution}
    (to / "places.json").write_text(json.dumps(places), encoding="utf-8")
    return True


def _examples() -> list[str]:
    """Return the examples of all rules."""
    return [text for registered in all_rules() for _, text in _EXAMPLE.findall(registered.page)]


def archive(path: Path) -> None:
    """Write the archive for Python in the browser: this tslint, its requirements, and the page's code."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        for package, below in (("tslint", tslint.__path__[0]), ("tslint/rules", tslint.rules.__path__[0])):
            for file in sorted(Path(below).rglob("*")):
                name = f"{package}/{file.relative_to(below).as_posix()}"
                if file.is_file() and "__pycache__" not in file.parts and name not in made.NameToInfo:
                    made.write(file, name)
        for required in REQUIRED:
            for part in metadata.distribution(required).files or ():
                left_out = part.suffix in _LEFT_OUT or "tests" in part.parts or ".." in part.parts
                if not left_out and part.name not in ("RECORD", "direct_url.json", "INSTALLER"):
                    made.write(str(part.locate()), part.as_posix())
        for file in sorted((SOURCE / "python").glob("*.py")):
            made.write(file, file.name)


def linked(markdown: str, url: str) -> str:
    """Return a page whose marked paragraphs link to the playground; without them if it cannot be built.

    Args:
        markdown: the page.
        url: the address of the page, relative to the site's root.
    """
    link = f'<a href="{"../" * url.count("/")}playground/">playground</a>'
    return _MARK.sub(lambda match: f"{match[1]}\n".replace("playground", link, 1) if available() else "", markdown)


def fragment(text: str) -> str:
    """Return the part of an address after the `#` that contains a text; src/share.ts reads it."""
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    packed = packer.compress(json.dumps({"model.py": text}).encode()) + packer.flush()
    return base64.urlsafe_b64encode(packed).decode().rstrip("=")


def with_links(page: str) -> str:
    """Return the page of a rule, with a link below each example that opens it in the playground."""

    def link(match: re.Match[str]) -> str:
        address = html.escape(f"../../playground/#{fragment(match[2])}")
        return f'{match[1]}\n\n<a href="{address}">Open in the playground</a>'

    return _EXAMPLE.sub(link, page)
