"""Tells whether calls pass lists for a parameter that may be any iterable."""

from __future__ import annotations

import ast

from tslint.script.dataflow.callers import arguments_for, callers
from tslint.script.dataflow.definitions import default_of
from tslint.util import astwalk

_NO_LISTS = (ast.GeneratorExp, ast.Set, ast.SetComp, ast.Dict, ast.DictComp, ast.Tuple)
_MAKERS = frozenset("dict enumerate filter frozenset iter map range reversed set tuple zip".split())
_VIEWS = frozenset(["items", "keys", "values"])


def passes_another_iterable(tree: ast.Module, annotation: ast.AST) -> bool:
    """Return whether the default, or a call in the file, is something other than a list, such as ``d.keys()``, for the
    parameter that has an annotation; false for the annotation of something else.
    """
    around = list(astwalk.around(tree, annotation))
    parameter = next((each for each in around if isinstance(each, ast.arg)), None)
    function = next((each for each in around if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))), None)
    if parameter is None or function is None:
        return False
    sites = callers(tree).of(function)
    values = [value for site in sites for value in arguments_for(function, parameter.arg, site.node)]
    return any(_is_no_list(value) for value in (default_of(function, parameter.arg), *values) if value is not None)


def _is_no_list(value: ast.expr) -> bool:
    if not isinstance(value, ast.Call):
        return isinstance(value, _NO_LISTS)
    called = value.func
    return called.id in _MAKERS if isinstance(called, ast.Name) else getattr(called, "attr", "") in _VIEWS
