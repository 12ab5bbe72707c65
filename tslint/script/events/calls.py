"""Events for arguments that no overload accepts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tslint.script.events.base import Event

if TYPE_CHECKING:
    from tslint.project.definitions import Function
    from tslint.script.operators.diagnosis import Diagnosis
    from tslint.script.types import Type


class Mismatch(Event):
    """A call or an operator with arguments of the wrong types.

    Args:
        types: of the arguments.
        diagnosis: the cause.
    """

    types: tuple[Type, ...]
    diagnosis: Diagnosis


class OperatorMismatch(Mismatch):
    """Wrong arguments of an operator, or of a function of torch.

    Args:
        operator: its name.
        word: its symbol.
        builtin: whether it is an operator, and not a compiled Python function of torch.
        takes_out: whether it has a parameter ``out``.
    """

    operator: str
    word: str = ""
    builtin: bool
    takes_out: bool


class FormArguments(Event):
    """A form that the compiler itself handles, with another number of arguments than it takes.

    Args:
        function: its name.
        least, most: how many it takes; None for any number.
        count: how many it gets.
    """

    function: str
    least: int
    most: int | None
    count: int


class CallMismatch(Mismatch):
    """Wrong arguments of a function of the project; None for an ``__init__`` that is not defined."""

    function: Function | None
