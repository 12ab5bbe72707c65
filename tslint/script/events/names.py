"""Events for names and callables that compiled code does not have."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tslint.script.events.base import Event

if TYPE_CHECKING:
    from tslint.project.definitions import Class, External
    from tslint.script.scope import Unit
    from tslint.script.types import Type


class Named(Event):
    """An event whose only field is a name."""

    name: str


class UndefinedName(Named):
    """A variable that does not exist, or does not exist any more.

    Args:
        stored: a place where the function assigns it.
        type: its type at the end of the loop or branch that binds it; None if there is no such type.
    """

    stored: ast.AST | None = None
    type: Type | None = None


class DeletedInBlock(Named):
    """A ``del`` of a variable that is only bound inside a branch or loop: the compiler looks for it outside of all
    blocks.
    """


class ClosedOverGlobal(Named):
    """A Python value from outside the function."""

    type_name: str


class HiddenGlobal(Named):
    """A global of the author's file that compiled code does not see, because a decorator of torch wraps the function.

    Args:
        decorator: the decorator of the function.
        effect: torch's name for its effect.
    """

    decorator: ast.expr
    effect: str


class NotAValue(Named):
    """A function, class or module that is used as a first-class value; ``what`` is the compiler's word for it."""

    what: str


class BaseMethodCall(Event):
    """``Base.method(self)``."""


class Recursion(Named):
    """A function that calls itself."""


class ModuleConstruction(Named):
    """A module that compiled code creates, by the full name of its class; or, if ``excluded``, an object of a class
    that is never compiled.
    """

    excluded: bool = False


class SuperCall(Event):
    """``super().method()``.

    Args:
        method: the name of the method; None if ``super()`` is used without a method.
        following: the classes after the method's own in the resolution order.
    """

    method: str | None
    following: tuple[Class | External, ...]


class MissingModuleAttribute(Event):
    """``module.attribute``, which the Python module does not have."""

    module: str
    attribute: str


class UnsupportedExternalAttribute(Named):
    """An attribute of a Python object; ``name`` is the object as it is written."""

    type_name: str
    attribute: str


class OutsideCall(Named):
    """A call that only Python can run.

    Args:
        name: the full name of the callee.
        types: the types of the arguments; if only Tensors are allowed, the type of the one that is not a Tensor.
    """

    types: tuple[Type, ...] = ()

    @property
    def short(self) -> str:
        """Return the last part of the name."""
        return self.name.rpartition(".")[2].rpartition("::")[2]

    @property
    def package(self) -> str:
        """Return the first part of the name."""
        return self.name.partition(".")[0]


class UnsupportedExternalCall(OutsideCall):
    """A function of a package that the compiler does not know."""


class PackageCall(OutsideCall):
    """A function of an installed package whose source the compiler rejects.

    Args:
        refused: the error; None if the source was not read.
        through: the functions of packages on the way from the called one to the one with the error.
    """

    refused: Event | None = None
    through: tuple[Unit, ...] = ()


class NumpyCall(OutsideCall):
    """A function of numpy."""


class VariableCall(OutsideCall):
    """``torch.autograd.Variable(x)``."""


class UnsupportedBuiltin(OutsideCall):
    """A builtin of Python's."""


class UnsupportedTorchCall(OutsideCall):
    """A call of a torch function that has no operator in TorchScript.

    Args:
        since: the first torch version that has the operator, if the configured ``target-torch`` is older.
        target: the configured ``target-torch``.
    """

    since: str | None = None
    target: str | None = None


class ContainerReversed(Event):
    """``reversed(self.layers)``; ``path`` is the container."""

    path: str


class NoTensorMember(Event):
    """A method or attribute of Tensors that TorchScript does not have.

    Args:
        attribute: the name of the attribute.
        owner: the tensor, as it is written.
        inferred: whether it is a Tensor only because it has no annotation.
    """

    attribute: str
    owner: str
    inferred: bool


class ReassignedNonValue(Named):
    """A variable that holds a function or module and is assigned another kind of value, or the reverse.

    Args:
        what: its new value.
        before: its earlier value.
    """

    what: str
    before: str


class GetattrName(Event):
    """``getattr(x, name)`` or ``hasattr(x, name)`` with a name that is not a literal."""

    call: ast.Call
    function: str


class HasattrOfValue(Event):
    """``hasattr(x, "name")`` of a value of a type without attributes."""

    type: Type


class PrintKeyword(Event):
    """``print(x, sep="")``."""

    keyword: str | None
    call: ast.Call
