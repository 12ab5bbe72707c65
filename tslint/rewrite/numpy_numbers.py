"""Numpy on numbers and sizes, as what compiled code has for them."""

from __future__ import annotations

import ast

from tslint import walking
from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.spans import operand
from tslint.rewrite.statements import own_class, parent, self_name
from tslint.rewrite.tensor_new import is_size, plain_type
from tslint.rewrite.when_compiled import either
from tslint.rulekit.match import Match

_MATH = frozenset("sqrt exp log log10 sin cos tan sinh cosh tanh degrees radians".split())
_ROUNDING = {"floor": "floor", "ceil": "ceil"}
_OF_SIZES = {"prod": "int({torch}.tensor({0}).prod())", "product": "int({torch}.tensor({0}).prod())"}
_OF_SIZES |= {"sum": "sum({0})", "max": "max({0})", "min": "min({0})", "amax": "max({0})", "amin": "min({0})"}
_SIGNS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//"}
_ARITHMETIC = tuple(_SIGNS)
_ARRAYS = frozenset(["array", "asarray"])
_RISKS = (Risk.DIFFERS, Risk.RAISES)


def number_fix(match: Match, call: ast.Call, aliases: frozenset[str]) -> Fix | None:
    """``np.prod(x.shape[1:])`` and ``np.sqrt(n)`` without numpy where they are compiled.

    Args:
        call: of a function of numpy; those around it that take its result are written with it.
        aliases: what the file calls numpy.
    """
    outer, around = call, parent(match, call)
    while isinstance(around, ast.Call) and around.args == [outer] and _function(around, aliases):
        outer, around = around, parent(match, around)
    reader = _Reader(match, aliases)
    found = reader.number(outer)
    if found is None or found[1] == "sizes":
        return None
    return either(match, outer, found[0], f"Write `{found[0]}` where it is compiled", *reader.imports, risks=_RISKS)


def _function(node: ast.expr, aliases: frozenset[str]) -> str:
    """The function of numpy that a call calls; empty for others."""
    if not isinstance(node, ast.Call) or node.keywords or any(isinstance(each, ast.Starred) for each in node.args):
        return ""
    callee = node.func
    if isinstance(callee, ast.Attribute) and isinstance(callee.value, ast.Name) and callee.value.id in aliases:
        return callee.attr
    return ""


class _Reader:
    def __init__(self, match: Match, aliases: frozenset[str]) -> None:
        self.match, self.aliases = match, aliases
        self.imports: tuple[Edit, ...] = ()

    def number(self, node: ast.expr) -> tuple[str, str] | None:
        """What compiled code writes for an expression, and its kind: ``int``, ``float`` or ``sizes``."""
        name = _function(node, self.aliases)
        if name and isinstance(node, ast.Call):
            return self._call(node, name)
        kind = plain_type(self.match, node)
        if kind in ("int", "float"):
            return operand(self.match, node), kind
        if is_size(node) or self._is_list(node):
            return self.match.text(node), "sizes"
        if isinstance(node, ast.BinOp) and isinstance(node.op, _ARITHMETIC):
            return self._arithmetic(node)
        if isinstance(node, (ast.List, ast.Tuple)) and node.elts:
            inner = [self.number(each) for each in node.elts]
            texts = [each[0] for each in inner if each is not None and each[1] == "int"]
            return (f"[{', '.join(texts)}]", "sizes") if len(texts) == len(inner) else None
        if _counted(self.match, node):
            return self.match.text(node), "float"
        return None

    def _arithmetic(self, node: ast.BinOp) -> tuple[str, str] | None:
        left, right = self.number(node.left), self.number(node.right)
        if left is None or right is None or "sizes" in (left[1], right[1]):
            return None
        whole = left[1] == right[1] == "int" and not isinstance(node.op, ast.Div)
        return f"({left[0]} {_SIGNS[type(node.op)]} {right[0]})", "int" if whole else "float"

    def _call(self, node: ast.Call, name: str) -> tuple[str, str] | None:
        if len(node.args) != 1:
            return None
        given = self.number(node.args[0])
        if given is None:
            return None
        text, kind = given
        if name in _ARRAYS:
            return given
        if kind == "sizes":
            if name not in _OF_SIZES:
                return None
            torch, imports = self.match.imported("torch")
            self.imports += imports
            return _OF_SIZES[name].format(text, torch=torch), "int"
        if name in _OF_SIZES:
            return given
        if name in ("abs", "absolute"):
            return f"abs({text})", kind
        if name in ("rint", "around", "round"):
            return f"float(round({text}))", "float"
        if name not in _MATH and name not in _ROUNDING and name != "log2":
            return None
        math, imports = self.match.imported("math")
        self.imports += imports
        if name == "log2":
            return f"({math}.log({text}) / {math}.log(2))", "float"
        return (f"float({math}.{name}({text}))" if name in _ROUNDING else f"{math}.{name}({text})"), "float"

    def _is_list(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and self.match.event.names.get(node.id) == "List[int]"


def _counted(match: Match, node: ast.expr) -> bool:
    """Whether an expression is an attribute that ``__init__`` gives the value of a parameter, or counts with some."""
    owner, itself = own_class(match), self_name(match)
    if owner is None or itself is None or not isinstance(node, ast.Attribute) or ast.unparse(node.value) != itself:
        return False
    values = [
        each.value for each in walking.walk(owner)
        if isinstance(each, ast.Assign) and any(ast.unparse(t) == ast.unparse(node) for t in each.targets)
    ]  # fmt: skip
    plain = (ast.Name, ast.BinOp, ast.operator, ast.expr_context, ast.Constant)
    return bool(values) and all(isinstance(each, plain) for value in values for each in walking.walk(value))
