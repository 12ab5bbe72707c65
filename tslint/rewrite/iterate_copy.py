"""Writes loops over ``list(self.layers)`` as loops over ``self.layers``: modules in a list cannot be called."""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Fix
from tslint.rewrite.loops import Loop, called
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe
from tslint.script.dataflow.sequence_reads import keeps_items


def copied_container(loop: Loop) -> tuple[cst.Call, cst.Name | cst.Attribute] | None:
    """Return the call of ``list`` over which a loop iterates, alone or in ``enumerate``, and its argument."""
    copy = called(loop.iterable, "enumerate") or loop.iterable
    items = called(copy, "list")
    return (copy, items) if isinstance(copy, cst.Call) and isinstance(items, (cst.Name, cst.Attribute)) else None


def without_copy(match: Match, loop: Loop) -> Fix | None:
    """Iterate over the container itself; None if the loop may change it."""
    found = copied_container(loop)
    if found is None or not isinstance(loop.node, cst.For):
        return None
    copy, items = found
    if not keeps_items(match.file.tree, match.model(loop.node), match.model(items)):
        return None
    return safe(f"Iterate over `{match.code(items)}` itself", lambda: match.replace(copy, items))
