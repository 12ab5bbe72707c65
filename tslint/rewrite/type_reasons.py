"""Explains why a type is unexpected, and what to write."""

from __future__ import annotations

from collections.abc import Collection

import libcst as cst

from tslint.rulekit import matchers as m
from tslint.rulekit.cstwalk import variables_in
from tslint.rulekit.match import Match
from tslint.rulekit.template import code
from tslint.rulekit.wording import said
from tslint.script.dataflow.default_flags import BEFORE_RUNNING
from tslint.script.dataflow.stores import file_facts
from tslint.script.types import (
    ANYTHING,
    DEVICE,
    NONE,
    NUMBER,
    TensorType,
    Type,
    holds,
    is_inferred,
    may_be_none,
    optional_element,
    tuple_elements,
)

_LONG = 40


def callee(match: Match, call: cst.CSTNode | None = None) -> str:
    """Return the callee of a call, by default of the event's, as the author wrote it; for a long chain of calls the
    last method only.
    """
    node = match.node if call is None else call
    func = node.func if isinstance(node, cst.Call) else node
    if isinstance(func, cst.Attribute) and isinstance(func.value, cst.Call) and len(match.code(func)) > _LONG:
        return f"`….{func.attr.value}`"
    return match.quote(func)


def unannotated(match: Match, node: cst.CSTNode | None) -> cst.Param | None:
    """Return the parameter that an expression names, if it has no annotation and is therefore a Tensor."""
    return parameter(match, node.value, annotated=False) if isinstance(node, cst.Name) else None


def first_unannotated(match: Match, node: cst.CSTNode | None) -> cst.Param | None:
    """Return the first parameter without annotation that an expression reads, apart from ``self``; one whose attribute
    or method it reads, such as ``x`` in ``x.size(0) - n``, only if there is no other.
    """
    names = variables_in(node) if node is not None else []
    owners = [each.value for each in m.findall(node, m.Attribute()) if isinstance(each, cst.Attribute)] if node else []
    found = [
        param
        for each in sorted(names, key=lambda name: any(name is owner for owner in owners))
        if (param := unannotated(match, each)) is not None and param.name.value != match.self_name
    ]
    return found[0] if found else None


def parameter(match: Match, name: str, *, annotated: bool) -> cst.Param | None:
    """Return the parameter with a name, if it has an annotation; with ``annotated=False``, if it has none."""
    function = match.function
    for each in [*function.params.params, *function.params.kwonly_params] if function else ():
        if each.name.value == name:
            return each if (each.annotation is not None) is annotated else None
    return None


def because(match: Match, node: cst.CSTNode | None, type_: Type, wanted: Type | None = None) -> str | None:
    """Explain an unexpected type, and what to write; None if there is no explanation.

    Args:
        match: the match of the finding.
        node: the expression.
        type_: its type.
        wanted: the type that is expected instead, if there is only one.
    """
    argument = unannotated(match, node)
    if argument is not None and is_inferred(type_):
        return not_annotated(argument, wanted)
    return without_none(match, node, type_) if may_be_none(type_) else None


def not_annotated(
    argument: cst.Param, wanted: Type | None = None, *, advice: str = "", annotation: str | None = None
) -> str:  # fmt: skip
    """Explain why a parameter is a Tensor, and which annotation it needs, if that is known.

    Args:
        argument: the parameter.
        wanted: the type that is expected instead, if there is only one.
        advice: what to write if callers really pass a Tensor; empty if that is not likely.
        annotation: the whole annotation, if the uses show it.
    """
    why = f"`{argument.name.value}` has no annotation, so TorchScript treats it as a Tensor"
    annotated = _parameter(argument, wanted, annotation)
    unknown = annotated.startswith(f"{argument.name.value}: …")
    if advice:
        annotate = "with the type that callers pass" if unknown else f"as `{annotated}`"
        return f"{why}. If it is one, {advice}; otherwise annotate it {annotate}."
    return f"{why}: annotate it{' with the type that callers pass' if unknown else f', `{annotated}`'}."


def _parameter(argument: cst.Param, wanted: Type | None, annotation: str | None) -> str:
    """Return a parameter with an annotation."""
    default = code(argument.default) if argument.default is not None else ""
    if annotation is not None:
        return f"{argument.name.value}: {annotation}{f' = {default}' if default else ''}"
    type_ = "…"
    if wanted is not None and wanted not in (ANYTHING, NONE) and not holds(wanted, NUMBER):
        plain = optional_element(wanted) or wanted
        # The parameter is a Tensor already; and a list of None does not show the type of its other elements.
        type_ = "…" if isinstance(plain, TensorType) or holds(plain, NONE) else said(plain)
    if default == "None":
        type_ = f"Optional[{type_}]"
    if default[:1] in ("'", '"') and type_ == said(DEVICE):
        default = f"torch.device({default})"
    return f"{argument.name.value}: {type_}{f' = {default}' if default else ''}"


def list_instead(name: str, types: Collection[Type]) -> str:
    """Return the advice to use a list for a variable that gets tuples of different types."""
    found = [each for type_ in types for each in tuple_elements(type_)]
    kinds = {said(optional_element(each) or each) for each in found if each != NONE}
    if len(kinds) != 1 or not name.isidentifier():
        return f"make `{name}` a list, and `append` to it"
    element = f"Optional[{kinds.pop()}]" if any(may_be_none(each) for each in found) else kinds.pop()
    first = "[…]" if all(map(tuple_elements, types)) else "[]"
    return f"start with a list, `{name}: List[{element}] = {first}`, and `append` to it"


def tensor_instead(match: Match, node: cst.CSTNode) -> str | None:
    """Return the advice to start with a Tensor, for a variable that starts as a number; None for other expressions."""
    number = m.AssignTarget(m.Name(node.value)) if isinstance(node, cst.Name) else None
    if number is None or match.function is None or parameter(match, match.code(node), annotated=True) is not None:
        return None
    name = match.code(node)
    starts = m.findall(match.function, m.Assign(targets=[number], value=m.Integer() | m.Float()))
    return f"If `{name}` should be a Tensor, start with one: `{name} = torch.zeros(())`." if starts else None


def around(match: Match) -> str:
    """Return the innermost ``if`` or loop around an event in words, with its line; general words if there is none."""
    for each in match.ancestors(match.node):
        if isinstance(each, (cst.For, cst.While, cst.If)):
            return f"the {'`if`' if isinstance(each, cst.If) else 'loop'} on line {match.place(each)[0].row}"
        if isinstance(each, cst.FunctionDef):
            break
    return "an `if` or a loop"


def type_first(shown: str) -> str:
    """Return the help for a value, in backticks, of one of several types."""
    return f"Test the type of {shown} first, with `torch.jit.isinstance`."


def _is_tested(match: Match, node: cst.Name) -> bool:
    """Return whether an operand of the ``and`` around a variable is the variable itself: ``x and x > 0``."""
    below: cst.CSTNode = node
    for each in match.ancestors(node):
        if isinstance(each, cst.BooleanOperation) and isinstance(each.operator, cst.And) and below is each.right:
            left = each.left.right if isinstance(each.left, cst.BooleanOperation) else each.left
            if m.matches(left, m.Name(node.value)) or m.matches(each.left, m.Name(node.value)):
                return True
        if isinstance(each, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
            return False
        below = each
    return False


def without_none(match: Match, node: cst.CSTNode | None, type_: Type) -> str:
    """Explain how to show the compiler that a value is not None."""
    text = " ".join(match.code(node).split()) if isinstance(node, cst.BaseExpression) else "it"
    if type_ == NONE:
        if isinstance(node, cst.Name) and text != "None" and match.event.condition is not None:
            return f"Test `{text} is not None` first."
        if isinstance(node, cst.Name) and text != "None":
            return f"If `{text}` can have another value, annotate it where it is first set: `{text}: Optional[…] = …`."
        if text == "None":
            return "Pass another value, or write the case for None as a branch of its own."
        if isinstance(node, cst.Call):
            return f"Return a value on every path of {callee(match, node)}."
        if not isinstance(node, cst.Attribute):
            return (
                "Annotate the variable that the None comes from, for example a list as `List[Optional[torch.Tensor]]`."
            )
        condition, stores = match.event.condition, file_facts(match.file.tree).stores.get(node.attr.value, ())
        later = any(getattr(each.function, "name", "") != "__init__" for each in stores)
        if BEFORE_RUNNING not in (condition or "") and (condition is not None or (stores and not later)):
            return f"Use `{text}` under `if {text} is not None:`: if it is None, the compiler drops that branch."
        return (
            f"`{text}` is None when the module is scripted. Declare `{node.attr.value}: Optional[…]` in the class "
            "body, copy the attribute to a local variable, and test that variable for None."
        )
    if isinstance(node, cst.Name) and _is_tested(match, node):
        return f"Write `{text} is not None and …`: TorchScript learns nothing about None from the truth of a value."
    if isinstance(node, cst.Name):
        return (
            f"Use `{text}` under `if {text} is not None:`, or write `assert {text} is not None` before the statement."
        )
    help = "Assign the value to a variable, `v`" if len(text) > _LONG else f"Assign it to a variable (`v = {text}`)"
    help += ", and use `v` under `if v is not None:`"
    return help + ("." if isinstance(node, cst.Call) else ": TorchScript forgets tests of attributes and items.")
