"""Tests thousands of random edits: at the end, every text has the same findings as in ``check``."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.server.client import Client, area
from tslint import check

EDITS = 5_000
ROUNDS = 10
_NET = """\
import torch
from torch import nn
from pkg.tools import other, scale


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2)])

    def forward(self, x):
        out = []
        for layer in self.layers:
            x = layer(scale(x))
            out.append(x)
        return out
"""
_MAIN = """\
import torch
from torch import nn
from pkg.net import Net


class Main(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Net()

    def forward(self, x):
        return self.net(x)


if __name__ == "__main__":
    torch.jit.script(Main())
"""
FILES = {
    "pkg/__init__.py": "",
    "pkg/tools.py": "def scale(x):\n    return x * 2\n\n\ndef other(x, n):\n    return [x for _ in range(n)]\n",
    "pkg/net.py": _NET,
    "main.py": _MAIN,
}
# The inserted texts: they create findings, break the syntax, or shift what follows by more than one unit.
SNIPPETS = (
    "yield x\n", "        try:\n", "other(x, 2)", "scale(", ")", ":", "\n", "    ", "x", '"😋é"', "# tslint: ignore\n",
    "# tslint: ignore[TS109]", "from pkg.tools import other\n", "import main\n", "def f(x):\n    return x\n", "\r\n",
    "\t", "@torch.jit.ignore\n", "self.layers[i]", "\f", "\u2028", "'''",
)  # fmt: skip


class Text:
    """A text in the client, in code points."""

    def __init__(self, uri: str, text: str) -> None:
        self.uri = uri
        self.first = self.text = text

    def place(self, offset: int) -> tuple[int, int]:
        """Return a row and a column from 0: lines end at line feeds, carriage returns, and both."""
        before = self.text[:offset].replace("\r\n", "\n").replace("\r", "\n")
        return before.count("\n"), len(before) - (before.rfind("\n") + 1)

    def replace(self, start: int, end: int, new: str) -> dict[str, object]:
        """Change the text; return the change for the server."""
        change = {"range": area(*self.place(start), *self.place(end)), "text": new}
        self.text = self.text[:start] + new + self.text[end:]
        return change


def edit(text: Text, source: random.Random) -> list[dict[str, object]]:
    """Return one edit of a text: one change or more."""
    changes: list[dict[str, object]] = []
    if source.random() < 0.02 or len(text.text) > 4_000:
        text.text = text.first
        return [{"text": text.first}]
    for _ in range(1 if source.random() < 0.9 else 3):
        start = source.randrange(len(text.text) + 1)
        end = start if source.random() < 0.5 else min(start + source.randrange(20), len(text.text))
        # There is no position between the two characters of a line end.
        for _ in range(2):
            start -= text.text[start - 1 : start + 1] == "\r\n"
            end += text.text[end - 1 : end + 1] == "\r\n"
        changes.append(
            text.replace(start, end, "" if end > start and source.random() < 0.6 else source.choice(SNIPPETS))
        )
    return changes


def expected(root: Path, text: Text, name: str) -> list[tuple[str, int, int]]:
    return sorted((e.code, e.start.row, e.start.column) for e in check(root) if e.filename == str(root / name))


@pytest.mark.slow
def test_nothing_stale_is_left(folder: Callable[[Mapping[str, str]], Path], connect: Callable[..., Client]) -> None:
    source = random.Random(20260101)
    root = folder(FILES)
    client = connect(root)
    texts = {name: Text(client.open(name, text), text) for name, text in FILES.items() if text}
    codes: set[str] = set()
    for turn in range(ROUNDS):
        for number in range(EDITS // ROUNDS):
            name = source.choice(list(texts))
            client.change(texts[name].uri, *edit(texts[name], source))
            if number % 25 == 0:
                document = {"textDocument": {"uri": texts[name].uri}, "range": area(0, 0, 9, 0)}
                client.ask("textDocument/inlayHint", document)
                client.ask("textDocument/codeAction", document | {"context": {"diagnostics": []}})
        if turn % 2:
            # Most texts are broken by now, so every other time they are reset to code that can be parsed.
            for name in texts:
                text = texts[name]
                text.text = text.first
                changes = [
                    text.replace(at := text.first.index("return"), at, source.choice(("yield x; ", "assert 0; ")))
                ]
                client.change(text.uri, {"text": text.first}, *changes)
        for name, text in texts.items():
            (root / name).write_bytes(text.text.encode())
        for name, text in texts.items():
            # When a request for hints is answered, the findings of the newest texts have been sent.
            document = {"textDocument": {"uri": text.uri}}
            client.request("textDocument/codeLens", document)
            published = client.published[text.uri]
            assert published["version"] == client.versions[text.uri]
            seen = sorted(
                (e["code"], e["range"]["start"]["line"] + 1, e["range"]["start"]["character"] + 1)
                for e in published["diagnostics"]
            )
            assert seen == expected(root, text, name), (turn, name)
            codes |= {code for code, _, _ in seen}
    assert codes >= {"TS901", "TS109"}
    assert client.leave() == 0
    assert b"Traceback" not in b"".join(client.errors)
