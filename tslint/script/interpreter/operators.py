"""Emits arithmetic, comparisons and other operators."""

from __future__ import annotations

import ast

from tslint.project.classes import body_names
from tslint.project.definitions import Class
from tslint.script.events.calls import OperatorMismatch
from tslint.script.interpreter import observers
from tslint.script.interpreter.arguments import known_types
from tslint.script.interpreter.emitter import Emitter
from tslint.script.interpreter.magic_methods import OF_OPERATORS, is_object, lacks, magic, report_lacking
from tslint.script.interpreter.value_kinds import as_typed, first_class
from tslint.script.operators import Arg, Matched, match, schemas
from tslint.script.operators.callables import is_operator, takes_out
from tslint.script.operators.diagnosis import diagnose
from tslint.script.types import (
    ANY,
    ANYTHING,
    BOOL,
    FLOAT,
    INT,
    STRING,
    TENSOR,
    ClassType,
    ListType,
    TensorType,
    TupleType,
    Type,
    has_unknowns,
)
from tslint.script.values import (
    NO_CONSTANT,
    UNKNOWN,
    Alternatives,
    ContainerValue,
    ModuleValue,
    TupleValue,
    Typed,
    Unknown,
    Value,
)

_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "aten::add",
    ast.Sub: "aten::sub",
    ast.Mult: "aten::mul",
    ast.Div: "aten::div",
    ast.Mod: "aten::remainder",
    ast.FloorDiv: "aten::floordiv",
    ast.Pow: "aten::pow",
    ast.MatMult: "aten::matmul",
    ast.BitAnd: "aten::__and__",
    ast.BitOr: "aten::__or__",
    ast.BitXor: "aten::__xor__",
    ast.LShift: "aten::__lshift__",
    ast.RShift: "aten::__rshift__",
}
_IN_PLACE: dict[type[ast.operator], str] = {
    ast.Add: "aten::add_",
    ast.Sub: "aten::sub_",
    ast.Mult: "aten::mul_",
    ast.Div: "aten::div_",
    ast.Mod: "aten::fmod_",
    ast.Pow: "aten::pow_",
    ast.BitAnd: "aten::__iand__",
    ast.BitOr: "aten::__ior__",
    ast.BitXor: "aten::__ixor__",
    ast.LShift: "aten::__ilshift__",
    ast.RShift: "aten::__irshift__",
}
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "aten::eq",
    ast.NotEq: "aten::ne",
    ast.Lt: "aten::lt",
    ast.LtE: "aten::le",
    ast.Gt: "aten::gt",
    ast.GtE: "aten::ge",
    ast.Is: "aten::__is__",
    ast.IsNot: "aten::__isnot__",
    ast.In: "aten::__contains__",
    ast.NotIn: "aten::__contains__",
}
_WORDS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Mod: "%",
    ast.FloorDiv: "//",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.In: "in",
    ast.NotIn: "not in",
}


def operator_type(em: Emitter, node: ast.AST, name: str, arguments: list[Arg], word: str = "") -> Value:
    """Return the result of a builtin operator; report an event if no overload accepts the arguments."""
    overloads = schemas(name)
    if not overloads:
        return UNKNOWN
    found = match(overloads, arguments)
    if isinstance(found, Matched):
        observers.operation.tell(em, node, _operands(node), [each.type for each in arguments], found.return_type)
        return UNKNOWN if found.return_type is None else Typed(found.return_type)
    types = known_types(arguments)
    diagnosis = diagnose(node, found.reasons, (), types, name)
    said = found.message.split("\n")[0]
    em.report(
        OperatorMismatch(
            node,
            said,
            operator=name,
            word=word,
            builtin=is_operator(name),
            takes_out=takes_out(name),
            types=types,
            diagnosis=diagnosis,
        )
    )
    return UNKNOWN


def _argument(em: Emitter, value: Value, node: ast.AST) -> Arg:
    if isinstance(value, Alternatives):
        types = {first_class(option) for _, option in value.cases}
        return Arg(types.pop() if len(types) == 1 else None)
    type_ = em.type_of(value, node)
    unknown = type_ is None or has_unknowns(type_)
    return Arg(None if unknown else type_, None, isinstance(value, Typed) and value.empty)


def binary(em: Emitter, node: ast.AST, op: ast.operator, left: Value, right: Value, *, in_place: bool = False) -> Value:
    """Emit ``left op right``."""
    if isinstance(left, Alternatives):
        return em.map_alternatives(left, lambda option: binary(em, node, op, option, right, in_place=in_place))
    if isinstance(right, Alternatives):
        return em.map_alternatives(right, lambda option: binary(em, node, op, left, option, in_place=in_place))
    if isinstance(left, (ModuleValue, ContainerValue)) or isinstance(right, (ModuleValue, ContainerValue)):
        return UNKNOWN
    joined = _joined_tuples(left, right) if isinstance(op, ast.Add) and not in_place else None
    if joined is not None:
        return joined
    if isinstance(op, ast.Pow):
        observers.power.tell(em, node, left, right)
    if isinstance(op, ast.Div):
        observers.division.tell(em, node, left, right)
    in_place_rest = in_place and isinstance(op, ast.Mod)
    folded = None if in_place_rest else _fold(op, left, right)
    if folded is not None:
        return folded
    listed = None if in_place else _list_arithmetic(op, left, right)
    if listed is not None:
        return Typed(listed)
    left_node, right_node = _operands(node)
    first, second = _argument(em, left, left_node), _argument(em, right, right_node)
    if first.type is None and second.type is None:
        return UNKNOWN
    if first.type is not None and is_object(first.type) and type(op) in OF_OPERATORS:
        return magic(em, first.type, _method(first.type, op, in_place=in_place), node, left_node)
    if any(isinstance(t, ClassType) and t.kind != "enum" and not is_object(t) for t in (first.type, second.type)):
        return UNKNOWN
    if not in_place and _is_of_tensors(op, first.type, second.type):
        return Typed(TENSOR)
    name = _BINARY[type(op)]
    if in_place_rest:
        name = "aten::fmod"  # `a %= b` is not the same as `a = a % b`: for two ints its result is a float
    elif isinstance(op, ast.Mod) and first.type == STRING:
        observers.percent_format.tell(em, node, left)
        return Typed(STRING)
    if in_place and (isinstance(first.type, (TensorType, ListType)) or first.type is None):
        if first.type is None:
            return UNKNOWN
        name = _IN_PLACE.get(type(op), name)
    return operator_type(em, node, name, [first, second], _WORDS.get(type(op), ""))


def _is_of_tensors(op: ast.operator, left: Type | None, right: Type | None) -> bool:
    """Return whether an operator with one unknown operand returns a Tensor, because the other one is a Tensor.

    The result has another type only for a tensor of one number times a list, and for a bool plus a tensor: authors
    write neither. An unknown value times a tensor does not count, because the value may be a list that is repeated.
    """
    if right is None:
        return isinstance(op, ast.Mult) and isinstance(left, TensorType)
    return left is None and isinstance(op, (ast.Add, ast.Sub, ast.Div)) and isinstance(right, TensorType)


def _list_arithmetic(op: ast.operator, left: Value, right: Value) -> ListType | None:
    """Return the type of a list plus an unknown value, which must be a list, or of a tuple times a number, which is a
    list. Return None for other operands.
    """
    if isinstance(op, ast.Add) and (isinstance(left, Unknown) or isinstance(right, Unknown)):
        known = right if isinstance(left, Unknown) else left
        return known.type if isinstance(known, Typed) and isinstance(known.type, ListType) and not known.empty else None
    parts = left.elements if isinstance(op, ast.Mult) and isinstance(left, TupleValue) else ()
    types = {first_class(part) for part in parts}
    if not types:
        return None
    only = types.pop()
    return ListType(ANYTHING if types or only is None else only)


def _joined_tuples(left: Value, right: Value) -> Value | None:
    """Return the tuple ``left + right`` for two tuples; None if an operand is not a tuple."""
    parts: list[Value] = []
    for value in (left, right):
        if isinstance(value, TupleValue):
            parts += value.elements
        elif isinstance(value, Typed) and isinstance(value.type, TupleType):
            parts += map(as_typed, value.type.elements)
        else:
            return None
    return TupleValue(tuple(parts))


def _method(type_: Type, op: ast.operator, *, in_place: bool) -> str:
    """Return the method for a binary operator on an object; for ``+=`` it is ``__iadd__`` if the class has that."""
    name = OF_OPERATORS[type(op)]
    changing = f"__i{name[2:]}"
    definition = type_.definition if in_place and isinstance(type_, ClassType) else None
    return changing if isinstance(definition, Class) and changing in body_names(definition.node) else name


def _operands(node: ast.AST) -> tuple[ast.AST, ast.AST]:
    if isinstance(node, ast.BinOp):
        return node.left, node.right
    if isinstance(node, ast.AugAssign):
        return node.target, node.value
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return node.left, node.comparators[0]
    return node, node


def _fold(op: ast.operator, left: Value, right: Value) -> Value | None:
    """Return the type of arithmetic with two ints; None for other types. The value is not computed, because the
    compiler does not compute it here either.
    """
    if isinstance(left, Typed) and isinstance(right, Typed) and left.type == INT and right.type == INT:
        if isinstance(op, (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)):
            return Typed(INT)
        if isinstance(op, (ast.Div, ast.Pow)):
            return Typed(FLOAT)
    return None


def unary(em: Emitter, node: ast.UnaryOp, value: Value) -> Value:
    """Emit ``-value`` and ``~value``."""
    if isinstance(value, Alternatives):
        return em.map_alternatives(value, lambda option: unary(em, node, option))
    type_ = em.type_of(value, node.operand)
    if type_ is None or isinstance(node.op, ast.UAdd):
        return UNKNOWN
    if is_object(type_):
        return magic(em, type_, OF_OPERATORS[type(node.op)], node, node.operand)
    if isinstance(node.op, ast.USub):
        if isinstance(value, Typed) and value.constant is not NO_CONSTANT and isinstance(value.constant, (int, float)):
            return Typed(type_, -value.constant)
        return operator_type(em, node, "aten::neg", [Arg(type_)], "-")
    return operator_type(em, node, "aten::bitwise_not", [Arg(type_)], "~")


def compare(em: Emitter, node: ast.Compare, op: ast.cmpop, left: Value, right: Value) -> Value:
    """Emit a comparison ``left op right``."""
    if isinstance(left, Alternatives):
        return em.map_alternatives(left, lambda option: compare(em, node, op, option, right))
    if isinstance(right, Alternatives):
        return em.map_alternatives(right, lambda option: compare(em, node, op, left, option))
    if isinstance(op, (ast.In, ast.NotIn)):
        if lacks(em, right, "__contains__"):
            return report_lacking(em, right, "__contains__", node)
        if isinstance(right, (ModuleValue, ContainerValue, Unknown)) or isinstance(left, Unknown):
            return Typed(BOOL)
        left, right = right, left
        first, second = _argument(em, left, node.comparators[0]), _argument(em, right, node.left)
        if first.type is not None and is_object(first.type):
            return magic(em, first.type, OF_OPERATORS[type(op)], node, node.comparators[0])
        if (
            first.type is None
            or second.type is None
            or ANY in (first.type, second.type)
            or isinstance(first.type, ClassType)
        ):
            return Typed(BOOL)
        found = operator_type(em, node, "aten::__contains__", [first, second], _WORDS[type(op)])
        return Typed(BOOL) if isinstance(found, Typed) else UNKNOWN
    if isinstance(left, (ModuleValue, ContainerValue)) or isinstance(right, (ModuleValue, ContainerValue)):
        return UNKNOWN
    first = _argument(em, left, node.left)
    second = _argument(em, right, node.comparators[0])
    if first.type is None and second.type is None:
        return UNKNOWN
    if isinstance(op, (ast.Is, ast.IsNot)):
        observers.identity_test.tell(em, node, first.type, second.type)
    if ANY in (first.type, second.type) or isinstance(op, (ast.Is, ast.IsNot)):
        return Typed(BOOL) if isinstance(op, (ast.Is, ast.IsNot)) else UNKNOWN
    if first.type is not None and is_object(first.type):
        return magic(em, first.type, OF_OPERATORS[type(op)], node, node.left)
    if not _comparable(first.type) or not _comparable(second.type):
        return UNKNOWN
    return operator_type(em, node, _COMPARE[type(op)], [first, second], _WORDS.get(type(op), ""))


def _comparable(type_: Type | None) -> bool:
    return not isinstance(type_, ClassType) or type_.kind == "enum"
