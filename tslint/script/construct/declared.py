"""Finds class annotations and constants that an instance does not satisfy.

The compiler reads them before any method, even if the attribute is never used (``infer_concrete_type_builder`` of
torch/jit/_recursive.py).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from types import NoneType

from tslint.project.definitions import Class, Definition, External
from tslint.script.annotations import AnnotationReader, Unreadable
from tslint.script.assumptions import NO_ASSUMPTIONS, Assumptions
from tslint.script.attributes import (
    Attribute,
    ClassFacts,
    Instance,
    PyClass,
    PyConst,
    PyDict,
    PyExternal,
    PyFunction,
    PyKind,
    PyParameter,
    PySequence,
    PyValue,
)
from tslint.script.construct.expressions import is_torch_module
from tslint.script.construct.pyvalues import kind_of
from tslint.script.events.modules import AttributeCast, ClassAnnotation, Declared, InvalidConstant
from tslint.script.events.types import Dataclass, unscripted
from tslint.script.types import (
    ANY,
    ANY_LIST,
    ANY_TUPLE,
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    STRING,
    ClassType,
    DictType,
    ListType,
    OptionalType,
    TensorType,
    TupleType,
    Type,
    UnionType,
)
from tslint.util import astwalk
from tslint.util.record import record


@record
class Broken:
    """A declaration that contradicts the value that some constructions store, so that these constructions do not
    compile.

    Args:
        event: the error.
        assumptions: the tests of the constructor under which the attribute has the wrong value.
    """

    event: Declared | Dataclass
    assumptions: Assumptions


# Values for which the compiler does not read the annotation.
_NOT_READ = (PyFunction, PyExternal, PyClass)


def invalid_constant(what: str, facts: ClassFacts, name: str) -> str:
    """Return the compiler's message for a constant of a type that constants cannot have."""
    return f"'{what}' object in attribute '{facts.hierarchy.definition.name}.{name}' is not a valid constant."


class Declarations:
    """The declarations of a class about its instances' attributes.

    Args:
        facts: the facts of the class.
        resolve: resolves a name in the module of the class with the annotations.
        class_type: returns the type that a project's class is in an annotation.
        is_module: returns whether a class is an ``nn.Module``.
        satisfies: returns whether a class has the methods of an interface.
        kind_of_object: returns the kind of a class whose instances are plain objects; empty for other classes.
    """

    def __init__(
        self,
        facts: ClassFacts,
        resolve: Callable[[ast.expr], Definition],
        class_type: Callable[[Class], Type | None | bool],
        is_module: Callable[[Class], bool],
        satisfies: Callable[[Class, Class], bool],
        kind_of_object: Callable[[Class], str],
    ) -> None:
        self.facts = facts
        self.resolve = resolve
        self.reader = AnnotationReader(resolve, class_type)
        self.is_module = is_module
        self.satisfies = satisfies
        self.kind_of_object = kind_of_object

    def broken(self) -> Iterator[Broken]:
        """Yield the declarations that fail, without duplicates."""
        for name, annotation in self.facts.annotations.items():
            options = self.facts.attributes.get(name, ())
            read = [stored for stored in options if not isinstance(stored.value, (*_NOT_READ, NoneType))]
            for stored in read:
                found = self._annotated(name, annotation, stored)
                if found is not None:
                    certain = len(read) == len(options) and not isinstance(found, AttributeCast)
                    yield Broken(found, NO_ASSUMPTIONS if certain else stored.assumptions)
                    break
        for name in sorted(self.facts.constants):
            for stored in self.facts.attributes.get(name, ()):
                what = no_constant(stored.value) or self._object(stored.value) if not stored.kind else ""
                if what and stored.node is not None:
                    message = invalid_constant(what, self.facts, name)
                    event = InvalidConstant(stored.node, message, attribute=name, spelled=what)
                    yield Broken(event, stored.assumptions)
                    break

    def _object(self, value: PyValue | None) -> str:
        """Return the name of a value's class if the value is certainly a plain object; empty for other values."""
        if isinstance(value, Instance) and value.definition is not None and self.kind_of_object(value.definition):
            return value.definition.name
        # The argument may be an object of a subclass, and a subclass may be a module, unless the class is a dataclass.
        if isinstance(value, PyParameter) and value.class_ is not None and value.default != PyConst(None):
            return value.class_.name if "dataclass" in self.kind_of_object(value.class_) else ""
        return ""

    def _annotated(self, name: str, annotation: ast.expr, stored: Attribute) -> Declared | Dataclass | None:
        spelled = ast.unparse(annotation)
        text = self._is_text(annotation)
        if text:
            written = str(annotation.value) if isinstance(annotation, ast.Constant) else spelled
            message = f"Unknown type annotation: '{written}'"
            return ClassAnnotation(annotation, message, attribute=name, spelled=written, why="text")
        if name in self.facts.constants or self._is_final(annotation):
            return None
        module = self._is_module_value(stored.value)
        for part in astwalk.walk(annotation):
            named = self.resolve(part) if isinstance(part, (ast.Name, ast.Attribute)) else None
            if isinstance(named, Class) and self.kind_of_object(named) == "dataclass":
                return unscripted(named.qualname, part)
        found = self.reader.read(annotation)
        if isinstance(found, Unreadable):
            why = "module" if module or self._names_module(found.node) else "type"
            return ClassAnnotation(annotation, found.compiler, attribute=name, spelled=spelled, why=why)
        if found in (ANY_LIST, ANY_TUPLE):
            message = f"Unknown type annotation: '<class '{spelled}'>'"
            return ClassAnnotation(annotation, message, attribute=name, spelled=spelled, why="type")
        made = stored.value.definition if isinstance(stored.value, Instance) else None
        if made is not None and isinstance(found, ClassType) and isinstance(found.definition, Class):
            if found.kind == "interface" and not self.satisfies(made, found.definition):
                message = f"Could not cast attribute '{name}' to type {found}: not compatible with interface {found}"
                return AttributeCast(annotation, message, attribute=name, spelled=made.name, wanted=found)
        if isinstance(found, Type) and not module and stored.value is not None and holds(stored.value, found) is False:
            message = (
                f"Could not cast attribute '{name}' to type {found}: Unable to cast Python instance of type <class"
                f" '{_named(stored.value)}'>"
            )
            return AttributeCast(annotation, message, attribute=name, spelled=_named(stored.value), wanted=found)
        return None

    def _is_text(self, annotation: ast.expr) -> bool:
        """Return whether Python keeps the annotation as a string."""
        owner = self.facts.annotation_owner
        if owner is not None and owner.module.postponed_annotations:
            return True
        return isinstance(annotation, ast.Constant) and isinstance(annotation.value, str)

    def _is_final(self, annotation: ast.expr) -> bool:
        base = annotation.value if isinstance(annotation, ast.Subscript) else annotation
        if not isinstance(base, (ast.Name, ast.Attribute)):
            return False
        found = self.resolve(base)
        return isinstance(found, External) and found.name.rpartition(".")[2] == "Final"

    def _is_module_value(self, value: PyValue | None) -> bool:
        if not isinstance(value, Instance):
            return False
        return self.is_module(value.definition) if value.definition is not None else is_torch_module(value.external)

    def _names_module(self, node: ast.expr) -> bool:
        found = self.resolve(node) if isinstance(node, (ast.Name, ast.Attribute)) else None
        if isinstance(found, Class):
            return self.is_module(found)
        return isinstance(found, External) and is_torch_module(found.name)


def no_constant(value: PyValue | None, *, of_class: bool = False) -> str:
    """Return the type because of which a value cannot be a constant: its own type, or the type of an item. Return an
    empty string if the value can be a constant or is not known.

    Args:
        value: the value of an attribute.
        of_class: whether the class body sets it, so that a function is a method.
    """
    if isinstance(value, PySequence):
        if value.kind not in ("list", "tuple"):
            return value.kind
        return next(filter(None, (no_constant(each) for each in value.items or ())), "")
    if isinstance(value, PyKind) and value.kind in ("Tensor", "frozenset", "slice"):
        return "torch.Tensor" if value.kind == "Tensor" else value.kind
    if isinstance(value, PyFunction):
        return "method" if value.bound or of_class else "function"
    return value.kind if isinstance(value, PyDict) else ""


def _named(value: PyValue) -> str:
    if isinstance(value, PyConst):
        return type(value.value).__name__
    if isinstance(value, PySequence):
        return value.kind
    return "dict" if isinstance(value, PyDict) else kind_of(value)


_SCALARS: dict[Type, tuple[str, ...]] = {
    INT: ("int", "bool", "Tensor", "Parameter"),
    FLOAT: ("float", "int", "bool", "Tensor", "Parameter"),
    BOOL: (),
    COMPLEX: ("complex", "float", "int", "bool", "Tensor", "Parameter"),
    STRING: ("str",),
}
_PLAIN = ("int", "float", "bool", "str", "complex", "NoneType")


def holds(value: PyValue, type_: Type) -> bool | None:
    """Return whether a Python value can be converted to a type (``toIValue`` of pybind_utils.cpp); None if that is not
    known.
    """
    if type_ == ANY or isinstance(type_, ClassType):
        return None
    kind = kind_of(value)
    if isinstance(type_, OptionalType):
        return True if kind == "NoneType" else holds(value, type_.element)
    if isinstance(type_, UnionType):
        return None
    if isinstance(type_, TensorType):
        return False if kind in _PLAIN or isinstance(value, (PySequence, PyDict)) else None
    if type_ in _SCALARS and type_ != BOOL:
        if isinstance(value, (PySequence, PyDict)):
            return False
        return kind in _SCALARS[type_] if kind in _PLAIN else None
    if isinstance(type_, (ListType, TupleType)):
        if kind in _PLAIN and kind != "str":
            return False
        if isinstance(value, PySequence) and value.items is not None and isinstance(type_, ListType):
            return _all(holds(item, type_.element) for item in value.items)
        return None
    if isinstance(type_, DictType):
        if kind in _PLAIN:
            return False
        if isinstance(value, PyDict) and value.items is not None:
            return _all(
                holds(part, wanted) for pair in value.items for part, wanted in zip(pair, (type_.key, type_.value))
            )
    return None


def _all(answers: Iterator[bool | None]) -> bool | None:
    known = list(answers)
    return False if False in known else (None if None in known else True)
