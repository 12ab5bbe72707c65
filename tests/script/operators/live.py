"""Passes calls with arguments of given types to the installed compiler."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import torch

from tslint.script.operators import Arg, parse, schemas
from tslint.script.types import (
    ANY,
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    INT,
    NONE,
    NUMBER,
    STRING,
    TENSOR,
    DictType,
    FutureType,
    ListType,
    OptionalType,
    TupleType,
    Type,
    TypeVariable,
    optional,
)

sys.path.insert(0, str(Path(__file__).parents[3] / "scripts"))
from operator_data.variants import builtin_named

_SIMPLE: list[Type] = [TENSOR, INT, FLOAT, BOOL, COMPLEX, STRING, DEVICE, NONE, NUMBER]
_stand_ins: dict[str, Callable[[], None]] = {}


def annotation(type_: Type) -> str:
    """Return a type as an annotation."""
    if type_ == NONE:
        return "None"
    if isinstance(type_, TupleType):
        return f"Tuple[{', '.join(map(annotation, type_.elements)) or '()'}]"
    if isinstance(type_, DictType):
        return f"Dict[{annotation(type_.key)}, {annotation(type_.value)}]"
    if isinstance(type_, ListType):
        return f"List[{annotation(type_.element)}]"
    if isinstance(type_, OptionalType):
        return f"Optional[{annotation(type_.element)}]"
    if isinstance(type_, FutureType):
        return f"{type_.name}[{annotation(type_.element)}]"
    return str(type_)


def source(arguments: Sequence[Arg]) -> str:
    """Return the text of a function that calls ``op`` with arguments of these types."""
    parameters = [f"a{i}: {annotation(a.type)}" for i, a in enumerate(arguments) if a.type and not a.empty_list]
    values = ["[]" if argument.empty_list else f"a{i}" for i, argument in enumerate(arguments)]
    given = [f"{a.name}={value}" if a.name else value for a, value in zip(arguments, values, strict=True)]
    return f"def f({', '.join(parameters)}):\n  return op({', '.join(given)})\n"


def compiler(operator: str, arguments: Sequence[Arg]) -> tuple[Type | None, str]:
    """Return the type of the call, or the compiler's message."""
    stand_in = _stand_ins.setdefault(operator, builtin_named(operator))
    known = {"op": stand_in, "Device": torch.device}
    unit = torch._C.CompilationUnit()
    try:
        unit.define(source(arguments), known.get)
    except RuntimeError as error:
        return None, str(error)
    return parse(str(unit.find_function("f").schema)).result, ""


class Calls:
    """Generates random calls that nearly match an operator's schemas."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def any_type(self, depth: int = 0) -> Type:
        roll = self.random.random()
        if depth > 1 or roll < 0.55:
            return self.random.choice(_SIMPLE)
        if roll < 0.72:
            return ListType(self.any_type(depth + 1))
        if roll < 0.87:
            return TupleType(tuple(self.any_type(depth + 1) for _ in range(self.random.randint(1, 3))))
        if roll < 0.93:
            return optional(self.any_type(depth + 1))
        if roll < 0.97:
            return DictType(self.random.choice([STRING, INT, FLOAT, BOOL, TENSOR]), self.any_type(depth + 1))
        return ANY

    def fitting(self, type_: Type, bound: dict[str, Type]) -> Type:
        """Return a type that matches a parameter without conversion."""
        if isinstance(type_, TypeVariable):
            return bound.setdefault(type_.name, self.random.choice(_SIMPLE[:6]))
        if isinstance(type_, ListType):
            return ListType(self.fitting(type_.element, bound))
        if isinstance(type_, DictType):
            return DictType(self.fitting(type_.key, bound), self.fitting(type_.value, bound))
        if isinstance(type_, TupleType):
            return TupleType(tuple(self.fitting(element, bound) for element in type_.elements))
        if isinstance(type_, FutureType):
            return FutureType(type_.name, self.fitting(type_.element, bound))
        if isinstance(type_, OptionalType):
            inner = self.fitting(type_.element, bound)
            return self.random.choice([inner, inner, NONE, optional(inner)])
        # A Storage or a QScheme cannot be written as an annotation.
        return type_ if type_ in _SIMPLE or type_ == ANY else TENSOR

    def changed(self, type_: Type) -> Type:
        """Return a similar type, or often the type itself."""
        roll = self.random.random()
        if roll < 0.72:
            return type_
        if roll < 0.9 and isinstance(type_, ListType):
            some = TupleType((type_.element,) * self.random.randint(1, 3))
            mixed = TupleType((type_.element, self.any_type(1)))
            return self.random.choice([some, mixed, type_.element, optional(type_), ListType(self.any_type(1))])
        if roll < 0.9 and type_ in (INT, FLOAT, NUMBER, COMPLEX):
            return self.random.choice([TENSOR, INT, FLOAT, BOOL, NUMBER, COMPLEX])
        return self.any_type()

    def call(self, operator: str) -> list[Arg]:
        """Return the arguments of one call."""
        schema = self.random.choice(schemas(operator))
        bound: dict[str, Type] = {}
        arguments: list[Arg] = []
        named = False
        most = self.random.choice([99, 99, 99, self.random.randint(0, 6)])
        for formal in schema.arguments[:most]:
            if formal.default is not None and self.random.random() < 0.5:
                named = True
                continue
            type_ = self.changed(self.fitting(formal.type, bound))
            if formal.n and isinstance(type_, ListType) and self.random.random() < 0.3:
                type_ = type_.element
            named = named or formal.kwarg_only or self.random.random() < 0.06
            empty = isinstance(type_, ListType) and self.random.random() < 0.1
            name = "input" if formal.name == "self" and self.random.random() < 0.5 else formal.name
            arguments.append(Arg(ListType(TENSOR) if empty else type_, name if named else None, empty))
        if self.random.random() < 0.05 and not any(argument.name == "axis" for argument in arguments):
            arguments.append(Arg(self.any_type(), "axis"))
        if self.random.random() < 0.12:
            positional = [argument for argument in arguments if argument.name is None]
            extra = [Arg(positional[-1].type if positional else INT)] * self.random.randint(1, 2)
            arguments = [*positional, *extra, *(argument for argument in arguments if argument.name)]
        return arguments
