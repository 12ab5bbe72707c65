"""What is wrong with modules: their attributes, their containers, and how they are made."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tslint.script.events.base import Event

if TYPE_CHECKING:
    from tslint.project.definitions import Class, Function
    from tslint.script.types import Type
    from tslint.script.values import Value


class Member(Event):
    """An attribute of a module, or of an object of a script class.

    Args:
        attribute: its name.
        class_: of the module, where it is the project's.
        annotated: the class whose body annotations count for it.
        members: the names that instances have.
    """

    attribute: str
    class_: Class | None
    annotated: Class | None
    members: tuple[str, ...]


class ReadMember(Member):
    """An attribute that is read.

    Args:
        owner: what has it, as it is written.
        class_name: of the owner.
        detail: what there is to say of its value.
        definition: the statement that sets it.
    """

    owner: str
    class_name: str
    detail: str
    definition: ast.AST | None


class MissingAttribute(ReadMember):
    """An attribute that is not there."""


class AttributeInconvertible(ReadMember):
    """An attribute that holds a Python object, of the type ``detail``."""


class ClassVariable(ReadMember):
    """A variable of the class, whose value is ``detail``."""


class ModuleMethod(ReadMember):
    """A method of ``nn.Module``'s own."""


class AttributeRetyped(Member):
    """An attribute that gets a value of another type: it holds ``held``, and is given ``given``."""

    target: ast.Attribute
    held: Type
    given: Type


class SetMissingAttribute(Member):
    """An attribute that is set, and is none that compiled code can set.

    Args:
        owner: what has it, as it is written.
        why: ``absent``, ``constant``, or what keeps it from being one.
        detail: what there is to say of its value.
        target: it.
        given: the type of the value.
    """

    owner: str
    why: str
    detail: str
    target: ast.Attribute
    given: Type | None


class Declared(Event):
    """A declaration in a class that an instance does not satisfy.

    Args:
        attribute: that is declared.
        why: ``text`` (the annotation is a string at run time), ``module``, ``type``, or the annotated type.
        spelled: the annotation, or the type of the value.
        owner: the class whose annotations count.
    """

    attribute: str
    why: str
    spelled: str
    owner: Class


class ClassAnnotation(Declared):
    """An annotation that the compiler cannot read."""


class AttributeCast(Declared):
    """A value that its annotation does not allow."""


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

    position: int
    length: int


class ContainerMissingKey(Event):
    """A key that a container does not have."""

    path: str
    key: str
    keys: tuple[str, ...]


class ContainerSlice(Container):
    """``self.layers[a:b]`` with a bound that is no constant."""

    bound: ast.expr
    subscript: ast.Subscript


class HookSignature(Event):
    """A hook whose signature the compiler does not take.

    Args:
        register: the method that registers it.
        hook: its name.
        wrong: ``lambda``, ``count``, ``input`` or ``return``.
        argument: that has no annotation, where that is it.
    """

    register: str
    hook: str
    wrong: str
    argument: ast.arg | None = None


class HookObject(Event):
    """A hook that is an object of the class ``hook``, on the module in ``attribute``."""

    hook: str
    attribute: str


class HookWithoutName(HookObject):
    """A hook that can only be left out."""


class WeightNorm(HookObject):
    """The hook of ``function``: ``weight_norm`` or ``spectral_norm``."""

    function: str


class Constructed(Event):
    """A class of ``torch.nn`` that is made in a constructor."""

    name: str


class UnscriptableModule(Constructed):
    """A module that never compiles."""


class UnscriptableParametrization(Constructed):
    """A parametrization whose code does not compile, of the module in ``attribute``."""

    attribute: str


class LazyModule(Constructed):
    """A lazy module; ``scripted``: it goes to ``torch.jit.script`` as it is."""

    scripted: bool


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

    row: int


class IgnoredVariadic(Event):
    """A call of an ignored function that takes ``*args``."""

    name: str
    function: Function


class ModuleValueCalled(Event):
    """A call of a value of a module's type."""

    call: ast.Call


class NoForward(Event):
    """A call of a module that has no ``forward``."""

    class_name: str
    path: str
    class_: Class


class NotACondition(Event):
    """A test of a value that is no bool.

    Args:
        type: of the value.
        value: it.
        held: what the attribute may hold.
    """

    type: Type
    value: Value
    held: frozenset[str]


class NotCallable(Event):
    """A call of what cannot be called; ``type`` is None where it has none."""

    type: Type | None
    callee: ast.expr


class NotIterable(Event):
    """A loop over what cannot be iterated: a value of a type, or a module."""

    type: Type | None = None
    module: str | None = None


class StaticForward(Event):
    """A ``forward`` that is a static method."""

    function: ast.FunctionDef | ast.AsyncFunctionDef


class UnrolledWithUnknownLength(Event):
    """``zip`` or ``enumerate`` of modules with something of a length that is not known.

    Args:
        type: of that.
        unrolled: for each argument, whether it is modules.
    """

    type: Type
    unrolled: tuple[bool, ...]
