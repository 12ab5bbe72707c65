"""Fuzzes the parsers for external files (configuration, suppressions, notebooks), guided by coverage.

    pip install atheris
    python scripts/fuzz/readers.py configuration -max_total_time=600

The first argument names the parser; the others are libFuzzer's. Without atheris, or with ``random`` and a number as
further arguments, random bytes are made from pieces that mean something to the parser.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

PIECES: dict[str, tuple[bytes, ...]] = {
    "configuration": (
        b"[tool.tslint]\n",
        b"select",
        b"=",
        b'"TS"',
        b"[",
        b"]",
        b"{",
        b"}",
        b"\n",
        b"'''",
        b"targets.",
        b".",
    ),
    "suppressions": (
        b"# tslint: ",
        b"ignore",
        b"-file",
        b"[TS401",
        b"]",
        b",",
        b"\n",
        b"'",
        b'"""',
        b"(",
        b"\\",
        b"off",
        b"on",
    ),
    "notebook": (
        b'{"cells": [',
        b'{"cell_type": "code", "source": ',
        b'["x\\n"',
        b'"%%sh"',
        b"]",
        b"}",
        b",",
        b"\\u",
        b"!ls",
    ),
}


def targets(folder: Path) -> dict[str, Callable[[bytes], None]]:
    """Return the parsers by name.

    Args:
        folder: the folder for the files of parsers that read files.
    """
    from tests.fuzz.readers import read_configuration, read_notebook, read_suppressions

    return {
        "configuration": lambda data: read_configuration(data, folder / "pyproject.toml"),
        "suppressions": read_suppressions,
        "notebook": read_notebook,
    }


def assembled(data: bytes, pieces: Sequence[bytes]) -> bytes:
    """Replace most of the bytes by pieces of valid text: random bytes would be rejected at the beginning."""
    return b"".join(pieces[each % len(pieces)] if each < 200 else bytes([each - 150]) for each in data)


def blind(target: Callable[[bytes], None], pieces: Sequence[bytes], times: int) -> None:
    """Call a parser with random bytes."""
    chance = random.Random(0)
    for _ in range(times):
        target(assembled(chance.randbytes(chance.randint(1, 25)), pieces))
    print(f"{times} inputs, none of which broke the reader")


def main(arguments: Sequence[str]) -> None:
    """Fuzz until libFuzzer stops, or the given number of inputs has been tried."""
    if not arguments or arguments[0] not in PIECES:
        raise SystemExit(f"name one of {', '.join(PIECES)}")
    name, *rest = arguments
    with tempfile.TemporaryDirectory() as folder:
        try:
            import atheris
        except ImportError:
            atheris = None
        if atheris is None or rest[:1] == ["random"]:
            blind(targets(Path(folder))[name], PIECES[name], int(rest[1]) if len(rest) > 1 else 100_000)
            return
        with atheris.instrument_imports(include=["tslint", "json"]):
            target = targets(Path(folder))[name]

        def test(data: bytes) -> None:
            target(data)
            target(assembled(data, PIECES[name]))

        atheris.Setup([sys.argv[0], *rest], test)
        atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
