"""Determines the types of expressions of numbers and sizes, from their text and the types of variables."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from tslint.script.types import TENSOR, ListType, Type, holds, plain
from tslint.util import astwalk

_WHOLE = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
_COUNTED = (ast.Name, ast.BinOp, ast.operator, ast.expr_context, ast.Constant)
_MATH = frozenset(["inf", "pi", "nan"])


def plain_type(names: Mapping[str, Type], node: ast.AST) -> str:
    """Return the name of an expression's type, empty if unknown: ``bool``, ``int``, ``float`` or ``list``; for
    variables also other types, such as ``Tensor``.

    Args:
        names: the types of variables, as events contain them. A parameter without annotation counts as a Tensor,
            because compiled code accepts nothing else.
        node: the expression.
    """
    if isinstance(node, ast.Constant):
        return type(node.value).__name__ if isinstance(node.value, (bool, int, float)) else ""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return plain_type(names, node.operand)
    if isinstance(node, (ast.List, ast.Tuple)):
        # For numbers of two types, the compiler makes a list of a Union, which no operator accepts.
        held = _element_types(names, node)
        return "list" if len(held) == 1 and held <= {"bool", "int", "float", "list"} else ""
    if isinstance(node, ast.Name):
        type_ = names.get(node.id)
        if isinstance(type_, ListType) and not holds(type_, TENSOR):
            return "list"
        return plain(type_) if type_ is not None else ""
    if isinstance(node, ast.BinOp):
        sides = {plain_type(names, node.left), plain_type(names, node.right)}
        return "int" if sides == {"int"} and isinstance(node.op, _WHOLE) else ""
    if isinstance(node, ast.Call):
        return _of_call(node)
    if isinstance(node, ast.Subscript) and is_size(node.value) and not isinstance(node.slice, ast.Slice):
        return "int"
    constant = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "math"
    return "float" if constant and isinstance(node, ast.Attribute) and node.attr in _MATH else ""


def _element_types(names: Mapping[str, Type], node: ast.AST) -> set[str]:
    """Return the types of the elements of a list, at any depth."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return {found for each in node.elts for found in _element_types(names, each)}
    return {plain_type(names, node)}


def _of_call(node: ast.Call) -> str:
    if isinstance(node.func, ast.Name):
        return {"int": "int", "float": "float", "len": "int"}.get(node.func.id, "")
    if not isinstance(node.func, ast.Attribute):
        return ""
    number = node.func.attr in ("dim", "numel", "get_device") or (node.func.attr == "size" and bool(node.args))
    return "int" if number else ""


def is_float(names: Mapping[str, Type], node: ast.AST) -> bool:
    """Return whether a numeric expression is certainly a float in Python. A variable is not: a parameter that is
    annotated as float may be an int.
    """
    if isinstance(node, ast.Constant):
        return isinstance(node.value, float)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return is_float(names, node.operand)
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, (*_WHOLE[:3], ast.Div)):
        return False
    sides = (node.left, node.right)
    floats = [is_float(names, each) for each in sides]
    numbers = [plain_type(names, each) in ("int", "float") for each in sides]
    known = all(float_ or number for float_, number in zip(floats, numbers))
    return known and (isinstance(node.op, ast.Div) or any(floats))


def is_size(node: ast.AST) -> bool:
    """Return whether an expression is ``x.size()`` or ``x.shape``, possibly sliced."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        return is_size(node.value)
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and node.func.attr == "size" and not node.args
    return isinstance(node, ast.Attribute) and node.attr == "shape"


def counted(owner: ast.ClassDef, attribute: ast.AST) -> bool:
    """Return whether all values that a class assigns to an attribute only consist of names, constants and
    arithmetic.
    """
    wanted = ast.unparse(attribute)
    values = [
        each.value
        for each in astwalk.walk(owner)
        if isinstance(each, ast.Assign) and any(ast.unparse(target) == wanted for target in each.targets)
    ]
    return bool(values) and all(isinstance(each, _COUNTED) for value in values for each in astwalk.walk(value))
