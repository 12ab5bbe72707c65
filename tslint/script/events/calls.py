"""Arguments that no overload takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tslint.script.events.base import Event

if TYPE_CHECKING:
    from tslint.project.definitions import Function
    from tslint.script.interpreter.arguments import Given
    from tslint.script.operators import Schema


class Mismatch(Event):
    """A call or an operator whose arguments do not fit.

    Args:
        message: all that the compiler says.
        types: of the arguments.
        given: the arguments; None for operators.
    """

    message: str
    types: list[str]
    given: Given | None = None


class OperatorMismatch(Mismatch):
    """The arguments of a builtin operator; ``word`` is its sign."""

    operator: str
    word: str = ""


class CallMismatch(Mismatch):
    """The arguments of a function of the project."""

    schema: Schema
    function: Function
