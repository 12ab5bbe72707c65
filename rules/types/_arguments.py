"""Fixes for arguments whose type a function of torch does not take."""

from __future__ import annotations

import ast

from tslint import walking
from tslint.border import Match
from tslint.diagnostics import Edit, Fix, Position
from tslint.rule import safe, unsafe
from tslint.rules.syntax._common import operand
from tslint.rules.types._common import (
    annotate,
    elements,
    function,
    inside,
    looked_into,
    optional_inside,
    place,
    reassigned,
    replace,
    unannotated,
)
from tslint.rules.types._may_be_none import may_be_none
from tslint.rules.types._mismatch import Diagnosis
from tslint.rules.types._nested import flat
from tslint.rules.types._none import without_none_fix

_OF_WHOLE = frozenset(["list", "tuple", "round", "min", "max", "abs", "math.gcd"])
_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)


def argument_fix(match: Match, found: Diagnosis) -> Fix | None:
    """The fix for one argument; None where only the author knows."""
    node, argument = match.event.node, found.argument
    if argument is None or not isinstance(node, ast.Call):
        return None
    if found.callee == "`sum`" and found.actual in ("List[Tensor]", "List[Tensor (inferred)]"):
        return _sum(match, node)
    if found.actual == "NoneType" and match.event.kind == "call-mismatch":
        return may_be_none(match, found.parameter)
    inner = optional_inside(found.actual)
    if inner is not None and inner in found.expected and match.event.kind == "operator-mismatch":
        return without_none_fix(match, argument, found.actual)
    if found.actual == "Any" and "Tensor" in found.expected:
        return _no_any(match, argument)
    if found.parameter == "p" and isinstance(argument, ast.Constant) and argument.value == "fro":
        return _frobenius(match, node)
    if found.parameter == "device" and found.actual == "int":
        return _device(match, argument)
    if found.actual.startswith("Tuple[int") and found.expected[0].startswith("Tuple[float"):
        return _floats(match, argument)
    sized = any(type_ == "int" or "List[int]" in type_ for type_ in found.expected)
    if "float" in found.actual and sized and isinstance(argument, (ast.Tuple, ast.List)):
        return _whole_elements(match, argument)
    if found.expected[0] == "List[Tensor]" and "Tuple[" in found.actual:
        return flat(match, argument) or _certain_elements(match, argument, elements(found.actual))
    return _static_forward(match, argument, found) or whole_numbers(match, argument)


def _certain_elements(match: Match, argument: ast.expr, types: list[str]) -> Fix | None:
    """The first element of a tuple that may be None, made certain."""
    parts = argument.elts if isinstance(argument, (ast.Tuple, ast.List)) else []
    if len(parts) != len(types):
        return None
    return next((without_none_fix(match, *each) for each in zip(parts, types) if optional_inside(each[1])), None)


def _sum(match: Match, call: ast.Call) -> Fix | None:
    """``sum([a, b])`` → ``(a + b)``; of another list: stacked and summed up."""
    if len(call.args) != 1 or call.keywords:
        return None
    given = call.args[0]
    if any(isinstance(child, ast.Attribute) and child.attr.endswith("parameters") for child in walking.walk(given)):
        return None
    if isinstance(given, (ast.List, ast.Tuple)) and 2 <= len(given.elts) <= 12:
        if not any(isinstance(each, ast.Starred) for each in given.elts):
            text = " + ".join(operand(match, each) for each in given.elts)
            return unsafe("Add them up", replace(match, call, f"({text})"))
    torch, imports = match.imported("torch")
    text = match.text(given)
    if isinstance(given, ast.GeneratorExp):
        text = f"[{text[1:-1].strip() if text.startswith('(') else text}]"
    return unsafe(
        "Stack the tensors, which must have one shape, and sum them up",
        replace(match, call, f"{torch}.stack({text}).sum(0)"),
        *imports,
    )


def _no_any(match: Match, argument: ast.expr) -> Fix | None:
    held = function(match)
    if held is None or not isinstance(argument, ast.Name):
        return None
    for each in [*held.args.args, *held.args.kwonlyargs]:
        if each.arg == argument.id and each.annotation is not None and ast.unparse(each.annotation).endswith("Any"):
            torch, imports = match.imported("torch", "Tensor")
            return safe(f"Annotate `{each.arg}: {torch}`", replace(match, each.annotation, torch), *imports)
    return None


def _frobenius(match: Match, call: ast.Call) -> Fix | None:
    """``x.norm(p="fro")`` → ``torch.norm(x, p="fro")``, which knows the name."""
    if not isinstance(call.func, ast.Attribute) or match.event.facts.get("operator") != "aten::norm":
        return None
    torch, imports = match.imported("torch")
    rest = [match.text(each) for each in call.args] + [f"{k.arg}={match.text(k.value)}" for k in call.keywords if k.arg]
    text = f"{torch}.norm({', '.join([match.text(call.func.value), *rest])})"
    return safe("Call `torch.norm`", replace(match, call, text), *imports)


def _device(match: Match, argument: ast.expr) -> Fix | None:
    """``device=x.get_device()`` → ``device=x.device``."""
    if isinstance(argument, ast.Call) and isinstance(argument.func, ast.Attribute) and not argument.args:
        if argument.func.attr == "get_device":
            text = f"{match.text(argument.func.value)}.device"
            return unsafe(f"Pass `{text}`", replace(match, argument, text))
    return None


def _floats(match: Match, argument: ast.expr) -> Fix | None:
    if not isinstance(argument, ast.Tuple):
        return None
    edits = []
    for each in argument.elts:
        text = match.text(each)
        if not text.lstrip("-").isdigit():
            return None
        edits.append(replace(match, each, f"{text}.0"))
    return unsafe("Write floats", *edits)


def _whole_elements(match: Match, argument: ast.Tuple | ast.List) -> Fix | None:
    """``int(…)`` around what is computed: ``pow``, ``**`` and ``/`` give a float in TorchScript."""
    computed = [each for each in argument.elts if isinstance(each, (ast.BinOp, ast.Call))]
    if not computed or any(isinstance(each, ast.Starred) for each in argument.elts):
        return None
    return safe("Write `int(…)` around them", *(replace(match, each, f"int({match.text(each)})") for each in computed))


def _static_forward(match: Match, argument: ast.expr, found: Diagnosis) -> Fix | None:
    """A ``forward`` marked ``@staticmethod``, which the compiler takes for a method: it becomes one."""
    held, unit = function(match), match.event.unit
    if held is None or unit is None or unit.receiver is None or not isinstance(argument, ast.Name):
        return None
    if (
        held.name != "forward"
        or not held.args.args
        or held.args.args[0].arg != argument.id
        or len(held.decorator_list) != 1
    ):
        return None
    mark = held.decorator_list[0]
    if not isinstance(mark, ast.Name) or mark.id != "staticmethod" or not found.actual.endswith(unit.receiver.name):
        return None
    if f"{unit.receiver.name}.forward" in match.source.text or "self" in {each.arg for each in held.args.args}:
        return None
    start, _ = place(match, held.args.args[0])
    row = mark.lineno
    return unsafe(
        "Make it a method",
        Edit(Position(row, 1), Position(row + 1, 1), ""),
        Edit(start, start, "self, "),
    )


def whole_numbers(match: Match, node: ast.expr, depth: int = 0) -> Fix | None:
    """Annotate a parameter as an int that stands among a tensor's sizes, and is a Tensor for want of an annotation."""
    if isinstance(node, ast.Name) and depth < 3:
        argument = unannotated(match, node)
        if argument is not None and depth:
            if looked_into(match, argument.arg) or reassigned(match, argument.arg):
                return None
            written = annotate(match, argument, "int")
            return None if written is None else safe(f"Annotate `{argument.arg}: int`", *written[1])
        values = [
            each.value for each in inside(match)
            if isinstance(each, ast.Assign) and len(each.targets) == 1
            and isinstance(each.targets[0], ast.Name) and each.targets[0].id == node.id
        ]  # fmt: skip
        return whole_numbers(match, values[0], depth + 1) if len(values) == 1 else None
    parts: list[ast.expr] = []
    if isinstance(node, (ast.Tuple, ast.List)):
        parts = node.elts
    elif isinstance(node, ast.BinOp) and isinstance(node.op, _ARITHMETIC):
        parts = [node.left, node.right]
    elif isinstance(node, ast.Call) and ast.unparse(node.func) in _OF_WHOLE:
        parts = node.args
    for part in parts:
        fix = whole_numbers(match, part, depth + 1)
        if fix is not None:
            return fix
    return None
