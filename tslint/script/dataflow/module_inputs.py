"""Decides whether a module of torch raises if its input is None."""

from __future__ import annotations

import ast

from tslint.script.dataflow.instance_stores import instance_stores
from tslint.script.dataflow.scopes import function_around
from tslint.script.dataflow.shallow import full_name
from tslint.script.dataflow.stores import file_facts
from tslint.util import astwalk

# Prefixes of names in torch.nn that may pass their input on unchanged, or that compute nothing.
_PASSING = ("Identity", "Sequential", "Module", "Transformer", "Parameter", "DataParallel")


def goes_to_module(tree: ast.Module, node: ast.Name, around: ast.AST | None) -> bool:
    """Return whether a variable is the input of a torch module that computes something."""
    called = around.func if isinstance(around, ast.Call) and around.args[:1] == [node] else None
    owner = next((each for each in astwalk.around(tree, node) if isinstance(each, ast.ClassDef)), None)
    function = function_around(tree, node)
    if not isinstance(called, ast.Attribute) or not isinstance(called.value, ast.Name) or owner is None:
        return False
    if function is None or [each.arg for each in function.args.args[:1]] != [called.value.id]:
        return False
    stores = instance_stores(file_facts(tree), owner, called.attr) or []
    made = [_first_called(tree, each) for store in stores for each in _values(store.value)]
    return bool(made) and all(each is not None and _computes_something(full_name(tree, each)) for each in made)


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
