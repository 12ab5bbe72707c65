"""Compares defaults with the types of their parameters (``evaluateDefaults``)."""

from __future__ import annotations

import ast

from tslint.project.classes import body_names
from tslint.project.definitions import Class, Definition, External, Function, FunctionNode, GlobalValue
from tslint.script.events.annotation import DefaultOfWrongType, DefaultWithoutAnnotation, MutableDefault
from tslint.script.interpreter.emitter import Emitter
from tslint.script.interpreter.externals import known
from tslint.script.operators.callables import (
    BooleanDispatch,
    Cast,
    CompiledFunction,
    Constant,
    ExceptionClass,
    ModuleClass,
    Operator,
)
from tslint.script.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    STRING,
    ListType,
    OptionalType,
    Simple,
    TensorType,
    TupleType,
    Type,
    convertible,
    is_subtype,
)
from tslint.script.values import UNKNOWN, PythonValue, Typed, Unknown, Value

_OF_A_TYPE = PythonValue("type", "")
_OF_A_FUNCTION = PythonValue("function", "")


def check_defaults(em: Emitter, node: FunctionNode, types: dict[str, Type | None]) -> None:
    """Report the defaults that do not match their parameters: the compiler checks them after the body."""
    spec = node.args
    names = [*spec.posonlyargs, *spec.args]
    pairs = list(zip(names[len(names) - len(spec.defaults) :], spec.defaults))
    pairs += [(a, d) for a, d in zip(spec.kwonlyargs, spec.kw_defaults) if d is not None]
    for argument, default in pairs:
        type_ = types.get(argument.arg)
        if type_ is None:
            continue
        actual = default_type(em, default)
        if isinstance(actual, PythonValue) and isinstance(type_, TensorType):
            actual = Typed(Simple(actual.type_name))
        if isinstance(actual, Unknown):
            continue
        if isinstance(default, (ast.List, ast.Dict, ast.Set)):
            em.report(
                MutableDefault(
                    default,
                    "Mutable default parameters are not supported because Python binds them to the function and they"
                    " persist across function calls.",
                    name=argument.arg,
                )
            )
            continue
        if not isinstance(actual, Typed) or fits_default(actual.type, type_):
            continue
        inferred = isinstance(type_, TensorType) and type_.inferred
        because = (
            f"Because \"{argument.arg}\" was not annotated with an explicit type it is assumed to be type 'Tensor'."
            if inferred
            else ""
        )
        kind = DefaultWithoutAnnotation if inferred else DefaultOfWrongType
        em.report(
            kind(
                argument if inferred else default,
                f'Expected a default value of type {type_} on parameter "{argument.arg}".{because}',
                name=argument.arg,
                argument=argument,
                default=default,
                actual=actual.type,
                expected=type_,
                suggestion=suggested_annotation(actual.type),
            )
        )


def default_type(em: Emitter, node: ast.expr) -> Value:
    """Return a value with the type of a default, which Python has evaluated; Unknown if the source does not show it.

    For a value without TorchScript type, such as a function or a class, the type is Python's.
    """
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        return default_type(em, node.operand)
    if isinstance(node, ast.Constant):
        kinds: dict[type, Type] = {
            bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX, str: STRING, type(None): NONE,
        }  # fmt: skip
        found = kinds.get(type(node.value))
        return Typed(found) if found is not None else UNKNOWN
    if isinstance(node, (ast.List, ast.Dict, ast.Set)):
        return Typed(ListType(INT))
    if isinstance(node, ast.Tuple):
        parts = [default_type(em, element) for element in node.elts]
        if all(isinstance(part, Typed) for part in parts):
            return Typed(TupleType(tuple(part.type for part in parts if isinstance(part, Typed))))
    if isinstance(node, ast.BinOp):
        left, right = default_type(em, node.left), default_type(em, node.right)
        if isinstance(left, Typed) and isinstance(right, Typed) and {left.type, right.type} <= {INT, FLOAT}:
            if isinstance(node.op, ast.Div) or FLOAT in (left.type, right.type):
                return Typed(FLOAT)
            return Typed(INT) if not isinstance(node.op, ast.Pow) else UNKNOWN
    if isinstance(node, ast.Lambda):
        return _OF_A_FUNCTION
    if isinstance(node, (ast.Name, ast.Attribute)):
        return _named(em, _definition(em, node))
    if isinstance(node, ast.Subscript):
        form = _definition(em, node.value)
        return _OF_A_TYPE if isinstance(form, External) and form.name.startswith("typing.") else UNKNOWN
    if isinstance(node, ast.Call) and len(node.args) == 1 and isinstance(node.args[0], ast.Constant):
        made = _definition(em, node.func)
        casts = {"builtins.float": FLOAT, "builtins.int": INT, "builtins.str": STRING}
        cast = casts.get(made.name) if isinstance(made, External) else None
        return Typed(cast) if cast is not None else UNKNOWN
    return UNKNOWN


def _definition(em: Emitter, node: ast.expr) -> Definition | None:
    """Return the definition of a name where the function is defined; None if it may be a name of a class body or of a
    function.
    """
    function = em.unit.function
    root = node
    while isinstance(root, ast.Attribute):
        root = root.value
    if function.outer is not None or not isinstance(root, ast.Name):
        return None
    if function.owner is not None and root.id in body_names(function.owner.node):
        return None
    return em.project.resolve_expression(function.module, node)


def _named(em: Emitter, found: Definition | None) -> Value:
    if isinstance(found, Function):
        return _OF_A_FUNCTION
    if isinstance(found, Class):
        return _OF_A_TYPE
    if isinstance(found, GlobalValue):
        value = found.value
        while isinstance(value, ast.UnaryOp) and isinstance(value.op, (ast.USub, ast.UAdd)):
            value = value.operand
        return default_type(em, value) if isinstance(value, ast.Constant) and not found.rebound else UNKNOWN
    if not isinstance(found, External):
        return UNKNOWN
    held = known(found.name)
    if isinstance(held, Constant):
        return Typed(held.type)
    if isinstance(held, (ModuleClass, Cast, ExceptionClass)):
        return _OF_A_TYPE
    return _OF_A_FUNCTION if isinstance(held, (Operator, CompiledFunction, BooleanDispatch)) else UNKNOWN


def fits_default(actual: Type, declared: Type) -> bool:
    """Return whether a default matches a type: it is converted from Python, so an int is accepted as a float."""
    if isinstance(declared, TensorType):
        return actual == NONE
    if isinstance(declared, OptionalType):
        return actual == NONE or fits_default(actual, declared.element)
    if declared == FLOAT:
        return actual in (FLOAT, INT, BOOL)
    if declared == INT:
        return actual in (INT, BOOL)
    if declared == COMPLEX:
        return actual in (COMPLEX, FLOAT, INT, BOOL)
    if declared == BOOL:  # pybind11 uses the truth of the value, so None is accepted, too
        return actual in (NONE, INT, FLOAT, BOOL)
    if isinstance(declared, ListType) and isinstance(actual, TupleType):
        return all(fits_default(element, declared.element) for element in actual.elements)
    if isinstance(declared, TupleType) and isinstance(actual, TupleType):
        return len(declared.elements) == len(actual.elements) and all(
            fits_default(a, d) for a, d in zip(actual.elements, declared.elements)
        )
    return is_subtype(actual, declared) or convertible(actual, declared, allow_conversions=True)


def suggested_annotation(type_: Type) -> str:
    """Return the annotation for a parameter that has a default of this type."""
    return "Optional[Tensor]" if type_ == NONE else str(type_)
