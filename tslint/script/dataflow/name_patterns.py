"""Reads what is constant of names that code computes: ``setattr(self, f"layer{i}", …)``, or a default."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tslint.script.dataflow.local_bindings import is_parameter
from tslint.util import astwalk

_BY_NAME = frozenset("getattr setattr hasattr delattr attrgetter methodcaller vars __dict__ __getattr__".split())
_INDIRECT = frozenset("attrgetter methodcaller vars __dict__ __getattr__".split())


def pattern_of(name: ast.AST | None) -> tuple[str, str]:
    """Return the prefix and suffix of a computed name, as far as they are literal."""
    if isinstance(name, ast.JoinedStr) and name.values:
        ends = [each.value if isinstance(each, ast.Constant) else "" for each in (name.values[0], name.values[-1])]
        return str(ends[0]), str(ends[1])
    if isinstance(name, ast.BinOp):
        if isinstance(name.op, ast.Mod):
            return _text(name.left).partition("%")[0], ""
        if isinstance(name.op, ast.Add):
            return _text(name.left) or pattern_of(name.left)[0], _text(name.right)
    if isinstance(name, ast.Call) and isinstance(name.func, ast.Attribute) and name.func.attr == "format":
        return _text(name.func.value).partition("{")[0], ""
    return "", ""


def pattern_at(tree: ast.Module, name: ast.AST | None) -> tuple[str, str]:
    """Return the prefix and suffix of a computed name; a variable stands for the only value that its function, or the
    one around it, assigns to it.
    """
    if not isinstance(name, ast.Name):
        return pattern_of(name)
    for function in astwalk.around(tree, name):
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            continue
        if is_parameter(function, name.id):
            break
        found = astwalk.mentions(function).get(name.id, ())
        bound = [each for each in found if not isinstance(each, ast.Name) or not isinstance(each.ctx, ast.Load)]
        if bound:
            assign = astwalk.parents(tree).get(bound[0])
            return pattern_of(assign.value if isinstance(assign, ast.Assign) and assign.targets == bound else None)
    return "", ""


def _text(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def may_be_computed(tree: ast.Module, name: str) -> bool:
    """Return whether a file may read or set an attribute by a name that it computes: for ``_relu_act``,
    ``getattr(self, f"_{kind}_act")``. A name without a literal part, such as ``getattr(self, name)``,
    would match all attributes, and does not count.
    """
    return any(name.startswith(start) and name.endswith(end) for start, end in _patterns(tree))


@astwalk.kept
def _patterns(tree: ast.Module) -> list[tuple[str, str]]:
    mentions = astwalk.mentions(tree)
    if _BY_NAME.isdisjoint(mentions):
        return []
    texts: Sequence[ast.AST] = (*astwalk.of_kind(tree, ast.JoinedStr, ast.BinOp), *astwalk.of_kind(tree, ast.Call))
    if _INDIRECT.isdisjoint(mentions):
        # Only arguments of `getattr` and similar calls count, and values of variables that are passed to such a call.
        calls = [each for each in astwalk.of_kind(tree, ast.Call) if getattr(each.func, "id", "") in _BY_NAME]
        given = [part for call in calls for argument in call.args for part in astwalk.walk(argument)]
        names = {each.id for each in given if isinstance(each, ast.Name)}
        stored = [each.value for each in astwalk.of_kind(tree, ast.Assign) if names & astwalk.bound(each)]
        stored += [each.iter for each in astwalk.of_kind(tree, ast.For) if names & astwalk.bound(each.target)]
        texts = [*given, *(part for value in stored for part in astwalk.walk(value))]
    found = [pattern_of(each) for each in texts]
    return [each for each in found if each != ("", "")]


def leaves_default(tree: ast.Module, use: ast.AST, parameter: str, place: int) -> bool:
    """Return whether a use of a class is a call that does not pass a parameter, or ``super(Class, self)``."""
    call = astwalk.parents(tree).get(use)
    if not isinstance(call, ast.Call):
        return False
    if call.func is not use:
        return astwalk.is_name(call.func, "super")
    starred = any(isinstance(each, ast.Starred) for each in call.args)
    return not starred and len(call.args) <= place and all(each.arg not in (parameter, None) for each in call.keywords)
