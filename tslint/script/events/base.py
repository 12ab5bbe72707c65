"""Defines the base class of events, and how the name of a kind is formed."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from tslint.util.naming import kebab_case
from tslint.util.record import dataclass_transform, record

if TYPE_CHECKING:
    from typing_extensions import Self

    from tslint.script.assumptions import Assumptions
    from tslint.script.scope import Unit
    from tslint.script.types import Type


@record
class Span:
    """A range in the coordinates of ``ast``: lines from 1, columns from 0 in UTF-8 bytes, the end exclusive."""

    row: int
    column: int
    end_row: int
    end_column: int

    @classmethod
    def of(cls, node: ast.AST) -> Span:
        """Return the span of a node that has a position (expressions, statements, arguments, handlers)."""
        row, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        return cls(
            row, column, getattr(node, "end_lineno", None) or row, getattr(node, "end_col_offset", None) or column
        )


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
@dataclass(frozen=True, eq=False)
class Event:
    """A position at which the compiler would stop, or at which compiled code goes wrong later.

    Each kind is a subclass: a frozen dataclass whose fields (all are keyword arguments) are what a rule needs to know.
    They contain types, nodes and definitions, but no texts for messages; these come from the rules. A subclass becomes
    a dataclass when its first event is created, because making dataclasses of all of them takes as long as checking a
    small file.

    Args:
        node: the ``ast`` node that the compiler underlines.
        compiler: the compiler's own message, as it would print it (its first line).
        condition: the construction or input under which it happens ("when `downsample` is None"); None for always.
        unit: the compiled function that contains it, with its call path.
        variables: the types of the variables that have first-class values at this position.
        returned: the type of earlier returns of the function; None if it is not known.
        assumptions: the tests of the constructor that ``condition`` is about; None if it may be about something else.
        certain: whether other errors occur in all other constructions, so that every construction is rejected.
        in_loop_over_modules: whether it is in a loop over modules whose number is not known: if there are none, the
            compiler does not reach it.

    Attributes:
        kind: the name of the class in kebab-case.
    """

    kind: ClassVar[str] = ""

    node: ast.AST
    compiler: str
    condition: str | None = field(default=None, kw_only=True)
    unit: Unit | None = field(default=None, kw_only=True)
    variables: Mapping[str, Type] = field(default_factory=dict, kw_only=True)
    returned: Type | None = field(default=None, kw_only=True)
    assumptions: Assumptions | None = field(default=None, kw_only=True)
    certain: bool = field(default=False, kw_only=True)
    in_loop_over_modules: bool = field(default=False, kw_only=True)

    def __init_subclass__(cls) -> None:
        cls.kind = kebab_case(cls.__name__)

    def __new__(cls, *_arguments: object, **_fields: object) -> Self:
        """Make the class and its bases dataclasses before the first instance is created."""
        for each in reversed(cls.__mro__[: cls.__mro__.index(Event)]):
            if "__dataclass_fields__" not in vars(each):
                dataclass(frozen=True, eq=False, kw_only=True)(each)
        return super().__new__(cls)

    @property
    def span(self) -> Span:
        """Return the range that the compiler underlines."""
        return Span.of(self.node)
