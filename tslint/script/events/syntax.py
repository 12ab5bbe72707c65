"""What the front end refuses, and what the emitter refuses for its syntax alone."""

from __future__ import annotations

import ast

from tslint.script.events.base import Event


class Named(Event):
    """Something that its name is enough for."""

    name: str


class Names(Event):
    """Several names, as the code that is compiled knows them."""

    bound: tuple[str, ...]


class NestedFunction(Named):
    """A function that is defined in compiled code."""


class NestedClass(Named):
    """A class that is defined in compiled code."""


class AsyncFunction(Named):
    """An ``async def`` that is to be compiled."""


class NamedExpression(Named):
    """``name := …``."""


class ReservedName(Named):
    """A variable whose name begins with ``__jit``."""


class ImportStatement(Names):
    """An import in compiled code, with what it binds."""


class GlobalStatement(Names):
    """``global``."""


class NonlocalStatement(Names):
    """``nonlocal``."""


class KeywordOnlyDefault(Names):
    """Keyword-only parameters that have defaults, on the first of the defaults."""


class TryBlock(Event):
    """``try``."""


class ExceptStar(Event):
    """``try`` with ``except*``."""


class MatchStatement(Event):
    """``match``."""


class TypeAlias(Event):
    """``type X = …``."""


class AsyncConstruct(Event):
    """``async for``, ``async with`` or ``await``."""


class Lambda(Event):
    """A lambda in compiled code, or in place of a function."""


class SetLiteral(Event):
    """``{1, 2}``."""


class SetComprehension(Event):
    """``{x for x in xs}``."""


class Yield(Event):
    """``yield`` or ``yield from``."""


class TemplateString(Event):
    """``t"…"``."""


class UnsupportedNode(Event):
    """Syntax that is newer than the front end."""


class VariadicParameter(Named):
    """``*args`` or ``**kwargs``; ``star`` is what stands before the name."""

    star: str


class AnnotationWithoutValue(Event):
    """``x: int`` without a value."""


class AttributeAnnotation(Event):
    """``self.x: int = …`` outside of ``__init__``."""


class AugmentedAssignment(Event):
    """``@=`` or ``//=``; ``operator`` has no ``=``."""

    operator: str


class LoopElse(Event):
    """``else`` of a loop, which is a ``for`` or a ``while``."""

    loop: str


class BareRaise(Event):
    """``raise`` alone."""


class UnaryPlus(Event):
    """``+x``."""


class WithTarget(Event):
    """``with … as target``, where the target is no variable."""

    target: ast.expr


class KeywordExpansion(Event):
    """``f(**kwargs)``."""

    call: ast.Call


class DictExpansion(Event):
    """``{**other}``."""


class ComprehensionGenerators(Event):
    """A comprehension with several ``for``."""

    count: int


class ComprehensionCondition(Event):
    """A comprehension with an ``if``."""


class FormattedValue(Event):
    """A field of an f-string, and that string."""

    string: ast.JoinedStr


class FStringConversion(FormattedValue):
    """``f"{x!r}"``."""


class FStringFormat(FormattedValue):
    """``f"{x:.2f}"``."""


class BytesLiteral(Event):
    """``b"…"``."""


class SurrogateString(Event):
    """A text that UTF-8 cannot hold."""


class EmittedSyntax(Event):
    """What the emitter refuses for its syntax alone: it counts only where the emitter gets to."""


class EllipsisValue(EmittedSyntax):
    """``...`` where it is a value, or twice in one index."""


class IntegerOutOfRange(EmittedSyntax):
    """An integer of more than 64 bits."""


class DelSlice(EmittedSyntax):
    """``del xs[a:b]``."""


class DelTarget(EmittedSyntax):
    """``del`` of what is not a variable and no item."""


class ListTarget(EmittedSyntax):
    """``[a, b] = …``."""


class StarredTarget(EmittedSyntax):
    """``*a, = …`` alone, or with a target that is not a variable."""


class StarredIndex(EmittedSyntax):
    """``x[*indices]``."""


class PositionalOnlyParameter(EmittedSyntax):
    """A parameter before ``/``, which the compiler does not see; ``instance``: it is the only one, of a method."""

    name: str
    instance: bool = False
