"""Implements TorchScript's types: how they print, which are subtypes of others, how two unify, which are converted
implicitly.

This is the counterpart of aten/src/ATen/core/type.cpp (isSubtypeOf, unifyTypes) and of tryConvertToType and
convertibleToList in torch/csrc/jit/frontend/schema_matching.cpp. As there, dtype, layout and memory_format are ``int``.
All types are immutable and compare by structure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field

from tslint.util.record import record


@record
class Type:
    """A TorchScript type; ``str()`` is the compiler's spelling."""

    @property
    def inside(self) -> tuple[Type, ...]:
        """Return the types between the brackets of this type; for a NamedTuple, the types of its fields."""
        return ()


@record
class Simple(Type):
    """A type without parameters: Tensor, int, float, bool, complex, number, str, None, Any, Device, …"""

    name: str

    def __str__(self) -> str:
        return self.name


@record
class TensorType(Type):
    """Tensor; ``inferred`` if it has no annotation, and the compiler prints ``Tensor (inferred)``."""

    inferred: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return "Tensor (inferred)" if self.inferred else "Tensor"


@record
class ListType(Type):
    """``List[T]``: invariant."""

    element: Type

    @property
    def inside(self) -> tuple[Type, ...]:
        return (self.element,)

    def __str__(self) -> str:
        return f"List[{plain(self.element)}]"


@record
class DictType(Type):
    """``Dict[K, V]``: invariant."""

    key: Type
    value: Type

    @property
    def inside(self) -> tuple[Type, ...]:
        return self.key, self.value

    def __str__(self) -> str:
        return f"Dict[{plain(self.key)}, {plain(self.value)}]"


@record
class TupleType(Type):
    """``Tuple[…]``, or a NamedTuple if it has a name and fields: covariant."""

    elements: tuple[Type, ...]
    name: str | None = None
    fields: tuple[str, ...] = ()

    @property
    def inside(self) -> tuple[Type, ...]:
        return self.elements

    def __str__(self) -> str:
        if self.name:
            return self.name
        return f"Tuple[{', '.join(plain(element) for element in self.elements)}]" if self.elements else "Tuple[()]"


@record
class OptionalType(Type):
    """``Optional[T]``; build with :func:`optional`."""

    element: Type

    @property
    def inside(self) -> tuple[Type, ...]:
        return (self.element,)

    def __str__(self) -> str:
        return f"Optional[{plain(self.element)}]"


@record
class UnionType(Type):
    """``Union[…]`` of at least two members, none a subtype of another; build with :func:`union`."""

    members: frozenset[Type]
    order: tuple[Type, ...] = field(compare=False, default=())

    @property
    def inside(self) -> tuple[Type, ...]:
        return self.order

    def __str__(self) -> str:
        return f"Union[{', '.join(plain(member) for member in sorted(self.order, key=_place_in_union))}]"


@record
class FutureType(Type):
    """``Future[T]``, ``Await[T]`` or ``RRef[T]``, depending on ``name``."""

    name: str
    element: Type

    @property
    def inside(self) -> tuple[Type, ...]:
        return (self.element,)

    def __str__(self) -> str:
        return f"{self.name}[{plain(self.element)}]"


@record
class ClassType(Type):
    """A script class, a torchbind class, an interface or a module's type; equal by qualified name.

    Args:
        name: the name as the compiler prints it.
        kind: ``class``, ``interface``, ``module`` or ``enum``.
        definition: the static model's record of the class (not compared).
        methods: the names of its methods, or of those that an interface requires; None if they are not known.
    """

    name: str
    kind: str = "class"
    definition: object = field(default=None, compare=False, repr=False)
    methods: frozenset[str] | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        return f"Enum<{self.name}>" if self.kind == "enum" else self.name


@record
class TypeVariable(Type):
    """A type variable of an operator's schema: ``t`` in ``aten::append.t(t[](a!) self, t el)``."""

    name: str

    def __str__(self) -> str:
        return self.name


TENSOR = TensorType()
INFERRED_TENSOR = TensorType(inferred=True)
INT, FLOAT, BOOL, COMPLEX = Simple("int"), Simple("float"), Simple("bool"), Simple("complex")
NUMBER, STRING, NONE, ANY = Simple("number"), Simple("str"), Simple("NoneType"), Simple("Any")
DEVICE, GENERATOR, STREAM, STORAGE = Simple("Device"), Simple("Generator"), Simple("Stream"), Simple("Storage")
ANY_LIST, ANY_TUPLE, ANY_ENUM, ANY_CLASS = (
    Simple("list"),
    Simple("tuple"),
    Simple("AnyEnumType"),
    Simple("AnyClassType"),
)
CAPSULE, QUANTIZER = Simple("Capsule"), Simple("Quantizer")
GENERATED = Simple("generator")  # the result of a function with `yield`, which the compiler rejects
PACKED_SEQUENCE = TupleType(
    (TENSOR, TENSOR, OptionalType(TENSOR), OptionalType(TENSOR)),
    "__torch__.torch.nn.utils.rnn.PackedSequence",
    ("data", "batch_sizes", "sorted_indices", "unsorted_indices"),
)
ANYTHING = Simple("?")  # a type that the static model does not know; it occurs only inside tuples, which are covariant
NUMBERS: tuple[Type, ...] = (INT, FLOAT, COMPLEX)
DICT_KEYS: tuple[Type, ...] = (INT, FLOAT, COMPLEX, STRING, BOOL, TENSOR, DEVICE)
_KINDS = "Tensor Tuple List Dict float complex Future Await RRef int NoneType str bool".split()
_OF_CONSTANTS: dict[type, Type] = {
    bool: BOOL,
    int: INT,
    float: FLOAT,
    complex: COMPLEX,
    str: STRING,
    type(None): NONE,
}


def type_of_constant(value: object) -> Type | None:
    """Return the type of a Python constant; None if the compiler has no type for it (bytes, ``...``)."""
    return _OF_CONSTANTS.get(type(value))


def _place_in_union(type_: Type) -> tuple[int, str]:
    """Return the key by which the compiler sorts the members of a union: by kind, then by name (``sortUnion``)."""
    if isinstance(type_, ClassType):
        return -1 if type_.kind == "enum" else len(_KINDS), str(type_)
    kind = "Tuple" if isinstance(type_, TupleType) else plain(type_).partition("[")[0]
    return _KINDS.index(kind) if kind in _KINDS else len(_KINDS), plain(type_)


def plain(type_: Type) -> str:
    """Return a type's name inside another type's name: without ``(inferred)``."""
    return "Tensor" if isinstance(type_, TensorType) else str(type_)


def optional(element: Type) -> Type:
    """Return ``Optional[element]``, or ``element`` if that already accepts None."""
    if element in (NONE, ANY) or isinstance(element, OptionalType):
        return element
    if isinstance(element, UnionType):
        return element if NONE in element.members else union([*element.order, NONE])
    return OptionalType(element)


def members(type_: Type) -> tuple[Type, ...]:
    """Return the alternatives of a Union or Optional, with None last; for any other type, only the type itself."""
    if isinstance(type_, UnionType):
        return type_.order
    if isinstance(type_, OptionalType):
        return (type_.element, NONE)
    return (type_,)


def union(types: Iterable[Type]) -> Type:
    """Return the union of types: flattened, subtypes merged; ``Optional`` for T and None, T for T alone."""
    flat: list[Type] = []
    for type_ in types:
        flat += members(type_)
    kept: list[Type] = []
    for type_ in flat:
        if any(is_subtype(type_, other) for other in kept):
            continue
        kept = [other for other in kept if not is_subtype(other, type_)] + [type_]
    if len(kept) == 1:
        return kept[0]
    if len(kept) == 2 and NONE in kept:
        return OptionalType(next(type_ for type_ in kept if type_ != NONE))
    return UnionType(frozenset(kept), tuple(kept))


def is_subtype(sub: Type, sup: Type) -> bool:
    """Return whether a value of type ``sub`` is also a value of type ``sup``, without conversion (Type::isSubtypeOf);
    True if one of them is unknown.
    """
    if sub == sup or sup == ANY or ANYTHING in (sub, sup):
        return True
    if isinstance(sub, (UnionType, OptionalType)):
        return all(is_subtype(member, sup) for member in members(sub))
    if isinstance(sup, (UnionType, OptionalType)):
        return any(is_subtype(sub, member) for member in members(sup))
    if sup == NUMBER:
        return sub in NUMBERS
    if isinstance(sub, TupleType):
        if sup == ANY_TUPLE:
            return True
        if not isinstance(sup, TupleType) or len(sub.elements) != len(sup.elements):
            return False
        if sup.fields and sub.fields != sup.fields:
            return False
        return all(is_subtype(a, b) for a, b in zip(sub.elements, sup.elements))
    if isinstance(sub, ListType):
        return sup == ANY_LIST
    if isinstance(sub, FutureType) and isinstance(sup, FutureType):
        return sub.name == sup.name and is_subtype(sub.element, sup.element)
    if isinstance(sub, ClassType):
        if isinstance(sup, ClassType) and sup.kind == "interface":
            return sub.methods is None or sup.methods is None or sup.methods <= sub.methods
        return sup == (ANY_ENUM if sub.kind == "enum" else ANY_CLASS)
    return False


def unify(a: Type, b: Type, *, default_to_union: bool = False) -> Type | None:
    """Return the type that a variable has after two branches that give it these types (unifyTypes). If there is none,
    return None or, with ``default_to_union``, the Union of both.
    """
    if a == b:
        return a if not (isinstance(a, TensorType) and a.inferred) else b
    if ANYTHING in (a, b):
        return ANYTHING
    if has_unknowns(a) or has_unknowns(b):
        if isinstance(a, TupleType) and isinstance(b, TupleType) and len(a.elements) != len(b.elements):
            return union([a, b]) if default_to_union else None
        if not (isinstance(a, TupleType) and isinstance(b, TupleType)) and is_subtype(a, b):
            return b
    elif is_subtype(a, b):
        return b
    elif is_subtype(b, a):
        return a
    if a == NONE:
        return optional(b)
    if b == NONE:
        return optional(a)
    if isinstance(a, TupleType) and isinstance(b, TupleType) and len(a.elements) == len(b.elements):
        joined = [unify(x, y) for x, y in zip(a.elements, b.elements)]
        if all(type_ is not None for type_ in joined):
            return TupleType(tuple(type_ for type_ in joined if type_ is not None))
    if isinstance(a, OptionalType) or isinstance(b, OptionalType):
        first = a.element if isinstance(a, OptionalType) else a
        second = b.element if isinstance(b, OptionalType) else b
        element = unify(first, second)
        if element is not None:
            return optional(element)
    if isinstance(a, FutureType) and isinstance(b, FutureType) and a.name == b.name:
        element = unify(a.element, b.element)
        if element is not None:
            return FutureType(a.name, element)
    return union([a, b]) if default_to_union else None


def convertible(actual: Type, formal: Type, *, allow_conversions: bool) -> bool:
    """Return whether an argument of type ``actual`` is accepted for a parameter of type ``formal`` (tryConvertToType).

    Tuples become lists if all elements match. With ``allow_conversions``: Tensor and number → int/float/complex,
    bool → int/float/number, str → Device. There is no conversion int → float.
    """
    if is_subtype(actual, formal):
        return True
    if isinstance(formal, OptionalType) and not isinstance(actual, OptionalType) and actual != NONE:
        return convertible(actual, formal.element, allow_conversions=allow_conversions)
    if isinstance(actual, TupleType):
        if isinstance(formal, ListType):
            return all(is_subtype(element, formal.element) for element in actual.elements)
        if isinstance(formal, TupleType) and len(actual.elements) == len(formal.elements) and not formal.fields:
            pairs = zip(actual.elements, formal.elements)
            return all(convertible(a, b, allow_conversions=allow_conversions) for a, b in pairs)
    if allow_conversions:
        if isinstance(actual, TensorType):
            return formal in (INT, FLOAT, COMPLEX, NUMBER)
        if actual == NUMBER:
            return formal in (INT, FLOAT, COMPLEX)
        if actual == BOOL:
            return formal in (INT, FLOAT, NUMBER)
        if actual == STRING:
            return formal == DEVICE
    return False


def optional_element(type_: Type) -> Type | None:
    """Return ``T`` for ``Optional[T]``; None for other types."""
    return type_.element if isinstance(type_, OptionalType) else None


def may_be_none(type_: Type) -> bool:
    """Return whether a type is an Optional, or the type of None."""
    return type_ == NONE or isinstance(type_, OptionalType)


def tuple_elements(type_: Type) -> tuple[Type, ...]:
    """Return the types of a tuple's elements; empty if it is not a plain tuple."""
    return type_.elements if isinstance(type_, TupleType) and type_.name is None else ()


def is_inferred(type_: Type) -> bool:
    """Return whether a type is a Tensor only because there is no annotation."""
    return isinstance(type_, TensorType) and type_.inferred


def holds(type_: Type, part: Type) -> bool:
    """Return whether ``type_`` is ``part``, or contains it between its brackets; fields of NamedTuples do not count."""
    if type_ == part or (isinstance(type_, TupleType) and type_.name is not None):
        return type_ == part
    return any(holds(each, part) for each in type_.inside)


def walk(type_: Type) -> Iterator[Type]:
    """Yield a type and every type inside it."""
    yield type_
    for element in type_.inside:
        yield from walk(element)


def is_of_code(type_: Type) -> bool:
    """Return whether a type contains a class of the analysed code: a cache that stores the type would also keep the
    syntax tree in memory.
    """
    return isinstance(type_, ClassType) or any(map(is_of_code, type_.inside))


def has_unknowns(type_: Type) -> bool:
    """Return whether a part of a type is not known to the static model."""
    return type_ == ANYTHING or any(map(has_unknowns, type_.inside))


def has_variables(type_: Type) -> bool:
    """Return whether a schema's type contains a type variable."""
    return isinstance(type_, TypeVariable) or any(map(has_variables, type_.inside))
