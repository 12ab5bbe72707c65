"""Tests the HTML report: its contents, that it is self-contained, and its layout in a real browser if one
is installed.
"""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from tslint.diagnostics import Diagnostic, Position, Severity, Stage
from tslint.verify.api import verify
from tslint.verify.graphs import drawing
from tslint.verify.report import render
from tslint.verify.report.layout import arrange
from tslint.verify.results import StageResult, TargetVerdict
from tslint.verify.verdict import Verdict

pytestmark = pytest.mark.slow

VOID = {"meta", "link", "br", "hr", "rect", "path", "circle"}
EVIL = "<script>alert('1')</script>&\""
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Branches(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
        self.gate = nn.Linear(3, 2)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        y = self.gate(x)
        if x.size(0) > 2:
            y = self.layers(x)
        for i in range(3):
            y = y + i
        return torch.relu(y), x


class Rejected(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = Branches()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        text = "<b>&amp;</b>"; return no_such_function(x, text)  # type: ignore[name-defined, no-any-return]  # noqa: E702, F821  # fmt: skip


class Page(HTMLParser):
    """A parsed page, checked for balanced elements."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in VOID
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self._open:
            self.text += data

    def classes(self) -> set[str]:
        return {name for _, attributes in self.elements for name in (attributes.get("class") or "").split()}


@pytest.fixture(scope="module")
def verdict(tmp_path_factory: pytest.TempPathFactory) -> Verdict:
    """Return one target with a counterexample, and one that is rejected and has HTML in its name."""
    path = tmp_path_factory.mktemp("report") / "page.html"
    good = verify(Branches(), torch.rand(4, 3), report=path)
    assert path.read_text(encoding="utf-8") == render(good)
    bad = verify(Rejected(), torch.rand(4, 3), modes="script", name=EVIL, report=path)
    return Verdict(good.torch, good.python, good.targets + bad.targets)


@pytest.fixture(scope="module")
def html(verdict: Verdict) -> str:
    return render(verdict)


def test_every_part_is_there(html: str) -> None:
    page = Page(html)
    for words in (
        "Stages",
        "Counterexamples",
        "Findings",
        "Modules",
        "Scripted",
        "Traced",
        f"torch {torch.__version__}",
    ):
        assert words in page.text
    assert "trace differs from eager on" in page.text
    assert "if torch.gt(torch.size(x, 0), 2):" in page.text  # the TorchScript code
    assert "if x.size(0) > 2:" in page.text  # the author's code
    assert {"beside", "tree", "compiled", "alone", "failed", "node", "control", "call"} <= page.classes()
    assert any(tag == "mark" for tag, _ in page.elements)


def test_the_page_stands_alone(html: str) -> None:
    page = Page(html)
    assert not {tag for tag, _ in page.elements} & {"script", "link", "img", "iframe", "object", "base", "form"}
    assert not any(name.startswith("on") for _, attributes in page.elements for name in attributes)
    links = [attributes[name] for _, attributes in page.elements for name in ("href", "src") if name in attributes]
    assert links == ["#target-0", "#target-1"]
    assert re.findall(r"https?:|url\((?!#)|@import", html) == []
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_everything_is_escaped(html: str) -> None:
    assert "<script" not in html
    assert EVIL in Page(html).text
    assert 'text = "<b>&amp;</b>"; ' in Page(html).text  # the same as in the source, character for character
    assert not any(tag == "b" and "class" in attributes for tag, attributes in Page(html).elements)


def test_a_module_tree_survives_a_crash_later_on() -> None:
    class Dies(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            import os

            os.abort()

    died = verify(Dies(), torch.rand(1), name="dies", report="/dev/null")
    page = Page(render(died))
    assert "was killed by SIGABRT" in page.text
    assert "tree" in page.classes()


def test_a_target_that_was_not_built_has_a_report(tmp_path: Path) -> None:
    gone = Diagnostic(
        "TS903", "compiler-error", Severity.WARNING, Stage.SCRIPT, "m\x00 <i>", str(tmp_path / "gone.py"),
        Position(1, 1), Position(1, 2),
    )  # fmt: skip
    stages = (StageResult("import", "passed"), StageResult("build", "failed", 0.1, "no <luck>", (gone,)))
    artifacts = {"script": "/a/<b>.pt", "trace": None}
    page = Page(render(Verdict("", "3.11", (TargetVerdict("t", stages, artifacts),))))
    assert "build: no <luck>" in page.text
    assert "m� <i>" in page.text
    assert "/a/<b>.pt" in page.text
    Page(render(Verdict("", "", ())))


def test_boxes_do_not_overlap_and_arrows_go_down() -> None:
    sizes = [(40.0 + 13 * (number % 5), 30.0 + 9 * (number % 3)) for number in range(40)]
    edges = [(one, other) for one in range(40) for other in range(one + 1, 40) if (one * 7 + other * 5) % 17 == 0]
    layout = arrange(sizes, edges)
    boxes = [
        (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        for (x, y), (width, height) in zip(layout.centers, sizes)
    ]
    for number, one in enumerate(boxes):
        assert one[0] > -0.1
        assert one[1] > -0.1
        assert one[2] <= layout.width + 0.1
        assert one[3] <= layout.height + 0.1
        for other in boxes[number + 1 :]:
            assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
    for route in layout.routes:
        assert [y for _, y in route] == sorted(y for _, y in route)
    assert arrange([], []).routes == []


def test_a_graph_is_drawn_as_a_reader_would() -> None:
    drawn = drawing(torch.jit.script(Branches()).graph)
    labels = [node["label"] for node in drawn["nodes"]]
    assert labels.count("self.layers") == 1
    assert "Constant" not in " ".join(labels)
    kinds = {node["label"]: node["kind"] for node in drawn["nodes"]}
    assert (kinds["if"], kinds["loop"], kinds["self.gate"], kinds["return"]) == ("control", "control", "call", "output")
    edges = {(labels[start], labels[end], kind) for start, end, kind in drawn["edges"]}
    assert ("if", "self.layers", "control") in edges
    assert ("self.layers", "loop", "data") in edges
    assert any("test_report.py:" in node["place"] for node in drawn["nodes"])


def test_a_large_graph_is_cut_and_says_so() -> None:
    class Long(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            for _ in range(300):
                x = x + 1
            return x

    drawn = drawing(torch.jit.trace(Long(), torch.rand(1)).graph)
    assert drawn["left_out"] > 100
    assert drawn["nodes"][-1]["label"] == "return"
    assert any(end == len(drawn["nodes"]) - 1 for _, end, _ in drawn["edges"])


def chromium(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    assert CHROMIUM is not None
    return subprocess.run(
        [
            CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
            f"--user-data-dir={folder / 'profile'}", *arguments,
        ],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def measured(html: str, folder: Path, width: int, scheme: str) -> dict[str, Any]:
    """Return how a browser shows the page: its width, and the colours of its background and text."""
    look = (
        "<script>const s = getComputedStyle(document.body);"
        "document.documentElement.dataset.seen = [document.documentElement.scrollWidth, innerWidth,"
        "s.backgroundColor, s.color].join('|')</script></body>"
    )
    # A frame has the given width, but a window may have a least width.
    (folder / "page.html").write_text(re.sub(r"<meta http-equiv[^>]*>", "", html).replace("</body>", look))
    (folder / "frame.html").write_text(
        f"<iframe src='page.html' style='width:{width}px;height:900px;border:0'></iframe><script>onload = () => "
        "document.documentElement.dataset.seen = frames[0].document.documentElement.dataset.seen</script>"
    )
    done = chromium(
        folder, "--window-size=1600,1000", "--allow-file-access-from-files", "--dump-dom",
        f"--blink-settings=preferredColorScheme={0 if scheme == 'dark' else 1}", (folder / "frame.html").as_uri(),
    )  # fmt: skip
    seen = re.search(r'data-seen="([^"]+)"', done.stdout)
    assert seen, done.stderr
    scroll, inner, background, color = seen.group(1).split("|")
    return {"scroll": int(scroll), "inner": int(inner), "background": _light(background), "color": _light(color)}


def _light(color: str) -> float:
    return sum(map(float, re.findall(r"[\d.]+", color)[:3])) / 765


def test_a_browser_lays_it_out_narrow_and_wide_light_and_dark(html: str, tmp_path: Path) -> None:
    page = Page(html)
    assert ("meta", "viewport") in {(tag, attributes.get("name")) for tag, attributes in page.elements}
    assert "@media (prefers-color-scheme: dark)" in html
    assert "@media (max-width: 760px)" in html
    if CHROMIUM is None:
        return
    for width in (400, 1400):
        for scheme in ("light", "dark"):
            seen = measured(html, tmp_path, width, scheme)
            assert seen["inner"] == width
            # Only code and graphs scroll sideways, each in its own box.
            assert seen["scroll"] <= width
            assert (seen["background"] < 0.2) == (scheme == "dark")
            assert abs(seen["background"] - seen["color"]) > 0.7
    picture = tmp_path / "page.png"
    (tmp_path / "page.html").write_text(html, encoding="utf-8")
    done = chromium(tmp_path, "--window-size=1400,1200", f"--screenshot={picture}", (tmp_path / "page.html").as_uri())
    assert picture.is_file(), done.stderr
    data = picture.read_bytes()
    assert struct.unpack(">II", data[16:24]) == (1400, 1200)
    # A blank page would compress to almost nothing.
    assert len(data) > 30_000
