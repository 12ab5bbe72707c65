"""Tests syntax that the playground's own parser does not know: with libcst from Pyodide's distribution, and
without it.
"""

from __future__ import annotations

import base64
import hashlib
import json
import pickle
import shutil
import subprocess
import sys
import zipfile
from contextlib import suppress
from http.server import SimpleHTTPRequestHandler
from pathlib import Path

import libcst
import libcst.native
import pytest

from scripts.site import playground
from tests.editors.browser import Browser
from tests.editors.playground_page import BAD, IN_PAGE, heads, served, shown

MATCHING = """\
import torch


@torch.jit.script
def area(kind: str, x: int):
    match kind:
        case "square":
            return x * x
    return +x
"""
# Syntax that its own parser does not know.
ALIASED = """\
import torch


@torch.jit.script
def negative(x: int):
    type Number = int
    return +x
"""
READ = """
import sys
sys.path.insert(0, sys.argv[1])
import libcst, libcst.native, newer_grammar, pure_parser
newer_grammar.extend()
for text in sys.stdin.read().split("\\n\\n"):
    text = text.strip() + "\\n"
    found = pure_parser.parse_module(text)
    assert found.code == text and found.deep_equals(libcst.native.parse_module(text)), text
"""
NEWER = """
match a :  # which
    # first
    case 1 | (2 | 3) | -4 | 1+2j | "a" "b" | None | a.b: pass
    case [x, *rest] | ( x , *_ ) if x :
        match = case = 1
        # last
    case x, y: pass
    case {"k": v, **r} | {}: pass
    case (A.B(1, k = 2)) as z if z: pass
    case _ :
      match (a, b):
          case []:
              match[1]
    # after it

with (a as b, c ): pass

with (
    a as b,  # the first
    c as d,
):
    pass

with (a): pass

with (a, b) as c, (d): pass

with (yield): pass

with (x := f()): pass

try:
    pass
except * A as b :
    pass
except *(B, C):
    pass
else:
    pass

a[* b, c], a[*b], a[b, 1:2]

@a[0].b(1)
@a . b
@(lambda f: f)
def f(): pass

f"{x["a"]} {y!r:>{w["n"]}} {f'a"b'} {f"{b}"} {{}}" f'{z}'
"""


def test_newer_syntax_is_read_as_libcst_reads_it() -> None:
    command = [sys.executable, "-c", READ, str(playground.SOURCE / "python")]
    subprocess.run(command, input=NEWER.strip(), text=True, check=True)


@IN_PAGE
@pytest.mark.installs
def test_newer_syntax_is_read_and_fixed_without_the_distribution(window: Browser, site: str) -> None:
    found = shown(window, site, MATCHING)
    assert [each.split()[2] for each in found] == ["TS107", "TS122"]
    assert window.run("return document.getElementById('note').hidden")
    window.run("document.querySelector('#findings li button:not(.place)').click()")
    window.wait("document.querySelectorAll('#findings li').length === 1")
    assert 'if kind == "square":' in code(window)


@IN_PAGE
@pytest.mark.installs
def test_newer_syntax_that_cannot_be_read_is_said_to_be_left_out(window: Browser, site: str) -> None:
    assert [each.split()[2] for each in shown(window, site, ALIASED)] == ["TS134"]
    assert "cannot read some" in window.wait("document.getElementById('note').innerText")
    shown(window, site, BAD)
    assert window.run("return document.getElementById('note').hidden")


@IN_PAGE
@pytest.mark.installs
def test_newer_syntax_is_read_with_libcst_of_the_distribution(window: Browser, built: Path, tmp_path: Path) -> None:
    shutil.copytree(built, tmp_path / "site")
    stand_in = distribution(tmp_path / "distribution", built=tmp_path / "site", text=ALIASED)
    with served(stand_in, handler=Shared) as packages, served(tmp_path / "site") as site:
        places = tmp_path / "site" / "playground" / "places.json"
        known = json.loads(places.read_text())
        places.write_text(json.dumps({**known, "distribution": packages.removesuffix("playground/")}))
        shown(window, site, ALIASED)
        window.wait("document.querySelectorAll('#findings li').length === 2")
        assert [each.split()[2] for each in heads(window)] == ["TS134", "TS122"]
        assert window.run("return document.getElementById('note').hidden")
        window.run("document.querySelector('#findings li button:not(.place)').click()")
        window.wait("document.querySelectorAll('#findings li').length === 1")
        assert "return x" in code(window)


def code(window: Browser) -> str:
    text: str = window.run("return document.getElementById('editor').shadowRoot.querySelector('.cm-content').innerText")
    return text


class Shared(SimpleHTTPRequestHandler):
    """Allows pages from other addresses to read its files."""

    def end_headers(self) -> None:
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()


def distribution(folder: Path, *, built: Path, text: str) -> Path:
    """Create a folder with a wheel that replaces Pyodide's libcst, and enter the wheel in the lock file of the site.

    The wheel returns stored trees for one text, made by libcst's native parser, and parses other texts with
    ``pure_parser``.

    Args:
        folder: the folder to create.
        built: the folder of the site.
        text: the text whose trees are stored.
    """
    kept: dict[tuple[str, str], str] = {}
    for kind in ("module", "statement", "expression"):
        parse = getattr(libcst.native, f"parse_{kind}")
        for part in (text, text.split("\n\n\n", 1)[1], "type x = int\n"):
            with suppress(libcst.ParserSyntaxError):
                kept[kind, part] = base64.b64encode(pickle.dumps(parse(part))).decode()
    lock = next((built / "playground" / "kept").glob("pyodide-*")) / "pyodide-lock.json"
    known = json.loads(lock.read_text())
    package = known["packages"]["libcst"]
    folder.mkdir()
    with zipfile.ZipFile(folder / package["file_name"], "w") as wheel:
        wheel.writestr("libcst/native.py", f"KEPT = {kept!r}\n{STAND_IN}")
        information = f"libcst-{package['version']}.dist-info"
        wheel.writestr(
            f"{information}/METADATA", f"Metadata-Version: 2.1\nName: libcst\nVersion: {package['version']}\n"
        )
        wheel.writestr(f"{information}/RECORD", "")
    package["depends"] = []
    package["sha256"] = hashlib.sha256((folder / package["file_name"]).read_bytes()).hexdigest()
    lock.write_text(json.dumps(known))
    return folder


STAND_IN = """
import base64, pickle, pure_parser


def parse(kind, text):
    if (kind, text) in KEPT:
        return pickle.loads(base64.b64decode(KEPT[kind, text]))
    return getattr(pure_parser, "parse_" + kind)(text)


def parse_module(text, encoding="utf-8"):
    return parse("module", text)


def parse_statement(text):
    return parse("statement", text)


def parse_expression(text):
    return parse("expression", text)
"""
