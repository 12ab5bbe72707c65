"""Infers the type of an expression from its text only, without the static model, and only if the text shows it.

Types are spelled as the compiler prints them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from tslint.script.dataflow.names import imported_names
from tslint.script.operators.callables import BooleanDispatch, CompiledFunction, Operator, python_callable
from tslint.script.operators.schema import Schema
from tslint.script.operators.tables import schemas, table
from tslint.script.type_text import parsed
from tslint.script.types import TensorType, plain

Lookup = Callable[[str], str | None]
_CASTS = {"int": "int", "len": "int", "float": "float", "str": "str", "bool": "bool", "repr": "str"}
_NUMBERS = ("bool", "int", "float")
_WRITTEN = {"Tensor": "Tensor", "device": "Device", "dtype": "dtype"}
_PLAIN = frozenset(["int", "float", "bool", "str", "complex", "None"])
_GENERIC = {"list": "List", "dict": "Dict", "tuple": "Tuple", "optional": "Optional"}


def full_name(tree: ast.Module, node: ast.expr) -> str | None:
    """Return the full name of an import, ``torch.nn.functional.relu`` for ``F.relu``; None for other names and relative
    imports.
    """
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    root = imported_names(tree).get(node.id) if isinstance(node, ast.Name) else None
    return ".".join([root, *reversed(parts)]) if root and not root.startswith(".") else None


def called_schemas(tree: ast.Module, call: ast.Call) -> tuple[Sequence[Schema], int]:
    """Return the schemas of the torch functions that a call may call, and how many of their first parameters are not
    among its arguments: 1 for a method, whose tensor is the first parameter, otherwise 0.
    """
    full = full_name(tree, call.func)
    if full is not None:
        known = python_callable(full)
        if isinstance(known, Operator):
            return schemas(known.operator), 0
        if isinstance(known, CompiledFunction):
            return known.schemas, 0
        if isinstance(known, BooleanDispatch):
            taken = known.if_true if known.default else known.if_false
            return (taken.schemas if isinstance(taken, CompiledFunction) else ()), 0
        return (), 0
    func = call.func
    if not isinstance(func, ast.Attribute) or _is_module_like(func.value):
        return (), 0
    found = [each for each in schemas(f"aten::{func.attr}") if each.arguments]
    if func.attr not in table("attributes")["Tensor"]:
        return (), 0
    return [each for each in found if isinstance(each.arguments[0].type, TensorType)], 1


def _is_module_like(node: ast.expr) -> bool:
    """Return whether an expression is ``self``, whose members are the author's."""
    return isinstance(node, ast.Name) and node.id in ("self", "cls")


def annotation_type(tree: ast.Module, node: ast.AST | None) -> str | None:
    """Return the type that an annotation names; None if it is not known."""
    if isinstance(node, ast.Constant):
        if node.value is None:
            return "NoneType"
        if isinstance(node.value, str):
            try:
                return annotation_type(tree, ast.parse(node.value, mode="eval").body)
            except SyntaxError:
                return None
        return None
    if isinstance(node, (ast.Name, ast.Attribute)):
        name = node.attr if isinstance(node, ast.Attribute) else node.id
        return name if name in _PLAIN and isinstance(node, ast.Name) else _WRITTEN.get(name)
    if isinstance(node, ast.Subscript):
        base = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
        base = _GENERIC.get(base.lower(), "")
        inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        parts = [annotation_type(tree, each) for each in inner]
        return f"{base}[{', '.join(map(str, parts))}]" if base and None not in parts else None
    return None


def nothing(name: str) -> str | None:
    """Return None for every name: a lookup that knows no types."""
    return None


def type_of(tree: ast.Module, node: ast.AST | None, lookup: Lookup = nothing) -> str | None:
    """Return the type of an expression; None if its text does not show it.

    Args:
        tree: the tree of the file.
        node: the expression.
        lookup: returns the types of names, and of ``self.member()``.
    """
    if isinstance(node, ast.Constant):
        kind = type(node.value).__name__
        return kind if kind in (*_NUMBERS, "str", "NoneType", "complex") else None
    if isinstance(node, ast.Name):
        return lookup(node.id)
    if isinstance(node, ast.JoinedStr):
        return "str"
    if isinstance(node, (ast.List, ast.Tuple)):
        return _literal(tree, node, lookup)
    if isinstance(node, ast.UnaryOp):
        inner = type_of(tree, node.operand, lookup)
        return "bool" if isinstance(node.op, ast.Not) else "int" if inner == "bool" else inner
    if isinstance(node, ast.BinOp):
        return _arithmetic(node.op, type_of(tree, node.left, lookup), type_of(tree, node.right, lookup))
    if isinstance(node, ast.Compare):
        return _comparison(tree, node, lookup)
    if isinstance(node, ast.IfExp):
        first, second = type_of(tree, node.body, lookup), type_of(tree, node.orelse, lookup)
        return first if first == second else None
    if isinstance(node, ast.Attribute):
        return _attribute(tree, node, lookup)
    if isinstance(node, ast.Subscript):
        return _item(type_of(tree, node.value, lookup), node.slice)
    return _call(tree, node, lookup) if isinstance(node, ast.Call) else None


def _literal(tree: ast.Module, node: ast.List | ast.Tuple, lookup: Lookup) -> str | None:
    parts = [type_of(tree, each, lookup) for each in node.elts]
    if None in parts or not parts:
        return None
    if isinstance(node, ast.Tuple):
        return f"Tuple[{', '.join(map(str, parts))}]"
    return f"List[{parts[0]}]" if len(set(parts)) == 1 else None


def _arithmetic(op: ast.operator, left: str | None, right: str | None) -> str | None:
    if "Tensor" in (left, right):
        other = right if left == "Tensor" else left
        return "Tensor" if other in ("Tensor", *_NUMBERS) else None
    if left in _NUMBERS and right in _NUMBERS:
        if isinstance(op, ast.Pow):
            return None  # `2 ** -1` is a float
        return "float" if isinstance(op, ast.Div) or "float" in (left, right) else "int"
    same = left == right and left is not None and parsed(left).name in ("str", "List")
    return left if same and isinstance(op, ast.Add) else None


def _comparison(tree: ast.Module, node: ast.Compare, lookup: Lookup) -> str | None:
    if all(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in node.ops):
        return "bool"
    types = [type_of(tree, each, lookup) for each in (node.left, *node.comparators)]
    if all(each in (*_NUMBERS, "str") for each in types):
        return "bool"
    return "Tensor" if len(types) == 2 and "Tensor" in types and None not in types else None


def _attribute(tree: ast.Module, node: ast.Attribute, lookup: Lookup) -> str | None:
    full = full_name(tree, node)
    if full is not None:
        kind = full.removeprefix("torch.")
        return "dtype" if full.startswith("torch.") and kind in _DTYPES else None
    if node.attr == "shape":
        return "List[int]"
    if node.attr in ("device", "dtype") and not _is_module_like(node.value):
        return {"device": "Device", "dtype": "dtype"}[node.attr]
    if type_of(tree, node.value, lookup) == "Tensor" and node.attr in ("T", "data", "mT", "real"):
        return "Tensor"
    return None


def _item(container: str | None, index: ast.expr) -> str | None:
    if container is None:
        return None
    kind = parsed(container)
    if kind.name == "List":
        return container if isinstance(index, ast.Slice) else str(kind.arguments[0])
    return "Tensor" if container == "Tensor" else None


def _call(tree: ast.Module, node: ast.Call, lookup: Lookup) -> str | None:
    func = node.func
    if isinstance(func, ast.Name) and func.id in _CASTS and func.id not in imported_names(tree):
        return _CASTS[func.id]
    if full_name(tree, func) == "torch.device":
        return "Device"
    if isinstance(func, ast.Attribute) and full_name(tree, func) is None:
        if _is_module_like(func.value):
            return lookup(f"self.{func.attr}()")
        if func.attr == "size":
            return "int" if node.args or node.keywords else "List[int]"
        if func.attr in ("dim", "numel") and not node.args:
            return "int"
        if func.attr == "item" and not node.args:
            return "number"
        if type_of(tree, func.value, lookup) != "Tensor":
            return None
    found, own = called_schemas(tree, node)
    if not own and node.args and type_of(tree, node.args[0], lookup) == "Tensor":
        found = [each for each in found if each.arguments and isinstance(each.arguments[0].type, TensorType)]
    kinds = {tuple(plain(each) for each in schema.returns) for schema in found if _not_out(schema)}
    return "Tensor" if kinds == {("Tensor",)} else None


def returns_tensor(tree: ast.Module, value: ast.expr) -> bool:
    """Return whether a value is the result of a method that returns a tensor if its object is a tensor."""
    found, own = called_schemas(tree, value) if isinstance(value, ast.Call) else ((), 0)
    return own == 1 and all([plain(each) for each in schema.returns] == ["Tensor"] for schema in found)


def _not_out(schema: Schema) -> bool:
    return not any(each.name == "out" for each in schema.arguments)


_DTYPES = frozenset(
    "float32 float float64 double float16 half bfloat16 uint8 int8 int16 short int32 int int64 long bool complex64"
    " complex128 cfloat cdouble".split()
)
