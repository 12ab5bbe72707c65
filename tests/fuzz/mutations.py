"""Changes real files as broken transfers, merges and unfinished edits would."""

from __future__ import annotations

import random
import re

_TOKEN = re.compile(rb"\w+|[^\w\s]")
_PIECES = (
    b"",
    b"\0",
    b"\r",
    b"\r\n",
    b"\f",
    b"\t",
    b"(",
    b")",
    b"[",
    b"'",
    b'"""',
    b"\\\n",
    b":",
    b"@",
    b"#",
    b"...",
    b"None",
    b"\xff",
    b"\xe2\x80\xa8",
    b"lambda: ",
    b"await ",
    b"yield ",
    b"*",
    b"not ",
    b"self.",
    b"+",
    b"9" * 30,
    b" is ",
    b"# tslint: off[TS1\n",
    b"# type: List[",
    b"\n    ",
    b"<<<<<<< HEAD\n",
    b"torch.jit.script",
    b"del ",
    b" if x else ",
)


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Return a file with a few changes; about half of the results are valid Python."""
    for _ in range(chance.randint(1, 4)):
        kind = chance.randrange(6)
        at = chance.randrange(len(data) + 1)
        if kind == 0:
            data = data[:at]
        elif kind == 1:
            data = data[:at] + chance.choice(_PIECES) + data[at:]
        elif kind == 2:
            data = _token(data, chance, lambda found: chance.choice(found))
        elif kind == 3:
            data = _token(data, chance, lambda found: chance.choice(_PIECES))
        elif kind == 4:
            lines = data.splitlines(True)
            one, other = chance.randrange(len(lines) + 1), chance.randrange(len(lines) + 1)
            low, high = min(one, other), min(max(one, other), min(one, other) + 20)
            data = b"".join([*lines[:low], *lines[high:], *lines[low:high]])
        else:
            data = data.replace(b"\n", chance.choice([b"\r\n", b"\r", b"\n\n", b"\n\f"]))
        data = data or b"x"
    return data


def _token(data: bytes, chance: random.Random, new: object) -> bytes:
    found = list(_TOKEN.finditer(data))
    if not found or not callable(new):
        return data
    match = chance.choice(found)
    start, end = match.span()
    replacement = new([each[0] for each in found])
    assert isinstance(replacement, bytes)
    return data[:start] + replacement + data[end:]
