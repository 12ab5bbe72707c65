"""Words for values that compiled code cannot unpack."""

from __future__ import annotations

import libcst as cst

from tslint.rewrite.type_reasons import first_unannotated, without_none
from tslint.rulekit import matchers as m
from tslint.rulekit.match import Match
from tslint.rulekit.template import code, expression
from tslint.rulekit.wording import a, short
from tslint.script.events.types import NotATuple
from tslint.script.types import TENSOR, may_be_none

_NAMED = m.Name() | m.Attribute()


def of_loop(match: Match[NotATuple], loop: cst.For | cst.CompFor) -> tuple[str, str]:
    """Return the message and the help for an item, or a part of an item, that a loop unpacks."""
    type_, (source, names) = match.event.type, _unpacked(loop.iter, loop.target)
    message = f"{a(type_)} from {match.quote(source)} cannot be unpacked in TorchScript"
    help = "Write one variable instead of several, such as `item`, and read `item[0]` and `item[1]` in the loop."
    if (param := first_unannotated(match, source)) is not None:
        name = param.name.value
        kind = f"If it is a list of tuples, write `{name}: List[Tuple[{', '.join('…' * names)}]]`."
        if not isinstance(source, cst.Name):
            kind = "Annotate it if it is not one."
        help = f"`{name}` has no annotation, so it is a Tensor. {kind} Otherwise, w{help[1:]}"
    elif str(type_) == "tuple":
        help = "Annotate the elements' types, such as `List[Tuple[int, int]]`."
    return message, help


def _unpacked(source: cst.BaseExpression, target: cst.BaseExpression) -> tuple[cst.BaseExpression, int]:
    """Return the iterable whose items a loop unpacks, also inside of ``enumerate`` and ``zip``, and into how many
    variables.
    """
    parts = [each.value for each in target.elements] if isinstance(target, (cst.Tuple, cst.List)) else []
    if isinstance(source, cst.Call) and m.matches(source.func, m.Name("enumerate") | m.Name("zip")):
        counted = m.matches(source.func, m.Name("enumerate"))
        for argument, part in zip(source.args, parts[1:] if counted else parts):
            if isinstance(part, (cst.Tuple, cst.List)):
                return _unpacked(argument.value, part)
    return source, len(parts)


def made_tuple(match: Match[NotATuple], made: cst.BaseExpression) -> tuple[str, str]:
    """Return the message and the help for ``tuple(x)`` of a value from which the compiler cannot make a tuple."""
    type_ = match.event.type
    help = "Write the elements out: `(a, b)`."
    if type_ == TENSOR:
        help = f"Use {short(_rows(made))}, the list of the rows."
        if (param := first_unannotated(match, made)) is not None:
            help = f"`{param.name.value}` has no annotation, so it is a Tensor: annotate it if it is not one. {help}"
    if may_be_none(type_):
        help = without_none(match, made, type_) or help
    return f"`tuple(…)` of {match.quote(made)}: TorchScript cannot make a tuple from {a(type_)}", help


def elements(match: Match[NotATuple], value: cst.CSTNode) -> str:
    """Return how to get the elements of a Tensor. A list after a star is not accepted: its length is not known."""
    around = match.parent(match.node)
    if isinstance(around, cst.List) and isinstance(value, cst.BaseExpression):
        rows = _rows(value)
        whole = short(rows if len(around.elements) == 1 else f"{rows} + […]")
        return f"write the list as {whole}"
    if isinstance(match.node, (cst.Arg, cst.StarredElement)):
        if m.matches(value, _NAMED):
            return f"write the elements out: `{match.code(value)}[0], {match.code(value)}[1]`"
        return f"write the elements out: {short(f'v = {match.code(value)}')}, `v[0], v[1]`"
    rows = short(_rows(value)) if isinstance(value, cst.BaseExpression) else "`.unbind(0)` of it"
    return f"unpack {rows}"


def _rows(value: cst.BaseExpression) -> str:
    """Return the code for the rows of a Tensor."""
    return code(expression("{value}.unbind(0)", value=value))
