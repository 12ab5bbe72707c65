"""The transformations that the rules of the script stage offer, read from their source."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import NamedTuple

RULES = Path(__file__).parents[2] / "rules"
FOLDERS = ("syntax", "names", "types", "modules", "annotations", "silent")


class Offered(NamedTuple):
    """A call of ``safe`` or ``unsafe`` in a rule: where, and what its message may be."""

    place: str
    applicability: str
    message: str
    pattern: re.Pattern[str]


def offered() -> list[Offered]:
    """All of them."""
    found = []
    for path in sorted(each for each in RULES.rglob("*.py") if each.parent.name in (*FOLDERS, "rules")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("safe", "unsafe"):
                place = f"{path.relative_to(RULES)}:{node.lineno}"
                found.append(Offered(place, node.func.id, *_message(node.args[0])))
    return found


def _message(node: ast.expr) -> tuple[str, re.Pattern[str]]:
    parts: list[str] = []
    for each in node.values if isinstance(node, ast.JoinedStr) else [node]:
        literal = isinstance(each, ast.Constant) and isinstance(each.value, str)
        parts.append(str(each.value) if literal and isinstance(each, ast.Constant) else "\0")
    text = "".join(parts)
    # Names stand in backticks, and are left out in what is counted.
    text = re.sub("`[^`]*`", "`…`", text)
    pattern = ".*".join(re.escape(part) for part in text.split("\0"))
    return text.replace("\0", "*"), re.compile(pattern, re.DOTALL)


def counted(drawn: dict[str, int]) -> list[tuple[Offered, int]]:
    """How often each of them was drawn; one message that is nothing but a variable counts what no other one has."""
    all_ = offered()
    left = dict(drawn)
    found = []
    for each in sorted(all_, key=lambda one: (one.message.count("*"), -len(one.message))):
        names = [name for name in left if each.pattern.fullmatch(name.partition(" ")[2])] if each.message != "*" else []
        found.append((each, sum(drawn[name] for name in names)))
    return sorted(found)
