"""Describes why a schema does not accept a call: as the compiler's message, and in structured form."""

from __future__ import annotations

from dataclasses import field

from tslint.script.operators.schema import Argument, Schema
from tslint.script.types import ANYTHING, INT, ListType, Type, optional_element
from tslint.util.record import record

VARIADIC = "<varargs>"
"""The compiler's name of a list parameter whose elements are passed one by one."""


@record
class Obstacle:
    """The reason why a schema does not accept a call.

    Args:
        text: the reason as the compiler prints it.
        what: ``type``, ``missing``, ``keyword``, ``count`` or ``other``.
        parameter: the parameter whose argument does not match, is missing or is not known.
        expected, actual: the types, if they do not match.
        most: how many positional arguments the schema accepts, if the call has more.
        empty_list: whether the compiler adds a hint about empty lists, because the argument is a List[Tensor].
    """

    text: str
    what: str = "other"
    parameter: str = ""
    expected: Type = ANYTHING
    actual: Type = ANYTHING
    most: int = 0
    empty_list: bool = False


@record
class Reason(Obstacle):
    """A schema with the reason why it does not accept a call."""

    schema: Schema = field(kw_only=True)

    @property
    def argument(self) -> Argument | None:
        """Return the parameter whose argument does not match; None if there is none."""
        return self.schema.argument(self.parameter)

    @property
    def name(self) -> str:
        """Return the name of the schema, without its namespace and overload."""
        name = self.schema.text.partition("(")[0]
        return (name.partition("::")[2] or name).partition(".")[0]

    @property
    def broadcasts(self) -> bool:
        """Return whether the parameter is a list of ints of known length, which a single int can fill."""
        formal = self.argument
        return (
            formal is not None
            and formal.n is not None
            and ListType(INT) in (formal.type, optional_element(formal.type))
        )
