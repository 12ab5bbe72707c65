"""Defines the values of names during compilation: the counterpart of SugaredValue (sugared_value.h).

The result of an operation on ``Unknown`` is Unknown again, without an event.
"""

from __future__ import annotations

import ast
from dataclasses import field
from typing import TYPE_CHECKING, Any

from tslint.project.definitions import Class, Function
from tslint.script.types import Type
from tslint.util.record import record

if TYPE_CHECKING:
    from tslint.script.assumptions import Assumption
    from tslint.script.attributes import Instance


class _NoConstant:
    """Marks a value whose constant the compiler does not know."""

    def __repr__(self) -> str:
        return "NO_CONSTANT"


NO_CONSTANT = _NoConstant()


@record(eq=False)
class Value:
    """The value of a name. If two values are equal, one can replace the other in all later code."""


@record
class Unknown(Value):
    """A value that the static model does not know; it suppresses events."""


UNKNOWN = Unknown()


@record
class Typed(Value):
    """A first-class value (SimpleValue).

    Args:
        type: its TorchScript type.
        constant: its value, if the compiler has it as a graph constant (``prim::Constant``).
        empty: whether it is ``[]`` or ``{}``, not yet bound to a name: then it matches any list or dict.
    """

    type: Type
    constant: Any = NO_CONSTANT
    empty: bool = False

    @property
    def is_constant(self) -> bool:
        """Return whether the compiler could read the value as a constant (toIValue)."""
        return self.constant is not NO_CONSTANT


@record
class TupleValue(Value):
    """A tuple whose elements are known one by one; it is first-class if all of them are."""

    elements: tuple[Value, ...]


@record(eq=False)
class ModuleValue(Value):
    """A submodule or ``self`` (ModuleValue of python_sugared_value.h).

    Args:
        instance: what is known about the module.
        path: the author's expression for it, ``self.conv``.
    """

    instance: Instance
    path: str = "self"

    def _class(self) -> tuple[object, str, tuple[str, ...]]:
        return (self.instance.definition, self.instance.external, tuple(self.instance.hooks))

    def __eq__(self, other: object) -> bool:
        """Compare by class: two modules of one class compile in the same way, as far as the static model knows."""
        return isinstance(other, ModuleValue) and self._class() == other._class()

    def __hash__(self) -> int:
        return hash(self._class())


@record
class ContainerValue(Value):
    """A ModuleList, Sequential, ModuleDict or ParameterList.

    Args:
        kind: the name of its class.
        items: its modules if all are known; None if their number is not known.
        keys: the keys of a ModuleDict, if they are known.
        added: keys that it has only under tests of the constructor.
        element: the value of each of its modules; UNKNOWN if they differ.
        path: the author's expression for it.
        view: ``items``, ``keys`` or ``values`` if this is the result of such a method; otherwise empty.
        nones: the positions of None, which the compiler leaves out, each with its conditions.
        may_be_empty: whether it is empty if the constructor gets only its default arguments.
        either: the possible values of a module in it, if the modules differ and their number is not known.
    """

    kind: str
    items: tuple[Value, ...] | None
    keys: tuple[str, ...] | None = None
    element: Value = UNKNOWN
    path: str = "self"
    view: str = ""
    nones: tuple[tuple[int, frozenset[Assumption]], ...] = ()
    may_be_empty: bool = False
    either: tuple[Value, ...] = ()
    added: tuple[tuple[str, frozenset[Assumption]], ...] = ()


@record
class FunctionValue(Value):
    """A Python function that is compiled when it is called, with the object to which it is bound."""

    function: Function
    receiver: Value | None = None


@record
class OperatorValue(Value):
    """A builtin operator (BuiltinFunction): ``aten::relu``, with the value before the dot for methods."""

    name: str
    receiver: Value | None = None
    spelled: str = ""


@record
class Schemas(Value):
    """A compiled method of a ``torch.nn`` class: its overloads, and the type of its ``self``."""

    schemas: tuple[Any, ...]
    receiver: Type | None = None


@record
class ExternalValue(Value):
    """An external module, function or class by its full name, of torch, numpy …"""

    name: str


@record
class ModuleReference(Value):
    """A Python module of the project."""

    module: Any


@record
class ClassValue(Value):
    """A class of the project that is used as a value: script class, NamedTuple, enum or ``nn.Module`` subclass."""

    definition: Class


@record
class PythonValue(Value):
    """Python data that the compiler cannot use as a value (PythonValue): a global, a class attribute.

    Args:
        type_name: the name of its type, as the compiler prints it; empty if it is not known.
        spelled: the author's expression.
        in_python: whether a call of it is left to Python, with tensors as arguments.
    """

    type_name: str
    spelled: str
    in_python: bool = False


@record
class SpecialForm(Value):
    """A name that the emitter itself handles: ``print``, ``len``, ``range``, ``isinstance`` …"""

    name: str


@record
class SliceValue(Value):
    """``slice(…)``, an index."""


@record
class IterableValue(Value):
    """The result of ``range``, ``enumerate`` or ``zip`` (IterableTree, RangeValue).

    Args:
        kind: ``range``, ``enumerate`` or ``zip``.
        children: the iterables; the bounds of a range.
    """

    kind: str
    children: tuple[Value, ...]

    @property
    def compiled(self) -> str:
        """Return the name that the compiler prints for it."""
        return "range" if self.kind == "range" else "iterabletree"


@record
class SuperValue(Value):
    """``super()``, which TorchScript does not support."""


@record
class ExceptionMessage(Value):
    """An exception object: it can only be raised (ExceptionMessageValue)."""


@record
class Alternatives(Value):
    """A value that depends on how the module was constructed.

    Args:
        cases: the possible values, each with its conditions, which must all be true.
    """

    cases: tuple[tuple[frozenset[Assumption], Value], ...]


CONTAINING = " whose items contain modules"
EMPTY = "empty "
OVERLOADED = "overloaded function"


@record
class Missing(Value):
    """An attribute that the module does not have.

    Args:
        why: the reason in one word, such as ``absent``, ``class-variable`` or ``inconvertible``.
        detail: the reason as text; for inconvertible ones, the Python type, with ``EMPTY`` before an empty container.
        node: where ``__init__`` or the class body sets it, if it does.
    """

    why: str = "absent"
    detail: str = ""
    node: ast.AST | None = field(default=None)
