"""Measures how long an editor waits for tslint.

    python benchmarks/server.py [--edits N] [--starts N] [--lines N] [--files N]

Writes a small project with one large file of models, and starts ``tslint server`` on it. As a client, it measures
three periods: from the start of the process to the first findings; from an edit to the findings in the new text; from
an edit of a file to the findings in another file that imports it. The goals: a start within 1.5 s, an edit within
150 ms (median). On a busy machine, the processor time of the server (Linux only) is more reliable than the clock.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.server.client import Client, area

_HEAD = """\
import math
from typing import Dict, List, Optional, Tuple

import torch
import torch.nn.functional as F
from torch import nn

from helpers import residual, scaled
"""
_PART = '''\


class Attention{n}(nn.Module):
    """Scaled attention over {n} heads' worth of channels."""

    def __init__(self, channels: int = 64, heads: int = 4, dropout: float = 0.1):
        super().__init__()
        self.heads = heads
        self.width = channels // heads
        self.query = nn.Linear(channels, channels)
        self.key = nn.Linear(channels, channels)
        self.value = nn.Linear(channels, channels)
        self.out = nn.Sequential(nn.Linear(channels, channels), nn.Dropout(dropout))
        self.norm = nn.LayerNorm(channels)

    def split(self, x):
        batch, steps, channels = x.shape
        return x.view(batch, steps, self.heads, self.width).transpose(1, 2)

    def forward(self, x, mask: Optional[torch.Tensor] = None) -> torch.Tensor:
        query = self.split(self.query(x))
        key = self.split(self.key(x))
        value = self.split(self.value(x))
        scores = scaled(torch.matmul(query, key.transpose(-2, -1)), self.width)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        weights = F.softmax(scores, dim=-1)
        mixed = torch.matmul(weights, value).transpose(1, 2)
        mixed = mixed.reshape(x.size(0), x.size(1), self.heads * self.width)
        return self.norm(residual(x, self.out(mixed)))


class Block{n}(nn.Module):
    def __init__(self, channels: int = 64, depth: int = 3, gated: bool = False):
        super().__init__()
        self.attention = Attention{n}(channels)
        self.layers = nn.ModuleList([nn.Linear(channels, channels) for _ in range(depth)])
        self.gate = nn.Linear(channels, channels) if gated else None
        self.scale = 1.0 / math.sqrt(channels)

    def forward(self, x: torch.Tensor) -> Tuple[torch.Tensor, List[torch.Tensor]]:
        seen = []
        x = self.attention(x)
        for layer in self.layers:
            x = F.relu(layer(x)) * self.scale
            seen.append(x)
        if self.gate is not None:
            x = x * torch.sigmoid(self.gate(x))
        return x, seen
'''
_WRONG = """\


class Wrong{n}(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(8, 8)])

    def forward(self, x, options={{}}):
        try:
            x = self.layers[len(x) - 1](x)
        finally:
            print(f"{{x:.3f}}")
        return x
"""
_HELPERS = """\
import math


def scaled(x, width: int):
    return x / math.sqrt(width)


def residual(x, y):
    return x + y
"""


def project(folder: Path, lines: int, files: int) -> str:
    """Write the project; return the text of its large file."""
    text, number = _HEAD, 0
    while len(text.splitlines()) < lines:
        part = (_WRONG if number % 6 == 5 else _PART).format(n=number)
        text += part
        number += 1
    (folder / "pyproject.toml").write_text("[tool.tslint]\n")
    (folder / "models.py").write_text(text)
    (folder / "helpers.py").write_text(_HELPERS)
    for each in range(files):
        (folder / f"other{each}.py").write_text(_HEAD + _PART.format(n=each))
    return text


class Watch:
    """Measures the time, and the processor time of a server."""

    def __init__(self) -> None:
        self.clock: list[float] = []
        self.processor: list[float] = []

    def start(self, client: Client | None = None) -> None:
        """Begin to measure; ``client`` is None if the server is not started yet."""
        self._used = 0.0 if client is None else _processor_time(client)
        self._began = time.perf_counter()

    def stop(self, client: Client) -> None:
        """Record the elapsed time."""
        self.clock.append(time.perf_counter() - self._began)
        self.processor.append(_processor_time(client) - self._used)

    def show(self, what: str, goal: float | None = None) -> None:
        """Print a line of the table."""
        middle, worst = statistics.median(self.clock), sorted(self.clock)[int(len(self.clock) * 0.95)]
        verdict = "" if goal is None else f"   goal {goal * 1000:.0f} ms: {'met' if middle <= goal else 'MISSED'}"
        used = statistics.median(self.processor) * 1000
        print(
            f"{what:<45} median {middle * 1000:5.0f} ms, 95 % {worst * 1000:5.0f} ms, processor {used:4.0f} ms"
            f" ({len(self.clock)} times){verdict}",
            flush=True,
        )


def _processor_time(client: Client) -> float:
    try:
        fields = Path(f"/proc/{client.process.pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edits", type=int, default=60)
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--lines", type=int, default=1000)
    parser.add_argument("--files", type=int, default=20, help="other files of the project")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tslint-server-") as scratch:
        folder = Path(scratch).resolve()
        text = project(folder, options.lines, options.files)
        found = 0
        starts = Watch()
        for _ in range(options.starts):
            starts.start()
            client = Client(folder)
            found = len(client.diagnostics(client.open("models.py", text)))
            starts.stop(client)
            client.leave()
        print(f"models.py: {len(text.splitlines())} lines, {found} findings; {options.files + 1} other files")
        starts.show("cold start to first findings", 1.5)
        client = Client(folder)
        uri = client.open("models.py", text)
        client.diagnostics(uri)
        _edits(client, uri, text, options.edits).show("edit to findings", 0.15)
        _elsewhere(client, uri, options.edits // 3).show("edit of helpers.py to all about models.py")
        client.leave()


def _edits(client: Client, uri: str, text: str, number: int) -> Watch:
    """Edit expressions in several places, and undo each edit."""
    source = random.Random(1)
    rows = [row for row, line in enumerate(text.splitlines()) if line.startswith("        x = ")]
    watch = Watch()
    for turn in range(-5, number):
        row = source.choice(rows)
        if turn == 0:
            watch = Watch()
        watch.start(client)
        client.change(uri, {"range": area(row, 12), "text": "x + " if turn % 3 else "yield "})
        client.diagnostics(uri)
        watch.stop(client)
        client.change(uri, {"text": text})
        client.request("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": area(0, 0, 9999, 0)})
    return watch


def _elsewhere(client: Client, uri: str, number: int) -> Watch:
    """Change a helper, and wait for all results of the file that imports it."""
    other = client.open("helpers.py", _HELPERS)
    client.diagnostics(other)
    watch = Watch()
    for turn in range(number):
        changed = _HELPERS.replace("return x + y", "return x + y + 'a'") if turn % 2 == 0 else _HELPERS
        watch.start(client)
        client.change(other, {"text": changed})
        client.request("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": area(0, 0, 9999, 0)})
        watch.stop(client)
    return watch


if __name__ == "__main__":
    main()
