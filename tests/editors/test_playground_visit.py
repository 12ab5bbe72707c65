"""Tests what a visitor of the playground does, in a real Chromium."""

from __future__ import annotations

import json
import re
import shutil
import time
import zipfile
from pathlib import Path

import pytest

from tests.editors.browser import Browser
from tests.editors.playground_page import BAD, IN_PAGE, choose, heads, opened, served, shown, underlined


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
def test_a_new_line_is_indented_as_python_is(window: Browser, site: str) -> None:
    root = opened(window, site, "import torch\n\n\ndef double(x):")
    window.run(f"{root}.querySelector('.cm-content').focus()")
    window.press("\ue009", "\ue010")  # Control and End
    window.press("\ue007", *"return x")
    assert window.run(f"return {root}.querySelector('.cm-content').lastChild.textContent") == "    return x"


@IN_PAGE
@pytest.mark.installs
def test_a_hover_shows_the_finding(window: Browser, site: str) -> None:
    root = opened(window, site, BAD)
    place = window.run(f"return {root}.querySelector('.cm-lintRange').getBoundingClientRect().toJSON()")
    window.point(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    text = window.wait(f"{root}.querySelector('.cm-tooltip')?.innerText")
    assert "unary + cannot be compiled" in text and "Remove the +." in text
    window.run(f"{root}.querySelector('.cm-diagnosticAction').click()")
    window.wait("document.getElementById('status').textContent === 'No findings'")


# The findings that each of the first models shows.
STORIES = {
    "Cell and decision gate": {"TS701"},
    "RNN loop": {"TS122", "TS308"},
    "Speech separator": {"TS401", "TS208"},
    "Detector": {"TS211", "TS401"},
    "Dataclass configuration": {"TS412"},
}


@IN_PAGE
@pytest.mark.installs
@pytest.mark.parametrize("story", STORIES)
def test_a_model_to_begin_with_has_the_findings_of_its_story(window: Browser, site: str, story: str) -> None:
    shown(window, site, BAD)
    choose(window, "story", story)
    assert STORIES[story] <= {each.split()[2] for each in heads(window)}


@IN_PAGE
@pytest.mark.installs
def test_call_paths_and_inferred_types_are_shown(window: Browser, site: str) -> None:
    text = "import torch\n\n\ndef inner(x):\n    y = x * 2\n    return +y\n\n\n"
    text += "@torch.jit.script\ndef outer(x):\n    return inner(x)\n"
    root = opened(window, site, text)
    assert "compiled via outer → inner" in window.run("return document.getElementById('findings').innerText")
    assert window.run(f"return [...{root}.querySelectorAll('.hint')].map(each => each.textContent)") == [
        ": Tensor",
        ": Tensor",
    ]


@IN_PAGE
@pytest.mark.installs
def test_the_settings_decide_what_is_found(window: Browser, site: str) -> None:
    text = "import torch\n\n\n@torch.jit.script\ndef shapes(x):\n    return x.mT, +x\n"
    assert [each.split()[2] for each in shown(window, site, text)] == ["TS122"]
    choose(window, "torch", "1.13")
    choose(window, "select", "tracing")
    assert heads(window) == []
    choose(window, "select", "rejected")
    assert [each.split()[2] for each in heads(window)] == ["TS122"]
    choose(window, "select", "silently wrong")
    choose(window, "severity", "errors only")
    assert heads(window) == []


@IN_PAGE
@pytest.mark.installs
def test_several_files_import_each_other(window: Browser, site: str) -> None:
    root = opened(window, site, "import torch\nfrom file1 import double\n\ntorch.jit.script(double)\n")
    press_button(window, "+ File")
    window.press(*"def double(x):")
    window.press("\ue007", *"return x * +2")
    window.wait("document.querySelector('#findings li')")
    assert heads(window) == ["file1.py:2:16 error TS122 unary-plus"]
    press_button(window, "model.py")
    window.run("document.querySelector('#findings .place').click()")
    assert underlined(window, root) == ["+2"]
    assert window.run("return document.querySelector('#files [aria-pressed=true]').textContent") == "file1.py"
    press_button(window, "Rename")
    window.send("alert/text", text="other")
    window.send("alert/accept")
    window.wait("document.getElementById('status').textContent === 'No findings'")
    assert press_button(window, "Remove") == ["model.py", "other.py", "+ File", "Rename", "Remove"]
    window.wait("document.querySelectorAll('#files button').length === 3")


def press_button(window: Browser, text: str) -> list[str]:
    """Press one of the buttons above the editor; return the texts of all buttons."""
    found: list[str] = window.run(
        "return [...document.querySelectorAll('#files button')].map(each => each.textContent)"
    )
    # An alert would prevent the script from returning.
    window.run(
        f"const at = document.querySelectorAll('#files button')[{found.index(text)}]; setTimeout(() => at.click())"
    )
    time.sleep(0.2)
    return found


@IN_PAGE
@pytest.mark.installs
def test_the_keyboard_reaches_everything(window: Browser, site: str) -> None:
    shown(window, site, BAD)
    reached: list[str] = []
    script = """
        let at = document.activeElement;
        at = at.shadowRoot?.activeElement ?? at;
        return at.getAttribute("aria-label") ?? at.labels?.[0]?.firstChild.textContent.trim() ?? at.textContent
    """
    # Stop at the page's last element, because the next one belongs to the browser.
    while "TS122 unary-plus" not in reached and len(reached) < 20:
        window.press("\ue004")
        reached.append(window.run(script))
    ordered = [
        "tslint", "Model", "Torch", "Rules", "Severity", "Copy link", "Copy as Markdown", "model.py", "+ File",
        "Rename", "Python code", "model.py:6:16", "TS122 unary-plus",
    ]  # fmt: skip
    places = [reached.index(each) for each in ordered]
    assert places == sorted(places)


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
    # The page changes its palette when the browser announces the new scheme, a moment after the setting returns.
    for part in ("document.body", f"{root}.querySelector('.cm-editor')"):
        window.wait(f"Math.max(...getComputedStyle({part}).backgroundColor.match(/\\d+/g)) < 80")
    window.control("Emulation.setEmulatedMedia", features=[])
    window.control("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=2, mobile=True)
    assert window.run("return document.documentElement.scrollWidth") <= 390
    window.control("Emulation.clearDeviceMetricsOverride")


@IN_PAGE
@pytest.mark.installs
def test_the_page_is_as_dark_as_the_reader_has_made_the_site(window: Browser, site: str) -> None:
    shown(window, site, BAD)
    for scheme, wanted in (("slate", "dark"), ("default", "light")):
        kept = json.dumps({"color": {"scheme": scheme}})
        window.run("localStorage.setItem('/.__palette', arguments[0])", kept)
        shown(window, site, BAD)
        assert window.run("return document.documentElement.dataset.scheme") == wanted
    window.run("localStorage.clear()")


@IN_PAGE
@pytest.mark.installs
def test_a_page_that_was_loaded_once_works_offline(window: Browser, built: Path) -> None:
    cached = "caches.open('tslint-playground').then(each => each.keys()).then(each => each.map(key => key.url))"
    with served(built) as site:
        shown(window, site, BAD)
        window.wait_for(f"({cached}).then(each => each.some(url => url.endsWith('python.zip')))")
    assert shown(window, site, BAD) == ["model.py:6:16 error TS122 unary-plus"]


@IN_PAGE
@pytest.mark.installs
def test_an_exception_inside_is_shown_with_the_report_to_paste(window: Browser, built: Path, tmp_path: Path) -> None:
    shutil.copytree(built, tmp_path / "site")
    break_rule(tmp_path / "site", "tslint/rules/syntax/unary_plus.py")
    text = BAD.replace("+2", "+2 * (lambda: 2)()")
    with served(tmp_path / "site") as site:
        root = opened(window, site, text)
        found = ["model.py:1:1 error TS900 internal-error", "model.py:6:22 error TS104 lambda"]
        assert heads(window) == found
        line = window.run(f"return {root}.querySelector('.cm-lintPoint').closest('.cm-line').textContent")
        assert line == "import torch"
        message, report = window.run(
            "return [...document.querySelectorAll('#findings li:first-child p')].slice(1).map(each => each.textContent)"
        )
        assert message == "tslint failed on this file: ZeroDivisionError: division by zero"
        assert "Please report the bug, if possible with the code that shows it, and with this text: tslint " in report
        assert re.search(r", libcst [\d.]+, CPython 3[\d.]+, emscripten: ZeroDivisionError at ", report)
        assert "at rules/syntax/unary_plus.py:" in report
        window.control("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
        window.run("document.getElementById('markdown').click()")
        window.wait("document.getElementById('status').textContent === 'Findings copied'")
        copied = window.run("return navigator.clipboard.readText()")
        assert text in copied and f"TS900 [internal-error] {message} {report}\n" in copied


def break_rule(site: Path, name: str) -> None:
    """Make a rule of a built site raise an exception.

    Args:
        site: the site; it then starts from its wheel, because the snapshot has the original rule.
        name: the name of the rule's file in the wheel.
    """
    (wheel,) = (site / "playground" / "kept").glob("*/python.zip")
    (wheel.parent / "snapshot.gz").unlink()
    compiled = f"__pycache__/{Path(name).stem}.cpython-"
    with zipfile.ZipFile(wheel) as before, zipfile.ZipFile(wheel.with_suffix(".new"), "w") as after:
        for each in before.namelist():
            if not (each.startswith(str(Path(name).parent)) and compiled in each):
                content = before.read(each)
                after.writestr(each, content + b"\n\ndef check(match):\n    1 / 0\n" if each == name else content)
    wheel.with_suffix(".new").replace(wheel)
