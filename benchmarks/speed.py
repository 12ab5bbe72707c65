"""Measures the time of tslint, TorchFix, Fixit, ruff and a ``torch.jit.script`` loop on the same files.

    python benchmarks/speed.py                          public inputs: sources of packages from the Python index
    python benchmarks/speed.py FOLDER… [--files N]      other inputs
        [--runs N] [--tools tslint,ruff,…] [--json FILE] [--plot FOLDER]

Every tool is a process of its own and is run in turn with the others, ``--runs`` times; the results are the medians of
wall and CPU seconds (with children). *cold* is without any cache, *cached* is a run over unchanged files after one that
is not counted. Needs the tools on the PATH (``torchfix``, ``fixit``, ``ruff``; Fixit may need an environment of its
own); those that are missing are left out and named. ``--plot`` writes two pictures: time against lines, and the share
of the compiler's verdicts on the snippets of ``tests/conformance`` against time (from docs/comparison.json).
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("timm==1.0.31", "segmentation-models-pytorch==0.6.0", "kornia==0.9.0")
SCRIPT = """
import importlib.util, os, pathlib, sys, warnings
import torch
warnings.simplefilter("ignore")
for path in sys.argv[1:]:
    if os.fork() == 0:
        sys.stderr = sys.stdout = open(os.devnull, "w")
        try:
            spec = importlib.util.spec_from_file_location(pathlib.Path(path).stem, path)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            for thing in list(vars(module).values()):
                if isinstance(thing, type) and issubclass(thing, torch.nn.Module):
                    try:
                        torch.jit.script(thing())
                    except Exception:
                        pass
        except BaseException:
            pass
        os._exit(0)
    os.wait()
"""
Command = Callable[[list[str]], list[str]]


def tools(cache: Path) -> dict[str, Command]:
    """Return the commands for a list of files; the names say whether a cache is used."""
    python = sys.executable
    table: dict[str, Command] = {
        "tslint cold": lambda files: [python, "-m", "tslint", "check", "--isolated", "--no-cache", *_TSLINT, *files],
        "tslint cached": lambda files: [
            python, "-m", "tslint", "check", "--config", str(cache / "tslint.toml"), *_TSLINT, *files,
        ],
        "ruff without cache": lambda files: [
            "ruff", "check", "--isolated", "--no-cache", "--exit-zero", "-q", *files,
        ],
        "ruff cached": lambda files: [
            "ruff", "check", "--isolated", "--cache-dir", str(cache / "ruff"), "--exit-zero", "-q", *files,
        ],
        "TorchFix": lambda files: ["torchfix", "--select=ALL", *files],
        "Fixit": lambda files: ["fixit", "lint", *files],
        "torch.jit.script": lambda files: [python, "-c", SCRIPT, *files],
        "ast.parse": lambda files: [python, "-c", _PARSE, *files],
    }  # fmt: skip
    needs = {"TorchFix": "torchfix", "Fixit": "fixit", "ruff without cache": "ruff", "ruff cached": "ruff"}
    missing = [name for name, program in needs.items() if shutil.which(program) is None]
    missing += ["torch.jit.script"] if find_spec("torch") is None else []
    if missing:
        print(f"left out, as they are not installed: {', '.join(missing)}", file=sys.stderr)
    (cache / "tslint.toml").write_text(f'cache-dir = "{cache / "tslint"}"\n', encoding="utf-8")
    return {name: command for name, command in table.items() if name not in missing}


_PARSE = "import ast, sys\nfor file in sys.argv[1:]: ast.parse(open(file, 'rb').read())"
_TSLINT = ("--exit-zero", "--output-format", "concise")


def public_inputs(folder: Path) -> Path:
    """Return the sources of public packages, unpacked."""
    wheels = folder / "wheels"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    subprocess.run([*command, "--dest", str(wheels), *PACKAGES], check=True)
    for wheel in wheels.glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder / "sources")
    return folder / "sources"


def files_of(folders: list[Path], most: int) -> list[str]:
    """Return the ``most`` longest files that mention ``torch``, sorted by name."""
    found = [path for folder in folders for path in sorted(folder.rglob("*.py")) if b"torch" in path.read_bytes()]
    found.sort(key=lambda path: (-path.stat().st_size, str(path)))
    return sorted(map(str, found[:most]))


def timed(command: list[str], cwd: Path) -> tuple[float, float]:
    """Return wall and CPU seconds of a command and its children."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def lines_of(files: list[str]) -> int:
    """Return the number of lines in some files."""
    return sum(Path(file).read_bytes().count(b"\n") for file in files)


def measure(files: list[str], commands: dict[str, Command], runs: int, cwd: Path) -> dict[str, tuple[float, float]]:
    """Return median wall and CPU seconds of each tool."""
    seen: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    for name, command in commands.items():
        if name.endswith("cached"):
            timed(command(files), cwd)
    for _ in range(runs):
        for name, command in commands.items():
            seen[name].append(timed(command(files), cwd))
    median = statistics.median
    return {name: (median(wall for wall, _ in rows), median(cpu for _, cpu in rows)) for name, rows in seen.items()}


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--files", type=int, default=97, metavar="N", help="the N longest files (97)")
    parser.add_argument("--runs", type=int, default=3, metavar="N")
    parser.add_argument("--tools", help="only these, by the beginning of their names, with commas between")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--plot", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tslint-speed-") as scratch:
        cache = Path(scratch)
        files = files_of(options.folders or [public_inputs(cache)], options.files)
        commands = tools(cache)
        if options.tools:
            wanted = tuple(options.tools.split(","))
            commands = {name: command for name, command in commands.items() if name.startswith(wanted)}
        lines = lines_of(files)
        results = measure(files, commands, options.runs, cache)
        print(f"{len(files)} files, {lines:,} lines, {os.cpu_count()} cores; medians of {options.runs} runs in turn\n")
        base = results.get("tslint cold", (0.0, 0.0))[0]
        print(f"{'':20}{'wall s':>9}{'CPU s':>9}{'× tslint cold':>15}")
        for name, (wall, cpu) in sorted(results.items(), key=lambda entry: entry[1]):
            print(f"{name:20}{wall:9.2f}{cpu:9.2f}{wall / base if base else 0:15.2f}")
        if options.json:
            record = {"files": len(files), "lines": lines, "cores": os.cpu_count(), "seconds": results}
            options.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
        if options.plot:
            curves = {}
            for share in (8, 4, 2, 1):
                part = files[::share]
                quick = {name: command for name, command in commands.items() if share > 1 or name in results}
                curves[lines_of(part)] = results if share == 1 else measure(part, quick, 1, cache)
            plot(curves, options.plot)
        shutil.rmtree(cache / "wheels", ignore_errors=True)


def plot(curves: dict[int, dict[str, tuple[float, float]]], folder: Path) -> None:
    """Plot time against lines, and agreement against time."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    folder.mkdir(parents=True, exist_ok=True)
    figure, axes = pyplot.subplots(figsize=(7, 4.5))
    for name in next(iter(curves.values())):
        axes.plot(list(curves), [results[name][0] for results in curves.values()], marker="o", label=name)
    axes.set(xlabel="lines", ylabel="seconds", yscale="log", title="Time against lines")
    axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(folder / "time.svg", metadata={"Date": None})
    measured = ROOT / "docs" / "comparison.json"
    if measured.exists():
        figure, axes = pyplot.subplots(figsize=(6, 4))
        figures = json.loads(measured.read_text(encoding="utf-8"))
        for tool in figures["tools"]:
            share = 100 * tool["found"] / figures["rejected"]
            axes.scatter([tool["seconds"]], [share])
            axes.annotate(tool["name"], (tool["seconds"], share), textcoords="offset points", xytext=(5, 5), fontsize=8)
        axes.set(xlabel="CPU seconds", ylabel="% of the rejected snippets found", xscale="log")
        figure.tight_layout()
        figure.savefig(folder / "agreement.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
