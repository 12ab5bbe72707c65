"""Measures whether time grows in proportion to the number of lines, on generated packages whose modules all import each
other.

    python benchmarks/chains.py [--modules 100,1000,10000] [--runs N]

Each module contains a model that inherits from a model of a second module, and uses a layer of a third and a function
of a fourth one. It imports all three names from the package itself, although the modules are mostly in other folders.
Each folder's ``__init__`` imports the names of its own modules, and with ``*`` those of the next folder, so that a name
is found through a chain of ``__init__``s. All packages have ten folders, so the chains are equally long. Python could
not import these packages, because their imports are circular; packages that import lazily look like this.

The start-up is subtracted: the time of the same command on one module for each folder. The goal: the CPU time per
module differs by at most a factor of 1.3, however many modules there are.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.speed import timed

FOLDERS = 10
_MODULE = '''\
"""Part {n}."""

from typing import List, Optional

import torch
from torch import nn

from {package} import Block{a}, Net{b}, scaled{c}


def scaled{n}(x: torch.Tensor, by: float = {n}.5) -> torch.Tensor:
    return x * by


class Block{n}(nn.Module):
    def __init__(self, width: int = 8, bias: bool = True):
        super().__init__()
        self.width = width
        self.linear = nn.Linear(width, width, bias=bias)
        self.act = nn.ReLU()

    def forward(self, x: torch.Tensor, mask: Optional[torch.Tensor] = None) -> torch.Tensor:
        y = self.act(self.linear(x))
        if mask is not None:
            y = y * mask
        return scaled{c}(y, 0.5)


class Net{n}({base}):
    def __init__(self, width: int = 8):
        super().__init__({arguments})
        self.block{n} = Block{a}(width)
        self.layers{n} = nn.ModuleList([Block{n}(width) for _ in range(3)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        sizes: List[int] = []
        for layer in self.layers{n}:
            x = layer(x)
            sizes.append(x.size(0))
        return self.block{n}(x)
'''


def write_package(folder: Path, modules: int, name: str = "chained") -> Path:
    """Write a package, and return its folder.

    Args:
        folder: the folder that contains the package.
        modules: the number of modules; at least one in each of :data:`FOLDERS` folders.
        name: the name of the package.
    """
    package = folder / name
    size = -(-modules // FOLDERS)
    for number in range(FOLDERS):
        part = package / f"part{number}"
        part.mkdir(parents=True)
        own = range(number * size, min(modules, (number + 1) * size))
        lines = [f"from {name}.part{number}.module{n} import Block{n}, Net{n}, scaled{n}" for n in own]
        if number + 1 < FOLDERS:
            lines.append(f"from {name}.part{number + 1} import *")
        (part / "__init__.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
        for n in own:
            (part / f"module{n}.py").write_text(_module(n, modules, name), encoding="utf-8")
    (package / "__init__.py").write_text(f"from {name}.part0 import *\n", encoding="utf-8")
    return package


def _module(n: int, modules: int, package: str) -> str:
    """Return the code of a module, which uses other modules that are spread over the package in a fixed way."""
    a, b, c = ((n * factor + 1) % modules for factor in (7, 3, 11))
    # Four consecutive classes form a chain of inheritance.
    last = n % 4 == 3 or n + 1 >= modules
    b = b if last else n + 1
    base, arguments = ("nn.Module", "") if last else (f"Net{b}", "width")
    return _MODULE.format(n=n, a=a, b=b, c=c, base=base, arguments=arguments, package=package)


def seconds(path: Path, cwd: Path, runs: int) -> float:
    """Return the CPU seconds of a run in one process: the median of several runs."""
    options = ["--isolated", "--no-cache", "--jobs", "1", "--exit-zero", "--output-format", "concise"]
    command = [sys.executable, "-m", "tslint", "check", *options, str(path)]
    return statistics.median(timed(command, cwd)[1] for _ in range(runs))


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--modules", default="100,1000,10000", metavar="N,…")
    parser.add_argument(
        "--runs", type=int, default=3, metavar="N", help="runs of each package with up to 1,000 modules (3)"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tslint-chains-") as scratch:
        folder = Path(scratch)
        start = seconds(write_package(folder / "start", FOLDERS), folder, options.runs)
        print(f"start-up: {start:.2f} CPU s\n\n{'modules':>8}{'CPU s':>9}{'ms a module':>13}{'× the first':>13}")
        first = 0.0
        for number in map(int, options.modules.split(",")):
            package = write_package(folder / str(number), number)
            took = seconds(package, folder, options.runs if number <= 1000 else 1)
            each = (took - start) / (number - FOLDERS)
            first = first or each
            print(f"{number:8,}{took:9.2f}{1000 * each:13.2f}{each / first:13.2f}", flush=True)


if __name__ == "__main__":
    main()
