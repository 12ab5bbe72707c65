"""Why a schema does not take a call: in the compiler's words, and what they are about."""

from __future__ import annotations

from dataclasses import dataclass, field

from tslint.script.operators.schema import Argument, Schema
from tslint.script.types import ANYTHING, INT, ListType, Type, optional_element

VARIADIC = "<varargs>"
"""What the compiler calls a list parameter whose elements are passed one by one."""


@dataclass(frozen=True)
class Obstacle:
    """What keeps a schema from taking a call.

    Args:
        text: as the compiler prints it.
        what: ``type``, ``missing``, ``keyword``, ``count`` or ``other``.
        parameter: whose argument does not fit, is missing or unknown.
        expected, actual: the types, where they do not fit.
        most: how many positional arguments it takes, where there are more.
        empty_list: whether the compiler hints at an empty list, which is one of tensors to it.
    """

    text: str
    what: str = "other"
    parameter: str = ""
    expected: Type = ANYTHING
    actual: Type = ANYTHING
    most: int = 0
    empty_list: bool = False


@dataclass(frozen=True)
class Reason(Obstacle):
    """Why a schema does not take a call."""

    schema: Schema = field(kw_only=True)

    @property
    def argument(self) -> Argument | None:
        """The parameter whose argument does not fit."""
        return self.schema.argument(self.parameter)

    @property
    def name(self) -> str:
        """What the schema is of, without its namespace and overload."""
        name = self.schema.text.partition("(")[0]
        return (name.partition("::")[2] or name).partition(".")[0]

    @property
    def broadcasts(self) -> bool:
        """Whether the parameter is a list of ints of known length, for which one int stands as well."""
        formal = self.argument
        return (
            formal is not None
            and formal.n is not None
            and ListType(INT) in (formal.type, optional_element(formal.type))
        )
