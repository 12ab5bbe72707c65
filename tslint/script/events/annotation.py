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
        comment: the text of the comment.
        type: the text after the prefix.
        statement: the statement on the comment's line.
        form: ``stray`` (it is not a signature), ``prefix`` (misspelt) or ``arity`` (wrong number of parameters).
    """

    comment: str
    type: str
    statement: ast.stmt | None
    form: str


class UnannotatedReturn(Event):
    """A function without a return annotation; its name is the one that the compiler prints."""

    name: str


class StateWithoutType(Event):
    """A parameter of ``__setstate__`` without annotation, in a class without a ``__getstate__`` that determines its
    type.
    """


class UnreadableAnnotation(Event):
    """An annotation that the compiler cannot read.

    Args:
        tested: whether it is a type that ``isinstance`` tests for.
        undefined: the name in it that is not defined at run time; empty if there is none.
    """

    tested: bool = False
    undefined: str = ""


class AnnotatedTwice(Event):
    """A second annotation of the same variable."""

    name: str


class BrokenOverload(Event):
    """A declaration marked ``_overload`` that has no implementation, or does not fit it.

    Args:
        name: the function.
        parameter: the parameter that is wrong; empty if there is no implementation.
        problem: ``alone`` (no implementation), ``default`` (another default than the implementation), ``name`` (a
            parameter that the implementation has not at that position), ``required`` or ``untyped`` (a parameter of the
            implementation that the declaration leaves out, and that has no default or no type).
    """

    name: str
    parameter: str
    problem: str


class MutableDefault(Event):
    """A list, dict or set as the default of a parameter, or a Tensor as the default of a NamedTuple's field.

    Args:
        name: the parameter or field.
        owner: the NamedTuple, or empty.
    """

    name: str
    owner: str = ""


class Default(Event):
    """A default that does not match the parameter's type.

    Args:
        name, argument: the name and the node of the parameter.
        default: the node of its default.
        actual: the type of the default.
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
    """A default of the wrong type, for a parameter with an annotation."""


class DefaultWithoutAnnotation(Default):
    """A default of the wrong type, for a parameter without annotation, which is therefore a Tensor."""


class ListElement(Event):
    """``xs.append(1)`` for a list of another type.

    Args:
        method: the method that adds the element.
        held: the type of the list.
        element: the type of the argument.
        owner: the list.
    """

    method: str
    held: ListType
    element: Type
    owner: ast.expr | None


class ItemType(Event):
    """``xs[i] = value`` for a container of another type.

    Args:
        container: the type of the container.
        actual: the type of the value, or of the key.
        target: the node of the item.
        key: the type of the key, if the key has the wrong type.
        key_known: whether the type of the key is known, if the value is wrong.
    """

    container: ListType | DictType
    actual: Type
    target: ast.Subscript
    key: Type | None = None
    key_known: bool = True
