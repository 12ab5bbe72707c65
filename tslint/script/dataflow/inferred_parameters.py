"""What the parameters of a file's functions are, by their uses, defaults and all calls of the file."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from tslint.script.dataflow.callers import callers
from tslint.script.dataflow.parameters import Inferred, arguments_for, infer, names_of
from tslint.script.dataflow.shallow import FunctionNode, nothing, type_of
from tslint.util import astwalk


def inferred(
    tree: ast.Module,
    function: FunctionNode,
    name: str,
    known: Mapping[int, str] | None = None,
    likely: str | None = None,
) -> Inferred | None:
    """What a parameter of a function of this file is; see :func:`~tslint.script.dataflow.parameters.infer`."""
    return infer(tree, function, name, _calls(function, tree), known, likely)


def fraction_given(tree: ast.Module, function: FunctionNode, name: str) -> bool:
    """Whether a caller of this file gives what ``.item()`` gives: of a float, an int parameter drops the fraction."""
    return any(
        type_of(tree, value, names_of(tree, holder, guess=False) if holder is not None else nothing) == "number"
        for call, holder in _calls(function, tree)
        for value in arguments_for(function, name, call)
    )


def _calls(function: FunctionNode, tree: ast.Module) -> list[tuple[ast.Call, FunctionNode | None]]:
    """The calls of a function of this file, looked for once; none where it is another file's."""
    known = _found(tree)
    if function not in known:
        own = function in _functions(tree)
        known[function] = [(site.node, site.function) for site in callers(tree).of(function)] if own else []
    return known[function]


@astwalk.kept
def _found(tree: ast.Module) -> dict[FunctionNode, list[tuple[ast.Call, FunctionNode | None]]]:
    return {}


@astwalk.kept
def _functions(tree: ast.Module) -> frozenset[ast.AST]:
    return frozenset(astwalk.of_kind(tree, ast.FunctionDef, ast.AsyncFunctionDef))
