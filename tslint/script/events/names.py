"""Names and callables that compiled code does not have."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tslint.script.events.base import Event

if TYPE_CHECKING:
    from tslint.project.definitions import Class, External
    from tslint.script.scope import Unit
    from tslint.script.types import Type


class Named(Event):
    """Something that its name is enough for."""

    name: str


class UndefinedName(Named):
    """A variable that is not there, or not any more.

    Args:
        stored: a place where the function gives it a value.
        type: what it was where a loop ended.
    """

    stored: ast.AST | None = None
    type: Type | None = None


class ClosedOverGlobal(Named):
    """A Python value from outside of the function."""

    type_name: str


class HiddenGlobal(Named):
    """A global of the author's file that compiled code does not see, as a decorator of torch wraps the function.

    Args:
        decorator: as the function has it.
        effect: what torch calls it.
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
    """A module, by its full name, that compiled code makes."""


class SuperCall(Event):
    """``super().method()``.

    Args:
        method: its name; None for ``super()`` by itself.
        following: the classes that follow the method's own in the resolution order.
    """

    method: str | None
    following: tuple[Class | External, ...]


class MissingModuleAttribute(Event):
    """``module.attribute`` where the module has none."""

    module: str
    attribute: str


class UnsupportedExternalAttribute(Named):
    """An attribute of a Python object: ``name`` is the object as it is written."""

    type_name: str
    attribute: str


class OutsideCall(Named):
    """A call of what only Python can run.

    Args:
        name: in full.
        types: of the arguments; where no argument but a Tensor can be passed, of the one that is in the way.
    """

    types: tuple[Type, ...] = ()

    @property
    def short(self) -> str:
        """The last part of the name."""
        return self.name.rpartition(".")[2].rpartition("::")[2]

    @property
    def package(self) -> str:
        """The first part of the name."""
        return self.name.partition(".")[0]


class UnsupportedExternalCall(OutsideCall):
    """A function of a package that the compiler knows nothing of."""


class PackageCall(OutsideCall):
    """A function of an installed package whose source the compiler refuses.

    Args:
        refused: what it stops at; None where the source was not read.
        through: the functions of packages from the called one to the one that is refused.
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
    """A function of torch that has no operator; ``since``: only where ``target-torch`` is older than the function."""

    since: str | None = None
    target: str | None = None


class ContainerReversed(Event):
    """``reversed(self.layers)``; ``path`` is the container."""

    path: str


class NoTensorMember(Event):
    """A method or attribute of Tensors that the compiler does not have.

    Args:
        attribute: its name.
        owner: the tensor, as it is written.
        inferred: whether it is a Tensor only because nothing is annotated.
    """

    attribute: str
    owner: str
    inferred: bool


class ReassignedNonValue(Named):
    """A variable that stands for a function or module, and gets another value, or the other way round.

    Args:
        what: what it gets.
        before: what it was.
    """

    what: str
    before: str


class GetattrName(Event):
    """``getattr(x, name)`` or ``hasattr(x, name)`` with a name that is not written out."""

    call: ast.Call
    function: str


class HasattrOfValue(Event):
    """``hasattr(x, "name")`` of a value of a type without attributes."""

    type: Type


class PrintKeyword(Event):
    """``print(x, sep="")``."""

    keyword: str | None
    call: ast.Call
