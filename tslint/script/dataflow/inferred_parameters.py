"""Infers the types of parameters of a file's functions from their uses, their defaults, and all calls in the file."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from tslint.script.dataflow.callers import arguments_for, callers
from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.parameters import Calls, Inferred, infer
from tslint.script.dataflow.shallow import nothing, type_of
from tslint.script.dataflow.variable_types import names_of
from tslint.script.scope import Unit
from tslint.util import astwalk


def inferred(
    tree: ast.Module,
    function: FunctionNode,
    name: str,
    known: Mapping[int, str] | None = None,
    likely: str | None = None,
    elsewhere: Calls = (),
) -> Inferred | None:
    """Infer the type of a parameter of a function of this file, also from compiled calls in other files; None if it is
    not known. See :func:`~tslint.script.dataflow.parameters.infer`.
    """
    # Cached, because many rules ask about the same parameter, once for each event in which it occurs.
    answers, calls = _answers(tree), tuple(id(call) for call, _, _ in elsewhere)
    key = (function, name, likely, frozenset(known.items() if known else ()), calls)
    if key not in answers and _is_only_tested(function, name):
        answers[key] = Inferred("Any", confirmed=True)
    if key not in answers:
        answers[key] = infer(tree, function, name, [*_calls(function, tree), *elsewhere], known, likely)
    return answers[key]


def _is_only_tested(function: FunctionNode, name: str) -> bool:
    """Return whether a function only tests the type of a parameter, so that it takes any value."""
    uses = [each for each in astwalk.mentions(function).get(name, ()) if isinstance(each, ast.Name)]
    around = [astwalk.parents(function).get(each) for each in uses]
    return bool(uses) and all(
        isinstance(call, ast.Call) and astwalk.is_name(call.func, "isinstance") and call.args[:1] == [use]
        for call, use in zip(around, uses)
    )


@astwalk.kept
def _answers(tree: ast.Module) -> dict[tuple[object, ...], Inferred | None]:
    return {}


def calls_elsewhere(tree: ast.Module, unit: Unit | None, function: FunctionNode) -> Calls:
    """Return the calls of a function that are compiled in other files; none if the unit is of another function."""
    if unit is None or unit.function.node is not function:
        return []
    callers = [(reach.caller.function, reach.node) for reach in unit.reached if reach.caller is not None]
    found: dict[int, tuple[ast.Call, FunctionNode, ast.Module]] = {}
    for caller, node in callers:
        if isinstance(node, ast.Call) and caller.module.tree is not tree:
            found[id(node)] = node, caller.node, caller.module.tree
    return list(found.values())


def fraction_given(tree: ast.Module, function: FunctionNode, name: str) -> bool:
    """Return whether a caller in this file passes the result of ``.item()`` for a parameter: if the result is a float,
    an int parameter drops the fraction.
    """
    return any(
        type_of(tree, value, names_of(tree, holder, guess=False) if holder is not None else nothing) == "number"
        for call, holder, _ in _calls(function, tree)
        for value in arguments_for(function, name, call)
    )


def _calls(function: FunctionNode, tree: ast.Module) -> Calls:
    """Return the calls of a function of this file, cached; none for another file's function."""
    known = _found(tree)
    if function not in known:
        own = function in _functions(tree)
        known[function] = [(site.node, site.function, tree) for site in callers(tree).of(function)] if own else []
    return known[function]


@astwalk.kept
def _found(tree: ast.Module) -> dict[FunctionNode, Calls]:
    return {}


@astwalk.kept
def _functions(tree: ast.Module) -> frozenset[ast.AST]:
    return frozenset(astwalk.of_kind(tree, ast.FunctionDef, ast.AsyncFunctionDef))
