"""Events for wrong or missing annotations."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tslint.script.events.base import Event

if TYPE_CHECKING:
    from tslint.script.types import DictType, ListType, Type


class TypeComment(Event):
    """A type comment that is not a signature, or does not match the function.

    Args:
        comment: its text.
        type: the text after the prefix.
        statement: the statement on its line.
        form: ``stray`` (no signature), ``prefix`` (misspelt) or ``arity`` (another number of parameters).
    """

    comment: str
    type: str
    statement: ast.stmt | None
    form: str


class UnannotatedReturn(Event):
    """A function without a return annotation, named as the compiler does."""

    name: str


class StateWithoutType(Event):
    """The parameter of a ``__setstate__`` without annotations, and there is no ``__getstate__`` that gives its type."""


class UnreadableAnnotation(Event):
    """An annotation that the compiler cannot read."""


class AnnotatedTwice(Event):
    """A second annotation of the same variable."""

    name: str


class MutableDefault(Event):
    """A list, dict or set as the default of a parameter."""

    name: str


class Default(Event):
    """A default that does not match the parameter's type.

    Args:
        name, argument: of the parameter.
        default: its default.
        actual: its type.
        expected: the parameter's type.
        suggestion: an annotation that matches the default.
    """

    name: str
    argument: ast.arg
    default: ast.expr
    actual: Type
    expected: Type
    suggestion: str


class DefaultOfWrongType(Default):
    """A default of the wrong type for an annotated parameter."""


class DefaultWithoutAnnotation(Default):
    """A default of the wrong type for a parameter without annotation, which is therefore a Tensor."""


class ListElement(Event):
    """``xs.append(1)`` for a list of another type.

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
    """``xs[i] = value`` for a container of another type.

    Args:
        container: its type.
        actual: that of the value, or of the key.
        target: the item.
        key: the type of the key, if the key has the wrong type.
        key_known: whether the type of the key is known, if the value is wrong.
    """

    container: ListType | DictType
    actual: Type
    target: ast.Subscript
    key: Type | None = None
    key_known: bool = True
