"""Prints what ``--fix`` did for a target: every fix with its result, and the files."""

from __future__ import annotations

from collections.abc import Iterator

from tslint.reporters.view import View, clean, count, joined
from tslint.verify.repair import Repair

_COLORS = {"applied": "green", "left out": "yellow"}


def lines(repair: Repair, view: View, *, showing: bool) -> Iterator[str]:
    """Yield the lines below a target's verdict.

    Args:
        repair: the result of fixing.
        view: colours and paths.
        showing: whether the fixes were only shown.
    """
    for each in repair.fixes:
        place = f"{view.path(each.filename)}:{each.position.row}:{each.position.column}"
        status = view.style(f"{each.status:<8}", fg=_COLORS[each.status])
        yield f"  {status}  {place} {each.code} {each.name}: {clean(each.message)}"
        if each.reason:
            yield f"            {view.style(clean(each.reason), fg=_COLORS[each.status])}"
    if repair.note:
        yield f"  {clean(repair.note)}"
    if repair.problem:
        return
    number = "1 fix" if repair.applied == 1 else f"{repair.applied} fixes"
    done = f"{number} to {joined([view.path(file) for file in repair.files])}"
    runs = count(repair.runs, "run")
    if repair.written:
        yield f"  Proven in {runs} and written: {done}."
    elif repair.files and showing:
        yield f"  Proven in {runs}; would write {done}."
    elif repair.fixes:
        yield "  Nothing was written."
