"""Emits the arguments of a call (``NamedValue``)."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from tslint.script.events.types import NotATuple, StarredUnknownLength
from tslint.script.interpreter.emitter import Emitter
from tslint.script.interpreter.value_kinds import as_typed
from tslint.script.operators import Arg
from tslint.script.types import ANYTHING, INT, ListType, TupleType, Type, has_unknowns
from tslint.script.values import UNKNOWN, Alternatives, IterableValue, TupleValue, Typed, Value


@dataclass
class Given:
    """The emitted arguments of a call.

    Args:
        values: each with its keyword (None for positional ones), its value and its node.
        whole: False if ``*args`` or ``**kwargs`` stands for arguments that are not known.
    """

    values: list[tuple[str | None, Value, ast.expr]]
    whole: bool = True

    def passed(self) -> list[tuple[str | None, ast.expr]]:
        """Return the keyword and the node of each argument."""
        return [(name, node) for name, _, node in self.values]

    def positional(self) -> list[Value]:
        """Return the positional arguments."""
        return [value for name, value, _ in self.values if name is None]

    def named(self, name: str, position: int) -> Value | None:
        """Return an argument by its keyword or its position; None if there is none."""
        for given, value, _ in self.values:
            if given == name:
                return value
        plain = self.positional()
        return plain[position] if position < len(plain) else None


def arguments(em: Emitter, node: ast.Call, operator: str = "") -> Given:
    """Emit the arguments of a call; ``operator`` is the name of a called operator or external function, for reports."""
    given = Given([])
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            parts = starred_parts(em, em.expression(argument.value), argument, "call", operator)
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


def rejects_starred(em: Emitter, node: ast.Call) -> bool:
    """Report a starred argument of a call that makes an iterable: ``zip(*pairs)``; return whether there is one."""
    starred = next((argument for argument in node.args if isinstance(argument, ast.Starred)), None)
    if starred is not None:
        em.expression(starred.value)
        said = "Unexpected starred expansion. File a bug report"
        form = ast.unparse(node.func)
        em.report(StarredUnknownLength(starred, said, what="iterable", type=ANYTHING, value=starred.value, form=form))
    return starred is not None


def known_types(typed: Iterable[Arg]) -> tuple[Type, ...]:
    """Return the types of arguments, ``?`` for those that are not known."""
    return tuple(argument.type or ANYTHING for argument in typed)


def typed_arguments(em: Emitter, given: Given) -> list[Arg]:
    """Return the types of the arguments."""
    result = []
    for name, value, node in given.values:
        if isinstance(value, Alternatives):
            result.append(Arg(None, name))
        else:
            type_ = em.type_of(value, node)
            # One known element of a tuple may decide whether the call is valid. If none is known, the type is unknown.
            partly = isinstance(type_, TupleType) and not all(map(has_unknowns, type_.elements))
            unknown = type_ is None or (has_unknowns(type_) and not partly)
            result.append(Arg(None if unknown else type_, name, isinstance(value, Typed) and value.empty))
    return result


def starred_parts(em: Emitter, value: Value, node: ast.Starred, where: str, operator: str = "") -> list[Value] | None:
    """Return the elements of ``*value``; None if their number is not known. Report a value that the compiler cannot
    unpack there.

    Args:
        em: the emitter.
        value: the value.
        node: the starred expression.
        where: what it is a part of: ``call``, ``list`` or ``tuple``.
        operator: the operator that is called.
    """
    if isinstance(value, TupleValue):
        return list(value.elements)
    if isinstance(value, Alternatives):

        def look(option: Value) -> Value:
            starred_parts(em, option, node, where, operator)
            return UNKNOWN

        em.map_alternatives(value, look)
        return None
    if isinstance(value, Typed):
        if isinstance(value.type, TupleType):
            return [as_typed(element) for element in value.type.elements]
        if isinstance(value.type, ListType):
            em.report(
                StarredUnknownLength(
                    node,
                    "cannot statically infer the expected size of a list in this context",
                    what=where,
                    type=value.type,
                    value=node.value,
                    operator=operator,
                )
            )
            return None
        em.report(NotATuple(node, f"{value.type} cannot be used as a tuple", type=value.type, needed=None))
    elif isinstance(value, IterableValue) and value.kind == "range":
        em.report(
            StarredUnknownLength(
                node,
                "range cannot be used as a tuple",
                what=where,
                type=ListType(INT),
                value=node.value,
                operator=operator,
            )
        )
    return None
