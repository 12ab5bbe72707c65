"""Reads annotations as the compiler does (counterpart of torch/jit/annotations.py, ``try_ann_to_type``)."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from tslint.project.definitions import UNDEFINED, Class, Definition, External, Function, GlobalValue, Module, Undefined
from tslint.script.construct.foreign import FUNCTION, external_type
from tslint.script.operators import BooleanDispatch, CompiledFunction, Constant, Operator, torch_attribute
from tslint.script.operators.callables import PythonModule
from tslint.script.types import (
    ANY,
    ANY_LIST,
    ANY_TUPLE,
    BOOL,
    COMPLEX,
    DEVICE,
    DICT_KEYS,
    FLOAT,
    GENERATOR,
    INT,
    NONE,
    NUMBER,
    PACKED_SEQUENCE,
    STREAM,
    STRING,
    TENSOR,
    DictType,
    FutureType,
    ListType,
    TupleType,
    Type,
    optional,
    union,
)
from tslint.util.record import record

_PLAIN: dict[str, Type] = {
    "builtins.int": INT,
    "builtins.float": FLOAT,
    "builtins.bool": BOOL,
    "builtins.complex": COMPLEX,
    "builtins.str": STRING,
    "typing.Any": ANY,
    "torch.device": DEVICE,
    "torch.dtype": INT,
    "torch.layout": INT,
    "torch.memory_format": INT,
    "torch.qscheme": INT,
    "torch.Generator": GENERATOR,
    "torch.Stream": STREAM,
    "numbers.Number": NUMBER,
    "torch.Tensor": TENSOR,
    "torch.nn.Parameter": TENSOR,
    "torch.nn.Buffer": TENSOR,
    **{
        f"torch.nn.parameter.{kind}": TENSOR
        for kind in ("Parameter", "Buffer", "UninitializedParameter", "UninitializedBuffer")
    },
    "torch.SymInt": INT,
    "torch.types.Number": NUMBER,
    "builtins.list": ANY_LIST,
    "builtins.tuple": ANY_TUPLE,
    "torch.nn.utils.rnn.PackedSequence": PACKED_SEQUENCE,
}
BARE = {
    "typing.List": "List",
    "typing.Dict": "Dict",
    "builtins.dict": "dict",
    "typing.Tuple": "Tuple",
    "typing.Optional": "Optional",
    "torch.jit.Future": "Future",
    "torch.futures.Future": "Future",
}
_REFUSED = {
    "builtins.set",
    "builtins.frozenset",
    "builtins.object",
    "builtins.bytes",
    "builtins.type",
    "torch.Size",
    "builtins.range",
    "builtins.slice",
}
# Of the names in these modules, the compiler only accepts those in `_KNOWN` as types.
_OTHER_MODULES = ("typing.", "collections.", "numpy.", "numbers.", "decimal.", "fractions.")
_CLASSES = ("torch.distributions.", "torch.optim.")  # modules of torch whose classes the compiler cannot compile
# Names of types that the compiler knows without looking them up (``script_type_parser.cpp``).
_BY_NAME = {*"Tensor Device Generator Stream number Capsule NoneType torch.Tensor Future RRef Await".split()}
# The nodes of which an annotation in quotes may consist.
_LOOKED_UP = (ast.Name, ast.Attribute, ast.Subscript, ast.Tuple, ast.Load)
# The compiler's words for expressions and operators that are not part of a type.
_COMPUTED: dict[type[ast.AST], str] = {
    ast.And: "and",
    ast.Or: "or",
    ast.Not: "not",
    ast.USub: "unary minus",
    ast.Add: "+",
    ast.Call: "apply",
    ast.IfExp: "if",
    ast.ListComp: "list comprehension",
}
_GENERIC = ("List", "Dict", "Tuple", "Optional", "Union", "Final", "NamedTuple", "TypedDict", "Protocol")
_KNOWN = {*_PLAIN, *BARE, "typing.Text", *(f"typing.{name}" for name in _GENERIC)}


@record
class Unreadable:
    """An annotation that the compiler rejects.

    Args:
        node: the part that it rejects.
        spelled: that part as the author wrote it.
        compiler: the compiler's message.
        undefined: the name in it that is not defined at run time; empty if there is none.
    """

    node: ast.expr
    spelled: str
    compiler: str
    undefined: str = ""


class AnnotationReader:
    """Reads the annotations of one module.

    Args:
        resolve: returns the definition of a name, as Python would evaluate the annotation.
        class_type: returns the type of a project's class; None if the type is not known, False if the class cannot be
            an annotation.
        resolve_in: returns the same for a name in another module, which defines an alias of a type.
        variables: the types by which the type variables of a generic alias are replaced.
    """

    def __init__(
        self,
        resolve: Callable[[ast.expr], Definition],
        class_type: Callable[[Class], Type | None | bool],
        resolve_in: Callable[[Module, ast.expr], Definition] | None = None,
        variables: dict[str, Type | None | Unreadable] | None = None,
    ) -> None:
        self.resolve = resolve
        self.class_type = class_type
        self.resolve_in = resolve_in
        self.variables = variables or {}

    def read(self, node: ast.expr, depth: int = 0) -> Type | None | Unreadable:
        """Return the type of an annotation: None if the static model does not know it, Unreadable if the compiler
        rejects the annotation.
        """
        if depth > 30:
            return None
        if isinstance(node, ast.Constant):
            if node.value is None:
                return NONE
            return self._in_quotes(node, node.value, depth) if isinstance(node.value, str) else _refused(node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self._several([node.left, node.right], depth)
        if isinstance(node, ast.Subscript):
            return self._subscript(node, depth)
        if isinstance(node, (ast.Name, ast.Attribute)):
            return self._named(node, depth)
        if isinstance(node, (ast.List, ast.Dict, ast.Set, ast.Tuple)):
            return _refused(node)
        return None

    def _in_quotes(self, node: ast.Constant, text: str, depth: int) -> Type | None | Unreadable:
        """Return the type of an annotation in quotes, as :meth:`read` does. The compiler only looks up names there
        (``createResolutionCallbackFromEnv``): anything but defined names, dots, brackets and commas is Unreadable.
        """
        try:
            inside = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError):
            return Unreadable(node, repr(text), f"Unknown type annotation: '{text}'")
        parts = list(ast.walk(inside))
        names = [each.id for each in parts if isinstance(each, ast.Name) and self.resolve(each) == UNDEFINED]
        if names or not all(isinstance(each, _LOOKED_UP) for each in parts):
            return Unreadable(node, repr(text), f"Unknown type name '{text}'", *names[:1])
        found = self.read(inside, depth + 1)
        return replace(found, node=node) if isinstance(found, Unreadable) else found

    def _named(self, node: ast.Name | ast.Attribute, depth: int) -> Type | None | Unreadable:
        if isinstance(node, ast.Name) and node.id in self.variables:
            return self.variables[node.id]
        found = self.resolve(node)
        if isinstance(found, External):
            name = _full_name(found)
            if name in _PLAIN:
                return _PLAIN[name]
            if name == "typing.Text":
                return STRING
            if name.startswith("torch.") and name.endswith("Tensor") and name.count(".") <= 2:
                return TENSOR
            if name in BARE:
                bare = BARE[name]
                return Unreadable(
                    node,
                    bare,
                    f"Attempted to use {bare} without a contained type. Please add a contained type, e.g. {bare}[int]",
                )
            if _is_refused(name):
                return _refused(node)
            return None
        if isinstance(found, Class):
            type_ = self.class_type(found)
            if type_ is False:
                return _refused(node)
            return None if isinstance(type_, bool) else type_
        if isinstance(found, GlobalValue) and not found.rebound and found.value is not None and found.value is not node:
            if isinstance(found.value, ast.Subscript):
                aliased = self._reader_for(found.module).read(found.value, depth + 1)
                return replace(aliased, node=node) if isinstance(aliased, Unreadable) else aliased
            if self._made_by(found, "typing.TypeVar", "typing.NewType"):
                return _refused(node)
        if isinstance(found, Function):
            return _refused(node)
        if isinstance(found, Undefined) and not _names_type(node):
            return _undefined(node, "name")
        return None

    def _made_by(self, found: Definition, *makers: str) -> bool:
        """Return whether a name is bound to the result of a call of one of the given functions."""
        if not isinstance(found, GlobalValue) or found.rebound or not isinstance(found.value, ast.Call):
            return False
        callee = self._reader_for(found.module).resolve(found.value.func)
        return isinstance(callee, External) and _full_name(callee) in makers

    def _reader_for(
        self, module: Module, variables: dict[str, Type | None | Unreadable] | None = None
    ) -> AnnotationReader:
        """Return the reader for the annotations of another module."""
        resolve_in = self.resolve_in
        resolve = self.resolve if resolve_in is None else lambda node: resolve_in(module, node)
        return AnnotationReader(resolve, self.class_type, resolve_in, variables)

    def _generic(
        self, alias: GlobalValue, node: ast.Subscript, inner: list[ast.expr], depth: int
    ) -> Type | None | Unreadable:
        """Return the type of a generic alias with types in brackets, ``Pair[int]``: they replace the type variables of
        the alias, in order. Return None if the value of the alias is not known, or if the numbers differ.
        """
        if alias.rebound or not isinstance(alias.value, ast.Subscript):
            return None
        owner = self._reader_for(alias.module)
        names = [part for part in ast.walk(alias.value) if isinstance(part, ast.Name)]
        names.sort(key=lambda part: (part.lineno, part.col_offset))
        variables = list(dict.fromkeys(n.id for n in names if owner._made_by(owner.resolve(n), "typing.TypeVar")))
        if len(variables) != len(inner):
            return None
        bound = {name: self.read(part, depth + 1) for name, part in zip(variables, inner)}
        found = self._reader_for(alias.module, bound).read(alias.value, depth + 1)
        return replace(found, node=node) if isinstance(found, Unreadable) else found

    def _several(self, nodes: list[ast.expr], depth: int) -> Type | None | Unreadable:
        parts: list[Type] = []
        unknown = False
        for node in nodes:
            part = self.read(node, depth + 1)
            if isinstance(part, Unreadable):
                return part
            if part is None:
                unknown = True
            else:
                parts.append(part)
        return None if unknown else union(parts)

    def _subscript(self, node: ast.Subscript, depth: int) -> Type | None | Unreadable:
        found = self.resolve(node.value)
        if isinstance(found, Undefined) and not _names_type(node.value):
            return _undefined(node.value, "constructor")
        inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if isinstance(found, GlobalValue):
            return self._generic(found, node, list(inner), depth)
        if not isinstance(found, External):
            return None
        name = _full_name(found)
        if name == "typing.Union":
            return self._several(list(inner), depth)
        if name in ("typing.Final", "torch.jit.Final"):
            return self.read(inner[0], depth + 1)
        if name in ("typing.Tuple", "builtins.tuple") and isinstance(node.slice, ast.Tuple) and not node.slice.elts:
            return TupleType(())
        if name in ("typing.Tuple", "builtins.tuple") and any(
            isinstance(part, ast.Constant) and part.value is Ellipsis for part in inner
        ):
            return Unreadable(node, ast.unparse(node), "Expression of type dots cannot be used in a type expression")
        if _is_refused(name):
            return _refused(node)
        read = [self.read(part, depth + 1) for part in inner]
        parts = [part for part in read if isinstance(part, Type)]
        if len(parts) < len(read):
            first = next(part for part in read if not isinstance(part, Type))
            if isinstance(first, Unreadable) and not first.undefined and name in ("typing.Dict", "builtins.dict"):
                return replace(first, compiler="Unknown type annotation")
            return first
        if name in ("typing.List", "builtins.list") and len(parts) == 1:
            return ListType(parts[0])
        if name in ("typing.Dict", "builtins.dict") and len(parts) == 2:
            if parts[0] not in DICT_KEYS:
                return Unreadable(
                    node,
                    ast.unparse(node),
                    f"Cannot create dict for key type '{parts[0]}', only int, float, complex, Tensor, device and string"
                    " keys are supported",
                )
            return DictType(parts[0], parts[1])
        if name in ("typing.Tuple", "builtins.tuple"):
            return TupleType(tuple(parts))
        if name == "typing.Optional" and len(parts) == 1:
            return optional(parts[0])
        if name in ("torch.jit.Future", "torch.futures.Future") and len(parts) == 1:
            return FutureType("Future", parts[0])
        if name in ("torch.jit.Await", "torch.jit._Await", "torch._awaits._Await") and len(parts) == 1:
            return FutureType("Await", parts[0])
        return None


def no_type_expression(node: ast.expr) -> str:
    """Return the compiler's word for an expression that is not a type, ``apply`` for a call; empty if none."""
    if isinstance(node, (ast.List, ast.Dict)):
        return "list-literal"
    if isinstance(node, ast.Constant):
        return "const" if isinstance(node.value, int) else ""
    operator = getattr(node, "op", None)
    return "" if isinstance(operator, ast.BitOr) else _COMPUTED.get(type(operator or node), "")


def _is_refused(name: str) -> bool:
    """Return whether a full name is certainly not a type."""
    if name.startswith("torch.jit.") and name.endswith(("Module", "Function")):
        return True
    if name.startswith("torch.nn."):  # but `utils.rnn.PackedSequence` is a named tuple
        if name.rpartition(".")[2][:1].isupper():
            return not name.startswith("torch.nn.utils.")
    if name.startswith(_CLASSES) and name.rpartition(".")[2][:1].isupper():
        return not name.endswith((".Tensor", ".Any"))
    if name.startswith("torch.") and name.rpartition(".")[2].islower():
        return isinstance(torch_attribute(name), (Operator, CompiledFunction, BooleanDispatch, Constant, PythonModule))
    if external_type(name) in ("module", FUNCTION):
        return True
    return name in _REFUSED or (name.startswith(_OTHER_MODULES) and name not in _KNOWN)


def _full_name(found: External) -> str:
    """Return the full name of something outside the project: ``typing.List`` also if it is imported from
    ``typing_extensions`` or ``torch.jit.annotations``.
    """
    module, _, name = found.name.rpartition(".")
    of_typing = module == "typing_extensions" or (module == "torch.jit.annotations" and f"typing.{name}" in _KNOWN)
    return f"typing.{name}" if of_typing else found.name


def _names_type(node: ast.expr) -> bool:
    """Return whether the compiler knows a type by this name alone, whatever the name means in Python."""
    return ast.unparse(node) in _BY_NAME


def _undefined(node: ast.expr, kind: str) -> Unreadable:
    spelled = ast.unparse(node)
    return Unreadable(
        node, spelled, f"Unknown type {kind} {spelled if kind == 'constructor' else repr(spelled)}", spelled
    )


def _refused(node: ast.expr) -> Unreadable:
    if isinstance(node, ast.Subscript):
        return replace(_undefined(node.value, "constructor"), node=node, undefined="")
    if isinstance(node, (ast.Name, ast.Attribute)):
        return replace(_undefined(node, "name"), undefined="")
    return Unreadable(node, ast.unparse(node), f"Unknown type annotation: '{ast.unparse(node)}'")
