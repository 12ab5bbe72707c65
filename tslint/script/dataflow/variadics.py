"""Finds signatures without ``*args`` and ``**kwargs`` for functions."""

from __future__ import annotations

import ast
from typing import TypeGuard

from tslint.script.dataflow.call_arity import given, handing_on
from tslint.script.dataflow.callers import callers, expansions
from tslint.script.dataflow.closed_calls import all_calls_seen
from tslint.script.dataflow.naming import used_names
from tslint.script.dataflow.scopes import peeps
from tslint.util import astwalk
from tslint.util.record import record

_NAMES = ("input", "x", "value", "argument")
_MOST = 4


@record
class Signature:
    """The parameters that replace variadic ones.

    Args:
        new: the names of the parameters that replace ``*args``.
        handed_on: whether the function passes its variadic parameters on, and does nothing else with them.
        sure: whether no caller passes other arguments.
    """

    new: tuple[str, ...]
    handed_on: bool
    sure: bool


def can_lose_variadics(function: ast.AST | None) -> TypeGuard[ast.FunctionDef]:
    """Return whether a node is a function that only passes its variadic parameters on."""
    return (
        isinstance(function, ast.FunctionDef)
        and all(_only_handed_on(function, argument.arg) for argument in _variadics(function))
        and not function.args.posonlyargs
        and not peeps(function)
    )


def said(function: ast.FunctionDef) -> str:
    """Return a function's variadic parameters as text for messages."""
    found = ("*", function.args.vararg), ("**", function.args.kwarg)
    return " and ".join(f"`{star}{argument.arg}`" for star, argument in found if argument is not None)


def fixed_signature(tree: ast.Module, function: ast.FunctionDef) -> Signature | None:
    """Return the signature that callers of this file need; None if the variadic parameters are needed.

    Args:
        tree: the tree of the file.
        function: a function for which :func:`can_lose_variadics` is true.
    """
    # The arguments of other implementations are not known here.
    if _decorated(function, "abstractmethod"):
        return None
    spec, handed_on = function.args, _hands_on(function)
    got = given(tree, function)
    bound = id(function) in callers(tree).owners and not _decorated(function, "staticmethod")
    room = len(spec.args) - bound
    if got.unknown or (spec.kwarg is not None and got.keywords):
        return None
    if spec.vararg is None and any(count > room for count in got.counts):
        return None
    if not got.counts and not room and spec.vararg is None and not spec.kwonlyargs and handed_on:
        return None  # callers outside of the file can only pass arguments through the variadic parameters
    new: list[str] = []
    if (spec.vararg is not None and any(count > room for count in got.counts)) or not _takes(function, bound):
        named = _argument_names(tree, function) if not got.counts else _named(function, got.counts, room)
        if named is None:
            return None
        new = named
    # Callers outside of the file may pass more arguments, which matters if they are passed on.
    seen = all(all_calls_seen(tree, each) for each in handing_on(tree, function))
    sure = seen and bool(got.counts) and (not handed_on or function.name != "forward")
    return Signature(tuple(new), handed_on, sure)


def _variadics(function: ast.FunctionDef) -> list[ast.arg]:
    return [argument for argument in (function.args.vararg, function.args.kwarg) if argument is not None]


def _decorated(function: ast.FunctionDef, name: str) -> bool:
    return any(getattr(each, "attr", getattr(each, "id", "")) == name for each in function.decorator_list)


def _hands_on(function: ast.FunctionDef) -> bool:
    return any(list(expansions(function, argument.arg)) for argument in _variadics(function))


def _only_handed_on(function: ast.FunctionDef, name: str) -> bool:
    reads = sum(isinstance(node, ast.Name) and node.id == name for node in astwalk.walk(function))
    return reads == len(list(expansions(function, name)))


def _takes(function: ast.FunctionDef, bound: bool) -> bool:
    """Return whether a function can do without ``*args``: it has other parameters, or does not pass ``*args`` on."""
    spec = function.args
    if len(spec.args) - bound or spec.kwonlyargs or spec.vararg is None:
        return True
    return not list(expansions(function, spec.vararg.arg)) and function.name != "forward"


def _argument_names(tree: ast.Module, function: ast.FunctionDef) -> list[str] | None:
    """Return names for ``*args`` if no caller is visible: the names of the called method's parameters, or a single name
    if no method of the file is called. Return None if the names are not certain.
    """
    graph, spec = callers(tree), function.args
    for call, _ in expansions(function, spec.vararg.arg) if spec.vararg is not None else ():
        callee = call.func
        if isinstance(callee, ast.Attribute) and callee.attr in graph.defined and callee.attr != "forward":
            family = graph.family(graph.owners.get(id(function)))
            asked = [
                [argument.arg for argument in item.args.args[1 : len(item.args.args) - len(item.args.defaults)]]
                for owner in graph.classes.values()
                for item in owner.body
                if graph.family(owner) == family and isinstance(item, ast.FunctionDef)
                if item.name == callee.attr and item.args.vararg is None
            ]
            same = len({len(names) for names in asked}) == 1 and bool(asked[0])
            return asked[0] if same and len(call.args) == 1 else None
    return _named(function, set(), 0)


def _named(function: ast.FunctionDef, counts: set[int], room: int) -> list[str] | None:
    """Return names for the arguments in ``*args``; None if their number is not certain or too large, or if all names
    are in use.
    """
    more = {max(0, count - room) for count in counts} or {1}
    if len(more) != 1 or not 0 < max(more) <= _MOST:
        return None
    number = max(more)
    used = used_names(function)
    used |= {node.arg for node in astwalk.walk(function) if isinstance(node, ast.keyword) and node.arg}
    # The names of the variadic parameters are free again: a caller may use `input=…` for a former `*input`.
    used -= {each.arg for each in _variadics(function)}
    for name in _NAMES:
        names = [name] if number == 1 else [f"{name}{index + 1}" for index in range(number)]
        if not used & set(names):
            return names
    return None
