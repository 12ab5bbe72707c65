"""The last resort: moves a branch that cannot be compiled into a method that is not compiled.

A method marked ``@torch.jit.unused`` behaves the same in Python, and compiled code raises when it calls it. People
write this by hand for code that is only used in training, for empty batches, or for models that were changed after they
were built. If every run executes the statements that cannot be compiled, the fix would gain nothing, so there is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tslint.diagnostics import Fix
from tslint.rulekit.match import Match
from tslint.script.dataflow import outlines
from tslint.script.dataflow.default_flags import BEFORE_RUNNING, Flags, droppable
from tslint.script.events.names import Recursion
from tslint.script.events.types import ReturnMismatch, VariableRetyped

_ROLES = ("forward", "export", "method", "function")


def last_resort(match: Match, *, syntax: bool) -> Fix | None:
    """Return the fix that excludes the event's branch from compilation; None if there is no such fix.

    The module that writes the fix is imported only if it is needed.

    Args:
        match: an event for which no rule has a fix.
        syntax: whether the front end rejects the code: it reads a whole function, whatever the compiler drops later.
    """
    run = _branch(match)
    if run is not None:
        from tslint.rewrite.branch_method import branch_as_method

        fix = branch_as_method(match, run)
        if fix is not None:
            return fix
    if syntax or next(droppable(match.event, match.self_name, [match.event.node]), None) is None:
        return None
    from tslint.rewrite.flag_default import by_default

    return by_default(match, [match.event.node])


def _branch(match: Match) -> Sequence[Any] | None:
    """Return the statements of the branch that contains the event; None if there is no branch that may be moved."""
    event, tree = match.event, match.file.tree
    unit = event.unit
    if unit is None or unit.role not in _ROLES or event.condition not in (None, BEFORE_RUNNING):
        return None  # with another condition, the branch compiles in some constructions of the module
    if tree is not unit.function.module.tree or _is_about_results(match):
        return None
    run = outlines.taken_sometimes(tree, unit.function.node, event.node)
    if run is None or outlines.jumps(run) or _other_is_gone(match, run):
        return None
    owner = unit.function.owner.node if unit.function.owner is not None else None
    return None if Flags(unit.function.node, match.self_name, owner).is_default_path(run[0]) else run


def _is_about_results(match: Match) -> bool:
    """Return whether moving the branch would not help: the problem is a value that the branch passes to later code, or
    the call itself.
    """
    event = match.event
    # The error also depends on code before it, which gave the variable or the result another type.
    return outlines.is_result(event.node) or isinstance(event, (VariableRetyped, ReturnMismatch, Recursion))


def _other_is_gone(match: Match, run: Sequence[Any]) -> bool:
    """Return whether the other branch is not compiled either, so that nothing would be left to compile."""
    other = outlines.alternative(match.file.tree, run)
    if not other or other[0] in match.file.outlines:
        return bool(other)
    names = outlines.names_called(other[0]) if len(other) == 1 else []
    return any(re.fullmatch(rf"_\w+_{outlines.UNCOMPILED}\d*", name) for name in names)
