"""Lists the types that overloads accept for one argument of a call."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tslint.script.operators.schema import Argument, Schema
from tslint.script.types import ListType, OptionalType, has_variables, plain


def accepted(schemas: Sequence[Schema], call: ast.Call, node: ast.AST, keyword: str | None, hidden: int) -> set[str]:
    """Return the types that overloads accept for an argument.

    They include ``one`` in addition to ``int`` if the parameter is a list that a single int can fill.

    Args:
        schemas: the overloads.
        call: a call of one of them.
        node: the argument.
        keyword: the keyword of the argument.
        hidden: how many of the first parameters the call does not pass itself.
    """
    return {each for schema in schemas for each in _accepted(schema, call, node, keyword, hidden)}


def _accepted(schema: Schema, call: ast.Call, node: ast.AST, keyword: str | None, hidden: int) -> Iterator[str]:
    """Yield the types that one overload accepts for an argument; see :func:`accepted`."""
    listed = schema.arguments[hidden:]
    if any(each.name == "out" and each.default is None for each in listed):
        return
    slots = [each for each in listed if not each.kwarg_only]
    names = {each.name for each in listed}
    if any(each.arg is not None and each.arg not in names for each in call.keywords):
        return
    if keyword is not None:
        found: Argument | None = next((each for each in listed if each.name == keyword), None)
    else:
        position = next(index for index, each in enumerate(call.args) if each is node)
        if any(isinstance(each, ast.Starred) for each in call.args[:position]):
            return
        more = bool(slots) and isinstance(slots[-1].type, ListType) and len(call.args) > len(slots)
        if more and position >= len(slots) - 1:
            yield plain(slots[-1].type.element) if isinstance(slots[-1].type, ListType) else "int"
            return
        if len(call.args) > len(slots):
            return
        found = slots[position]
    if found is None:
        return
    inner = found.type.element if isinstance(found.type, OptionalType) else found.type
    if has_variables(inner):
        return
    type_ = plain(inner)
    if found.name in ("dtype", "layout", "memory_format") and type_ == "int":
        yield "dtype" if found.name == "dtype" else "int"
        return
    if found.n is not None and type_ in ("List[int]", "List[float]"):
        yield from ("int", "one")
    elif type_ == "List[int]" and hidden and len(call.args) == 1 and keyword is None:
        yield from ("int", "List[int]")
        return
    yield type_
