"""Opens and reads the page of the playground."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from scripts.site import playground
from tests.editors.browser import CHROMIUM, DRIVER, Browser

IN_PAGE = pytest.mark.skipif(
    not (CHROMIUM and DRIVER and playground.available()), reason="needs Chromium, chromedriver and the page's packages"
)
BAD = "import torch\n\n\n@torch.jit.script\ndef double(x):\n    return x * +2\n"


@contextmanager
def served(folder: Path, handler: type[SimpleHTTPRequestHandler] = SimpleHTTPRequestHandler) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/playground/"
    server.shutdown()
    server.server_close()


def shown(window: Browser, site: str, text: str) -> list[str]:
    """Open the page by a link with a text; return the headings of the findings."""
    window.send("url", url="about:blank")
    window.send("url", url=f"{site}#{playground.fragment(text)}")
    window.wait("document.body.dataset.milliseconds")
    return heads(window)


def heads(window: Browser) -> list[str]:
    found: list[str] = window.run(
        "return [...document.querySelectorAll('#findings li')].map(each => each.innerText.split('\\n')[0])"
    )
    return found


def opened(window: Browser, site: str, text: str) -> str:
    """Open the page with a text, and wait for its findings; return JavaScript for the root of the editor."""
    shown(window, site, text)
    return "document.getElementById('editor').shadowRoot"


def underlined(window: Browser, root: str) -> list[str]:
    found: list[str] = window.run(f"return [...{root}.querySelectorAll('.cm-lintRange')].map(each => each.textContent)")
    return found


def choose(window: Browser, setting: str, label: str) -> None:
    """Choose an option of a drop-down list by its label, and wait for the findings."""
    window.run(
        """
        const list = document.getElementById(arguments[0]);
        list.selectedIndex = [...list.options].findIndex(each => each.label === arguments[1]);
        delete document.body.dataset.milliseconds;
        list.dispatchEvent(new Event("change"));
        """,
        setting,
        label,
    )
    window.wait("document.body.dataset.milliseconds")
