"""Tests the playground: it works with libcst's pure Python parser, and the page works in a real Chromium.

The page needs its packages (`npm ci` in editors/playground), Chromium and chromedriver.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from scripts.site import playground
from tests.editors.browser import CHROMIUM, DRIVER, Browser, browser
from tslint.rulekit.registry import all_rules

# Their examples are written in syntax that the parser written in Python does not know.
NEWER_SYNTAX = {"TS107", "TS132"}
IN_PAGE = pytest.mark.skipif(
    not (CHROMIUM and DRIVER and playground.available()), reason="needs Chromium, chromedriver and the page's packages"
)
BAD = "import torch\n\n\n@torch.jit.script\ndef double(x):\n    return x * +2\n"
JUDGED = """
import json, sys
from pathlib import Path
if sys.argv[1] == "pure":
    sys.modules["libcst.native"] = None
sys.path.insert(0, sys.argv[2])
import playground
playground.FOLDER = Path(sys.argv[3])
settings = {"targetTorch": "", "select": ["ALL"]}
texts = json.load(sys.stdin)
asked = [{"files": {"m.py": text}, "settings": settings, "edits": True} for text in texts]
print(json.dumps([playground.check(json.dumps(each)) for each in asked]))
"""


def judged(parser: str, texts: list[str], folder: Path) -> list[str]:
    command = [sys.executable, "-c", JUDGED, parser, str(playground.SOURCE / "python"), str(folder / "models")]
    done = subprocess.run(command, input=json.dumps(texts), capture_output=True, text=True, check=True, timeout=300)
    found: list[str] = json.loads(done.stdout)
    return found


@pytest.mark.slow
def test_the_page_finds_and_fixes_in_all_examples_what_the_command_does(tmp_path: Path) -> None:
    texts = [
        text
        for registered in all_rules()
        if registered.rule.code not in NEWER_SYNTAX
        for text in re.findall(r"```python\n(.*?)```", registered.page, re.DOTALL)
    ]
    assert len(texts) > 200
    assert judged("pure", texts, tmp_path) == judged("native", texts, tmp_path)


def test_a_rule_page_gets_a_link_below_each_example() -> None:
    registered = next(each for each in all_rules() if each.rule.name == "unary-plus")
    page = playground.with_links(registered.page)
    assert page.count("Open in the playground") == 2
    assert re.sub(r"\n\n<a href[^\n]*", "", page) == registered.page


def test_without_node_the_site_has_no_playground(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    page = "Before.\n\n<!-- with the playground -->\nThe playground is here.\n\nAfter.\n"
    assert playground.build(tmp_path / "playground") is False
    assert not (tmp_path / "playground").exists()
    assert playground.linked(page, "editors/") == "Before.\n\nAfter.\n"


@IN_PAGE
def test_a_page_links_to_the_playground() -> None:
    page = "<!-- with the playground -->\nThe playground is here.\n\nAfter.\n"
    assert playground.linked(page, "editors/") == 'The <a href="../playground/">playground</a> is here.\n\nAfter.\n'


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    assert playground.build(folder / "playground")
    return folder


@contextmanager
def served(folder: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/playground/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def site(built: Path) -> Iterator[str]:
    with served(built) as address:
        yield address


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile"), "--window-size=1300,900") as opened:
        yield opened


def shown(window: Browser, site: str, text: str) -> list[str]:
    """Return the headings of the findings that the page shows for a text from a link."""
    window.send("url", url="about:blank")
    window.send("url", url=f"{site}#{playground.fragment(text)}")
    window.wait("document.body.dataset.milliseconds")
    return heads(window)


def heads(window: Browser) -> list[str]:
    found: list[str] = window.run(
        "return [...document.querySelectorAll('#findings li')].map(each => each.innerText.split('\\n')[0])"
    )
    return found


@IN_PAGE
@pytest.mark.installs
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (BAD, ["model.py:6:16 error TS122 unary-plus"]),
        ("", []),
        ("def f(:\n", ["model.py:1:7 error TS901 unparsable-file"]),
        ("x = 1\n" * 2000 + BAD, ["model.py:2006:16 error TS122 unary-plus"]),
        (BAD.replace("+2", "'<img src=x onerror=alert(1)>'.frob()"), None),
    ],
    ids=["finding", "empty", "syntax error", "2,000 lines", "markup"],
)
def test_a_link_shows_its_findings(window: Browser, site: str, text: str, expected: list[str] | None) -> None:
    found = shown(window, site, text)
    assert expected is None or found == expected
    assert window.run("return document.querySelectorAll('img').length") == 0


@IN_PAGE
@pytest.mark.installs
def test_a_fix_is_applied_and_a_shared_link_holds_what_it_wrote(window: Browser, site: str) -> None:
    assert len(shown(window, site, BAD)) == 1
    window.run("[...document.querySelectorAll('#findings button')].at(-1).click()")
    window.wait("document.getElementById('status').textContent === 'No findings'")
    before = window.run("return location.hash")
    window.run("document.getElementById('share').click()")
    window.wait(f"location.hash !== {json.dumps(before)}")
    address = window.run("return location.href")
    window.send("url", url="about:blank")
    window.send("url", url=address)
    window.wait("document.body.dataset.milliseconds")
    code = "document.getElementById('editor').shadowRoot.querySelector('.cm-content').innerText"
    assert "x * 2" in window.run(f"return {code}")
    assert heads(window) == []


@IN_PAGE
@pytest.mark.installs
def test_the_page_stays_within_its_policy(window: Browser, site: str) -> None:
    shown(window, site, BAD)
    assert not [each for each in window.send("se/log", type="browser") if "Content Security" in each["message"]]


def opened(window: Browser, site: str, text: str) -> str:
    """Return the script of the editor's root, on a page with a text and its findings."""
    shown(window, site, text)
    return "document.getElementById('editor').shadowRoot"


def underlined(window: Browser, root: str) -> list[str]:
    found: list[str] = window.run(f"return [...{root}.querySelectorAll('.cm-lintRange')].map(each => each.textContent)")
    return found


@IN_PAGE
@pytest.mark.installs
def test_what_is_typed_is_checked_and_underlined(window: Browser, site: str) -> None:
    root = opened(window, site, BAD.replace("+2\n", "2"))
    assert underlined(window, root) == []
    window.run(f"{root}.querySelector('.cm-content').focus()")
    window.press("\ue009", "\ue010")  # Control and End
    window.press(*" * +3")
    window.wait(f"{root}.querySelector('.cm-lintRange')")
    assert underlined(window, root) == ["+3"]
    assert heads(window) == ["model.py:6:20 error TS122 unary-plus"]


@IN_PAGE
@pytest.mark.installs
def test_a_hover_shows_the_finding(window: Browser, site: str) -> None:
    root = opened(window, site, BAD)
    place = window.run(f"return {root}.querySelector('.cm-lintRange').getBoundingClientRect().toJSON()")
    window.point(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    text = window.wait(f"{root}.querySelector('.cm-tooltip')?.innerText")
    assert "unary `+` cannot be compiled" in text


@IN_PAGE
@pytest.mark.installs
def test_findings_are_copied_as_markdown(window: Browser, site: str) -> None:
    shown(window, site, BAD)
    window.control("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    window.run("document.getElementById('markdown').click()")
    window.wait("document.getElementById('status').textContent === 'Findings copied'")
    copied = window.run("return navigator.clipboard.readText()")
    assert copied.startswith(f"`model.py`:\n\n````python\n{BAD}")
    assert "- `model.py:6:16` TS122 [unary-plus] unary `+` cannot be compiled" in copied


@IN_PAGE
@pytest.mark.installs
def test_a_dark_page_and_a_phone(window: Browser, site: str) -> None:
    root = opened(window, site, BAD)
    window.control("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    colours = [
        window.run(f"return getComputedStyle({part}).backgroundColor")
        for part in ("document.body", f"{root}.querySelector('.cm-editor')")
    ]
    assert all(max(map(int, re.findall(r"\d+", colour))) < 80 for colour in colours)
    window.control("Emulation.setEmulatedMedia", features=[])
    window.control("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=2, mobile=True)
    assert window.run("return document.documentElement.scrollWidth") <= 390
    window.control("Emulation.clearDeviceMetricsOverride")


@IN_PAGE
@pytest.mark.installs
def test_a_page_that_was_loaded_once_works_offline(window: Browser, built: Path) -> None:
    cached = "caches.open('tslint-playground').then(each => each.keys()).then(each => each.map(key => key.url))"
    with served(built) as site:
        shown(window, site, BAD)
        window.wait_for(f"({cached}).then(each => each.some(url => url.endsWith('python.zip')))")
    assert shown(window, site, BAD) == ["model.py:6:16 error TS122 unary-plus"]


def test_a_failure_inside_is_a_finding_with_a_report_to_paste(tmp_path: Path) -> None:
    broken = JUDGED.replace("settings =", "playground.analyse = lambda *_, **__: 1 / 0\nsettings =")
    command = [sys.executable, "-c", broken, "native", str(playground.SOURCE / "python"), str(tmp_path)]
    done = subprocess.run(command, input=json.dumps([BAD]), capture_output=True, text=True, check=True)
    (found,) = json.loads(json.loads(done.stdout)[0])["findings"]
    assert (found["code"], found["name"]) == ("TS900", "internal-error")
    assert "Please report it" in found["help"] and "ZeroDivisionError at" in found["help"]
