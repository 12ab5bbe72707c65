"""Asks the installed torch about code, in another process, which imports torch once; see ``tests/kept.py``."""

from __future__ import annotations

import atexit
import hashlib
import importlib.util
import json
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from tests.kept import kept

NAME = "page.py"


class Oracle:
    """Asks a program that answers questions; it is started for the first question without a stored answer.

    Args:
        script: a program that reads a JSON request per line, ``{"path": …}`` and more, and answers each with a line of
            JSON.
    """

    def __init__(self, script: Path) -> None:
        self._script = script
        self._digest = hashlib.sha256(script.read_bytes()).hexdigest()
        self._asked = 0
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._process: subprocess.Popen[str] | None = None

    def __call__(self, text: str, **more: object) -> Any:
        """Return the program's answer about a file with this text; folders of this machine are replaced."""
        return kept(self._script.stem, [self._digest, text, more], lambda: self._ask(text, more))

    def _ask(self, text: str, more: dict[str, object]) -> Any:
        if self._process is None or self._folder is None:
            atexit.register(self.close)
            self._folder = tempfile.TemporaryDirectory()
            self._process = subprocess.Popen(
                [sys.executable, str(self._script)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
            )
        self._asked += 1
        # Each file is in a folder of its own, so that the name of the module, which torch's messages contain, is always
        # the same.
        folder = Path(self._folder.name, str(self._asked))
        folder.mkdir()
        path = folder / NAME
        path.write_text(text, encoding="utf-8")
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps({"path": str(path), **more}) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        for place, name in {str(folder): ".", **_places()}.items():
            answer = answer.replace(json.dumps(place)[1:-1], name)
        return json.loads(answer)

    def close(self) -> None:
        """End the program; it starts again when it is needed."""
        if self._process is not None:
            self._process.communicate()
        if self._folder is not None:
            self._folder.cleanup()
        self._process = self._folder = None


def _places() -> dict[str, str]:
    """Return the folders of this machine that torch names, and their placeholders."""
    torch = importlib.util.find_spec("torch")
    found = {str(Path(torch.origin).parents[1]): "site-packages"} if torch and torch.origin else {}
    return {**found, sysconfig.get_path("purelib"): "site-packages", sysconfig.get_path("stdlib"): "python"}
