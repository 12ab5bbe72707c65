"""Checks one function as the front end does: type comments, parameters, body, and the emitter's syntax errors."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tslint.script.events import Event
from tslint.script.events.syntax import AsyncFunction, Lambda
from tslint.script.frontend.builder import build, built_parameters
from tslint.script.frontend.emission import emission_events
from tslint.script.frontend.typecomments import type_comment_events
from tslint.sources.file import SourceFile

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def front_end_events(
    function: Function, source: SourceFile, *, is_init: bool = False, is_method: bool = False
) -> Iterator[Event]:
    """Yield every error of the front end in one function, in the order in which the compiler would report them.

    Args:
        function: the definition; its decorators are not compiled.
        source: its file, which contains the comments.
        is_init: whether it is an ``__init__`` (of a script class), which may annotate attributes.
        is_method: whether its first parameter is the instance.
    """
    if isinstance(function, ast.Lambda):
        yield Lambda(function, "Expected a single top-level function")
        return
    if isinstance(function, ast.AsyncFunctionDef):
        yield AsyncFunction(function, "Expected a single top-level function", name=function.name)
        return
    is_method = is_method and not any(_is_staticmethod(decorator) for decorator in function.decorator_list)
    yield from type_comment_events(function, source, is_method=is_method)
    yield from build([*built_parameters(function.args), function.returns, *function.body], is_init=is_init)
    yield from emission_events(function, is_method=is_method)


def _is_staticmethod(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Name) and decorator.id == "staticmethod"
