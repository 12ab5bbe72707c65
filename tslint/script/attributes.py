"""Represents the contents of a module instance, read from ``__init__`` along the MRO (the counterpart of
``infer_concrete_type_builder`` of torch/jit/_recursive.py).

``__init__`` is interpreted with Python values, not with TorchScript values: a parameter stands for any argument, both
branches of an unknown test are taken, and each attribute value records the tests (:class:`Assumption`) that lead to it.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tslint.project.definitions import Class, Function
from tslint.script.assumptions import NO_ASSUMPTIONS, Assumptions
from tslint.util.record import record

if TYPE_CHECKING:
    from tslint.project.classes import Hierarchy


class PyValue:
    """A Python value in ``__init__``."""


@record
class PyUnknown(PyValue):
    """An unknown value."""


PY_UNKNOWN = PyUnknown()
MOST_ITEMS = 1000  # of a list


@record
class PyConst(PyValue):
    """A bool, int, float, complex, str, bytes, None or Ellipsis."""

    value: Any

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PyConst):
            return False
        return (type(self.value), repr(self.value)) == (type(other.value), repr(other.value))

    def __hash__(self) -> int:
        return hash((type(self.value), repr(self.value)))


@record
class PyKind(PyValue):
    """A value of which only the type is known, such as ``int``, ``str``, ``Tensor``, ``Parameter`` or ``dtype``."""

    kind: str


@record
class PySeen(PyValue):
    """A value in an attribute of a module that ``tslint verify`` has built.

    Args:
        type: the compiler's type for the value, as an annotation; empty if the compiler cannot convert the value.
        failed: in that case, the value's Python type.
    """

    type: str
    failed: str = ""


@record(eq=False)
class PyParameter(PyValue):
    """A parameter of the constructor, whose argument is not known.

    Args:
        name: the name of the parameter.
        default: its value if the caller passes no argument.
        annotation, class_: the author's annotation, and the class of the project that it names.
        passed: the arguments that calls in the file pass for it, if their kind is not that of the default.
    """

    name: str
    default: PyValue | None = None
    annotation: ast.expr | None = None
    class_: Class | None = None
    passed: tuple[PyValue, ...] = ()


@record(eq=False)
class PySequence(PyValue):
    """A list, tuple or set.

    Args:
        kind: ``list``, ``tuple`` or ``set``.
        items: the items; None if their number is not known.
        element: in that case, the value of each item.
        may_be_empty: whether it is empty if the constructor gets only its default arguments.
        some: if the number of items is not known, those that it certainly has.
    """

    kind: str
    items: tuple[PyValue, ...] | None
    element: PyValue = PY_UNKNOWN
    may_be_empty: bool = False
    some: tuple[PyValue, ...] = ()

    def __post_init__(self) -> None:
        if len(self.known()) > MOST_ITEMS:  # a list that doubles in a loop would fill the memory
            object.__setattr__(self, "some", self.known()[:MOST_ITEMS])
            object.__setattr__(self, "items", None)

    def known(self) -> tuple[PyValue, ...]:
        """Return the items that it certainly has."""
        return self.some if self.items is None else self.items


@record(eq=False)
class PyDict(PyValue):
    """A dict.

    Args:
        items: the keys with their values; None if the keys are not known.
        kind, element: its type; and the value of each key, if the keys are not known.
        may_be_empty: whether it is empty if the constructor gets only its default arguments.
    """

    items: tuple[tuple[PyValue, PyValue], ...] | None
    kind: str = "dict"
    element: PyValue = PY_UNKNOWN
    may_be_empty: bool = False


@record(eq=False)
class PyFunction(PyValue):
    """A function of the project, a lambda (``function`` is None) or a bound method."""

    function: Function | None
    bound: bool = False
    node: ast.Lambda | None = None


@record(eq=False)
class PyClass(PyValue):
    """A class of the project."""

    definition: Class


@record
class PyExternal(PyValue):
    """An external object, by its name: ``torch.relu``, ``nn.ReLU`` (the class itself)."""

    name: str


@record(eq=False)
class PyChoice(PyValue):
    """One of several values, each under tests of the constructor."""

    cases: tuple[tuple[Assumptions, PyValue], ...]


@record(eq=False)
class Norm:
    """A call of ``torch.nn.utils.weight_norm`` or ``spectral_norm``, which adds a hook to its module.

    Args:
        hook: the hook's class, ``WeightNorm`` or ``SpectralNorm``.
        node, function: the call, and the function that contains it.
    """

    hook: str
    node: ast.Call
    function: Function | None


@record(eq=False)
class HookCall:
    """A call of ``register_forward_hook`` or ``register_forward_pre_hook``.

    Args:
        register: the name of the called method.
        node, value: the call, and the hook.
        function: the function that contains the call; None for a module's top level.
        assumptions: the tests under which the call runs.
    """

    register: str
    node: ast.Call
    value: PyValue
    function: Function | None
    assumptions: Assumptions


@record(eq=False)
class PyEither(PyValue):
    """An item of a container of unknown length: one of the ``options`` or, with ``others``, possibly another value."""

    options: tuple[Instance, ...]
    others: bool = False


@dataclass(eq=False)
class Instance(PyValue):
    """An object that a constructor created.

    Args:
        definition, external: its class, if the project defines it; otherwise the class's full name.
        arguments, keywords: the arguments of the constructor; ``known`` is False if ``*args`` hides arguments.
        items: the modules in a container, None if their number is not known.
        keys: the keys of a ModuleDict, or the names in a Sequential that is built from an OrderedDict.
        added: keys that are stored one by one, each with the tests under which it is stored; None if there may be more.
        element, some: the value of each item of a container of unknown length, and modules that are certainly in it.
        node: the call that creates it.
        hooks: the names of the hooks that change the result of a call.
        norm: the old ``weight_norm`` or ``spectral_norm`` that was applied to it.
        hook_calls: the calls that register its other hooks.
        function, under: the function that contains the call (None for a module's top level), and the tests there.
        may_be_empty: whether this container stays empty with the default arguments of the constructor that fills it.
    """

    definition: Class | None = None
    external: str = ""
    arguments: tuple[PyValue, ...] = ()
    keywords: tuple[tuple[str, PyValue], ...] = ()
    known: bool = True
    items: tuple[PyValue, ...] | None = None
    keys: tuple[str, ...] | None = None
    added: dict[str, Assumptions] | None = None
    element: PyValue = PY_UNKNOWN
    node: ast.AST | None = None
    hooks: list[str] = field(default_factory=list)
    norm: Norm | None = None
    hook_calls: list[HookCall] = field(default_factory=list)
    function: Function | None = None
    may_be_empty: bool = False
    some: tuple[PyValue, ...] = ()
    under: Assumptions = NO_ASSUMPTIONS


@dataclass
class Attribute:
    """One possible value of an attribute.

    Args:
        assumptions, value: tests of the constructor, and the value under them; None if the attribute is not set then.
        node: the statement that sets it.
        kind: ``buffer``, ``parameter``, or empty.
    """

    assumptions: Assumptions
    value: PyValue | None
    node: ast.AST | None = None
    kind: str = ""


@dataclass
class ClassFacts:
    """What ``__init__`` and the class bodies show about every instance of a class.

    Args:
        hierarchy: the class and its bases.
        attributes: by name, the possible values.
        open: whether there may be attributes that the source does not show.
        prefixes: the constant beginnings of computed attribute names: ``setattr(self, f"layer{i}", …)``.
        methods: the methods that the constructor calls.
        annotations, annotation_owner: the annotations of the nearest class body that has any; and that class.
        constants: the names in ``__constants__``, and those in ``annotations`` that are ``Final``.
        ignored, unused_properties: the names in ``__jit_ignored_attributes__`` and ``__jit_unused_properties__``.
        elsewhere: attributes that methods other than ``__init__`` set, with the names of the methods.
        base: instances of the class of torch.nn whose ``forward`` and attributes this class inherits.
        hooked: by method that registers hooks, its last call.
        hook_calls: all calls that pass such a method a hook by position.
    """

    hierarchy: Hierarchy
    attributes: dict[str, list[Attribute]] = field(default_factory=dict)
    open: bool = False
    prefixes: frozenset[str] = frozenset()
    methods: frozenset[str] = frozenset()
    annotations: dict[str, ast.expr] = field(default_factory=dict)
    annotation_owner: Class | None = None
    constants: frozenset[str] = frozenset()
    ignored: frozenset[str] = frozenset()
    unused_properties: frozenset[str] = frozenset()
    elsewhere: dict[str, set[str]] = field(default_factory=dict)
    base: list[Attribute] = field(default_factory=list)
    hooked: dict[str, ast.AST] = field(default_factory=dict)
    hook_calls: list[HookCall] = field(default_factory=list)

    def may_have(self, name: str) -> bool:
        """Return whether an attribute with this name may be set in a way that the static model does not see."""
        return self.open or name.startswith(tuple(self.prefixes))
