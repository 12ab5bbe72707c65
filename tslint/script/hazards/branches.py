"""Finds branches of ``torch.jit.is_scripting()`` with different kinds of results, or of which only one raises."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tslint.script.events.hazards import ScriptingBranches, ScriptingRaise
from tslint.script.hazards.context import called, path_to
from tslint.script.interpreter import observers
from tslint.script.types import DictType, ListType, TensorType, TupleType
from tslint.script.values import TupleValue, Typed
from tslint.util import astwalk

if TYPE_CHECKING:
    from tslint.script.interpreter.emitter import Emitter

_DTYPES = {
    "half": "float16",
    "float": "float32",
    "double": "float64",
    "bfloat16": "bfloat16",
    "long": "int64",
    "int": "int32",
    "short": "int16",
    "char": "int8",
    "byte": "uint8",
    "bool": "bool",
}
Shape = tuple[str, str]


@observers.static_branch.observe
def notice_branches(em: Emitter, node: ast.If, taken: list[ast.stmt], left: list[ast.stmt]) -> None:
    """Compare the compiled branch with the one for Python: whether it raises, and its result, if both are known."""
    test = node.test.operand if isinstance(node.test, ast.UnaryOp) else node.test
    if called(test) != "is_scripting":
        return
    if taken and isinstance(taken[-1], ast.Raise) and not (left and isinstance(left[-1], ast.Raise)):
        em.notice(ScriptingRaise(taken[-1], ""))
        return
    compiled, eager = _outcome(em, node, taken), _outcome(em, node, left)
    if compiled is None or eager is None or compiled[0] != eager[0]:
        return
    first, second = shape(em, compiled[1], taken), shape(em, eager[1], left)
    if first is None or second is None:
        return
    different = first[0] != second[0] or (first[1] and second[1] and first[1] != second[1])
    if different:
        em.notice(
            ScriptingBranches(
                compiled[1], "", compiled=_words(first, second), eager=_words(second, first), name=compiled[0]
            )
        )


def _outcome(em: Emitter, node: ast.If, body: list[ast.stmt]) -> tuple[str, ast.expr] | None:
    """Return the result of a branch: the assigned name (empty for a return) and the value. Return None if the branch
    has no such result.
    """
    last = body[-1] if body else _following(em, node)
    if isinstance(last, ast.Return) and last.value is not None:
        return "", last.value
    if body and isinstance(last, ast.Assign) and len(last.targets) == 1 and isinstance(last.targets[0], ast.Name):
        return last.targets[0].id, last.value
    following = _following(em, node)
    if body and isinstance(following, ast.Return) and following.value is not None:
        return "", following.value
    return None


def _following(em: Emitter, node: ast.If) -> ast.stmt | None:
    """Return the statement after an ``if``; None if there is none."""
    around = path_to(em.unit.function.node, node)
    body: list[ast.stmt] = getattr(around[0], "body", []) if around else []
    if node in body and body.index(node) + 1 < len(body):
        return body[body.index(node) + 1]
    return None


def shape(em: Emitter, node: ast.expr, body: list[ast.stmt]) -> Shape | None:
    """Return the kind of an expression's value, and a tensor's dtype if it is explicit; None if that is not known."""
    if isinstance(node, ast.Tuple):
        return None if any(isinstance(e, ast.Starred) for e in node.elts) else (f"a tuple of {len(node.elts)}", "")
    if isinstance(node, (ast.Dict, ast.DictComp)):
        return "a dict", ""
    if isinstance(node, (ast.List, ast.ListComp)):
        return "a list", ""
    if isinstance(node, ast.Constant) and node.value is None:
        return "None", ""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args and not node.keywords:
        owner = shape(em, node.func.value, body)
        if owner is not None and owner[0] == "a Tensor" and node.func.attr in _DTYPES:
            return "a Tensor", _DTYPES[node.func.attr]
    if isinstance(node, ast.Name):
        others = [statement for statement in body if not any(inner is node for inner in astwalk.walk(statement))]
        if any(_stores(statement, node.id) for statement in others):
            return None
        return _kind(em, node.id)
    return None


def _stores(statement: ast.stmt, name: str) -> bool:
    return any(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
        for node in astwalk.walk(statement)
    )


def _kind(em: Emitter, name: str) -> Shape | None:
    value = em.env.find(name)
    if isinstance(value, TupleValue):
        return f"a tuple of {len(value.elements)}", ""
    if not isinstance(value, Typed):
        return None
    if isinstance(value.type, TensorType):
        return "a Tensor", ""
    if isinstance(value.type, TupleType) and value.type.name is None:
        return f"a tuple of {len(value.type.elements)}", ""
    if isinstance(value.type, ListType):
        return "a list", ""
    return ("a dict", "") if isinstance(value.type, DictType) else None


def _words(one: Shape, other: Shape) -> str:
    return f"a {one[1]} Tensor" if one[0] == other[0] else one[0]
