"""``x.new(...)`` and ``x.new_tensor(...)`` as what TorchScript has."""

from __future__ import annotations

import ast

from tslint.diagnostics import Fix
from tslint.rewrite.when_compiled import either
from tslint.rulekit.match import Match

_EMPTY = "Write `new_empty` where it is compiled"
_WHOLE = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)


def new_fix(match: Match, node: ast.Attribute, call: ast.Call) -> Fix | None:
    """The fix for a call of either method; None where it cannot be told what it makes."""
    if not _repeatable(node.value) or any(keyword.arg is None for keyword in call.keywords):
        return None
    owner = match.text(node.value)
    if node.attr == "new":
        return _new(match, call, owner) if not call.keywords else None
    if len(call.args) != 1 or isinstance(call.args[0], ast.Starred):
        return None
    options = {keyword.arg: match.text(keyword.value) for keyword in call.keywords}
    if set(options) - {"dtype", "device"}:
        return None
    return _values(match, call, call.args[0], owner, {key: value for key, value in options.items() if key})


def _new(match: Match, call: ast.Call, owner: str) -> Fix | None:
    empty = f"{owner}.new_empty"
    if not call.args:
        return either(match, call, f"{empty}([0])", _EMPTY)
    first = call.args[0]
    if len(call.args) == 1:
        if isinstance(first, ast.Starred):
            text = f"{empty}({match.text(first.value)})" if is_size(first.value) else ""
        elif is_size(first):
            text = f"{empty}({match.text(first)})"
        elif plain_type(match, first) == "int":
            text = f"{empty}([{match.text(first)}])"
        elif isinstance(first, ast.List):
            return _values(match, call, first, owner, {})
        else:
            text = ""
        return either(match, call, text, _EMPTY) if text else None
    if any(isinstance(argument, ast.Starred) for argument in call.args):
        return None
    sizes = ", ".join(match.text(argument) for argument in call.args)
    return either(match, call, f"{empty}([{sizes}])", _EMPTY)


def _values(match: Match, call: ast.Call, value: ast.expr, owner: str, options: dict[str, str]) -> Fix | None:
    torch = match.imported("torch")[0]
    settings = {"dtype": f"{owner}.dtype", "device": f"{owner}.device", **options}
    rest = ", ".join(f"{key}={text}" for key, text in settings.items())
    given = match.text(value)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "range":
        inside = ", ".join(match.text(argument) for argument in value.args)
        return either(match, call, f"{torch}.arange({inside}, {rest})", "Write `torch.arange` where it is compiled")
    kind = plain_type(match, value)
    if kind == "Tensor":
        tight = isinstance(value, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))
        text = f"{given if tight else f'({given})'}.detach().clone().to({rest})"
        return either(match, call, text, "Copy the tensor where it is compiled")
    text = f"{torch}.tensor({given}, {rest})"
    if kind or isinstance(value, ast.Attribute):
        return either(match, call, text, "Write `torch.tensor` where it is compiled")
    return None


def plain_type(match: Match, node: ast.expr) -> str:
    """The type of an expression of numbers, lists of them or tensors, as the compiler prints it; empty where unknown.

    A parameter without annotation has no type here.
    """
    if isinstance(node, ast.Constant):
        return type(node.value).__name__ if isinstance(node.value, (bool, int, float)) else ""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return plain_type(match, node.operand)
    if isinstance(node, (ast.List, ast.Tuple)):
        inner = {plain_type(match, each) or _math(each) for each in node.elts}
        return "list" if node.elts and inner <= {"bool", "int", "float", "list"} else ""
    if isinstance(node, ast.Name):
        type_ = str(match.event.names.get(node.id, ""))
        if type_.startswith("Tensor"):
            return "Tensor"  # without annotation, too: nothing else can be passed to what is compiled
        return "list" if type_.startswith("List[") and "Tensor" not in type_ else type_
    if isinstance(node, ast.BinOp):
        sides = {plain_type(match, node.left), plain_type(match, node.right)}
        return "int" if sides == {"int"} and isinstance(node.op, _WHOLE) else ""
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name):
            return node.func.id if node.func.id in ("int", "float") else {"len": "int"}.get(node.func.id, "")
        sized = isinstance(node.func, ast.Attribute) and node.func.attr in ("size", "dim", "numel")
        return "int" if sized and (node.args or ast.unparse(node.func)[-4:] != "size") else ""
    if isinstance(node, ast.Subscript) and is_size(node.value) and not isinstance(node.slice, ast.Slice):
        return "int"
    return _math(node)


def _math(node: ast.expr) -> str:
    return "float" if ast.unparse(node).lstrip("-") in ("math.inf", "math.pi", "math.nan") else ""


def is_size(node: ast.expr) -> bool:
    """Whether an expression is ``x.size()`` or ``x.shape``, perhaps a slice of it."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        return is_size(node.value)
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and node.func.attr == "size" and not node.args
    return isinstance(node, ast.Attribute) and node.attr == "shape"


def _repeatable(node: ast.expr) -> bool:
    """Whether an expression can be written twice."""
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Constant) and _repeatable(node.value)
    return isinstance(node, ast.Name) or (isinstance(node, ast.Attribute) and _repeatable(node.value))
