"""Extra arguments that a function takes and never reads: callers go on passing them, and the compiler sees none.

``torch.jit.script`` reads the function that ``functools.wraps`` names (``inspect.unwrap`` in
``torch._sources.get_source_lines_and_file``), and callers in Python call the one around it.
"""

from __future__ import annotations

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.helper_function import helper
from tslint.rewrite.without_variadics import said, without_variadics
from tslint.rulekit.match import Match
from tslint.rulekit.rule import unsafe
from tslint.rulekit.template import statement
from tslint.script.dataflow.scopes import free
from tslint.script.dataflow.top_level import is_top_function

_POSITIONALS = '''\
def _ignore_extra_positionals(function):
    """Let callers pass more positional arguments than a function has: TorchScript compiles the function itself."""

    @{functools}.wraps(function)
    def call(*args, **kwargs):
        return function(*args[: function.__code__.co_argcount], **kwargs)

    return call
'''
_KEYWORDS = '''\
def _ignore_extra_keywords(function):
    """Let callers pass more keyword arguments than a function has: TorchScript compiles the function itself."""
    names = function.__code__.co_varnames[: function.__code__.co_argcount + function.__code__.co_kwonlyargcount]

    @{functools}.wraps(function)
    def call(*args, **kwargs):
        return function(*args, **{known})

    return call
'''
_BOTH = '''\
def _ignore_extra_arguments(function):
    """Let callers pass more arguments than a function has: TorchScript compiles the function itself."""
    names = function.__code__.co_varnames[: function.__code__.co_argcount + function.__code__.co_kwonlyargcount]

    @{functools}.wraps(function)
    def call(*args, **kwargs):
        return function(*args[: function.__code__.co_argcount], **{known})

    return call
'''
_KNOWN = "{name: value for name, value in kwargs.items() if name in names}"


def ignored_outside(match: Match, function: cst.FunctionDef) -> Fix | None:
    """Take the variadic parameters out of a function, and put a function around it that drops what callers pass there.

    Args:
        match: for the file.
        function: reads none of its variadic parameters.

    Returns:
        None for a function that is decorated, stands in another function, or has positional-only parameters.
    """
    model, line = match.model(function), match.line(function)
    if function.decorators or line is None or not is_top_function(match.file.tree, model):
        return None
    if function.params.posonly_params:
        return None  # a keyword may have the name of one: it is an extra argument then
    functools, imports = match.imported("functools")
    positionals = isinstance(function.params.star_arg, cst.Param)
    pattern = _KEYWORDS if not positionals else _POSITIONALS if function.params.star_kwarg is None else _BOTH
    definition = statement(pattern, functools=functools, known=_KNOWN)
    if {"function", "names"} & (free(model) | {function.name.value}) or not isinstance(definition, cst.FunctionDef):
        return None
    beside = helper(match, definition)
    if beside is None:
        return None

    def decorated() -> tuple[Edit, ...]:
        new = without_variadics(function, [])
        return match.rewrite(line, new.with_changes(decorators=[cst.Decorator(definition.name)]))

    words = f"Take {said(function)} out of what is compiled: it is never read, and callers may go on passing it"
    return unsafe(words, decorated, beside, *imports, risks=(Risk.REFUSES,))
