"""Events for modules: their attributes, their containers, and how they are created."""

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
        attribute: the name of the attribute.
        owner: the object, as it is written.
        class_name: the class of the owner.
        detail: a description of the attribute's value.
        definition: the statement that sets the attribute.
        class_: the class of the owner, if it is in the project.
        annotated: the class whose body annotations apply to the attribute.
        members: the names of the instances' attributes.
        in_others: whether the attribute exists in constructions other than the built ones.
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
    """An attribute that does not exist."""


class AttributeInconvertible(ReadMember):
    """An attribute that stores an object of the Python type ``detail``, or an ``empty list`` or ``empty dict``."""


class ClassVariable(ReadMember):
    """A class variable with the value ``detail``."""


class MemberClass(ReadMember):
    """A class variable that contains a class; ``detail`` is the name of that class."""


class ModuleMethod(ReadMember):
    """A method of ``nn.Module``, or of another class of torch, that the compiler cannot compile."""


class AttributeRetyped(Event):
    """A new value of another type for an attribute of a module or of an object of a script class.

    Args:
        attribute: the name of the attribute.
        target: the node of the attribute.
        held: the type of the attribute.
        given: the type of the value.
        annotated: the class whose body annotations apply to the attribute.
    """

    attribute: str
    target: ast.Attribute
    held: Type
    given: Type
    annotated: Class | None


class SetMissingAttribute(Event):
    """An assignment to an attribute that compiled code cannot set.

    Args:
        attribute: the name of the attribute.
        owner: the object, as it is written.
        why: ``absent``, ``constant``, or another reason.
        detail: a description of the attribute's value.
        given: the type of the value.
    """

    attribute: str
    owner: str
    why: str
    detail: str
    given: Type | None


class Declared(Event):
    """A declaration in a class that does not match an instance.

    Args:
        attribute: the declared attribute.
        spelled: the annotation that the compiler cannot read, or the Python type of the value.
    """

    attribute: str
    spelled: str


class ClassAnnotation(Declared):
    """An annotation that the compiler cannot read.

    Args:
        why: ``text`` (the annotation is a string at run time), ``module`` or ``type``.
    """

    why: str


class AttributeCast(Declared):
    """A value that its annotation does not allow; ``wanted`` is the annotated type."""

    wanted: Type


class InvalidConstant(Declared):
    """A constant with a type that constants cannot have."""


class BreakInUnrolledLoop(Event):
    """``break`` or ``continue`` in a loop over modules or a tuple, which the compiler unrolls."""

    word: str


class Container(Event):
    """An event about a container of modules: its kind, and the author's expression for the container."""

    container: str
    path: str


class ContainerCalled(Container):
    """A call of a container or of a tuple."""


class ContainerIndex(Container):
    """``self.layers[i]``; ``containers``: every container of the instance, as it is written."""

    index: ast.expr
    containers: frozenset[str]


class ContainerKey(Container):
    """``self.layers[name]``."""

    index: ast.expr


class ContainerRange(Container):
    """An index that is out of range for a container."""

    length: int


class ContainerMissingKey(Event):
    """A key that a container does not have; ``keys`` is None if its other keys are not known."""

    path: str
    key: str
    keys: tuple[str, ...] | None


class ContainerSlice(Container):
    """``self.layers[a:b]`` of a container that has no slices, or with a bound that is not a constant."""

    subscript: ast.Subscript
    bound: ast.expr | None = None


class HookSignature(Event):
    """A hook whose signature the compiler does not accept.

    Args:
        register: the method that registers it.
        hook: the name of the hook.
        wrong: what is wrong: ``lambda``, ``count``, ``input``, ``return``, ``name`` (another hook has it), ``method``
            (a method has its name), or in the annotations ``tuple``, ``length``, ``inner``, ``output`` or ``result``.
    """

    register: str
    hook: str
    wrong: str


class RaisingProperty(Event):
    """A property ``name`` that raises in instances of the class ``owner``.

    Args:
        base: the class of ``torch.distributions`` that has the property, or empty.
    """

    name: str
    owner: str
    base: str = ""


class HookWithoutName(Event):
    """A hook that is an object of the class ``hook`` and not a function, on the module in ``attribute``."""

    hook: str
    attribute: str


class WeightNorm(Event):
    """The hook of ``weight_norm`` or ``spectral_norm`` (in ``function``), on the module in ``attribute``."""

    function: str
    attribute: str


class Constructed(Event):
    """An event about a class of ``torch.nn`` that a constructor instantiates."""

    name: str


class UnscriptableModule(Constructed):
    """A module that never compiles."""


class UnscriptableParametrization(Constructed):
    """A parametrization whose code does not compile."""


class InheritedOverloads(Constructed):
    """A class that inherits an overloaded ``forward``, without its overloads, from a class ``base`` of ``torch.nn``.

    Args:
        base: the class of ``torch.nn``.
        argument: the parameter that a call omits; empty if the class does not compile at all.
    """

    base: str
    argument: str = ""


class LazyModule(Constructed):
    """A lazy module: one of torch.nn, or one of the project with an uninitialized parameter ``attribute``."""

    attribute: str = ""


class ModuleArgument(Constructed):
    """An argument that a module accepts and the compiler does not.

    Args:
        argument: the name of the argument.
        given: its value or type.
        wanted: the value or type that it should have.
        call: the call that has the argument: it creates the module, or one that passes the argument on.
        within: the class that passes it on, or empty.
    """

    argument: str
    given: str
    wanted: str
    call: ast.Call
    within: str = ""


class UninitializedModule(Constructed):
    """A module class whose constructor does not call that of ``nn.Module``."""


class ConstructorIndentation(Event):
    """A row of a constructor that does not begin with the indentation of its ``def``."""


class IgnoredVariadic(Event):
    """A call of an ignored function with annotations and ``*args``, ``**kwargs`` or keyword-only parameters."""

    name: str


class ModuleValueCalled(Event):
    """A call of a first-class value of a module's type."""


class NoForward(Event):
    """A call of a module without ``forward``."""

    class_name: str
    path: str


class NotACondition(Event):
    """A condition that TorchScript cannot convert to a bool.

    Args:
        type: the type of the value.
        value: the value.
        held: if it is an attribute, the kinds of values that the attribute may contain.
    """

    type: Type
    value: Value
    held: frozenset[str]


class ContainerUnpacked(Event):
    """Modules of a container that are unpacked into names.

    Args:
        container: the name of the container's class.
        target: the names.
        length: how many modules there are, if that is known.
        items: whether the value is the ``items()`` of a ModuleDict.
    """

    container: str
    target: ast.Tuple | ast.List
    length: int | None
    items: bool


class NotCallable(Event):
    """A call of a value that cannot be called; ``type`` is None if it has no type."""

    type: Type | None
    callee: ast.expr


class NotIterable(Event):
    """A loop over a value or module that cannot be iterated; ``part`` is the argument of a ``zip`` or ``enumerate``."""

    type: Type | None = None
    module: str | None = None
    part: ast.expr | None = None


class StaticForward(Event):
    """A ``forward`` that is a static method."""

    function: ast.FunctionDef | ast.AsyncFunctionDef


class UnrolledWithUnknownLength(Event):
    """``zip`` or ``enumerate`` of modules with a value of unknown length.

    Args:
        type: the type of that value.
        unrolled: for each argument, whether it consists of modules or is a tuple.
        of_modules: whether one of the arguments consists of modules.
        alike: for each argument, whether it is, or may be, a tuple whose elements have one type, as in a list.
    """

    type: Type
    unrolled: tuple[bool, ...]
    of_modules: bool
    alike: tuple[bool, ...]
