"""Measures the language server in a large workspace, as a client sees it.

    python benchmarks/workspace.py [--files N] [--users N] [--chain N] [--edits N]

Writes a package of many files. Some import a hub, and are opened; others form a chain, in which each uses the module
of the one before. It measures the time from the start of the server to the first findings. It edits the hub and the
chain's first file, and measures the time until their own findings, and until the answer about the last file that
depends on them. At the end, it measures the server's memory after many edits of the hub. The goals are for a workspace
of 5,000 files, in which 40 files that import the hub are open. On a busy machine, the processor time of the server
(Linux only) is more reliable than the clock.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.server import Watch
from tests.server.client import Client, area

_MODEL = """\
import torch
from torch import nn
{imports}

class Step{n}(nn.Module):
    def __init__(self, channels: int = 8):
        super().__init__()
        self.inner = {inner}
        self.norm = nn.LayerNorm(channels)

    def forward(self, x):
        y = self.norm(self.inner(x))
        if y.sum() > 0:
            y = {used}(y)
        return y + x
"""
_HUB = """\
import torch


def scaled(x):
    return x * 2.0
"""


def workspace(folder: Path, files: int, users: int, chain: int) -> None:
    """Write the files."""
    (folder / "pyproject.toml").write_text("[tool.tslint]\n")
    package = folder / "net"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "hub.py").write_text(_HUB)
    for n in range(files):
        user = _MODEL.format(n=n, imports="from net.hub import scaled\n", inner="nn.Linear(8, 8)", used="scaled")
        link = _MODEL.format(
            n=n,
            imports=f"from net.link{n - 1} import Step{n - 1}\n" if n else "",
            inner=f"Step{n - 1}(channels)" if n else "nn.Linear(8, 8)",
            used="torch.relu",
        )
        plain = _MODEL.format(n=n, imports="", inner="nn.Linear(8, 8)", used="torch.relu")
        if n < chain:
            (package / f"link{n}.py").write_text(link)
        elif n < chain + users:
            (package / f"user{n - chain}.py").write_text(user)
        else:
            (package / f"plain{n}.py").write_text(plain)


def _opened(client: Client, name: str) -> str:
    assert client.folder is not None
    return client.open(f"net/{name}.py", (client.folder / f"net/{name}.py").read_text())


def _ask_about(client: Client, uri: str) -> None:
    """Wait until everything about a file is known."""
    client.request("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": area(0, 0, 9999, 0)})


def _edits(client: Client, uri: str, texts: list[str], last: str, number: int) -> tuple[Watch, Watch]:
    """Edit a file in turn; measure until its own findings, and until everything is known about another file."""
    itself, other = Watch(), Watch()
    for turn in range(-2, number):
        if turn == 0:
            itself, other = Watch(), Watch()
        itself.start(client)
        other.start(client)
        client.change(uri, {"text": texts[turn % len(texts)]})
        client.diagnostics(uri)
        itself.stop(client)
        _ask_about(client, last)
        other.stop(client)
    return itself, other


def _memory(client: Client) -> float:
    """Return the resident memory of the server in MiB."""
    lines = Path(f"/proc/{client.process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=5000)
    parser.add_argument("--users", type=int, default=40)
    parser.add_argument("--chain", type=int, default=100)
    parser.add_argument("--edits", type=int, default=5000, help="edits after which the memory is measured")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tslint-workspace-") as scratch:
        folder = Path(scratch).resolve()
        workspace(folder, options.files, options.users, options.chain)
        starts = Watch()
        for _ in range(3):
            starts.start()
            client = Client(folder, fresh=True)
            client.diagnostics(_opened(client, "user0"))
            starts.stop(client)
            client.leave()
        starts.show("start to first findings", 1.0)
        client = Client(folder, fresh=True)
        users = [_opened(client, f"user{n}") for n in range(options.users)]
        hub = _opened(client, "hub")
        _ask_about(client, users[-1])
        changed = [_HUB.replace("2.0", "3.0"), _HUB.replace("x * 2.0", "[x]"), _HUB]
        itself, other = _edits(client, hub, changed, users[-1], 30)
        itself.show("edit of the hub to its findings", 0.1)
        other.show(f"... to all about the last of {options.users} users")
        first, last = _opened(client, "link0"), _opened(client, f"link{options.chain - 1}")
        _ask_about(client, last)
        text = (folder / "net/link0.py").read_text()
        itself, other = _edits(client, first, [text.replace("> 0", "> 1"), text], last, 20)
        itself.show("edit of a chain's first file to its findings", 0.1)
        other.show(f"... to all about the last of {options.chain} files", 0.3)
        before = _memory(client)
        _edits(client, hub, changed, users[-1], options.edits)
        after = _memory(client)
        verdict = "met" if after < 400 else "MISSED"
        print(
            f"memory after {options.edits} edits: {before:.0f} -> {after:.0f} MiB   goal 400 MiB: {verdict}", flush=True
        )
        client.leave()


if __name__ == "__main__":
    main()
