"""A TorchScript type as the author would write it, and annotations of parameters and variables."""

from __future__ import annotations

import ast
from typing import Any

import libcst as cst
from libcst import matchers as m

from tslint.diagnostics import Edit, Fix
from tslint.rewrite.spans import place, replace
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding
from tslint.rulekit.template import code
from tslint.script.dataflow.annotation_style import writes_builtin_types

_GENERIC = {"List": "list", "Dict": "dict", "Tuple": "tuple"}
_NAMES = {
    **{name: (None, name) for name in ("int", "float", "bool", "str", "complex")},
    "NoneType": (None, "None"),
    "Tensor": ("torch", "Tensor"),
    "Device": ("torch", "device"),
    "dtype": ("torch", "dtype"),
    "Any": ("typing", "Any"),
}
Spelled = tuple[cst.BaseExpression, tuple[Edit, ...]]


class _Unspeakable(Exception):
    """A type that an author cannot write."""


def spelled(match: Match, type_: str) -> Spelled | None:
    """A type of the compiler's as this file would write it, with the edits that import its names; None where there is
    no way to write it (a module's class, ``number``)."""
    imports: dict[Edit, None] = {}
    try:
        node = _spelled(match, cst.parse_expression(type_.replace(" (inferred)", "")), imports)
    except (_Unspeakable, cst.ParserSyntaxError):
        return None
    return node, tuple(imports)


def _spelled(match: Match, type_: cst.BaseExpression, imports: dict[Edit, None]) -> cst.BaseExpression:
    if isinstance(type_, cst.Name) and type_.value in _NAMES:
        module, name = _NAMES[type_.value]
        return cst.Name(name) if module is None else _imported(match, module, name, imports)
    if isinstance(type_, cst.Subscript) and isinstance(type_.value, cst.Name):
        return type_.with_changes(
            value=_container(match, type_.value.value, imports),
            slice=[_element(match, each, imports) for each in type_.slice],
        )
    raise _Unspeakable


def _container(match: Match, name: str, imports: dict[Edit, None]) -> cst.BaseExpression:
    if name in _GENERIC and writes_builtin_types(match.file.tree):
        return cst.Name(_GENERIC[name])
    if name in (*_GENERIC, "Optional", "Union"):
        return _imported(match, "typing", name, imports)
    raise _Unspeakable


def _element(match: Match, element: cst.SubscriptElement, imports: dict[Edit, None]) -> cst.SubscriptElement:
    index = element.slice
    if not isinstance(index, cst.Index):
        raise _Unspeakable
    if m.matches(index.value, m.Tuple(elements=[])):
        return element
    return element.with_changes(slice=cst.Index(_spelled(match, index.value, imports)))


def _imported(match: Match, module: str, name: str, imports: dict[Edit, None]) -> cst.BaseExpression:
    text, added = match.imported(module, name)
    imports.update(dict.fromkeys(added))
    return cst.parse_expression(text)


def annotated(param: cst.Param, annotation: cst.BaseExpression) -> cst.Param:
    """A parameter with an annotation, and with the spaces around ``=`` that such a one has."""
    equal = param.equal
    if isinstance(equal, cst.AssignEqual) and not isinstance(equal.whitespace_before, cst.ParenthesizedWhitespace):
        equal = equal.with_changes(whitespace_before=cst.SimpleWhitespace(" "))
    if isinstance(equal, cst.AssignEqual) and not isinstance(equal.whitespace_after, cst.ParenthesizedWhitespace):
        equal = equal.with_changes(whitespace_after=cst.SimpleWhitespace(" "))
    return param.with_changes(annotation=cst.Annotation(annotation), equal=equal)


def annotated_variable(statement: cst.Assign, annotation: cst.BaseExpression) -> cst.AnnAssign:
    """An assignment to one variable that says its type, too."""
    target = statement.targets[0]
    equal = cst.AssignEqual(target.whitespace_before_equal, target.whitespace_after_equal)
    made = cst.AnnAssign(target.target, cst.Annotation(annotation), statement.value, equal)
    return made.with_changes(semicolon=statement.semicolon)


def without_annotation(statement: cst.AnnAssign, value: cst.BaseExpression) -> cst.Assign:
    """An assignment that leaves the type of its variable unsaid."""
    target = cst.AssignTarget(statement.target)
    if isinstance(statement.equal, cst.AssignEqual):
        equal = statement.equal
        target = cst.AssignTarget(statement.target, equal.whitespace_before, equal.whitespace_after)  # type: ignore
    return cst.Assign([target], value, statement.semicolon)


def annotation_of(param: cst.CSTNode) -> cst.BaseExpression | None:
    """A parameter's annotation."""
    return param.annotation.annotation if isinstance(param, cst.Param) and param.annotation is not None else None


def spelled_text(match: Match, type_: str) -> tuple[str, tuple[Edit, ...]] | None:
    """As :func:`spelled`, as text."""
    found = spelled(match, type_)
    return (code(found[0]), found[1]) if found is not None else None


def merged(*edits: Edit) -> tuple[Edit, ...]:
    """Edits without repetitions; imports that go to one place become one."""
    return tuple(dict.fromkeys(edits))


def annotate(match: Match, argument: ast.arg, annotation: str, default: ast.expr | None) -> list[Edit]:
    """The edits that annotate a parameter, with the spaces around ``=`` that an annotated one has."""
    _, end = place(match, argument)
    edits = [match.insert(end, f": {annotation}")]
    if default is not None:
        start, _ = place(match, default)
        between = match.source.slice(end, start)
        if between.strip() == "=" and "\n" not in between:
            edits = [Edit(end, start, f": {annotation} = ")]
    return edits


def default_of(function: ast.FunctionDef | ast.AsyncFunctionDef, argument: ast.arg) -> ast.expr | None:
    """A parameter's default."""
    spec = function.args
    names = [*spec.posonlyargs, *spec.args]
    for name, default in zip(names[len(names) - len(spec.defaults) :], spec.defaults):
        if name is argument:
            return default
    for name, keyword_default in zip(spec.kwonlyargs, spec.kw_defaults):
        if name is argument:
            return keyword_default
    return None


def from_def(match: Match, node: Any, message: str, help: str, fix: Fix | None = None) -> Finding:
    """A finding that reaches from the ``def``, where the compiler's underline begins, to one of the model's nodes in
    its signature."""
    function = match.event.unit.function.node if match.event.unit is not None else node
    return Finding(message, help, fix, match.file.place(function)[0], match.file.place(node)[1])


__all__ = [
    "Spelled",
    "annotate",
    "annotated",
    "annotated_variable",
    "annotation_of",
    "default_of",
    "from_def",
    "merged",
    "place",
    "replace",
    "spelled",
    "spelled_text",
    "without_annotation",
]
