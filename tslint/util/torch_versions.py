"""Lists the versions of torch that tslint knows; parses and prints a version."""

from __future__ import annotations

import re

Version = tuple[int, int]
COMPILED: tuple[Version, ...] = (
    (1, 13), (2, 0), (2, 1), (2, 2), (2, 3), (2, 4), (2, 6), (2, 9), (2, 13), (2, 15),
)  # fmt: skip
NEWEST: Version = (2, 13)


def version(text: str) -> Version:
    """Parse a version of ``target-torch``.

    Raises:
        ValueError: the text is not a version, or not one that tslint knows.
    """
    found = re.fullmatch(r"(\d+)\.(\d+)(\.\d+)?", text)
    if found is None:
        raise ValueError("no version")
    parsed = (int(found[1]), int(found[2]))
    if not COMPILED[0] <= parsed <= COMPILED[-1] or (parsed[0] == 1 and parsed > COMPILED[0]):
        raise ValueError("an unknown version")
    return parsed


def written(number: Version) -> str:
    """Return a version as ``2.1``."""
    return f"{number[0]}.{number[1]}"
