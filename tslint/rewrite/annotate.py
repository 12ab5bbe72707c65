"""A TorchScript type as the author would write it, and annotations of parameters and variables."""

from __future__ import annotations

import ast
from typing import Any

import libcst as cst
from libcst import matchers as m

from tslint import walking
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


def holds_list(function: ast.AST, name: str, kind: type[ast.expr]) -> tuple[ast.Assign, ast.expr] | None:
    """The only assignment of an empty list or dict to a name in a function, and the value; None where there are more,
    or none. It may be one of several, ``rows, columns = [], []``."""
    found: list[ast.Assign] = []
    statements = [each for each in walking.walk(function) if isinstance(each, ast.Assign)]
    for node in walking.walk(function):
        if isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names:
            return None
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store):
            found += [each for each in statements if any(target is node for target in _targets(each))]
            found += [] if found and any(target is node for target in _targets(found[-1])) else [ast.Assign([], node)]
    if len(found) != 1 or len(found[0].targets) != 1:
        return None
    value = found[0].value
    if isinstance(found[0].targets[0], ast.Tuple):
        names = [each.id if isinstance(each, ast.Name) else "" for each in _targets(found[0])]
        parts = value.elts if isinstance(value, ast.Tuple) else []
        if len(parts) != len(names) or len(set(names)) != len(names) or "" in names:
            return None
        if not all(is_empty(each, ast.List) or is_empty(each, ast.Dict) for each in parts):
            return None
        value = parts[names.index(name)]
    return (found[0], value) if is_empty(value, kind) else None


def _targets(statement: ast.Assign) -> list[ast.expr]:
    return [
        part for each in statement.targets for part in (each.elts if isinstance(each, ast.Tuple) else [each])
    ]  # fmt: skip


def is_empty(value: ast.expr, kind: type[ast.expr]) -> bool:
    """``[]`` and ``list()``, or the same of dicts."""
    literal = isinstance(value, kind) and not getattr(value, "elts", getattr(value, "keys", None))
    name = {ast.List: "list", ast.Dict: "dict"}[kind]
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == name:
        return not value.args and not value.keywords
    return literal


__all__ = [
    "Spelled",
    "annotate",
    "annotated",
    "annotated_variable",
    "annotation_of",
    "default_of",
    "from_def",
    "holds_list",
    "is_empty",
    "merged",
    "place",
    "replace",
    "spelled",
    "spelled_text",
    "without_annotation",
]
