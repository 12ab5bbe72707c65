"""Counts the findings of each rule instead of showing them."""

from __future__ import annotations

import json
from collections import Counter

from tslint.lint.engine import Report
from tslint.reporters.view import View, summary


def render(output_format: str, report: Report, view: View) -> str:
    """Return a line for each rule, the most frequent first; in the JSON formats, an object for each.

    A line has ``[*]`` if all findings of the rule can be fixed, and ``[-]`` if only some can.
    """
    counts = Counter((each.code, each.name) for each in report.diagnostics)
    fixable = Counter(each.code for each in report.diagnostics if view.fixable(each))
    ranked = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    if output_format.startswith("json"):
        objects = [
            {
                "code": code,
                "name": name,
                "count": number,
                "fixable": fixable[code] == number,
                "fixable_count": fixable[code],
            }
            for (code, name), number in ranked
        ]
        if output_format == "json":
            return json.dumps(objects, indent=2) + "\n"
        return "".join(json.dumps(entry) + "\n" for entry in objects)
    width = max((len(str(number)) for number in counts.values()), default=1)
    lines = []
    for (code, name), number in ranked:
        mark = "[*]" if fixable[code] == number else "[-]" if fixable[code] else "[ ]"
        mark = mark + "  " if fixable else ""  # no column if nothing can be fixed
        lines.append(f"{number:>{width}}  {view.style(code, bold=True)}  {mark}{name}\n")
    if any(0 < fixable[code] < number for (code, _), number in ranked):
        lines.append("[*] all fixable, [-] some fixable\n")
    return "".join(lines) + summary(report, view)
