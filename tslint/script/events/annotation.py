"""Wrong or missing annotations."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tslint.script.events.base import Event

if TYPE_CHECKING:
    from tslint.script.types import DictType, ListType, Type


class TypeComment(Event):
    """A type comment that is not a signature, or does not fit it.

    Args:
        comment: its text.
        type: what stands after the prefix.
        statement: that it ends.
        form: ``stray`` (no signature), ``prefix`` (misspelt) or ``arity`` (another number of parameters).
    """

    comment: str
    type: str
    statement: ast.stmt | None
    form: str


class UnannotatedReturn(Event):
    """A function, named as the compiler does, that does not say what it returns."""

    name: str


class UnreadableAnnotation(Event):
    """An annotation that the compiler cannot read."""


class AnnotatedTwice(Event):
    """A variable that has been annotated before."""

    name: str


class MutableDefault(Event):
    """A list, dict or set as the default of a parameter."""

    name: str


class Default(Event):
    """A default that the parameter's type does not take.

    Args:
        name, argument: of the parameter.
        default: its default.
        actual: its type.
        expected: the parameter's.
        suggestion: an annotation that fits the default.
    """

    name: str
    argument: ast.arg
    default: ast.expr
    actual: Type
    expected: Type
    suggestion: str


class DefaultOfWrongType(Default):
    """The parameter is annotated."""


class DefaultWithoutAnnotation(Default):
    """The parameter is not, and so it is a Tensor."""


class ListElement(Event):
    """``xs.append(1)`` where ``xs`` is a list of something else.

    Args:
        method: that adds the element.
        held: the type of the list.
        element: that of the argument.
        owner: the list.
    """

    method: str
    held: ListType
    element: Type
    owner: ast.expr | None


class ItemType(Event):
    """``xs[i] = value`` where ``xs`` holds something else.

    Args:
        container: its type.
        actual: that of the value, or of the key.
        target: the item.
        key: the type of the key, where the key is of the wrong type.
        key_known: whether the type of the key is known, where it is the value that is wrong.
    """

    container: ListType | DictType
    actual: Type
    target: ast.Subscript
    key: Type | None = None
    key_known: bool = True
