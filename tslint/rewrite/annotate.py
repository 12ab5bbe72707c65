"""Writes TorchScript types as annotations, and annotates parameters and variables."""

from __future__ import annotations

from typing import Any

import libcst as cst

from tslint.diagnostics import Edit, Fix
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding
from tslint.rulekit.template import code, expression
from tslint.rulekit.wording import said
from tslint.script.dataflow.annotation_style import writes_builtin_types
from tslint.script.type_text import TypeText, parsed
from tslint.script.types import Type

_BUILTIN = {"List": "list", "Dict": "dict", "Tuple": "tuple"}
_CONTAINERS = frozenset([*_BUILTIN, "Optional", "Union"])
_NAMES = {
    **{name: (None, name) for name in ("int", "float", "bool", "str", "complex")},
    "NoneType": (None, "None"),
    "Tensor": ("torch", "Tensor"),
    "Device": ("torch", "device"),
    "dtype": ("torch", "dtype"),
    "Any": ("typing", "Any"),
}
# A type that does not fit on a line is hard to read. There is no fix then: the author should give the type a name.
_LONGEST = 100
Spelled = tuple[cst.BaseExpression, tuple[Edit, ...]]


def spelled(match: Match, type_: Type | str) -> Spelled | None:
    """Return a type as an annotation in the style of the match's file (``list[int]`` or ``List[int]``), with the edits
    that import its names.

    Return None if TorchScript has no annotation for the type (a module's class, ``number``), or if it would be too long
    to read.
    """
    imports: dict[Edit, None] = {}
    node = _spelled(match, parsed(str(type_)), imports)
    return (node, tuple(imports)) if node is not None and len(code(node)) <= _LONGEST else None


def as_written(match: Match, type_: Type | str) -> str:
    """Return a type for the help, as the file would write it: ``torch.Tensor`` without an import of ``Tensor``."""
    found = spelled(match, type_)
    if found is not None:
        return code(found[0])
    return type_ if isinstance(type_, str) else said(type_)


def _spelled(match: Match, type_: TypeText, imports: dict[Edit, None]) -> cst.BaseExpression | None:
    if type_.name in _NAMES and not type_.arguments:
        module, name = _NAMES[type_.name]
        return cst.Name(name) if module is None else _imported(match, module, name, imports)
    if type_.name == "Optional" and [each.name for each in type_.arguments] == ["Optional"]:
        return _spelled(match, type_.arguments[0], imports)
    inside = [_spelled(match, each, imports) for each in type_.arguments]
    if type_.name == "Tuple" and not inside:
        inside = [cst.Tuple([])]
    elements = [cst.SubscriptElement(cst.Index(each)) for each in inside if each is not None]
    if type_.name not in _CONTAINERS or not inside or len(elements) != len(inside):
        return None
    if type_.name in _BUILTIN and writes_builtin_types(match.file.tree):
        return cst.Subscript(cst.Name(_BUILTIN[type_.name]), elements)
    return cst.Subscript(_imported(match, "typing", type_.name, imports), elements)


def _imported(match: Match, module: str, name: str, imports: dict[Edit, None]) -> cst.BaseExpression:
    text, added = match.imported(module, name)
    imports.update(dict.fromkeys(added))
    return expression(text)


def annotated(param: cst.Param, annotation: cst.BaseExpression) -> cst.Param:
    """Annotate a parameter, and put spaces around the ``=`` of its default, as is usual for annotated parameters."""
    equal = param.equal
    if isinstance(equal, cst.AssignEqual) and not isinstance(equal.whitespace_before, cst.ParenthesizedWhitespace):
        equal = equal.with_changes(whitespace_before=cst.SimpleWhitespace(" "))
    if isinstance(equal, cst.AssignEqual) and not isinstance(equal.whitespace_after, cst.ParenthesizedWhitespace):
        equal = equal.with_changes(whitespace_after=cst.SimpleWhitespace(" "))
    return param.with_changes(annotation=cst.Annotation(annotation), equal=equal)


def annotated_variable(statement: cst.Assign, annotation: cst.BaseExpression) -> cst.AnnAssign:
    """Return ``x = 1``, an assignment to one variable, with an annotation: ``x: int = 1``."""
    target = statement.targets[0]
    equal = cst.AssignEqual(target.whitespace_before_equal, target.whitespace_after_equal)
    made = cst.AnnAssign(target.target, cst.Annotation(annotation), statement.value, equal)
    return made.with_changes(semicolon=statement.semicolon)


def without_annotation(statement: cst.AnnAssign, value: cst.BaseExpression) -> cst.Assign:
    """Return ``x: T = 1`` without its annotation, and with another value: ``x = value``."""
    target, equal = cst.AssignTarget(statement.target), statement.equal
    if isinstance(equal, cst.AssignEqual):
        before, after = equal.whitespace_before, equal.whitespace_after
        target = target.with_changes(whitespace_before_equal=before, whitespace_after_equal=after)
    return cst.Assign([target], value, statement.semicolon)


def annotation_of(param: cst.CSTNode) -> cst.BaseExpression | None:
    """Return a parameter's annotation; None if it has none, or if the node is not a parameter."""
    return param.annotation.annotation if isinstance(param, cst.Param) and param.annotation is not None else None


def from_def(
    match: Match, node: Any, message: str, help: str, fix: Fix | None = None, *, commented: bool = False
) -> Finding:
    """Return a finding whose range begins at the ``def``, as the compiler's underline does, and ends where a given node
    of the signature ends.

    For a type in a comment (``commented``), the compiler's underline begins at the first decorator, and so does the
    range.
    """
    function = match.event.unit.function.node if match.event.unit is not None else node
    first = function.decorator_list[0] if commented and function.decorator_list else function
    return Finding(message, help, fix, match.file.place(first)[0], match.file.place(node)[1])
