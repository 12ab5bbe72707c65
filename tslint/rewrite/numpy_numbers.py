"""Replaces numpy functions of numbers and sizes by code that TorchScript supports."""

from __future__ import annotations

import math
import operator

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.scripting import either
from tslint.rulekit import matchers as m
from tslint.rulekit.calls import positional
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe, unsafe
from tslint.rulekit.template import Part, code, expression
from tslint.script.dataflow.plain_types import counted, is_float, is_size, plain_type
from tslint.script.dataflow.scopes import module_bindings
from tslint.script.dataflow.shallow import type_of
from tslint.script.dataflow.whole_numbers import is_count
from tslint.script.types import INT, ListType, plain
from tslint.util.rounding import rounds_alike

_MATH = frozenset("sqrt exp log log10 sin cos tan sinh cosh tanh degrees radians".split())
# For each function of numpy, an expression that computes the same for a single number.
_NUMBERS = {
    "abs": "abs({x})",
    "absolute": "abs({x})",
    **dict.fromkeys(("rint", "around", "round"), "float(round({x}))"),
    **dict.fromkeys(("floor", "ceil"), "float({math}.{name}({x}))"),
    **dict.fromkeys(_MATH, "{math}.{name}({x})"),
    "log2": "{math}.log({x}) / {math}.log(2)",
}
_INT = m.Call(func=m.Name("int"), args=[m.Arg(keyword=None, star="")])
# Inside ``int(…)``, ``float(math.floor(x))`` needs no ``float``, because ``math.floor`` returns an int.
_WRAPPED = m.Call(func=m.Name("float"), args=[m.Arg(m.Call(func=m.Attribute()))])
_CAST = m.Call(func=m.Name("int") | m.Name("float"), args=[m.Arg(keyword=None, star="")])
_COUNT = m.Call(func=m.Attribute(attr=m.Name("numel")), args=[])
_ALL_SIZES = m.Call(func=m.Attribute(attr=m.Name("size")), args=[]) | m.Attribute(attr=m.Name("shape"))
_PRODUCT = ("prod", "product")
_WHOLE = ("floor", "ceil")
_WITH_INTS = (cst.Add, cst.Subtract, cst.Multiply)
_DIVISIONS = (cst.Divide, cst.FloorDivide)
_NEGATIVE = m.UnaryOperation(operator=m.Minus())
_QUOTIENT = m.BinaryOperation(operator=m.Divide())
_COMPUTED = {
    cst.Add: operator.add,
    cst.Subtract: operator.sub,
    cst.Multiply: operator.mul,
    cst.Divide: operator.truediv,
}
_SIZES = {
    **dict.fromkeys(_PRODUCT, "int({torch}.tensor({x}).prod())"),
    "sum": "sum({x})",
    **dict.fromkeys(("max", "amax"), "max({x})"),
    **dict.fromkeys(("min", "amin"), "min({x})"),
}
_ARITHMETIC: dict[type[cst.BaseBinaryOp], str] = {
    cst.Add: "{a} + {b}",
    cst.Subtract: "{a} - {b}",
    cst.Multiply: "{a} * {b}",
    cst.Divide: "{a} / {b}",
    cst.FloorDivide: "{a} // {b}",
}
# Constants of numpy that are Python floats, which compiled code can read.
_CONSTANTS = frozenset(["pi", "e", "inf", "nan", "euler_gamma"])
_ARRAYS = frozenset(["array", "asarray"])
_RISKS = (Risk.DIFFERS, Risk.RAISES)
Number = tuple[cst.BaseExpression, str]


def number_fix(match: Match, call: cst.Call, aliases: frozenset[str]) -> Fix | None:
    """Rewrite ``np.prod(x.shape[1:])`` and ``np.sqrt(n)`` without numpy: for Python, too, if the result is the same
    there; otherwise for compiled code only.

    Args:
        match: the match of the finding.
        call: a call of a numpy function; the numpy calls around it that use its result are rewritten with it.
        aliases: the file's names for numpy.
    """
    whole = _whole_number(match, call, aliases)
    if whole is not None:
        return whole
    outer, around = call, match.parent(call)
    while isinstance(around, cst.Call) and _function(around, aliases) and positional(around) == [outer]:
        outer, around = around, match.parent(around)
    reader = _Reader(match, aliases)
    found = reader.number(outer)
    if found is None or found[1] == "sizes":
        return None
    new = found[0]
    if isinstance(new, cst.Call) and m.matches(new, _WRAPPED) and m.matches(around, _INT):
        new = new.args[0].value
    if m.matches(new, _COUNT) and isinstance(around, cst.Call) and _is_cast(match, around):
        # Both products are ints, except for a tensor without dimensions: there, numpy's is a float.
        old = around if m.matches(around, _INT) else outer
        return unsafe(f"Write `{code(new)}`", lambda: match.replace(old, new), risks=(Risk.ASSUMES,))
    if _is_same_in_math(match, outer, aliases) and _computes_with_tensor(match, outer, aliases):
        # Both libraries round the result alike, and a tensor treats floats of numpy and Python alike.
        message = f"Write `{code(new)}`"
        return unsafe(message, lambda: match.replace(outer, new), *reader.imports, risks=(Risk.ASSUMES,))
    words = f"Write `{code(new)}` in compiled code"
    return either(match, outer, new, words, *reader.imports, risks=_RISKS)


def _is_cast(match: Match, call: cst.Call) -> bool:
    """Return whether a call converts a number to an int or a float."""
    name = code(call.func)
    return m.matches(call, _CAST) and not match.binds(name) and name not in module_bindings(match.file.tree)


def _whole_number(match: Match, call: cst.Call, aliases: frozenset[str]) -> Fix | None:
    """Write ``int(np.ceil(a / b))`` as ``int(math.ceil(a / b))``, which is equal for a float or a quotient; also if
    ints are added, subtracted or multiplied in between.

    Return None for an int, because some versions of numpy convert it to a float first, and for ``round``, which does
    not accept a Tensor: a size is a Tensor during tracing.
    """
    name, arguments = _function(call, aliases), positional(call) or []
    if name not in _WHOLE or len(arguments) != 1 or not _becomes_int(match, call):
        return None
    if match.binds("int") or "int" in module_bindings(match.file.tree):
        return None
    value = match.model(arguments[0])
    if not is_float(match.event.variables, value) and not m.matches(arguments[0], _QUOTIENT):
        return None
    module, imports = match.imported("math")
    new = expression("{math}.{name}({x})", math=module, name=name, x=arguments[0])
    message = f"Write `{code(new)}`"
    if is_float({}, value):
        return safe(message, lambda: match.replace(call, new), *imports)
    return unsafe(message, lambda: match.replace(call, new), *imports, risks=(Risk.ASSUMES,))


def _becomes_int(match: Match, node: cst.BaseExpression) -> bool:
    """Return whether an expression is the argument of ``int``, alone or in a sum, difference or product with ints."""
    around = match.parent(node)
    while isinstance(around, cst.BinaryOperation) and isinstance(around.operator, _WITH_INTS):
        other = around.right if around.left is node else around.left
        if plain_type(match.event.variables, match.model(other)) != "int":
            return False
        node, around = around, match.parent(around)
    return m.matches(around, _INT) if around is not None else False


def _is_same_in_math(match: Match, call: cst.Call, aliases: frozenset[str]) -> bool:
    """Return whether ``math`` computes the same float as a call: ``np.sqrt`` of a size, or a function of a number that
    is written out (``2 / np.pi``).
    """
    name, arguments = _function(call, aliases), positional(call) or []
    if len(arguments) != 1:
        return False
    value = _constant(arguments[0], aliases)
    if value is None:
        return name == "sqrt" and is_count(match.file.tree, match.model(arguments[0]))
    return rounds_alike(name, value)


def _constant(node: cst.BaseExpression, aliases: frozenset[str]) -> float | None:
    """Return the value of an expression of numbers and ``np.pi``; None for others."""
    if isinstance(node, (cst.Integer, cst.Float)):
        return node.evaluated_value
    if isinstance(node, cst.UnaryOperation) and m.matches(node, _NEGATIVE):
        value = _constant(node.expression, aliases)
        return -value if value is not None else None
    if m.matches(node, m.Attribute(value=m.Name(), attr=m.Name("pi"))) and isinstance(node, cst.Attribute):
        return math.pi if isinstance(node.value, cst.Name) and node.value.value in aliases else None
    if not isinstance(node, cst.BinaryOperation) or type(node.operator) not in _COMPUTED:
        return None
    left, right = _constant(node.left, aliases), _constant(node.right, aliases)
    if left is None or right is None or (isinstance(node.operator, cst.Divide) and not right):
        return None
    return float(_COMPUTED[type(node.operator)](left, right))


def _computes_with_tensor(match: Match, call: cst.Call, aliases: frozenset[str]) -> bool:
    """Return whether the number that a call returns is only used in arithmetic with a tensor.

    If a float of numpy is 0, dividing a number by it gives infinity; dividing by a float of Python raises.
    """
    node: cst.CSTNode = call
    arguments = positional(call) or []
    value = _constant(arguments[0], aliases) if len(arguments) == 1 else None
    divides = value is not None and not (_function(call, aliases) == "log" and value == 1)
    for around in match.ancestors(call):
        if isinstance(around, cst.BinaryOperation) and type(around.operator) in _ARITHMETIC:
            other = around.right if around.left is node else around.left
            if _is_of_tensor(match, other):
                return True
            if around.right is node and isinstance(around.operator, _DIVISIONS) and not divides:
                return False
            divides = False
        elif not m.matches(around, _NEGATIVE):
            return False
        node = around
    return False


def _is_of_tensor(match: Match, node: cst.BaseExpression) -> bool:
    """Return whether an expression is certainly a tensor, or computed with one."""
    if isinstance(node, cst.BinaryOperation):
        return _is_of_tensor(match, node.left) or _is_of_tensor(match, node.right)
    known = {name: plain(type_) for name, type_ in match.event.variables.items()}
    return type_of(match.file.tree, match.model(node), known.get) == "Tensor"


def _function(call: cst.Call, aliases: frozenset[str]) -> str:
    """Return the numpy function that a call calls; empty for others."""
    callee = call.func
    if isinstance(callee, cst.Attribute) and isinstance(callee.value, cst.Name) and callee.value.value in aliases:
        return callee.attr.value if positional(call) is not None else ""
    return ""


class _Reader:
    def __init__(self, match: Match, aliases: frozenset[str]) -> None:
        self.match, self.aliases = match, aliases
        self.imports: tuple[Edit, ...] = ()

    def number(self, node: cst.BaseExpression) -> Number | None:
        """Return the compiled form and the kind (``int``, ``float`` or ``sizes``) of an expression; None if there is
        none.
        """
        if isinstance(node, cst.Call) and (name := _function(node, self.aliases)):
            return self._call(node, name)
        model, names = self.match.model(node), self.match.event.variables
        kind = plain_type(names, model)
        if kind in ("int", "float"):
            return node, kind
        if is_size(model) or (isinstance(node, cst.Name) and names.get(node.value) == ListType(INT)):
            return node, "sizes"
        if isinstance(node, cst.BinaryOperation) and type(node.operator) in _ARITHMETIC:
            return self._arithmetic(node)
        if isinstance(node, (cst.List, cst.Tuple)) and node.elements:
            inner = [self.number(each.value) for each in node.elements]
            ints = [cst.Element(each[0]) for each in inner if each is not None and each[1] == "int"]
            return (cst.List(ints), "sizes") if len(ints) == len(inner) else None
        if isinstance(node, cst.Attribute) and isinstance(node.value, cst.Name) and node.value.value in self.aliases:
            return (node, "float") if node.attr.value in _CONSTANTS else None
        unit, itself = self.match.event.unit, self.match.self_name
        owner = unit.function.owner if unit is not None else None
        if isinstance(node, cst.Attribute) and owner is not None and m.matches(node.value, m.Name(itself or "")):
            return (node, "float") if counted(owner.node, model) else None
        return None

    def _arithmetic(self, node: cst.BinaryOperation) -> Number | None:
        left, right = self.number(node.left), self.number(node.right)
        if left is None or right is None or "sizes" in (left[1], right[1]):
            return None
        whole = left[1] == right[1] == "int" and not isinstance(node.operator, cst.Divide)
        pattern = _ARITHMETIC[type(node.operator)]
        return expression(pattern, a=left[0], b=right[0]), "int" if whole else "float"

    def _call(self, node: cst.Call, name: str) -> Number | None:
        number = self.number(node.args[0].value) if len(node.args) == 1 else None
        if number is None or name in _ARRAYS:
            return number
        value, kind = number
        if kind == "sizes":
            return self._of_sizes(value, name)
        if name in _SIZES:
            return number
        if name not in _NUMBERS:
            return None
        pattern = _NUMBERS[name]
        parts: dict[str, Part] = {"x": value, "name": name}
        if "{math}" in pattern:
            parts["math"], imports = self.match.imported("math")
            self.imports += imports
        return expression(pattern, **parts), kind if pattern == "abs({x})" else "float"

    def _of_sizes(self, value: cst.BaseExpression, name: str) -> Number | None:
        if name not in _SIZES:
            return None
        if name in _PRODUCT and m.matches(value, _ALL_SIZES):
            sizes = value.func if isinstance(value, cst.Call) else value
            return expression("{x}.numel()", x=cst.ensure_type(sizes, cst.Attribute).value), "int"
        torch, imports = self.match.imported("torch")
        self.imports += imports
        return expression(_SIZES[name], x=value, torch=torch), "int"
