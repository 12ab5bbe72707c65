"""Parses a schema: what an operator or a compiled function accepts and returns, as the compiler prints it.

This is the counterpart of torch/csrc/jit/frontend/function_schema_parser.cpp. Alias annotations are dropped;
``SymInt``, ``ScalarType``, ``Layout`` and ``MemoryFormat`` are ``int`` and ``Scalar`` is ``number``, as the matcher
sees them.
"""

from __future__ import annotations

import re
from functools import cached_property

from tslint.script.types import (
    ANY,
    ANY_CLASS,
    ANY_ENUM,
    ANY_LIST,
    ANY_TUPLE,
    BOOL,
    CAPSULE,
    COMPLEX,
    DEVICE,
    FLOAT,
    GENERATOR,
    INT,
    NONE,
    NUMBER,
    PACKED_SEQUENCE,
    QUANTIZER,
    STORAGE,
    STREAM,
    STRING,
    TENSOR,
    ClassType,
    DictType,
    FutureType,
    ListType,
    Simple,
    TupleType,
    Type,
    TypeVariable,
    optional,
    union,
)
from tslint.util.record import record

_SIMPLE: dict[str, Type] = {
    "Tensor": TENSOR,
    "int": INT,
    "SymInt": INT,
    "ScalarType": INT,
    "Layout": INT,
    "MemoryFormat": INT,
    "float": FLOAT,
    "bool": BOOL,
    "SymBool": BOOL,
    "complex": COMPLEX,
    "Scalar": NUMBER,
    "number": NUMBER,
    "str": STRING,
    "Dimname": STRING,
    "NoneType": NONE,
    "None": NONE,
    "Any": ANY,
    "Device": DEVICE,
    "Generator": GENERATOR,
    "Stream": STREAM,
    "Storage": STORAGE,
    "Capsule": CAPSULE,
    "ConstQuantizerPtr": QUANTIZER,
    "Quantizer": QUANTIZER,
    "list": ANY_LIST,
    "tuple": ANY_TUPLE,
    "AnyListType": ANY_LIST,
    "AnyTupleType": ANY_TUPLE,
    "AnyEnumType": ANY_ENUM,
    "AnyClassType": ANY_CLASS,
}
_GENERIC = ("Dict", "Future", "Await", "RRef", "Union")
_TOKEN = re.compile(
    r"""\s*(?:(?P<string>"(?:[^"\\]|\\.)*")|(?P<number>-?(?:\d+\.?\d*(?:e[+-]?\d+)?j?|inf|nan)(?![\w.]))
    |(?P<enum>Enum<[^>]*>)|(?P<dots>\.\.\.)|(?P<arrow>->)|(?P<word>[A-Za-z_][\w.]*)|(?P<mark>\S))""",
    re.VERBOSE,
)


@record
class Argument:
    """One parameter of a schema.

    Args:
        name: the name that keyword arguments use.
        type: the type that the matcher sees.
        default: the text of the default; None if the argument is required.
        kwarg_only: whether it comes after the ``*``.
        n: the size of a list that a single number can fill (``int[2]``), otherwise None.
    """

    name: str
    type: Type
    default: str | None = None
    kwarg_only: bool = False
    n: int | None = None


@record(eq=False)
class Schema:
    """The signature of one overload; equal only to itself, so that it is a fast key of a dict.

    Args:
        name: the name with its namespace (``aten::add``); compiled functions have no namespace (``pad``).
        overload: ``Tensor`` in ``aten::add.Tensor``; often empty.
        arguments: the parameters, in order.
        returns: the types that it returns; the caller gets several as a tuple.
        return_names: as many as ``returns``, empty strings for those without a name.
        text: the schema as the compiler prints it.
        vararg: whether it accepts any number of further positional arguments (``...``).
        varret: whether the returned type depends on the call (``-> ...``).
        blocked: whether it is registered, but never matched (``aten::view.dtype``: the compiler has no dtypes).
    """

    name: str
    overload: str
    arguments: tuple[Argument, ...]
    returns: tuple[Type, ...]
    return_names: tuple[str, ...]
    text: str
    vararg: bool = False
    varret: bool = False
    blocked: bool = False

    @cached_property
    def result(self) -> Type | None:
        """Return the type of a call before type variables are bound; None for ``-> ...``.

        Several returns are a tuple, with named fields if each has a name (``torch.max(x, 0).values``).
        """
        if self.varret:
            return None
        if len(self.returns) == 1:
            return self.returns[0]
        fields = self.return_names if self.returns and all(self.return_names) else ()
        return TupleType(self.returns, None, fields)

    def argument(self, name: str) -> Argument | None:
        """Return the parameter of that name; None if there is none."""
        return next((argument for argument in self.arguments if argument.name == name), None)


class _Parser:
    """A cursor over the tokens of a schema after its name."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = [match for match in _TOKEN.finditer(text) if match.group().strip()]
        self.index = 0

    def peek(self) -> str:
        return self.tokens[self.index].group().strip() if self.index < len(self.tokens) else ""

    def take(self, expected: str | None = None) -> str:
        token = self.peek()
        if not token or (expected is not None and token != expected):
            raise ValueError(f"cannot read the schema {self.text!r}: expected {expected!r}, found {token!r}")
        self.index += 1
        return token

    def accept(self, token: str) -> bool:
        if self.peek() == token:
            self.index += 1
            return True
        return False

    def types(self) -> list[Type]:
        found: list[Type] = []
        while not self.accept(")"):
            found.append(self.type()[0])
            self.accept(",")
        return found

    def type(self) -> tuple[Type, int | None]:
        """Read a type, and the size of the outermost list if it has one."""
        type_, size = self.base(), None
        while True:
            if self.accept("["):
                size = None if self.peek() == "]" else int(self.take())
                self.take("]")
                type_ = ListType(type_)
            elif self.accept("?"):
                type_ = optional(type_)
            elif self.peek() == "(":
                self.skip_alias()
            else:
                return type_, size

    def base(self) -> Type:
        if self.accept("("):
            return TupleType(tuple(self.types()))
        word = self.take()
        if word in _GENERIC and self.accept("("):
            inside = self.types()
            if word == "Dict":
                return DictType(inside[0], inside[1])
            return union(inside) if word == "Union" else FutureType(word, inside[0])
        if word in _SIMPLE:
            return _SIMPLE[word]
        if word.startswith("Enum<"):
            return ClassType(word[5:-1], "enum")
        if word.startswith("__torch__"):
            return PACKED_SEQUENCE if word == PACKED_SEQUENCE.name else ClassType(word)
        # The only other lower-case words in a schema are type variables (t, t1, tVal); the rest are opaque types.
        return TypeVariable(word) if word[0].islower() else Simple(word)

    def skip_alias(self) -> None:
        self.take("(")
        while not self.accept(")"):
            self.take()

    def default(self) -> str:
        start = self.tokens[self.index].start()
        depth = 0
        while depth or self.peek() not in (",", ")"):
            token = self.take()
            depth += token in ("[", "(")
            depth -= token in ("]", ")")
        return self.text[start : self.tokens[self.index].start()].strip()


def parse(text: str) -> Schema:
    """Parse a schema as torch prints it.

    Args:
        text: ``aten::add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor``; a blocked schema has ``!``
            before it.

    Raises:
        ValueError: it is not a schema.
    """
    blocked, text = text.startswith("!"), text.removeprefix("!")
    full, parenthesis, rest = text.partition("(")
    namespace, _, base = full.rpartition("::")
    base, _, overload = base.partition(".") if namespace else (base, "", "")
    parser = _Parser(parenthesis + rest)
    parser.take("(")
    arguments: list[Argument] = []
    kwarg_only = vararg = varret = False
    while not parser.accept(")"):
        if parser.accept("*"):
            kwarg_only = True
        elif parser.accept("..."):
            vararg = True
        else:
            type_, size = parser.type()
            name = parser.take()
            default = parser.default() if parser.accept("=") else None
            arguments.append(Argument(name, type_, default, kwarg_only, size))
        parser.accept(",")
    parser.take("->")
    returns: list[tuple[Type, str]] = []
    if parser.accept("..."):
        varret = True
    elif parser.accept("("):
        while not parser.accept(")"):
            returns.append((parser.type()[0], "" if parser.peek() in (",", ")") else parser.take()))
            parser.accept(",")
    else:
        returns.append((parser.type()[0], parser.take() if parser.peek() else ""))
    name = f"{namespace}::{base}" if namespace else full
    types, names = tuple(type_ for type_, _ in returns), tuple(name for _, name in returns)
    return Schema(name, overload, tuple(arguments), types, names, text, vararg, varret, blocked)


def parse_type(text: str) -> Type:
    """Parse a type as schemas spell it (``int[]``, ``Dict(str, Tensor)``, ``Tensor?``).

    Raises:
        ValueError: it is not a type.
    """
    return _Parser(text).type()[0]
