"""Renders the tables of the comparison: features from ``docs/comparison.toml``, figures from
``docs/comparison.json``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DOCS = Path(__file__).resolve().parents[2] / "docs"
TOOLS = ("tslint", "ruff", "pyright", "fixit")


def features() -> list[dict[str, Any]]:
    """Return the rows: ``feature``, and for each tool a cell of ``says`` with ``test`` or ``link``."""
    rows: list[dict[str, Any]] = tomllib.loads((DOCS / "comparison.toml").read_text("utf-8"))["row"]
    return rows


def features_table() -> str:
    """Return the table of features."""
    lines = ["| | tslint | ruff | pyright | Fixit |", "|---|---|---|---|---|"]
    for row in features():
        cells = [_cell(row[tool]) for tool in TOOLS]
        lines.append("| " + " | ".join([row["feature"], *cells]) + " |")
    return "\n".join(lines)


def _cell(cell: dict[str, str]) -> str:
    if "link" in cell:
        return f"[{cell['says']}]({cell['link']})"
    path, _, test = cell["test"].partition("::")
    return f'<span title="{path}: {test}">{cell["says"]}</span>'


def figures() -> dict[str, Any]:
    """Return the measurements of ``benchmarks/others.py``."""
    found: dict[str, Any] = json.loads((DOCS / "comparison.json").read_text("utf-8"))
    return found


def figures_table() -> str:
    """Return the table of what each tool finds, and how long it takes."""
    data = figures()
    lines = [
        "| | found, of the rejected snippets | false alarms, of those that compile "
        "| findings of one run on `examples/speech/before.py` | CPU time for all snippets |",
        "|---|---|---|---|---|",
    ]
    for tool in data["tools"]:
        share = f"{tool['found']} of {data['rejected']} ({100 * tool['found'] / data['rejected']:.0f} %)"
        lines.append(
            f"| {tool['name']} {tool['version']} | {share} | {tool['alarms']} of {data['accepted']} "
            f"| {tool['example']} | {tool['seconds']:.1f} s |"
        )
    return "\n".join(lines)
