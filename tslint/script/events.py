"""What the model saw that the compiler would object to.

An event is the model's half of a finding: where, what kind, and the facts that a rule needs to say it in the author's
words. ``frontend/`` (the counterpart of torch/jit/frontend.py), ``interpreter/`` (of ir_emitter.cpp), ``construct/``,
``hazards/`` and ``tracing/`` yield them; rules answer the kinds that they name.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tslint.script.scope import Unit


@dataclass(frozen=True)
class Span:
    """A range as ``ast`` counts: lines from 1, columns from 0 in UTF-8 bytes, the end exclusive."""

    row: int
    column: int
    end_row: int
    end_column: int

    @classmethod
    def of(cls, node: ast.AST) -> Span:
        """The span of a node that has a place (expressions, statements, arguments, handlers)."""
        row, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        return cls(
            row, column, getattr(node, "end_lineno", None) or row, getattr(node, "end_col_offset", None) or column
        )


@dataclass(frozen=True)
class Event:
    """One thing the compiler would stop at.

    Args:
        kind: kebab-case; rules name the kinds that they answer.
        node: the ``ast`` node that the compiler underlines.
        compiler: the compiler's own message, as it would print it (its first line).
        facts: what the rule needs to word it; the keys of each kind stand where the event is raised.
        condition: the construction or input under which it happens ("when `downsample` is None"); None: always.
        unit: the compiled function that holds it, and through which calls it is compiled.
        names: the types of the variables that stand for first-class values there, as the compiler prints them.
        returned: the type of what the function has returned before, likewise; None where that is not known.
        in_loop_over_modules: whether it stands in a loop over modules whose number is not known: without any, the
            compiler does not come to it.
    """

    kind: str
    node: ast.AST
    compiler: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    condition: str | None = None
    unit: Unit | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    returned: str | None = None
    in_loop_over_modules: bool = False

    @property
    def span(self) -> Span:
        """Where the compiler underlines."""
        return Span.of(self.node)
