"""What is wrong with modules: their attributes, their containers, and how they are made."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tslint.script.events.base import Event

if TYPE_CHECKING:
    from tslint.project.definitions import Class
    from tslint.script.types import Type
    from tslint.script.values import Value


class ReadMember(Event):
    """An attribute of a module that is read.

    Args:
        attribute: its name.
        owner: what has it, as it is written.
        class_name: of the owner.
        detail: what there is to say of its value.
        definition: the statement that sets it.
        class_: of the owner, where it is the project's.
        annotated: the class whose body annotations count for it.
        members: the names that instances have.
        in_others: whether constructions have it that were not built.
    """

    attribute: str
    owner: str
    class_name: str
    detail: str
    definition: ast.AST | None
    class_: Class | None
    annotated: Class | None
    members: tuple[str, ...]
    in_others: bool = False


class MissingAttribute(ReadMember):
    """An attribute that is not there."""


class AttributeInconvertible(ReadMember):
    """An attribute that holds a Python object, of the type ``detail``."""


class ClassVariable(ReadMember):
    """A variable of the class, whose value is ``detail``."""


class ModuleMethod(ReadMember):
    """A method of ``nn.Module``'s own."""


class AttributeRetyped(Event):
    """An attribute of a module, or of an object of a script class, that gets a value of another type.

    Args:
        attribute: its name.
        target: it.
        held: the type that it has.
        given: that of the value.
        annotated: the class whose body annotations count for it.
    """

    attribute: str
    target: ast.Attribute
    held: Type
    given: Type
    annotated: Class | None


class SetMissingAttribute(Event):
    """An attribute that is set, and is none that compiled code can set.

    Args:
        attribute: its name.
        owner: what has it, as it is written.
        why: ``absent``, ``constant``, or what keeps it from being one.
        detail: what there is to say of its value.
        given: the type of the value.
    """

    attribute: str
    owner: str
    why: str
    detail: str
    given: Type | None


class Declared(Event):
    """A declaration in a class that an instance does not satisfy.

    Args:
        attribute: that is declared.
        spelled: the annotation that the compiler cannot read, or the Python type of the value.
    """

    attribute: str
    spelled: str


class ClassAnnotation(Declared):
    """An annotation that the compiler cannot read.

    Args:
        why: ``text`` (it is a string at run time), ``module`` or ``type``.
    """

    why: str


class AttributeCast(Declared):
    """A value that its annotation does not allow; ``wanted`` is what it says."""

    wanted: Type


class InvalidConstant(Declared):
    """A constant of a type that no constant can have."""


class BreakInUnrolledLoop(Event):
    """``break`` or ``continue`` in a loop over modules."""

    word: str


class Container(Event):
    """A container of modules: its kind, and how the author reaches it."""

    container: str
    path: str


class ContainerCalled(Container):
    """A container, or a tuple, that is called."""


class ContainerIndex(Container):
    """``self.layers[i]``; ``containers``: every container of the instance, as it is written."""

    index: ast.expr
    containers: frozenset[str]


class ContainerKey(Container):
    """``self.layers[name]``."""

    index: ast.expr


class ContainerRange(Container):
    """An index that a container of that length does not have."""

    length: int


class ContainerMissingKey(Event):
    """A key that a container does not have."""

    path: str
    key: str
    keys: tuple[str, ...]


class ContainerSlice(Container):
    """``self.layers[a:b]`` with a bound that is not a constant."""

    bound: ast.expr
    subscript: ast.Subscript


class HookSignature(Event):
    """A hook whose signature the compiler does not take.

    Args:
        register: the method that registers it.
        hook: its name.
        wrong: ``lambda``, ``count``, ``input``, ``return``, or of the annotations ``tuple``, ``length``, ``inner`` or
            ``output``.
    """

    register: str
    hook: str
    wrong: str


class HookWithoutName(Event):
    """A hook that is an object of the class ``hook``, on the module in ``attribute``."""

    hook: str
    attribute: str


class WeightNorm(Event):
    """The hook of ``function``, ``weight_norm`` or ``spectral_norm``, on the module in ``attribute``."""

    function: str
    attribute: str


class Constructed(Event):
    """A class of ``torch.nn`` that is made in a constructor."""

    name: str


class UnscriptableModule(Constructed):
    """A module that never compiles."""


class UnscriptableParametrization(Constructed):
    """A parametrization whose code does not compile."""


class LazyModule(Constructed):
    """A lazy module."""


class ModuleArgument(Constructed):
    """An argument that a module takes and the compiler does not.

    Args:
        argument: its name.
        given: what it is.
        wanted: what it should be.
        call: that makes the module.
    """

    argument: str
    given: str
    wanted: str
    call: ast.Call


class ConstructorIndentation(Event):
    """A row of a constructor that begins left of its ``def``."""


class IgnoredVariadic(Event):
    """A call of an ignored function that takes ``*args``."""

    name: str


class ModuleValueCalled(Event):
    """A call of a value of a module's type."""


class NoForward(Event):
    """A call of a module that has no ``forward``."""

    class_name: str
    path: str


class NotACondition(Event):
    """A test of a value that is not a bool.

    Args:
        type: of the value.
        value: it.
        held: what the attribute may hold.
    """

    type: Type
    value: Value
    held: frozenset[str]


class ContainerUnpacked(Event):
    """Modules of a container that are unpacked into names.

    Args:
        container: its class's name.
        target: the names.
        length: how many modules there are, where that is known.
        items: whether it is the ``items()`` of a ModuleDict.
    """

    container: str
    target: ast.Tuple | ast.List
    length: int | None
    items: bool


class NotCallable(Event):
    """A call of what cannot be called; ``type`` is None where it has none."""

    type: Type | None
    callee: ast.expr


class NotIterable(Event):
    """A loop over what cannot be iterated: a value of a type, or a module; ``part`` of a ``zip`` or ``enumerate``."""

    type: Type | None = None
    module: str | None = None
    part: ast.expr | None = None


class StaticForward(Event):
    """A ``forward`` that is a static method."""

    function: ast.FunctionDef | ast.AsyncFunctionDef


class UnrolledWithUnknownLength(Event):
    """``zip`` or ``enumerate`` of modules with something of a length that is not known.

    Args:
        type: of that.
        unrolled: for each argument, whether it is modules or a tuple.
        alike: for each argument, whether it is, or may be, a tuple whose elements are of one type, as a list's are.
    """

    type: Type
    unrolled: tuple[bool, ...]
    alike: tuple[bool, ...]
