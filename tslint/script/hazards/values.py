"""Finds expressions that have another value in TorchScript than in Python."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tslint.project.definitions import Class, Function
from tslint.script.dataflow.definitions import default_of
from tslint.script.dataflow.items import is_whole_item
from tslint.script.events import Event
from tslint.script.events.hazards import (
    DivisionByOne,
    EvaluatedTwice,
    FormatField,
    IntegerPower,
    LiteralBraces,
    ModuleTypeTest,
    NamedLikeBuiltin,
    PercentSpecifier,
    RoundedFloat,
    TensorAsNumber,
    TextOfValue,
    TruthValue,
    TypeAsked,
    TypeByName,
)
from tslint.script.hazards.context import (
    called,
    is_computed_with,
    is_message,
    is_only_traced,
    is_truth,
    only_tested,
    path_to,
)
from tslint.script.interpreter import observers
from tslint.script.interpreter.modules import ITERABLE_METHODS
from tslint.script.types import (
    ANYTHING,
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NUMBER,
    STRING,
    ListType,
    OptionalType,
    TensorType,
    Type,
    has_unknowns,
)
from tslint.script.values import Alternatives, ExternalValue, ModuleValue, SpecialForm, Typed, Value

if TYPE_CHECKING:
    from tslint.script.interpreter.arguments import Given
    from tslint.script.interpreter.emitter import Emitter

# Functions with the same result for a whole float and for the equal int.
_SAME_OF_BOTH = frozenset(
    "int float bool round sqrt ceil floor trunc log exp pow fabs sin cos tan isclose cos_ sin_ div_ fill_ masked_fill"
    " masked_fill_".split()
)
_ROUND = ("builtins.round", "round")
# Expressions that can be emitted twice, because they call nothing.
_PLAIN = (
    ast.Name, ast.Attribute, ast.Constant, ast.Subscript, ast.BinOp, ast.UnaryOp, ast.expr_context, ast.operator,
    ast.unaryop,
)  # fmt: skip
_STR = ("builtins.str", "str")
_SPECIFIER = re.compile(r"%(.?)", re.DOTALL)
_SUPPORTED = frozenset("%sdieEfFc")


def _notice(em: Emitter, event: Event) -> None:
    """Add an event, unless its code only runs while a trace is recorded."""
    if not is_only_traced(em.unit.function.node, event.node):
        em.notice(event)


@observers.power.observe
def notice_power(em: Emitter, node: ast.AST, left: Value, right: Value) -> None:
    """Report ``int ** int`` and ``pow(int, int)``: they are floats, but ints in Python if the exponent is
    not negative.
    """
    if not (isinstance(left, Typed) and isinstance(right, Typed) and left.type == right.type == INT):
        return
    if isinstance(node, ast.BinOp):
        base, exponent = node.left, node.right
    elif isinstance(node, ast.AugAssign):
        base, exponent = node.target, node.value
    elif isinstance(node, ast.Call) and len(node.args) == 2:
        base, exponent = node.args
    else:
        return
    if isinstance(exponent, ast.UnaryOp) and isinstance(exponent.op, ast.USub):
        return  # a negative exponent gives a float in Python, too
    if _float_will_do(em, node):
        return
    _notice(em, IntegerPower(node, "", base=base, exponent=exponent))


@observers.division.observe
def notice_division(em: Emitter, node: ast.AST, left: Value, right: Value) -> None:
    """Report ``int / 1``, which stays an int: the peephole pass removes the division, but later code expects a float.

    A parameter that is 1 by default is a constant, too, if the call omits it and the function is inlined.
    """
    if not (isinstance(left, Typed) and isinstance(right, Typed) and left.type == right.type == INT):
        return
    divisor = node.right if isinstance(node, ast.BinOp) else node.value if isinstance(node, ast.AugAssign) else None
    default = default_of(em.unit.function.node, divisor.id) if isinstance(divisor, ast.Name) else None
    value = default if default is not None else divisor
    if divisor is not None and isinstance(value, ast.Constant) and type(value.value) is int and value.value == 1:
        _notice(em, DivisionByOne(node, "", divisor=divisor, default=default is not None))


@observers.value_call.observe
def notice_round(em: Emitter, callee: Value, node: ast.Call, arguments: list[Value]) -> None:
    """Report ``round(x)``, which is a float; in Python it is an int."""
    if not isinstance(callee, (SpecialForm, ExternalValue)) or callee.name not in _ROUND or len(arguments) != 1:
        return
    value = arguments[0]
    if isinstance(value, Typed) and value.type in (INT, FLOAT, NUMBER) and not _float_will_do(em, node):
        _notice(em, RoundedFloat(node, ""))


def _float_will_do(em: Emitter, node: ast.AST) -> bool:
    """Return whether a float is as good as an int in the context of an expression: it is converted, divided, compared
    or printed.
    """
    around = path_to(em.unit.function.node, node)
    for outer in around:
        if isinstance(outer, ast.Call):
            return called(outer) in _SAME_OF_BOTH and node is not outer.func
        if isinstance(outer, ast.BinOp):
            if isinstance(outer.op, ast.Div) or _has_float(outer):
                return True
        elif isinstance(outer, ast.UnaryOp):
            continue
        else:
            return isinstance(outer, ast.Compare) or is_message(around)
    return False


def _has_float(node: ast.BinOp) -> bool:
    return any(isinstance(side, ast.Constant) and isinstance(side.value, float) for side in (node.left, node.right))


@observers.printed_value.observe
def notice_text(em: Emitter, node: ast.expr, value: Value, at: ast.AST) -> None:
    """Report values that compiled code prints differently than Python: ``str(1.0)`` is ``1.``.

    Args:
        em: the emitter.
        node: the expression that is printed.
        value: its value.
        at: the expression that converts it to a string.
    """
    type_ = value.type if isinstance(value, Typed) else None
    if type_ == INT and isinstance(node, ast.Attribute) and node.attr in ("dtype", "layout"):
        kind = node.attr  # the compiler treats dtypes and layouts as ints
    elif type_ == FLOAT or type_ == ListType(STRING):
        kind = "int" if _is_power_of_ints(em, node) else str(type_)
    else:
        return
    if not is_message(path_to(em.unit.function.node, at)):
        _notice(em, TextOfValue(at, "", value=node, form=kind))


def _is_power_of_ints(em: Emitter, node: ast.expr) -> bool:
    """Return whether an expression is an int to the power of an int, such as ``2 ** n``: only compiled code returns a
    float."""
    power = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow)
    return power and all(_type_again(em, each) == INT for each in (node.left, node.right))  # type: ignore[attr-defined]


@observers.value_call.observe
def notice_str(em: Emitter, callee: Value, node: ast.Call, arguments: list[Value]) -> None:
    """Report ``str(x)`` if the result differs."""
    if isinstance(callee, (SpecialForm, ExternalValue)) and callee.name in _STR and len(arguments) == 1:
        notice_text(em, node.args[0] if node.args else node.keywords[0].value, arguments[0], node)


@observers.type_call.observe
def notice_type_name(em: Emitter, node: ast.Call) -> None:
    """Report ``x.type("torch.FloatTensor")``, whose name the compiler reads as a device, and ``x.type()``, which is a
    name in Python, and the tensor itself in compiled code.
    """
    if not node.args and not node.keywords:
        around = path_to(em.unit.function.node, node)
        if called(around[0]) == "type" and node in around[0].args:  # type: ignore[attr-defined]
            return  # `y.type(x.type())` converts to the type of a tensor, too
        if not is_message(around) or any(isinstance(each, ast.Compare) for each in around):
            _notice(em, TypeAsked(node, ""))
    name = _literal(node.args[0] if node.args else None)
    if name is not None:
        _notice(em, TypeByName(node, "Invalid device string", name=name))


# Random functions of torch, and methods that work in place.
_draws_or_writes = re.compile(r"rand|.*dropout|bernoulli|multinomial|normal|poisson|rrelu|.*[a-z]_$").match
_WRITTEN = (ast.Call, ast.List, ast.Tuple, ast.ListComp, ast.GeneratorExp)


@observers.dict_call.observe
def notice_dict(em: Emitter, node: ast.Call) -> None:
    """Report ``dict(zip(a, b))``: the compiler emits the argument twice, so calls in it run twice."""
    if len(node.args) != 1 or node.keywords or not isinstance(node.args[0], _WRITTEN):
        return
    for inner in ast.walk(node.args[0]):
        if isinstance(inner, ast.Call) and (_runs_own_code(em, inner.func) or _draws_or_writes(called(inner))):
            _notice(em, EvaluatedTwice(node, "", call=inner))
            return


def _runs_own_code(em: Emitter, node: ast.expr) -> bool:
    """Return whether an expression calls a module, a method or a function of the project."""
    if isinstance(node, ast.Name):
        return em.env.find(node.id) is None and isinstance(em.project.resolve(em.module, node.id), Function)
    if isinstance(node, ast.Attribute) and node.attr in ITERABLE_METHODS:
        return False
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return isinstance(node, ast.Name) and isinstance(em.env.find(node.id), ModuleValue)


@observers.module_type_test.observe
def notice_module_type(em: Emitter, node: ast.Call, value: Value) -> None:
    """Report ``isinstance(self.layer, Layer)``: the compiler compares the names of types. It may make several types of
    one class, and only the first one has the name of the class.
    """
    cases = [case for _, case in value.cases] if isinstance(value, Alternatives) else [value]
    if any(isinstance(case, ModuleValue) and case.path != "self" for case in cases):
        _notice(em, ModuleTypeTest(node, ""))


@observers.conversion.observe
def notice_number(em: Emitter, node: ast.AST, actual: Type | None, formal: Type, place: str, name: str) -> None:
    """Report a Tensor that is declared as a number: the compiler converts it, but Python does not.

    Args:
        em: the emitter.
        node: the tensor.
        actual: its type.
        formal: the declared type.
        place: what declares it: ``argument``, ``return`` or ``variable``.
        name: the name of the parameter, the function or the variable.
    """
    if isinstance(formal, OptionalType):
        formal = formal.element
    tensor = isinstance(actual, TensorType) and formal in (INT, FLOAT, COMPLEX)
    if actual == NUMBER and is_whole_item(em.unit.function.node, node):
        return
    # The result of `.item()` is an int or a float; a variable that was an int before drops the fraction.
    if tensor or (actual == NUMBER and formal == INT and place == "variable"):
        _notice(em, TensorAsNumber(node, "", type=formal, place=place, name=name, tensor=tensor))


@observers.operation.observe
def notice_operand(
    em: Emitter, node: ast.AST, operands: Sequence[ast.AST], types: Sequence[Type | None], result: Type | None
) -> None:
    """Report a Tensor that becomes a number because it stands after a number, as in ``flag * x`` and ``max(x, 1)``; in
    Python, the result is a Tensor.
    """
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn, ast.Is, ast.IsNot)):
        return
    pair = len(operands) == len(types) == 2 and operands[0] is not node
    tensors = [isinstance(each, TensorType) for each in types]
    if pair and result in (INT, FLOAT, COMPLEX, BOOL, NUMBER) and sum(tensors) == 1:
        place = tensors.index(True)
        other = types[1 - place]
        if other in (INT, FLOAT, COMPLEX, BOOL, NUMBER):
            _notice(em, TensorAsNumber(operands[place], "", type=other, place="operand", name="", tensor=True))


@observers.bool_operation.observe
def notice_truth_value(em: Emitter, node: ast.BoolOp) -> None:
    """Report ``a or b``, which is a bool; in Python it is one of the operands."""
    around = path_to(em.unit.function.node, node)
    if not around or is_truth(around, node) or is_message(around):
        return
    statement = around[0]
    if isinstance(statement, ast.Return) and em.declared_return == BOOL:
        return
    if isinstance(statement, ast.Assign) and all(isinstance(target, ast.Name) for target in statement.targets):
        if all(only_tested(em.unit.function.node, getattr(target, "id", "")) for target in statement.targets):
            return
    types = [_type_again(em, operand) for operand in node.values]
    operands = [(operand, type_) for operand, type_ in zip(node.values, types) if type_ not in (ANYTHING, BOOL)]
    if operands or (ANYTHING in types and is_computed_with(em.unit.function.node, node)):
        _notice(em, TruthValue(node, "", operands=tuple(operands), types=tuple(types), statement=statement))


def _type_again(em: Emitter, node: ast.expr) -> Type:
    """Return the type of an expression that was already emitted. The type is not known (``ANYTHING``) if emitting the
    expression again could have an effect.
    """
    if not all(isinstance(each, _PLAIN) or _is_method_of_value(em, each) for each in ast.walk(node)):
        return ANYTHING
    before, em.events = em.events, []
    try:
        value = em.expression(node)
    finally:
        em.events = before
    return value.type if isinstance(value, Typed) and not has_unknowns(value.type) else ANYTHING


def _is_method_of_value(em: Emitter, node: ast.AST) -> bool:
    """Return whether a node is a call of a method of a variable without keywords: ``x.size(0)``."""
    if not isinstance(node, ast.Call) or node.keywords or not isinstance(node.func, ast.Attribute):
        return False
    return isinstance(node.func.value, ast.Name) and isinstance(em.env.find(node.func.value.id), Typed)


@observers.format_call.observe
def notice_format(em: Emitter, owner: Value, node: ast.Call, given: Given) -> None:
    """Report ``'{:.2f}'.format(x)``: TorchScript only supports ``{}``."""
    text = _literal(node.func.value if isinstance(node.func, ast.Attribute) else None)
    if text is None:
        return
    for argument, value, part in given.values:
        if argument is None:
            notice_text(em, part, value, node)
    if any(argument is not None for argument, _, _ in given.values):
        return  # the compiler rejects keywords
    try:
        fields = [field for field in string.Formatter().parse(text) if field[1] is not None]
    except ValueError:
        return
    odd = [field for field in fields if field[1] or field[2] or field[3]]
    if not odd and "{{" not in text and "}}" not in text:
        return
    around = path_to(em.unit.function.node, node)
    spelled = _spelled(odd[0]) if odd else "{{"
    _notice(em, FormatField(node, "", message=is_message(around), text=text, field=spelled))


def _spelled(field: tuple[str, str | None, str | None, str | None]) -> str:
    _, name, spec, conversion = field
    return "{" + (name or "") + (f"!{conversion}" if conversion else "") + (f":{spec}" if spec else "") + "}"


@observers.builtin_name.observe
def notice_builtin(em: Emitter, node: ast.Name) -> None:
    """Report ``round(x)`` where the file has a function ``round``: the compiler uses its own."""
    found = em.resolve(node)
    if isinstance(found, (Class, Function)) and node.id != "print":
        _notice(em, NamedLikeBuiltin(node, "", definition=found))


@observers.percent_format.observe
def notice_percent(em: Emitter, node: ast.AST, left: Value) -> None:
    """Report ``'%.2f' % x``: TorchScript only supports plain specifiers, and raises for others."""
    if not isinstance(node, ast.BinOp) or not isinstance(left, Typed) or left.type != STRING:
        return
    text = _literal(node.left)
    wrong = [found for found in _SPECIFIER.finditer(text or "") if found.group(1) not in _SUPPORTED]
    if text is not None and wrong:
        around = path_to(em.unit.function.node, node)
        specifier = "%" + wrong[0].group(1)
        compiler = f"The specifier {specifier} is not supported in TorchScript format strings"
        _notice(em, PercentSpecifier(node, compiler, message=is_message(around), text=text, specifier=specifier))


@observers.joined_string.observe
def notice_braces(em: Emitter, node: ast.JoinedStr) -> None:
    """Report ``f"{{}} {x}"``: compiled code makes a format of it, in which the literal ``{}`` takes the argument."""
    texts = [part.value for part in node.values if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    fields = any(isinstance(part, ast.FormattedValue) for part in node.values)
    if fields and any("{}" in text for text in texts):
        message = is_message(path_to(em.unit.function.node, node))
        _notice(em, LiteralBraces(node, "Too few arguments for format string", message=message))


def _literal(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
