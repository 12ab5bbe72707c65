"""The arguments of a call, emitted (``NamedValue``)."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from tslint.script.interpreter.emitter import Emitter
from tslint.script.operators import Arg
from tslint.script.types import has_unknowns
from tslint.script.values import (
    Alternatives,
    Typed,
    Value,
)


@dataclass
class Given:
    """The arguments of a call, emitted.

    Args:
        values: with the keyword's name, None for positional ones, and the node.
        whole: False where ``*args`` hides how many there are.
    """

    values: list[tuple[str | None, Value, ast.expr]]
    whole: bool = True

    def positional(self) -> list[Value]:
        """The positional arguments."""
        return [value for name, value, _ in self.values if name is None]

    def named(self, name: str, position: int) -> Value | None:
        """An argument by its keyword or its position."""
        for given, value, _ in self.values:
            if given == name:
                return value
        plain = self.positional()
        return plain[position] if position < len(plain) else None


def arguments(em: Emitter, node: ast.Call) -> Given:
    """Emit the arguments of a call."""
    from tslint.script.interpreter.expressions import starred_parts

    given = Given([])
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            parts = starred_parts(em, em.expression(argument.value), argument, "call")
            if parts is None:
                given.whole = False
            else:
                given.values += [(None, part, argument) for part in parts]
        else:
            given.values.append((None, em.expression(argument), argument))
    for keyword in node.keywords:
        if keyword.arg is None:
            em.expression(keyword.value)
            given.whole = False
        else:
            given.values.append((keyword.arg, em.expression(keyword.value), keyword.value))
    return given


def typed_arguments(em: Emitter, given: Given) -> list[Arg]:
    """The arguments' types."""
    result = []
    for name, value, node in given.values:
        if isinstance(value, Alternatives):
            result.append(Arg(None, name))
        else:
            type_ = em.type_of(value, node)
            unknown = type_ is None or has_unknowns(type_)
            result.append(Arg(None if unknown else type_, name, isinstance(value, Typed) and value.empty))
    return result
