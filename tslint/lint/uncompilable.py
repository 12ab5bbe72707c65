"""Events that no annotation can fix."""

from __future__ import annotations

import ast

from tslint.script.dataflow.sure_stores import always_evaluated
from tslint.script.events import Event, syntax
from tslint.script.events.names import UndefinedName


def is_untyped(event: Event) -> bool:
    """Whether the compiler stops at an event whatever types a function's parameters have.

    The front end reads whole functions, before there are types. A name that nothing defines is looked for wherever the
    compiler comes, which a test of types may keep it from.
    """
    if isinstance(event, UndefinedName):
        if event.stored is not None or event.unit is None or event.in_loop_over_modules:
            return False
        return isinstance(event.node, ast.expr) and always_evaluated(event.unit.function.node, event.node)
    return type(event).__module__ == syntax.__name__ and not isinstance(event, syntax.EmittedSyntax)
