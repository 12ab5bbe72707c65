"""Fixes for arguments whose type a function of torch does not take."""

from __future__ import annotations

import ast

from tslint import walking
from tslint.diagnostics import Fix, Risk
from tslint.rewrite.annotate_parameter import annotation_fix, inferred
from tslint.rewrite.guard_none import without_none_fix
from tslint.rewrite.mismatch import Diagnosis
from tslint.rewrite.nested_tuple import flat
from tslint.rewrite.optional_parameter import may_be_none
from tslint.rewrite.scripted_form import certain_int, either_fix, whole_in_python
from tslint.rewrite.spans import operand
from tslint.rewrite.type_wording import (
    elements,
    function,
    inside,
    optional_inside,
    place,
    replace,
    unannotated,
)
from tslint.rulekit.match import Match
from tslint.rulekit.rule import safe, unsafe
from tslint.script.dataflow.parameters import names_of
from tslint.script.dataflow.shallow import type_of

_OF_WHOLE = frozenset(["list", "tuple", "round", "min", "max", "abs", "math.gcd"])
_MOST = 12
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
    return whole_numbers(match, argument)


def _certain_elements(match: Match, argument: ast.expr, types: list[str]) -> Fix | None:
    """The first element of a tuple that may be None, made certain."""
    parts = argument.elts if isinstance(argument, (ast.Tuple, ast.List)) else []
    if len(parts) != len(types):
        return None
    return next((without_none_fix(match, *each) for each in zip(parts, types) if optional_inside(each[1])), None)


def _sum(match: Match, call: ast.Call) -> Fix | None:
    """``sum([a, b])`` is ``(0 + a + b)`` in compiled code; of another list: stacked and summed up."""
    if len(call.args) != 1 or call.keywords:
        return None
    given = call.args[0]
    if any(isinstance(child, ast.Attribute) and child.attr.endswith("parameters") for child in walking.walk(given)):
        return None
    if isinstance(given, (ast.List, ast.Tuple)) and 1 <= len(given.elts) <= _MOST:
        if not any(isinstance(each, ast.Starred) for each in given.elts):
            # Python begins with 0, which makes ints of bools; the compiler leaves it out.
            text = " + ".join(["0", *(operand(match, each) for each in given.elts)])
            return either_fix(match, call, f"({text})", "Add them up in compiled code", Risk.DIFFERS)
    if isinstance(given, ast.Name) and not _of_tensors(match, given.id):
        return None
    if isinstance(given, (ast.GeneratorExp, ast.ListComp)) and any(each.ifs for each in given.generators):
        if isinstance(given, ast.ListComp) or not isinstance(given.elt, ast.BinOp):
            return None
        # A list with a condition becomes a loop. Its elements are new each time, whenever they are summed up.
        text = match.text(given)
        bare = place(match, given)[0] == place(match, call.func)[1]  # the call's own parentheses
        listed = f"[{text[1:-1].strip()}]"
        return safe("Make a list of it", replace(match, given, f"({listed})" if bare else listed))
    torch, _ = match.imported("torch")
    text = match.text(given)
    if isinstance(given, ast.GeneratorExp):
        text = f"[{text[1:-1].strip() if text.startswith('(') else text}]"
    message = "Compiled code stacks the tensors, which must have one shape, and sums them up"
    summed, risks = f"{torch}.stack({text}).sum(0)", (Risk.RAISES, Risk.DIFFERS)
    return either_fix(match, call, summed, message, *risks)


def _of_tensors(match: Match, name: str) -> bool:
    """Whether nothing but tensors is put into a list, as far as is seen: an empty one is of tensors at first."""
    held = function(match)
    if held is None:
        return False
    lookup = names_of(match.file.tree, held)
    for node in inside(match):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == name:
            if node.func.attr in ("append", "insert") and node.args:
                if type_of(match.file.tree, node.args[-1], lookup) not in (None, "Tensor"):
                    return False
    return True


def _no_any(match: Match, argument: ast.expr) -> Fix | None:
    held = function(match)
    if held is None or not isinstance(argument, ast.Name):
        return None
    for each in [*held.args.args, *held.args.kwonlyargs]:
        if each.arg == argument.id and each.annotation is not None and ast.unparse(each.annotation).endswith("Any"):
            found = inferred(match, held, each.arg)
            if found is None or found.type != "Tensor":
                return None
            torch, imports = match.imported("torch", "Tensor")
            edits = (replace(match, each.annotation, torch), *imports)
            message, risks = f"Annotate `{each.arg}: {torch}`", (Risk.ASSUMES, Risk.REFUSES)
            return safe(message, *edits) if found.confirmed else unsafe(message, *edits, risks=risks)
    return None


def _frobenius(match: Match, call: ast.Call) -> Fix | None:
    """``x.norm(p="fro")`` → ``torch.norm(x, p="fro")``, which knows the name."""
    if not isinstance(call.func, ast.Attribute) or match.event.facts.get("operator") != "aten::norm":
        return None
    if len(call.args) > 3:
        return None  # the fourth is another one there
    torch, imports = match.imported("torch")
    rest = [match.text(each) for each in call.args] + [f"{k.arg}={match.text(k.value)}" for k in call.keywords if k.arg]
    text = f"{torch}.norm({', '.join([match.text(call.func.value), *rest])})"
    return safe("Call `torch.norm`", replace(match, call, text), *imports)


def _device(match: Match, argument: ast.expr) -> Fix | None:
    """``device=x.get_device()`` → ``device=x.device`` in compiled code."""
    if isinstance(argument, ast.Call) and isinstance(argument.func, ast.Attribute) and not argument.args:
        if argument.func.attr == "get_device":
            text = f"{operand(match, argument.func.value)}.device"
            # Of a tensor on the CPU, Python gets -1, which is no device.
            return either_fix(match, argument, text, f"Pass `{text}` in compiled code", Risk.DIFFERS)
    return None


def _floats(match: Match, argument: ast.expr) -> Fix | None:
    if not isinstance(argument, ast.Tuple):
        return None
    made = []
    for each in argument.elts:
        text = match.text(each)
        if not text.lstrip("-").isdigit():
            return None
        made.append(f"{text}.0")
    text = f"({', '.join(made)}{',' if len(made) == 1 else ''})"
    return either_fix(match, argument, text, "Write floats in compiled code", Risk.DIFFERS)


def _whole_elements(match: Match, argument: ast.Tuple | ast.List) -> Fix | None:
    """``int(…)`` around what is computed: ``pow``, ``**`` and ``/`` give a float in TorchScript."""
    if not str(match.event.facts.get("operator", "")).startswith(("torch.", "aten::")):
        return None
    computed = [each for each in argument.elts if isinstance(each, (ast.BinOp, ast.Call)) and whole_in_python(each)]
    if not computed or any(isinstance(each, ast.Starred) for each in argument.elts):
        return None
    if all(certain_int(each) for each in computed):
        return safe("Write `int(…)` around them", *(replace(match, n, f"int({match.text(n)})") for n in computed))
    texts = [f"int({match.text(each)})" if each in computed else match.text(each) for each in argument.elts]
    opening, closing = ("[", "]") if isinstance(argument, ast.List) else ("(", ",)" if len(texts) == 1 else ")")
    new = f"{opening}{', '.join(texts)}{closing}"
    return either_fix(match, argument, new, "Write `int(…)` around them in compiled code", Risk.DIFFERS)


def whole_numbers(match: Match, node: ast.expr, depth: int = 0) -> Fix | None:
    """Annotate a parameter as an int that stands among a tensor's sizes, and is a Tensor for want of an annotation."""
    if isinstance(node, ast.Name) and depth < 3:
        argument = unannotated(match, node)
        if argument is not None and depth:
            held = function(match)
            return annotation_fix(match, held, argument, wanted="int", likely="int") if held is not None else None
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
