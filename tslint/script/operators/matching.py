"""Resolves overloads: which schema a call uses, what it returns, and why none matches.

This is the counterpart of torch/csrc/jit/frontend/schema_matching.cpp, with one addition: an argument of unknown type
matches every parameter. Then a schema only possibly matches. If several do, with different results, the result is
unknown, too. A call is a mismatch only if it would not match for any types of the unknown arguments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from itertools import product

from tslint.script.operators.reasons import VARIADIC, Obstacle, Reason
from tslint.script.operators.schema import Argument, Schema
from tslint.script.operators.type_variables import TypeEnvironment
from tslint.script.types import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    NUMBER,
    STRING,
    TENSOR,
    ListType,
    OptionalType,
    TensorType,
    TupleType,
    Type,
    TypeVariable,
    convertible,
    has_unknowns,
    has_variables,
    is_inferred,
    is_of_code,
    is_subtype,
)
from tslint.util.record import record


@record
class Arg:
    """An argument of a call.

    Args:
        type: the type; None if it is unknown.
        name: the keyword; None if it is positional.
        empty_list: whether it is the literal ``[]``, which matches any list.
    """

    type: Type | None
    name: str | None = None
    empty_list: bool = False


@record
class Matched:
    """A call that matches.

    Args:
        schema: the overload that the compiler uses; None if several are possible because of an unknown argument.
        return_type: the type of the result; None if it is unknown.
        certain: False if the call only matches for some types of the unknown arguments.
    """

    schema: Schema | None
    return_type: Type | None
    certain: bool = True


@record
class Mismatch:
    """A call that no schema accepts, whatever types the unknown arguments have.

    Args:
        message: the message as the compiler prints it.
        reasons: the reason for each schema; empty if the compiler stops at the call.
    """

    message: str
    reasons: tuple[Reason, ...]


class _Fit(Enum):
    YES = 1
    MAYBE = 2


@record
class _Attempt:
    """The result for one schema: a match and the result of the call, or the reason why it does not match."""

    fit: _Fit | None
    result: Type | None = None
    reason: Obstacle | None = None


class _NoMatchError(Exception):
    """Raised if a schema does not match."""

    def __init__(self, obstacle: Obstacle) -> None:
        super().__init__(obstacle.text)
        self.obstacle = obstacle


class _CallFailsError(Exception):
    """Raised if the compiler stops at the call, whatever other overloads there are."""


def match(
    schemas: Sequence[Schema], arguments: Sequence[Arg], self_type: Arg | Type | None = None
) -> Matched | Mismatch:
    """Find the overload of a call.

    Args:
        schemas: at least one, in registration order.
        arguments: the arguments of the call, without the object of a method; keyword arguments after positional ones.
        self_type: for a method, the type of its object, which is passed for the parameter ``self``.
    """
    given = (*arguments, self_type) if isinstance(self_type, Arg) else (*arguments, Arg(self_type))
    if any(each.type is not None and is_of_code(each.type) for each in given):
        return _match(schemas, arguments, self_type)
    # The same calls occur again and again, in every block of a network, so results are cached. Schemas are compared by
    # identity, because hashing one takes as long as matching it. The cache keeps the schemas alive, so that their ids
    # stay unique.
    # A Tensor and an inferred one are equal, but the compiler prints them differently.
    inferred = tuple(each.type is not None and is_inferred(each.type) for each in given)
    key = (tuple(map(id, schemas)), tuple(arguments), self_type, inferred)
    known = _known.get(key)
    if known is None:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        known = _known[key] = (tuple(schemas), _match(schemas, arguments, self_type))
    return known[1]


_MOST_KNOWN = 50_000
_known: dict[object, tuple[tuple[Schema, ...], Matched | Mismatch]] = {}


def _match(schemas: Sequence[Schema], arguments: Sequence[Arg], self_type: Arg | Type | None) -> Matched | Mismatch:
    own = Arg(self_type) if isinstance(self_type, Type) else self_type
    found: list[tuple[Schema, Type | None]] = []
    reasons: list[Reason] = []
    certain = False
    # A single schema is tried with conversions at once, because there is no better overload to prefer.
    for allow_conversions in (True,) if len(schemas) == 1 else (False, True):
        reasons = []
        for schema in schemas:
            if schema.blocked:
                continue
            try:
                attempt = _attempt(schema, arguments, own, allow_conversions)
            except _CallFailsError as error:
                return Mismatch(str(error), ())
            if attempt.reason is not None:
                reasons.append(Reason(**vars(attempt.reason), schema=schema))
                continue
            found.append((schema, attempt.result))
            if attempt.fit is _Fit.YES:
                certain = True
                break
        if certain:
            break
    if not found:
        return Mismatch(_message(reasons, lone=len(schemas) == 1), tuple(reasons))
    first, result = found[0]
    if all(schema is first for schema, _ in found):
        return Matched(first, result, certain)
    if any(other != result for _, other in found):
        possible = tuple(dict.fromkeys(schema for schema, _ in found))
        result = _common_result(tuple(schemas), tuple(arguments), own, possible)
    return Matched(None, result, certain)


def _common_result(
    schemas: tuple[Schema, ...], arguments: tuple[Arg, ...], own: Arg | None, possible: tuple[Schema, ...]
) -> Type | None:
    """Return the type of the call's result if it is the same for all types of the unknown arguments. Return None if it
    is not, or if more than two arguments are unknown.

    For each unknown argument, the function tries the types that the possible overloads require, and the types that
    convert to a required one. An overload that is selected for any other type is also selected for a type that was
    tried.
    """
    given = ([] if own is None else [own]) + list(arguments)
    unknown = [index for index, each in enumerate(given) if each.type is None or has_unknowns(each.type)]
    if len(unknown) > 2:
        return None
    probes: list[list[Type]] = []
    for index in unknown:
        name = "self" if own is not None and index == 0 else given[index].name
        wanted = [type_ for schema in possible for type_ in _wanted(schema, index, name)]
        if any(has_variables(type_) for type_ in wanted):
            return None
        probes.append(list(dict.fromkeys([*wanted, TENSOR, NUMBER, INT, FLOAT, BOOL, STRING, NONE])))
    results: set[Type] = set()
    for types in product(*probes):
        for index, type_ in zip(unknown, types):
            given[index] = Arg(type_, given[index].name)
        outcome = match(schemas, given[own is not None :], None if own is None else given[0])
        if isinstance(outcome, Matched):
            if outcome.return_type is None:
                return None
            results.add(outcome.return_type)
            if len(results) > 1:
                return None
    return results.pop() if results else None


def _wanted(schema: Schema, index: int, name: str | None) -> list[Type]:
    """Return the types that a schema accepts for the argument with a position or name."""
    if name is None:
        formals = schema.arguments[index : index + 1] or schema.arguments[-1:]
    else:
        formals = tuple(formal for formal in schema.arguments if formal.name == name)
    types = [formal.type for formal in formals] + [_unwrap(formal.type) for formal in formals]
    return types + [type_.element for type_ in types if isinstance(type_, ListType)]


def _message(reasons: Sequence[Reason], *, lone: bool) -> str:
    if lone:
        return f"{reasons[0].schema.text}:\n{reasons[0].text}"
    listed = "".join(f"\n{reason.schema.text}:\n{reason.text}\n" for reason in reasons)
    # The compiler indents every line, empty ones included.
    variants = "\n".join("  " + line for line in listed.splitlines())
    return (
        f"Arguments for call are not valid.\nThe following variants are available:\n{variants}\n\nThe original call is"
    )


def _attempt(schema: Schema, arguments: Sequence[Arg], own: Arg | None, allow_conversions: bool) -> _Attempt:
    matching = _Matching(allow_conversions)
    try:
        matching.fill(schema, arguments, own)
        result = None if schema.result is None else matching.variables.evaluate(schema.result)
    except _NoMatchError as error:
        return _Attempt(None, reason=error.obstacle)
    return _Attempt(_Fit.YES if matching.certain else _Fit.MAYBE, result)


def _unwrap(type_: Type) -> Type:
    return type_.element if isinstance(type_, OptionalType) else type_


def _becomes_list(actual: Type, formal: Type) -> bool:
    """Return whether a list or tuple becomes a list parameter as a whole (convertibleToList)."""
    if not isinstance(formal, ListType):
        return False
    if isinstance(actual, TupleType):
        return all(is_subtype(element, formal.element) for element in actual.elements)
    return is_subtype(actual, formal)


def _takes_varargs(schema: Schema, index: int) -> bool:
    """Return whether further positional arguments are collected in a list parameter (varargsCanBeUsedAsList)."""
    argument = schema.arguments[index]
    last = index + 1 == len(schema.arguments) or schema.arguments[index + 1].kwarg_only
    if not last or argument.n is not None or not isinstance(argument.type, ListType):
        return False
    return not isinstance(argument.type.element, TypeVariable)


class _Matching:
    """Matches one schema with one call (tryMatchSchema); raises ``_NoMatchError`` with the reason."""

    def __init__(self, allow_conversions: bool) -> None:
        self.allow_conversions = allow_conversions
        self.certain = True
        self.variables = TypeEnvironment()

    def fill(self, schema: Schema, arguments: Sequence[Arg], own: Arg | None) -> None:
        positional = [argument for argument in arguments if argument.name is None]
        keywords = {argument.name: argument for argument in arguments if argument.name is not None}
        used: set[str] = set()
        taken = 0
        for index, formal in enumerate(schema.arguments):
            if own is not None and formal.name == "self":
                self.check(formal, own)
                own = None
            elif not formal.kwarg_only and taken < len(positional):
                if self.gathers(schema, index, positional[taken:]):
                    element = formal.type.element if isinstance(formal.type, ListType) else formal.type
                    for argument in positional[taken:]:
                        self.check(Argument(VARIADIC, element), argument)
                        # The list has the declared element type, including type variables: `dict(("a", 1))`.
                        if has_variables(element) and argument.type is not None:
                            raise _CallFailsError(
                                f"Expected a list element that subtypes '{element}' "
                                f"but got an element of type '{argument.type}'"
                            )
                    taken = len(positional)
                else:
                    self.check(formal, positional[taken])
                    taken += 1
            else:
                name = _keyword(schema, formal, keywords)
                if name is not None:
                    used.add(name)
                    self.check(formal, keywords[name])
                elif formal.default is None:
                    said = f"Argument {formal.name} not provided."
                    raise _NoMatchError(Obstacle(said, "missing", formal.name))
        if own is not None:
            raise _NoMatchError(Obstacle("Provided self argument not used in schema."))
        if taken < len(positional) and not schema.vararg:
            said = f"Expected at most {taken} arguments but found {len(positional)} positional arguments."
            raise _NoMatchError(Obstacle(said, "count", most=taken))
        for name in keywords:
            if name is not None and name not in used:
                twice = schema.argument(name) is not None
                said = f"Keyword argument {name} {'specified twice' if twice else 'unknown'}."
                raise _NoMatchError(Obstacle(said, "keyword", name))

    def gathers(self, schema: Schema, index: int, rest: Sequence[Arg]) -> bool:
        if not self.allow_conversions or not _takes_varargs(schema, index):
            return False
        actual = rest[0].type
        if actual is None:
            # A single unknown argument may be the list itself; several can only be its elements.
            return len(rest) > 1
        return not isinstance(actual, ListType) and not _becomes_list(actual, _unwrap(schema.arguments[index].type))

    def check(self, formal: Argument, argument: Arg) -> None:
        """Match one argument with one parameter (tryMatchArgument)."""
        actual = argument.type
        self.certain = self.certain and actual is not None and not has_unknowns(actual)
        if actual is None or (has_variables(formal.type) and has_unknowns(actual)):
            self.variables.leave_open(formal.type)
            return
        wanted = _unwrap(formal.type)
        if formal.n is not None and actual in (INT, FLOAT) and wanted == ListType(actual):
            actual = wanted
        if has_variables(formal.type):
            reason = self.variables.bind(formal.type, actual)
            if reason:
                said = f"Could not match type {actual} to {formal.type} in argument '{formal.name}': {reason}."
                expected = self.variables.evaluate(formal.type) or formal.type
                raise _NoMatchError(Obstacle(said, "type", formal.name, expected, actual))
        if not self.variables.binds(formal.type):
            said = f"Type variables in type {formal.type} could not be inferred from actual type {actual}"
            raise _NoMatchError(Obstacle(said))
        concrete = self.variables.evaluate(formal.type)
        if concrete is None or (argument.empty_list and isinstance(_unwrap(concrete), ListType)):
            return
        if not convertible(actual, concrete, allow_conversions=self.allow_conversions):
            raise _NoMatchError(_mismatch(formal, concrete, actual))


def _keyword(schema: Schema, formal: Argument, keywords: Mapping[str, Arg]) -> str | None:
    """Return the keyword that a call uses for a parameter; None if there is none. For the ``self`` of an operator,
    ``input`` is allowed, too.
    """
    if schema.name.startswith("aten::") and formal.name == "self" and "input" in keywords:
        return "input"
    return formal.name if formal.name in keywords else None


def _mismatch(formal: Argument, expected: Type, actual: Type) -> Obstacle:
    name = formal.name
    lines = [f"Expected a value of type '{formal.type}' for argument '{name}' but instead found type '{actual}'."]
    why = "to be of type 'Tensor' because it was not annotated with an explicit type."
    if isinstance(formal.type, TensorType) and formal.type.inferred:
        lines.append(f"Inferred '{name}' {why}")
    if isinstance(actual, TensorType) and actual.inferred:
        lines.append(f"Inferred the value for argument '{name}' {why}")
    empty_list = isinstance(actual, ListType) and is_subtype(actual.element, TENSOR)
    if empty_list:
        lines.append(
            "Empty lists default to List[Tensor]. Add a variable annotation to the assignment to create an empty list "
            "of another type (torch.jit.annotate(List[T, []]) where T is the type of elements in the list for Python 2)"
        )
    return Obstacle("\n".join(lines), "type", name, expected, actual, empty_list=empty_list)
