"""Types that do not fit: joins, returns, unpacking, items, members."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tslint.script.events.base import Event

if TYPE_CHECKING:
    from tslint.project.definitions import Function
    from tslint.script.attributes import Assumptions
    from tslint.script.types import Type


class AnnotationMismatch(Event):
    """A value that its annotation, or a test of its type, does not allow."""

    name: str
    declared: Type
    actual: Type


class BranchTypeMismatch(Event):
    """A variable that the two branches of an ``if`` give different types.

    Args:
        name: the variable.
        true, false: its type in each branch.
        statement: the ``if``.
    """

    name: str
    true: Type
    false: Type
    statement: ast.If


class BranchUndefined(Event):
    """A variable that one branch of an ``if`` leaves without a value.

    Args:
        name: the variable.
        branch: the one that does not set it, ``true`` or ``false``.
        statement: the ``if``.
        use: where the variable is read afterwards.
        type: that it has from the other branch.
    """

    name: str
    branch: str
    statement: ast.If
    type: Type | None
    use: ast.AST | None = None


class ClassWithoutInit(Event):
    """A script class that is made, and has no ``__init__`` of its own; ``inherited``: but of a base class."""

    name: str
    inherited: bool


class Dataclass(Event):
    """A dataclass that ``torch.jit.script`` has not seen."""

    name: str


class DictKeyType(Event):
    """A dict with keys of a type that no dict can have."""

    type: Type


class DictKeys(Event):
    """A key of a dict that is of another type than those before it."""

    expected: Type
    found: Type


class EnumerateArgument(Event):
    """``enumerate`` with a keyword, or with another number of arguments than it takes."""

    keyword: str | None
    count: int


class SliceOrRangeArguments(Event):
    """``slice`` or ``range`` with a keyword, or with another number of arguments than it takes."""

    function: str
    keyword: str | None
    count: int


class FirstAssignmentInControlFlow(Event):
    """An attribute of a script class whose first value is given inside an ``if`` or a loop."""

    attribute: str


class IfExpressionTypes(Event):
    """``a if test else b`` of two types."""

    true: Type
    false: Type


class OfType(Event):
    """Something that a value of this type cannot do."""

    type: Type


class ItemAssignment(OfType):
    """``x[i] = value``; ``many``: with several indices."""

    many: bool = False


class NotSubscriptable(OfType):
    """``x[i]``; ``many``: with several indices."""

    many: bool = False


class TensorIndex(OfType):
    """An index of a tensor, of a type that no index can have."""


class TensorAfterEllipsis(OfType):
    """A tensor or list among the indices of a tensor that follow ``...``."""

    index: ast.expr


class RangeBound(OfType):
    """A bound of ``range`` that is not an int."""

    argument: ast.expr


class NotATuple(OfType):
    """A value whose length the compiler does not know, where a tuple is needed, of ``needed`` elements."""

    needed: int | None


class StarredUnknownLength(OfType):
    """``*value`` of unknown length.

    Args:
        what: where it stands: what it is given to, ``unpack`` or ``tuple()``.
        value: it.
    """

    what: str
    value: ast.expr | None = None


class WithItem(OfType):
    """``with x`` where it is not a context manager; ``missing``: the methods that its class lacks."""

    missing: str


class NoSuchMember(OfType):
    """``x.attribute`` where the type has none."""

    attribute: str


class ScriptClassMember(OfType):
    """``owner.attribute`` where the owner is an object of a script class, or such a class.

    Args:
        attribute: its name.
        owner: as it is written.
        class_variable: whether the class has a variable of that name.
        class_method: whether it is the class that is asked.
    """

    attribute: str
    owner: str
    class_variable: bool
    class_method: bool


class TupleIndex(Event):
    """An index of a tuple that is not a constant, or no int, but of a type."""

    type: Type | None = None


class TupleIndexRange(Event):
    """An index that a tuple of that length does not have."""

    length: int
    position: int


class LiteralElements(Event):
    """A list or dict whose elements are of another type, or of several, than it has to have.

    Args:
        wanted: the type that it has to have.
        found: that of the elements; None for several.
        what: the elements, in words.
    """

    wanted: Type
    found: Type | None
    what: str


class MissingReturn(Event):
    """A function that declares a result, and may end without one."""

    declared: Type


class RaisedValue(OfType):
    """``raise`` of what is not an exception."""


class ReturnType(Event):
    """A result of another type than the declared one."""

    declared: Type
    actual: Type


class ReturnMismatch(Event):
    """A result of another type than those before it.

    Args:
        previous: the type of those.
        actual: of this one.
        first: the first ``return``.
        returns: every one until here, with its type.
    """

    previous: Type
    actual: Type
    first: ast.AST
    returns: list[tuple[Assumptions, Type | None, ast.AST]]


class SetFunctionAttribute(Event):
    """``owner.attribute = …`` where the owner is a function or such: ``what``."""

    attribute: str
    owner: str
    what: str


class SetTensorAttribute(Event):
    """``x.attribute = …`` where ``x`` is a tensor."""

    attribute: str
    owner: str


class TolistWithoutAnnotation(Event):
    """``x.tolist()`` whose result has no annotation."""


class UnpackCount(Event):
    """``a, b = value`` where the value has another number of elements."""

    needed: int
    found: int


class VariableRetyped(Event):
    """A variable that gets a value of another type."""

    name: str
    previous: Type
    actual: Type


class NoneDefaultOmitted(Event):
    """A call that leaves out an argument whose parameter is a Tensor with the default None.

    Args:
        name: of the parameter.
        function: that is called.
        inferred: whether it is a Tensor only because nothing is annotated.
    """

    name: str
    function: Function
    inferred: bool
