"""Prints ``tslint scope`` as text and as JSON."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tslint.lint.scope_report import Entry
from tslint.lint.scope_types import FunctionTypes, Inferred
from tslint.reporters.view import clean
from tslint.script.pruning import Pruned

_BOX = ("├─ ", "│  ", "└─ ", "   ")
_ASCII = ("|- ", "|  ", "`- ", "   ")
_WIDEST = 60  # the column after which comments do not move further right
_TAB = 4


def render_tree(tree: Mapping[Path, Sequence[Entry]], shown: Callable[[Path], str], *, unicode: bool = True) -> str:
    """Return the tree as text.

    Args:
        tree: the entries by file.
        shown: returns a path as the reader would type it.
        unicode: whether the reader's terminal can show line-drawing characters.
    """
    blocks: list[str] = []
    for path, entries in tree.items():
        lines = [clean(shown(path))]
        if not entries:
            lines.append("  nothing in it is compiled: no nn.Module, nothing passed to torch.jit.script")
        for entry in entries:
            lines.append(_line(entry, path, shown))
            lines += _below(entry, shown, _BOX if unicode else _ASCII)
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def _below(entry: Entry, shown: Callable[[Path], str], marks: tuple[str, str, str, str]) -> list[str]:
    lines: list[str] = []
    for child in entry.children:
        last = child is entry.children[-1]
        lines.append((marks[2] if last else marks[0]) + _line(child, entry.path, shown))
        lines += [(marks[3] if last else marks[1]) + line for line in _below(child, shown, marks)]
    return lines


def _line(entry: Entry, around: Path, shown: Callable[[Path], str]) -> str:
    place = f"{clean(shown(entry.path))}:{entry.start.row}"
    if entry.kind in ("pruned", "conditional"):
        rows = f"line {entry.start.row}"
        if entry.end.row != entry.start.row:
            rows = f"lines {entry.start.row}-{entry.end.row}"
        what = f"{entry.name} in {rows}" if entry.name else rows
        return f"{what}: never compiled, {entry.why}" if entry.why else f"{what}: compiled when {entry.condition}"
    name = {"class": "class " + entry.name, "submodule": f"{entry.name}: {entry.of}"}.get(entry.kind, entry.name)
    role = f" [{entry.kind}]" if entry.kind in ("export", "property", "hook") else ""
    words = f"{name}{role}  {place}"
    if entry.calls:
        rows_called = list(dict.fromkeys(call.row for call in entry.calls))
        verb = "read" if entry.kind == "property" else "called"
        words += f", {verb} in line{'s' if len(rows_called) > 1 else ''} {', '.join(map(str, rows_called))}"
    if entry.kind == "submodule":
        words += f", {entry.why}" * bool(entry.why) + ", compiled too"
    if entry.condition:
        words += f", when {entry.condition}"
    if entry.kind == "exempt":
        words += f": not compiled, {entry.why}"
    elif entry.why and entry.kind != "submodule":
        words += f": {entry.why}"
    return clean(words + (" (see above)" if entry.seen else ""))


def tree_json(tree: Mapping[Path, Sequence[Entry]]) -> str:
    """Return the tree as one JSON array: for each file, the roots with everything that they reach."""
    objects = [{"filename": str(path), "roots": [_object(each) for each in entries]} for path, entries in tree.items()]
    return json.dumps(objects, indent=2) + "\n"


def _object(entry: Entry) -> dict[str, Any]:
    return {
        "kind": entry.kind,
        "name": entry.name,
        "class": entry.of or None,
        "filename": str(entry.path),
        "location": {"row": entry.start.row, "column": entry.start.column},
        "end_location": {"row": entry.end.row, "column": entry.end.column},
        "called_at": [{"row": call.row, "column": call.column} for call in entry.calls],
        "condition": entry.condition or None,
        "why": entry.why or None,
        "seen": entry.seen,
        "children": [_object(child) for child in entry.children],
    }


def render_types(found: Sequence[FunctionTypes], shown: Callable[[Path], str]) -> str:
    """Return every compiled function line by line, with the types on the right."""
    blocks: list[str] = []
    for function in found:
        blocks.append("\n".join(_function(function, clean(shown(function.path)))) + "\n")
    return "\n".join(blocks)


def _function(function: FunctionTypes, path: str) -> list[str]:
    node = function.unit.function.node
    source = function.unit.function.module.source
    first, last = node.lineno, node.end_lineno or node.lineno
    text = "\n".join(line.rstrip("\r\n").expandtabs(_TAB) for line in source.lines[first - 1 : last])
    code = [clean(line.rstrip()) for line in textwrap.dedent(text).split("\n")]
    beside: dict[int, list[str]] = {}
    for inferred in function.names:
        beside.setdefault(inferred.row, []).append(_comment(inferred))
    beside.setdefault(first, []).append(f"-> {function.result}")
    for pruned in function.pruned:
        beside.setdefault(pruned.first.lineno, []).append(_pruned(pruned))
    gutter = max(4, len(str(last)))
    widths = [len(code[row - first]) for row in beside if first <= row <= last]
    column = max((width for width in widths if width <= _WIDEST), default=0)
    lines = [f"{function.unit.name}  {path}:{first}"]
    for row, line in enumerate(code, first):
        comment = "; ".join(beside.get(row, ()))
        shown_line = f"{line:<{column}}  # {comment}" if comment else line
        lines.append(f"{row:>{gutter}} | {shown_line}".rstrip())
    return lines


def _comment(inferred: Inferred) -> str:
    if inferred.kind == "return":
        return f"returns {inferred.type}"
    return f"{inferred.name}: {inferred.type}"


def _pruned(pruned: Pruned) -> str:
    what = "this" if pruned.first is pruned.last else "from here on"
    if pruned.first_text:
        what = f"`{pruned.first_text}`"
    return f"{what} is never compiled: {pruned.why}" if pruned.why else f"{what} is compiled when {pruned.condition}"


def types_json(found: Sequence[FunctionTypes]) -> str:
    """Return the types as one JSON array, with one object for each name."""
    objects: list[dict[str, Any]] = []
    for function in found:
        row = function.unit.function.node.lineno
        result = Inferred(row, "return", "result", function.result)
        for each in (*function.names, result):
            objects.append(
                {
                    "filename": str(function.path),
                    "function": function.unit.name,
                    "row": each.row,
                    "name": each.name,
                    "kind": each.kind,
                    "type": each.type,
                }
            )
    return json.dumps(objects, indent=2) + "\n"
