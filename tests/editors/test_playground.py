"""Tests the playground: it works with libcst's pure Python parser, and links lead to it and from it.

Tests in a browser need the page's packages (`npm ci` in editors/playground), Chromium and chromedriver.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.site import playground
from tests.editors.browser import Browser
from tests.editors.playground_page import BAD, IN_PAGE, heads, shown
from tslint.rulekit.registry import all_rules

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


def examples() -> list[str]:
    return [text for each in all_rules() for text in re.findall(r"```python\n(.*?)```", each.page, re.DOTALL)]


@pytest.mark.slow
def test_the_page_finds_and_fixes_in_all_examples_what_the_command_does(tmp_path: Path) -> None:
    texts = examples()
    assert len(texts) > 200
    assert judged("pure", texts, tmp_path) == judged("native", texts, tmp_path)


IN_WORKER = """
const worker = new Worker("worker.js", { type: "module" });
const texts = arguments[0];
const settings = { targetTorch: "", select: ["ALL"] };
window.answers = [];
const ask = () => {
  const id = answers.length;
  worker.postMessage({ id, files: { "m.py": texts[id] }, settings, edits: true });
};
worker.addEventListener("message", ({ data }) => {
  if (data.kind === "checked") {
    answers.push(data);
    if (answers.length < texts.length) ask();
  }
});
ask();
"""


@IN_PAGE
@pytest.mark.installs
@pytest.mark.skipif(sys.version_info < (3, 11), reason="examples are in the syntax of Python 3.11")
def test_chromium_finds_and_fixes_in_all_examples_what_the_command_does(
    window: Browser, site: str, tmp_path: Path
) -> None:
    shown(window, site, BAD)
    texts = examples()
    window.run(IN_WORKER, texts)
    window.wait(f"window.answers.length === {len(texts)}", seconds=300)
    expected = [json.loads(each.replace(f"{tmp_path}/", "/")) for each in judged("native", texts, tmp_path)]
    answers = zip(texts, window.run("return window.answers"), expected)
    differing = {text for text, found, wanted in answers if {name: found[name] for name in wanted} != wanted}
    # The page does not have the packages that a model imports.
    assert {text for text in differing if "from sympy import" not in text} == set()


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
def test_a_fix_shows_its_difference_once_it_is_opened(window: Browser, site: str) -> None:
    shown(window, site, BAD)
    assert window.run("return document.querySelector('#findings pre')") is None
    window.run("document.querySelector('#findings summary').click()")
    window.wait("document.querySelector('#findings pre')")
    lines = "[...document.querySelectorAll('#findings pre span')].map(each => each.textContent)"
    assert window.run(f"return {lines}") == ["-     return x * +2", "+     return x * 2"]


@IN_PAGE
@pytest.mark.installs
def test_the_page_stays_within_its_policy(window: Browser, site: str) -> None:
    shown(window, site, BAD)
    assert not [each for each in window.send("se/log", type="browser") if "Content Security" in each["message"]]


def test_a_failure_inside_is_a_finding_with_a_report_to_paste(tmp_path: Path) -> None:
    broken = JUDGED.replace("settings =", "playground.analyse = lambda *_, **__: 1 / 0\nsettings =")
    command = [sys.executable, "-c", broken, "native", str(playground.SOURCE / "python"), str(tmp_path)]
    done = subprocess.run(command, input=json.dumps([BAD]), capture_output=True, text=True, check=True)
    (found,) = json.loads(json.loads(done.stdout)[0])["findings"]
    assert (found["code"], found["name"]) == ("TS900", "internal-error")
    assert "Please report the bug" in found["help"] and "ZeroDivisionError at" in found["help"]
