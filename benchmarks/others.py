"""Measures how much of the code that the compiler rejects other tools find, and their time: the figures of
docs/comparison.md.

    python benchmarks/others.py            needs torch, mypy and torchfix; writes docs/comparison.json

The snippets of ``tests/conformance`` have the compiler's verdict and line. A tool finds a rejected snippet if it
reports an error on a line that the compiler names (anywhere, if it names none). It has a false alarm on an accepted
snippet if it reports any error. ``torch.jit.script`` names the line by definition; its time is one run for each of its
errors. Seconds are CPU time of one run over all snippets, which hardly depends on the load of the machine.
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SNIPPETS = ROOT / "tests" / "conformance" / "snippets.jsonl"
EXAMPLE = ROOT / "examples" / "speech" / "before.py"
# By the stem of each file: the first and the last row of each finding.
Rows = dict[str, list[range]]

# Compiles each file of a folder in a fork of its own, because a failed compilation leaves types behind.
SCRIPT = """
import json, os, pathlib, runpy, sys, warnings
import torch
warnings.simplefilter("ignore")
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.py")):
    if os.fork() == 0:
        sys.stderr = sys.stdout = open(os.devnull, "w")
        try:
            runpy.run_path(str(path))
        except BaseException:
            pass
        os._exit(0)
    os.wait()
"""


def run(*command: str) -> tuple[str, float]:
    """Return a command's output, and the CPU seconds of the command and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", cwd=ROOT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def located(text: str) -> Rows:
    """Return the rows that are reported as ``path.py:row:…: error``, by the file's stem."""
    rows: Rows = {}
    for path, row, rest in re.findall(r"^(\S+\.py):(\d+)(.*)$", text, re.MULTILINE):
        if ": note:" not in rest:
            rows.setdefault(Path(path).stem, []).append(range(int(row), int(row) + 1))
    return rows


def tslint(target: Path) -> tuple[Rows, float]:
    """Return tslint's errors about code that does not compile, with all rows of each finding's range, and the time."""
    command = (
        sys.executable,
        "-m",
        "tslint",
        "check",
        "--isolated",
        "--no-cache",
        "--output-format",
        "json",
        str(target),
    )
    text, seconds = run(*command)
    rows: Rows = {}
    for finding in json.loads(text[text.index("[") : text.rindex("]") + 1]):
        # The families from TS6 on are about code that compiles.
        if finding["severity"] == "error" and finding["stage"] == "script" and finding["code"] < "TS6":
            first, last = finding["location"]["row"], finding["end_location"]["row"]
            rows.setdefault(Path(finding["filename"]).stem, []).append(range(first, last + 1))
    return rows, seconds


def torchfix(target: Path) -> tuple[Rows, float]:
    """Return the findings of TorchFix, with all its rules."""
    text, seconds = run(str(Path(sys.executable).with_name("torchfix")), "--select", "ALL", str(target))
    return located(text), seconds


def mypy(target: Path) -> tuple[Rows, float]:
    """Return the errors of mypy without a configuration file; it also checks functions without annotations."""
    options = ("--check-untyped-defs", "--no-error-summary", "--config-file=", f"--cache-dir={os.devnull}")
    text, seconds = run(sys.executable, "-m", "mypy", *options, str(target))
    return located(text), seconds


def compiler(target: Path) -> tuple[Rows, float]:
    """Return only the time of the compiler, whose verdicts are known."""
    folder = target if target.is_dir() else target.parent
    return {}, run(sys.executable, "-c", SCRIPT, str(folder))[1]


def main() -> None:
    """Measure all tools, and write the file."""
    records = [json.loads(line) for line in SNIPPETS.read_text("utf-8").splitlines()]
    rejected = [record for record in records if record["verdict"] != "ok"]
    tools: list[dict[str, Any]] = []
    measured: list[tuple[str, str, Callable[[Path], tuple[Rows, float]]]] = [
        ("tslint check", version("tslint"), tslint),
        ("torch.jit.script", version("torch").partition("+")[0], compiler),
        ("TorchFix", version("torchfix"), torchfix),
        ("mypy", version("mypy"), mypy),
    ]
    with tempfile.TemporaryDirectory() as folder:
        for record in records:
            Path(folder, f"s{record['id']}.py").write_text(record["source"], encoding="utf-8")
        for name, number, tool in measured:
            rows, seconds = tool(Path(folder))
            if tool is compiler:
                found, alarms, example = len(rejected), 0, "1, then one for each that is fixed"
            else:
                found = sum(hit(record, rows.get(f"s{record['id']}", [])) for record in rejected)
                alarms = sum(f"s{record['id']}" in rows for record in records if record["verdict"] == "ok")
                example = str(sum(map(len, tool(EXAMPLE)[0].values())))
            tools.append(
                {"name": name, "version": number, "found": found, "alarms": alarms, "example": example,
                 "seconds": round(seconds, 1)}
            )  # fmt: skip
            print(tools[-1], flush=True)
    data = {
        "python": sys.version.split()[0],
        "rejected": len(rejected),
        "accepted": len(records) - len(rejected),
        "tools": tools,
    }
    (ROOT / "docs" / "comparison.json").write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")


def hit(record: dict[str, Any], found: list[range]) -> bool:
    """Return whether a tool reports something on a row that the compiler names."""
    return any(row in rows for rows in found for row in record["lines"]) if record["lines"] else bool(found)


if __name__ == "__main__":
    main()
