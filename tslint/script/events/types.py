"""Events for wrong types: joins, returns, unpacking, items, members."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tslint.script.events.base import Event

if TYPE_CHECKING:
    from tslint.project.definitions import Function
    from tslint.script.assumptions import Assumptions
    from tslint.script.types import Type


class AnnotationMismatch(Event):
    """A value that its annotation, or a test of its type, does not allow."""

    name: str
    declared: Type
    actual: Type


class BranchTypeMismatch(Event):
    """A variable with different types in the two branches of an ``if``.

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
    """A variable that only one branch of an ``if`` assigns.

    Args:
        name: the variable.
        statement: the ``if``.
        use: where the variable is read afterwards.
        type: its type in the branch that assigns it.
    """

    name: str
    statement: ast.If
    type: Type | None
    use: ast.AST | None = None


class ClassWithoutInit(Event):
    """A call of a script class whose body has no ``__init__``.

    Args:
        name: the name of the class.
        inherited: whether a base class has an ``__init__``, which the compiler ignores.
        of_package: whether the class belongs to an installed package, and not to the author.
    """

    name: str
    inherited: bool
    of_package: bool


class ScriptedClass(Event):
    """A class that ``torch.jit.script`` or ``torch.jit.interface`` rejects.

    Args:
        name: the name of the class.
        what: ``class`` or ``interface`` (it inherits), or ``module`` (it is an ``nn.Module``).
    """

    name: str
    what: str


class InterfaceMethod(Event):
    """A method of an interface that has a ``body``, or that has no ``return`` type."""

    name: str
    what: str


class EnumValue(Event):
    """An Enum in compiled code with a value that the compiler rejects; ``mixed``: because an earlier value has another
    type.
    """

    name: str
    value: str
    mixed: bool


class Dataclass(Event):
    """A dataclass that is not compiled with ``torch.jit.script``."""

    name: str


def unscripted(name: str, node: ast.AST) -> Dataclass:
    """Return the event for a use of a dataclass, whose methods have no source."""
    return Dataclass(node, f"Failed to get source for <function {name}.__init__> using inspect.getsource", name=name)


class BackwardMethod(Event):
    """A use of a ``torch.autograd.Function`` whose ``backward`` is not static."""

    name: str


class DictKeyType(Event):
    """A dict with keys of an unsupported type."""

    type: Type


class DictKeys(Event):
    """A dict with keys of several types."""

    expected: Type
    found: Type


class EnumerateArgument(Event):
    """``enumerate`` with a keyword, or with a wrong number of arguments."""

    keyword: str | None
    count: int


class SliceOrRangeArguments(Event):
    """``slice`` or ``range`` with a keyword, or with a wrong number of arguments."""

    function: str
    keyword: str | None
    count: int


class FirstAssignmentInControlFlow(Event):
    """An attribute of a script class that is first assigned inside an ``if`` or a loop."""

    attribute: str


class IfExpressionTypes(Event):
    """``a if test else b`` with two types."""

    true: Type
    false: Type


class OfType(Event):
    """An event about a value whose type does not support an operation."""

    type: Type


class ItemAssignment(OfType):
    """``x[i] = value``; ``many``: whether there are several indices."""

    many: bool = False


class NotSubscriptable(OfType):
    """``x[i]``; ``many``: whether there are several indices."""

    many: bool = False


class TensorIndex(OfType):
    """An index of a tensor with an unsupported type."""


class TensorAfterEllipsis(OfType):
    """A tensor or list after ``...`` among the indices of a tensor."""

    index: ast.expr


class RangeBound(OfType):
    """A bound of ``range`` that is not an int."""

    argument: ast.expr


class NotATuple(OfType):
    """A value of unknown length that is unpacked into ``needed`` elements."""

    needed: int | None


class StarredUnknownLength(OfType):
    """``*value`` of unknown length.

    Args:
        what: where the value is used: ``call``, ``list``, ``tuple``, ``unpack``, ``tuple()`` or ``iterable``.
        value: the node of the value.
        form: for ``iterable``, the function, such as ``zip``: it accepts no starred argument, whatever its type is.
        operator: for ``call``, the function of torch that is called, ``torch.zeros``, or the method of a tensor,
            ``aten::view``; empty for other functions.
    """

    what: str
    value: ast.expr | None = None
    form: str = ""
    operator: str = ""


class WithItem(OfType):
    """``with x`` for a value that is not a context manager; ``missing``: the methods that its class does not have."""

    missing: str


class NoSuchMember(OfType):
    """``x.attribute`` that the type does not have."""

    attribute: str


class ScriptClassMember(OfType):
    """``owner.attribute`` for an object of a script class, or for such a class; a class method of a module class.

    Args:
        attribute: the name of the attribute.
        owner: the owner, as it is written.
        class_variable: whether the class has a variable of that name.
        class_method: whether the owner is the class.
        static_method: whether the class has a static method of that name.
        autograd: whether the owner is an object of a ``torch.autograd.Function``.
    """

    attribute: str
    owner: str
    class_variable: bool
    class_method: bool
    static_method: bool = False
    autograd: bool = False


class TupleIndex(Event):
    """An index of a tuple that is not a constant, or has another type than int."""

    type: Type | None = None


class TupleIndexRange(Event):
    """An index that is out of range for a tuple."""

    length: int
    position: int


class LiteralElements(Event):
    """A list or dict with elements of the wrong type, or of several types.

    Args:
        wanted: the required type.
        found: the type of the elements; None if they have several types.
        what: ``elements``, ``keys`` or ``values``.
    """

    wanted: Type
    found: Type | None
    what: str


class MissingReturn(Event):
    """A function with a declared result that may end without ``return``."""

    declared: Type


class RaisedValue(OfType):
    """``raise`` of a value that is not an exception."""


class ReturnType(Event):
    """A result of another type than the declared one."""

    declared: Type
    actual: Type


class WithAfterExit(Event):
    """A ``with`` after an ``if`` with a branch that leaves the function or the loop. A value from the ``with`` is used
    after the ``with``.

    Args:
        name: a variable that contains such a value; empty if the value is returned.
        left, exit: the ``if``, and how that branch leaves: ``return``, ``break`` or ``continue``.
    """

    name: str
    left: ast.If
    exit: str


class ReturnMismatch(Event):
    """A result of another type than an earlier one.

    Args:
        previous: the type of earlier results.
        actual: the type of this result.
        first: the first ``return``.
        returns: every ``return`` up to here, with its type.
    """

    previous: Type
    actual: Type
    first: ast.AST
    returns: list[tuple[Assumptions, Type | None, ast.AST]]


class SetFunctionAttribute(Event):
    """``owner.attribute = …`` for an owner that is a function or similar, described by ``what``."""

    attribute: str
    owner: str
    what: str


class SetTensorAttribute(Event):
    """``x.attribute = …`` where ``x`` is a tensor."""

    attribute: str
    owner: str


class TolistWithoutAnnotation(Event):
    """``x.tolist()`` without an annotation of the result."""


class UnpackCount(Event):
    """``a, b = value`` with another number of elements."""

    needed: int
    found: int


class VariableRetyped(Event):
    """A variable that gets a value of another type."""

    name: str
    previous: Type
    actual: Type


class NoneDefaultOmitted(Event):
    """A call that omits an argument whose parameter is a Tensor with the default None.

    Args:
        name: the name of the parameter.
        function: the called function.
        inferred: whether it is a Tensor only because it has no annotation.
    """

    name: str
    function: Function
    inferred: bool
