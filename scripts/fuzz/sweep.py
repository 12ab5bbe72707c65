"""Checks every installed package, and counts what tslint could not handle.

    nice -n 10 python scripts/fuzz/sweep.py            # the standard library and every installed package
    nice -n 10 python scripts/fuzz/sweep.py FOLDER…

Every package is one run of ``tslint check`` in a process of its own, so that a crash, an endless loop or a full memory
is noticed. The exit status is 1 if there is a TS900 finding, or a run that did not end regularly.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

LIMIT = 3600  # the limit of seconds for one package
SMALLEST = 2_000  # the number of lines below which packages are left out


@dataclass(frozen=True)
class Row:
    """The result for a package.

    Args:
        name: the name of the package.
        files, lines: the size of the package.
        seconds, megabytes: the time and the memory of the run; the memory is that of its largest process.
        codes: how often each rule was found.
        trouble: why the run did not end regularly; empty if it did.
        internal: the messages of TS900 findings.
    """

    name: str
    files: int
    lines: int
    seconds: float
    megabytes: int
    codes: Counter[str]
    trouble: str
    internal: tuple[str, ...]


def installed() -> Iterator[Path]:
    """Yield the standard library, and the installed packages."""
    yield Path(sysconfig.get_path("stdlib"))
    for folder in sorted({sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}):
        for package in sorted(Path(folder).iterdir()):
            if package.is_dir() and not package.name.endswith((".dist-info", ".egg-info", "__pycache__")):
                yield package


def size(folder: Path) -> tuple[int, int]:
    """Return the number of files and lines in a folder, without packages that are installed in it."""
    files = lines = 0
    for path in folder.rglob("*.py"):
        if "site-packages" not in path.relative_to(folder).parts:
            files += 1
            try:
                lines += path.read_bytes().count(b"\n")
            except OSError:
                continue
    return files, lines


def run(folder: Path) -> Row:
    """Check one package."""
    files, lines = size(folder)
    command = [
        sys.executable,
        "-m",
        "tslint",
        "check",
        str(folder),
        "--isolated",
        "--no-cache",
        "--quiet",
        "--output-format",
        "json-lines",
    ]
    started = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        out, err = process.communicate(timeout=LIMIT)
        trouble = "" if process.returncode in (0, 1) else f"exit status {process.returncode}: {err[-500:]}"
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        trouble = f"more than {LIMIT} s"
    seconds = time.monotonic() - started
    findings = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
    return Row(
        folder.name,
        files,
        lines,
        seconds,
        _peak(),
        Counter(each["code"] for each in findings),
        trouble or ("Traceback" in err and err[-500:]) or "",
        tuple(f"{each['filename']}: {each['message']}" for each in findings if each["code"] == "TS900"),
    )


def _peak() -> int:
    """Return the megabytes of the largest process that has ended so far."""
    if os.name != "posix":
        return 0
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return used // (1024 * 1024 if sys.platform == "darwin" else 1024)


def main(arguments: Sequence[str]) -> int:
    """Print a Markdown table, and the problems; return the exit status."""
    rows: list[Row] = []
    print("| package | files | lines | seconds | peak MiB so far | findings | TS901 | TS900 |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    for folder in [Path(each) for each in arguments] or installed():
        if not arguments and size(folder)[1] < SMALLEST:
            continue
        row = run(folder)
        rows.append(row)
        found = row.codes.total()
        print(
            f"| {row.name} | {row.files:,} | {row.lines:,} | {row.seconds:.1f} | {row.megabytes} | {found:,} "
            f"| {row.codes['TS901']} | {row.codes['TS900']} |{' ' + row.trouble if row.trouble else ''}",
            flush=True,
        )
        for message in row.internal:
            print(f"<!-- {message} -->", flush=True)
    internal, troubles = sum(row.codes["TS900"] for row in rows), sum(bool(row.trouble) for row in rows)
    lines = sum(row.lines for row in rows)
    print(f"\n{len(rows)} packages, {lines:,} lines: {internal} TS900, {troubles} runs that did not end as meant.")
    return int(bool(internal or troubles))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
