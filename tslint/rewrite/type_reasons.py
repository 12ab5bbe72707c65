"""Explains why a type is unexpected, and what to write."""

from __future__ import annotations

import libcst as cst

from tslint.rulekit.match import Match
from tslint.script.types import NONE, Type, is_inferred, may_be_none

_LONG = 40


def callee(match: Match) -> str:
    """Return the callee of the event's call, as the author wrote it; for a long chain of calls the last method only."""
    func = match.node.func if isinstance(match.node, cst.Call) else match.node
    if isinstance(func, cst.Attribute) and isinstance(func.value, cst.Call) and len(match.code(func)) > _LONG:
        return f"`….{func.attr.value}`"
    return match.quote(func)


def unannotated(match: Match, node: cst.CSTNode | None) -> cst.Param | None:
    """Return the parameter that an expression names, if it has no annotation and is therefore a Tensor."""
    return parameter(match, node.value, annotated=False) if isinstance(node, cst.Name) else None


def parameter(match: Match, name: str, *, annotated: bool) -> cst.Param | None:
    """Return the parameter with a name, if it has an annotation; with ``annotated=False``, if it has none."""
    function = match.function
    for each in [*function.params.params, *function.params.kwonly_params] if function else ():
        if each.name.value == name:
            return each if (each.annotation is not None) is annotated else None
    return None


def because(match: Match, node: cst.CSTNode | None, type_: Type) -> str | None:
    """Explain an unexpected type, and what to write; None if there is no explanation."""
    argument = unannotated(match, node)
    if argument is not None and is_inferred(type_):
        return not_annotated(argument)
    return without_none(match, node, type_) if may_be_none(type_) else None


def not_annotated(argument: cst.Param) -> str:
    """Explain why a parameter is a Tensor."""
    return f"`{argument.name.value}` has no annotation, so TorchScript treats it as a Tensor: annotate the parameter."


def without_none(match: Match, node: cst.CSTNode | None, type_: Type) -> str:
    """Explain how to show that a value is not None."""
    text = " ".join(match.code(node).split()) if isinstance(node, cst.BaseExpression) else "it"
    if type_ == NONE:
        if isinstance(node, cst.Name):
            return f"If it can be anything else, annotate it where it is first set: `{text}: Optional[…] = None`."
        if not isinstance(node, cst.Attribute):
            return "Annotate the variable that it comes from, for example a list as `List[Optional[torch.Tensor]]`."
        if match.event.condition is not None and "has not run" not in match.event.condition:
            return f"Use it under `if {text} is not None:`. If it is None, the compiler drops that branch."
        return (
            f"`{text}` is None when the module is scripted. Declare `{node.attr.value}: Optional[…]` in the class "
            "body, copy the attribute to a local variable, and test that variable for None."
        )
    if isinstance(node, cst.Name):
        return f"Put it under `if {text} is not None:`, or write `assert {text} is not None` before it."
    return (
        f"Copy it to a local variable (`v = {text}`) and test `v is not None`: TorchScript forgets tests of "
        "attributes and items."
    )
