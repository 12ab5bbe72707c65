"""What a name can stand for while a function is compiled: the counterpart of SugaredValue (sugared_value.h).

``Unknown`` absorbs: whatever is done with it is Unknown again and never an event.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tslint.project.definitions import Class, Function
from tslint.script.types import Type

if TYPE_CHECKING:
    from tslint.script.attributes import Assumption, Instance


class _NoConstant:
    """Marks a value whose constant is not known to the compiler."""

    def __repr__(self) -> str:
        return "NO_CONSTANT"


NO_CONSTANT = _NoConstant()


@dataclass(frozen=True, eq=False)
class Value:
    """Anything a name can stand for. Equal values are interchangeable to whatever follows."""


@dataclass(frozen=True)
class Unknown(Value):
    """Not known to the model; silences."""


UNKNOWN = Unknown()


@dataclass(frozen=True)
class Typed(Value):
    """A first-class value (SimpleValue).

    Args:
        type: its TorchScript type.
        constant: its value where the compiler has it as a graph constant (``prim::Constant``).
        empty: ``[]`` before it is bound: matches any list.
    """

    type: Type
    constant: Any = NO_CONSTANT
    empty: bool = False

    @property
    def is_constant(self) -> bool:
        """Whether the compiler could read it as a constant (toIValue)."""
        return self.constant is not NO_CONSTANT


@dataclass(frozen=True)
class TupleValue(Value):
    """A tuple whose elements are known one by one; first-class where all of them are."""

    elements: tuple[Value, ...]


@dataclass(frozen=True, eq=False)
class ModuleValue(Value):
    """A submodule or ``self`` (ModuleValue of python_sugared_value.h).

    Args:
        instance: what is known of it.
        path: how the author reached it, ``self.conv``.
    """

    instance: Instance
    path: str = "self"

    def _class(self) -> tuple[object, str, tuple[str, ...]]:
        return (self.instance.definition, self.instance.external, tuple(self.instance.hooks))

    def __eq__(self, other: object) -> bool:
        """Two modules of one class compile alike, as far as the model sees."""
        return isinstance(other, ModuleValue) and self._class() == other._class()

    def __hash__(self) -> int:
        return hash(self._class())


@dataclass(frozen=True)
class ContainerValue(Value):
    """A ModuleList, Sequential, ModuleDict or ParameterList.

    Args:
        kind: its class's name.
        items: its modules where all are known; None where the length is not.
        keys: of a ModuleDict, where known.
        element: what any of its modules is; UNKNOWN where they differ.
        path: how the author reached it.
        view: ``items``, ``keys`` or ``values`` of a ModuleDict; ``named_children`` …
        nones: where the constructor puts None, which is no item to the compiler, and the conditions.
    """

    kind: str
    items: tuple[Value, ...] | None
    keys: tuple[str, ...] | None = None
    element: Value = UNKNOWN
    path: str = "self"
    view: str = ""
    nones: tuple[tuple[int, frozenset[Assumption]], ...] = ()


@dataclass(frozen=True)
class FunctionValue(Value):
    """A Python function that is compiled when called, with the object that it is bound to."""

    function: Function
    receiver: Value | None = None


@dataclass(frozen=True)
class OperatorValue(Value):
    """A builtin operator (BuiltinFunction): ``aten::relu``, with the value before the dot for methods."""

    name: str
    receiver: Value | None = None
    spelled: str = ""


@dataclass(frozen=True)
class Schemas(Value):
    """A compiled method of a class of ``torch.nn``: its overloads, and the type of its ``self``."""

    schemas: tuple[Any, ...]
    receiver: Type | None = None


@dataclass(frozen=True)
class ExternalValue(Value):
    """Something outside the indexed source by its full name: a module, function or class of torch, numpy …"""

    name: str


@dataclass(frozen=True)
class ModuleReference(Value):
    """A Python module of the project."""

    module: Any


@dataclass(frozen=True)
class ClassValue(Value):
    """A class of the project used as a value: script class, NamedTuple, enum or ``nn.Module`` subclass."""

    definition: Class


@dataclass(frozen=True)
class PythonValue(Value):
    """Data of Python that the compiler cannot use as a value (PythonValue): a closed-over global, a class attribute.

    Args:
        type_name: as the compiler prints it; empty where not known.
        spelled: the author's expression.
    """

    type_name: str
    spelled: str


@dataclass(frozen=True)
class SpecialForm(Value):
    """A name that the emitter itself handles: ``print``, ``len``, ``range``, ``isinstance`` …"""

    name: str


@dataclass(frozen=True)
class SliceValue(Value):
    """``slice(…)``, an index."""


@dataclass(frozen=True)
class IterableValue(Value):
    """``range``, ``enumerate``, ``zip`` or a view of them (IterableTree, RangeValue).

    Args:
        kind: ``range``, ``enumerate`` or ``zip``.
        children: what is iterated; the bounds of a range.
    """

    kind: str
    children: tuple[Value, ...]


@dataclass(frozen=True)
class SuperValue(Value):
    """``super()``: TorchScript has no such thing."""


@dataclass(frozen=True)
class Alternatives(Value):
    """One of several values, each under a construction of the module.

    Args:
        cases: the conditions that a case holds under (all of them), and its value.
    """

    cases: tuple[tuple[frozenset[Assumption], Value], ...]


@dataclass(frozen=True)
class Missing(Value):
    """An attribute that the module does not have.

    Args:
        why: ``absent``, ``class-variable``, ``inconvertible``.
        detail: the reason in words, for inconvertible ones the Python type.
        node: where ``__init__`` or the class body sets it, if it does.
    """

    why: str = "absent"
    detail: str = ""
    node: ast.AST | None = field(default=None)
