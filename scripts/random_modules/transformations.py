"""Lists the transformations that the rules of the script stage offer, read from their source."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).parents[2]
FOLDERS = ("syntax", "names", "types", "modules", "annotations", "silent")


class Offered(NamedTuple):
    """A call of ``safe`` or ``unsafe`` in a rule or a rewrite: its position, and its possible messages."""

    place: str
    end: int
    applicability: str
    message: str


def offered() -> list[Offered]:
    """Return all calls of ``safe`` and ``unsafe`` in rewrites and in the rules of the script stage."""
    found = []
    rules = (each for each in (PROJECT / "rules").rglob("*.py") if each.parent.name in (*FOLDERS, "rules"))
    for path in sorted([*rules, *(PROJECT / "tslint" / "rewrite").glob("*.py")]):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("safe", "unsafe"):
                place = f"{path.relative_to(PROJECT)}:{node.lineno}"
                found.append(Offered(place, node.end_lineno or node.lineno, node.func.id, _message(node.args[0])))
    return found


def _message(node: ast.expr) -> str:
    parts: list[str] = []
    for each in node.values if isinstance(node, ast.JoinedStr) else [node]:
        literal = isinstance(each, ast.Constant) and isinstance(each.value, str)
        parts.append(str(each.value) if literal and isinstance(each, ast.Constant) else "*")
    # Names in messages are in backticks; they are replaced, so that they do not distinguish transformations.
    return re.sub("`[^`]*`", "`…`", "".join(parts))


def counted(drawn: dict[str, int]) -> list[tuple[Offered, int]]:
    """Count how often each transformation was drawn, by the position after `` @ `` in its name."""
    places: Counter[str] = Counter()
    for name, number in drawn.items():
        places[name.rpartition(" @ ")[2]] += number
    found = []
    for each in offered():
        file, _, line = each.place.rpartition(":")
        found.append((each, sum(places[f"{file}:{row}"] for row in range(int(line), each.end + 1))))
    return found
