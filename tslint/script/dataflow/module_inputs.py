"""Decides whether the module or the function that gets a variable raises if it is None."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tslint.script.dataflow.callees import callees, parameter_for
from tslint.script.dataflow.definitions import FunctionNode
from tslint.script.dataflow.instance_stores import instance_stores
from tslint.script.dataflow.methods import method_of
from tslint.script.dataflow.scopes import bindings, bound_times, function_around
from tslint.script.dataflow.shallow import full_name
from tslint.script.dataflow.stores import file_facts
from tslint.util import astwalk

# Prefixes of names in torch.nn that may pass their input on unchanged, or that compute nothing.
_PASSING = ("Identity", "Sequential", "Module", "Transformer", "Parameter", "DataParallel")


def goes_to_module(
    tree: ast.Module, node: ast.Name, around: ast.AST | None, refuses: Callable[[FunctionNode, str], bool] | None
) -> bool:
    """Return whether a variable is the input of modules that raise if it is None: modules of torch that compute
    something, or modules of the file.

    Args:
        tree: the tree of the file.
        node: the variable.
        around: the node around it.
        refuses: tells whether a ``forward`` raises if a parameter is None; None to leave modules of the file out.
    """
    called = around.func if isinstance(around, ast.Call) and around.args[:1] == [node] else None
    owner = next((each for each in astwalk.around(tree, node) if isinstance(each, ast.ClassDef)), None)
    function = function_around(tree, node)
    if not isinstance(called, ast.Attribute) or not isinstance(called.value, ast.Name) or owner is None:
        return False
    if function is None or [each.arg for each in function.args.args[:1]] != [called.value.id]:
        return False
    stores = instance_stores(file_facts(tree), owner, called.attr) or []
    made = [_first_called(tree, each) for store in stores for each in _values(store.value)]
    return bool(made) and all(each is not None and _raises(tree, each, refuses) for each in made)


def goes_to_function(
    tree: ast.Module, node: ast.Name, around: ast.AST | None, refuses: Callable[[FunctionNode, str], bool]
) -> bool:
    """Return whether a variable is an argument of a function of the file's top level that raises if it is None.

    Args:
        tree: the tree of the file.
        node: the variable.
        around: the node around it.
        refuses: tells whether a function raises if a parameter is None.
    """
    call = astwalk.parents(tree).get(around) if isinstance(around, ast.keyword) else around
    function = function_around(tree, node)
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or function is None:
        return False
    if call.func.id in bindings(function) or bound_times(tree, call.func.id) != 1:
        return False
    for callee, certain in callees(tree, function, call, node):
        name = parameter_for(callee, call, node)
        return certain and name is not None and refuses(callee, name)
    return False


def _raises(tree: ast.Module, made: ast.expr, refuses: Callable[[FunctionNode, str], bool] | None) -> bool:
    """Return whether modules of a class raise if their input is None."""
    owner = file_facts(tree).classes.get(made.id) if isinstance(made, ast.Name) else None
    if owner is None:
        return _computes_something(full_name(tree, made))
    forward = method_of(owner, "forward")
    if refuses is None or forward is None or len(forward.args.args) < 2 or method_of(owner, "__call__") is not None:
        return False
    return refuses(forward, forward.args.args[1].arg)


def _values(made: ast.expr | None) -> list[ast.expr | None]:
    """Return the values that an attribute may get. None is left out, because calling it raises, too."""
    if isinstance(made, ast.IfExp):
        return [*_values(made.body), *_values(made.orelse)]
    return [] if isinstance(made, ast.Constant) and made.value is None else [made]


def _first_called(tree: ast.Module, made: ast.expr | None) -> ast.expr | None:
    """Return the class of a module that a constructor creates; for a Sequential, the class of its first module. Return
    None if the value is not a call.
    """
    while isinstance(made, ast.Call) and full_name(tree, made.func) == "torch.nn.Sequential" and made.args:
        made = made.args[0]
    return made.func if isinstance(made, ast.Call) else None


def _computes_something(name: str | None) -> bool:
    module, _, kind = (name or "").rpartition(".")
    return module == "torch.nn" and kind[:1].isupper() and not kind.startswith(_PASSING)
