"""What several rules of this family need: a TorchScript type as the author would write it, and edits of signatures."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from tslint import walking
from tslint.diagnostics import Edit, Fix
from tslint.rewrite.spans import place, replace
from tslint.rulekit.match import Match
from tslint.rulekit.rule import Finding

_PLAIN = {
    "int": "int",
    "float": "float",
    "bool": "bool",
    "str": "str",
    "complex": "complex",
    "NoneType": "None",
    "Any": "Any",
}
_GENERIC = {"List": "list", "Dict": "dict", "Tuple": "tuple"}
_BUILTIN_STYLE = re.compile(r"(?::|->|\[|,|\|)\s*(?:list|dict|tuple)\[")
Spelled = tuple[str, tuple[Edit, ...]]


@lru_cache(maxsize=4)
def _is_builtin_style(text: str) -> bool:
    """Whether a file writes ``list[int]`` somewhere."""
    return _BUILTIN_STYLE.search(text) is not None


class _Unspeakable(Exception):
    """A type that an author cannot write."""


def spelled(match: Match, type_: str) -> Spelled | None:
    """A type of the compiler's as this file would write it, with the edits that import its names; None where there is
    no way to write it (a module's class, ``number``)."""
    edits: dict[Edit, None] = {}
    try:
        node = ast.parse(type_.replace(" (inferred)", ""), mode="eval").body
        text = _write(match, node, edits)
    except (_Unspeakable, SyntaxError):
        return None
    return text, tuple(edits)


def _write(match: Match, node: ast.expr, edits: dict[Edit, None]) -> str:
    if isinstance(node, ast.Name) and node.id == "Tensor":
        return _named(match, "torch", "Tensor", edits)
    if isinstance(node, ast.Name) and node.id == "Device":
        return _named(match, "torch", "device", edits)
    if isinstance(node, ast.Name) and node.id in _PLAIN:
        return _named(match, "typing", "Any", edits) if node.id == "Any" else node.id.replace("NoneType", "None")
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        parts = ", ".join(_write(match, part, edits) for part in inner) or "()"
        name = node.value.id
        if name in _GENERIC and _is_builtin_style(match.source.text):
            return f"{_GENERIC[name]}[{parts}]"
        if name in (*_GENERIC, "Optional", "Union"):
            return f"{_named(match, 'typing', name, edits)}[{parts}]"
    raise _Unspeakable


def _named(match: Match, module: str, name: str, edits: dict[Edit, None]) -> str:
    text, added = match.imported(module, name)
    edits.update(dict.fromkeys(added))
    return text


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


def from_def(match: Match, node: ast.AST, message: str, help: str, fix: Fix | None = None) -> Finding:
    """A finding that reaches from the ``def``, where the compiler's underline begins, to a part of its signature."""
    function = match.event.unit.function.node if match.event.unit is not None else node
    start = place(match, function)[0]
    return Finding(message, help, fix, start, place(match, node)[1])


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
    "default_of",
    "from_def",
    "holds_list",
    "is_empty",
    "merged",
    "place",
    "replace",
    "spelled",
]
