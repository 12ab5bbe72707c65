"""Events for syntax that the front end or the emitter rejects."""

from __future__ import annotations

import ast

from tslint.script.events.base import Event


class Named(Event):
    """An event whose only field is a name."""

    name: str


class Names(Event):
    """An event with several names, as they appear in compiled code."""

    bound: tuple[str, ...]


class NestedFunction(Named):
    """A function definition in compiled code."""


class NestedClass(Named):
    """A class definition in compiled code."""


class AsyncFunction(Named):
    """An ``async def`` that the compiler should compile."""


class NamedExpression(Named):
    """``name := …``."""


class ReservedName(Named):
    """A variable whose name begins with ``__jit``."""


class ImportStatement(Names):
    """An import in compiled code, with the names that it binds."""


class GlobalStatement(Names):
    """``global``."""


class NonlocalStatement(Names):
    """``nonlocal``."""


class KeywordOnlyDefault(Names):
    """Keyword-only parameters with defaults; the position is that of the first default."""


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
    """A lambda in compiled code, or where a function to compile is passed."""


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
    """``*args`` or ``**kwargs``; ``star`` is ``*`` or ``**``."""

    star: str


class AnnotationWithoutValue(Event):
    """``x: int`` without a value."""


class AttributeAnnotation(Event):
    """``self.x: int = …`` outside ``__init__``."""


class AugmentedAssignment(Event):
    """``@=`` or ``//=``; ``operator`` does not contain the ``=``."""

    operator: str


class LoopElse(Event):
    """``else`` of a ``for`` or a ``while``."""

    loop: str


class BareRaise(Event):
    """``raise`` without an exception."""


class UnaryPlus(Event):
    """``+x``."""


class WithTarget(Event):
    """``with … as target`` with a target that is not a variable."""

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
    """A field of an f-string, and the whole string."""

    string: ast.JoinedStr


class FStringConversion(FormattedValue):
    """``f"{x!r}"``."""


class FStringFormat(FormattedValue):
    """``f"{x:.2f}"``."""


class BytesLiteral(Event):
    """``b"…"``."""


class SurrogateString(Event):
    """A string that UTF-8 cannot encode."""


class EmittedSyntax(Event):
    """Syntax that the emitter rejects; it only counts in code that the emitter reaches."""


class EllipsisValue(EmittedSyntax):
    """``...`` as a value, or twice in one index."""


class IntegerOutOfRange(EmittedSyntax):
    """An integer of more than 64 bits."""


class DelSlice(EmittedSyntax):
    """``del xs[a:b]``."""


class DelTarget(EmittedSyntax):
    """``del`` of a target other than a variable or an item."""


class ListTarget(EmittedSyntax):
    """``[a, b] = …``."""


class StarredTarget(EmittedSyntax):
    """A starred target, as in ``*a, b = x``, that is not a variable, or that is the only target."""


class StarredIndex(EmittedSyntax):
    """``x[*indices]``."""


class PositionalOnlyParameter(EmittedSyntax):
    """A parameter before ``/``, which the compiler ignores; ``instance``: whether it is a method's only parameter."""

    name: str
    instance: bool = False
