"""Finds events that no annotation can fix."""

from __future__ import annotations

import ast

from tslint.script.dataflow.sure_stores import always_evaluated
from tslint.script.events import Event, syntax
from tslint.script.events.names import UndefinedName


def is_untyped(event: Event) -> bool:
    """Return whether the compiler stops at an event whatever types the parameters have.

    These are the errors of the front end, which reads a whole function before types are known. An undefined name only
    counts if it is always evaluated: a test of types may remove other code.
    """
    if isinstance(event, UndefinedName):
        if event.stored is not None or event.unit is None or event.in_loop_over_modules:
            return False
        return isinstance(event.node, ast.expr) and always_evaluated(event.unit.function.node, event.node)
    return type(event).__module__ == syntax.__name__ and not isinstance(event, syntax.EmittedSyntax)
