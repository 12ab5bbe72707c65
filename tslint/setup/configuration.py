"""Writes ``[tool.tslint]`` for a surveyed project."""

from __future__ import annotations

import json

from tslint.setup.survey import Survey

# A longer list would not be read; without a list every module is checked.
MOST = 30


def configuration(found: Survey, prefix: str = "") -> str:
    """Return the TOML.

    Args:
        found: the survey of the project.
        prefix: the beginning of the names of tables: ``tool.tslint.`` in pyproject.toml.
    """
    lines = [f"[{prefix.rstrip('.')}]"] if prefix else []
    entries = found.entry_points
    if not entries:
        lines.append("# entry-points: every nn.Module is checked.")
    elif len(entries) > MOST:
        lines += [
            f"# Every nn.Module is checked. No other class uses {len(entries)} of them: too many to list here.",
            "# Name the modules that you export; then tslint checks only these and the code that they call:",
            f"# entry-points = [{_string(entries[0].place)}]",
        ]
    else:
        lines += ["# Modules that no other class uses. Delete those that you never export."]
        lines.append("entry-points = [")
        for entry in entries:
            lines.append(f"    {_string(entry.place)},{_comment(entry.why)}")
        lines.append("]")
    for target in found.targets:
        lines += ["", f"[{prefix}targets.{target.name}]{_comment(target.why)}", f"target = {_string(target.target)}"]
        if target.inputs:
            lines.append(f"inputs = [{', '.join(map(_string, target.inputs))}]")
        elif not target.complete:
            lines.append('# inputs = ["torch.rand(1, 3, 224, 224)"]')
        if target.modes != ("script", "trace"):
            lines.append(f"modes = [{', '.join(map(_string, target.modes))}]")
    return "\n".join(lines) + "\n"


def _comment(why: str) -> str:
    return f"  # {why}" if why else ""


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
