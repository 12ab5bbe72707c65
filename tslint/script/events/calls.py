"""Events for arguments that no overload accepts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tslint.script.events.base import Event

if TYPE_CHECKING:
    import ast

    from tslint.project.definitions import Function
    from tslint.script.operators.diagnosis import Diagnosis
    from tslint.script.scope import Unit
    from tslint.script.types import Type


class Mismatch(Event):
    """A call or an operator with arguments of the wrong types.

    Args:
        types: the types of the arguments.
        diagnosis: the cause.
    """

    types: tuple[Type, ...]
    diagnosis: Diagnosis


class OperatorMismatch(Mismatch):
    """Wrong arguments of an operator, or of a function of torch.

    Args:
        operator: the name of the operator.
        word: the symbol of the operator.
        builtin: whether it is an operator, and not a compiled Python function of torch.
        takes_out: whether it has a parameter ``out``.
    """

    operator: str
    word: str = ""
    builtin: bool
    takes_out: bool


class FormArguments(Event):
    """A construct that the compiler itself handles, with a wrong number of arguments.

    Args:
        function: its name.
        least, most: the smallest and the largest number of arguments that it accepts; None if there is no largest one.
        count: the number of arguments that it gets.
    """

    function: str
    least: int
    most: int | None
    count: int


class CallMismatch(Mismatch):
    """Wrong arguments of a function of the project; ``function`` is None for an ``__init__`` that is not defined."""

    function: Function | None


class CalledFromOtherFile(Event):
    """A parameter without annotation to which a call in another file passes something other than a Tensor.

    Args:
        name: the parameter.
        actual: the type of the argument.
        function: has the parameter.
        caller: the unit that contains the call.
        call: the call.
    """

    name: str
    actual: Type
    function: Function
    caller: Unit
    call: ast.Call
