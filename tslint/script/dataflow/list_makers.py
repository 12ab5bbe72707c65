"""Finds methods that create a list and return it."""

from __future__ import annotations

import ast
from typing import NamedTuple

from tslint.script.dataflow.callers import arguments_for
from tslint.script.dataflow.stores import FileFacts
from tslint.util import astwalk


class Made(NamedTuple):
    """What a call of a method returns.

    Args:
        method: the method.
        result: the expression that it returns.
        given: the arguments and defaults, by the names of the parameters.
    """

    method: ast.FunctionDef
    result: ast.expr
    given: dict[str, ast.expr]


def made_by(facts: FileFacts, owner: ast.ClassDef, call: ast.Call) -> Made | None:
    """Return what a call such as ``self.make_heads(3)`` returns; None unless the class has exactly one such method,
    with one ``return`` at its end, and all its arguments are known.
    """
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    found = [each for kind in facts.related(owner) for each in kind.body if getattr(each, "name", "") == name]
    method = found[0] if len(found) == 1 else None
    if not isinstance(method, ast.FunctionDef) or method.decorator_list or not isinstance(method.body[-1], ast.Return):
        return None
    leaving = [each for each in astwalk.walk(method) if isinstance(each, (ast.Return, ast.Yield, ast.YieldFrom))]
    result, spec = method.body[-1].value, method.args
    bound = bool(spec.args) and spec.args[0].arg == "self"
    if (
        result is None
        or not bound
        or len(leaving) > 1
        or spec.vararg
        or spec.kwarg
        or spec.kwonlyargs
        or spec.posonlyargs
    ):
        return None
    given: dict[str, ast.expr] = {}
    defaults = {
        each.arg: default
        for each, default in zip(reversed(spec.args), reversed(spec.defaults))
        if isinstance(default, ast.Constant)
    }
    for each in spec.args[1:]:
        value = next(arguments_for(method, each.arg, call), defaults.get(each.arg))
        if value is None:
            return None
        given[each.arg] = value
    return Made(method, result, given)
