"""Arguments that no overload takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tslint.script.events.base import Event

if TYPE_CHECKING:
    from tslint.project.definitions import Function
    from tslint.script.operators.diagnosis import Diagnosis
    from tslint.script.types import Type


class Mismatch(Event):
    """A call or an operator whose arguments do not fit.

    Args:
        types: of the arguments.
        diagnosis: what is to blame.
    """

    types: tuple[Type, ...]
    diagnosis: Diagnosis


class OperatorMismatch(Mismatch):
    """The arguments of an operator, or of a function of torch.

    Args:
        operator: its name.
        word: its sign.
        builtin: whether it is an operator, and no function of torch's that is compiled.
        takes_out: whether it can be given where to put its result.
    """

    operator: str
    word: str = ""
    builtin: bool
    takes_out: bool


class CallMismatch(Mismatch):
    """The arguments of a function of the project; None where it is the ``__init__`` that nobody has written."""

    function: Function | None
