"""Drives a real Chromium through chromedriver's WebDriver protocol."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
DRIVER = shutil.which("chromedriver")


class Browser:
    """One window.

    Args:
        address: the address of the session.
    """

    def __init__(self, address: str) -> None:
        self._address = address

    def send(self, command: str, **arguments: Any) -> Any:
        """Send a command of the protocol."""
        return _post(f"{self._address}/{command}", arguments)

    def run(self, script: str, *arguments: Any) -> Any:
        """Return the value of a script's body."""
        return self.send("execute/sync", script=script, args=list(arguments))

    def control(self, command: str, **parameters: Any) -> Any:
        """Send a command of Chromium's own protocol."""
        return self.send("goog/cdp/execute", cmd=command, params=parameters)

    def press(self, *keys: str) -> None:
        """Press keys one after the other; all at the same time if one is a special key, such as Control."""
        down = [{"type": "keyDown", "value": key} for key in keys]
        held = any(key >= "\ue000" for key in keys)
        steps = [
            *(down if held else (step for each in down for step in (each, {**each, "type": "keyUp"}))),
            *({"type": "keyUp", "value": key} for key in reversed(keys) if held),
        ]
        self.send("actions", actions=[{"type": "key", "id": "keys", "actions": steps}])

    def point(self, x: float, y: float) -> None:
        """Move the pointer."""
        step = {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 50}
        self.send("actions", actions=[{"type": "pointer", "id": "mouse", "actions": [step]}])

    def wait_for(self, promise: str, seconds: float = 120) -> Any:
        """Return the value of a promise as soon as it is true."""
        return self.wait(f"await ({promise})", seconds)

    def wait(self, script: str, seconds: float = 120) -> Any:
        """Return the value of an expression as soon as it is true."""
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            found = self.run(f"return {script}")
            if found:
                return found
            time.sleep(0.02)
        raise TimeoutError(f"{script}; the page says: {self.run('return document.body.innerText')}")


@contextmanager
def browser(folder: Path, *arguments: str) -> Iterator[Browser]:
    """Start a browser with a profile of its own.

    Args:
        folder: the folder for its profile.
        arguments: the arguments of Chromium.
    """
    assert CHROMIUM and DRIVER
    driver = subprocess.Popen([DRIVER, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert driver.stdout is not None
    lines = (re.search(r"started successfully on port (\d+)", line) for line in driver.stdout)
    port = next(found[1] for found in lines if found)
    options = {
        "binary": CHROMIUM,
        "args": [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
            "--disable-background-networking", "--disable-component-update", f"--user-data-dir={folder}", *arguments,
        ],
    }  # fmt: skip
    base = f"http://127.0.0.1:{port}/session"
    wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
    try:
        session = _post(base, {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
        try:
            yield Browser(f"{base}/{session}")
        finally:
            urllib.request.urlopen(urllib.request.Request(f"{base}/{session}", method="DELETE"), timeout=30).close()
    finally:
        driver.kill()
        driver.wait()
        driver.stdout.close()


def _post(address: str, content: object) -> Any:
    data = json.dumps(content).encode()
    with urllib.request.urlopen(urllib.request.Request(address, data=data), timeout=120) as answer:
        return json.load(answer)["value"]
