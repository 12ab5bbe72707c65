"""A second form of a function that TorchScript compiles, beside the one that Python goes on running.

``torch.jit.script`` reads the function that ``functools.wraps`` names (``inspect.unwrap`` in
``torch._sources.get_source_lines_and_file``), and callers in Python call the one around it.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tslint.diagnostics import Edit, Fix, Risk
from tslint.rewrite.helper_function import helper
from tslint.rewrite.without_variadics import said, without_variadics
from tslint.rulekit.match import Match
from tslint.rulekit.rule import unsafe
from tslint.rulekit.template import statement
from tslint.script.dataflow.top_level import is_mentioned, is_top_method

_HELPER = '''\
def _compiled_form_of(function):
    """What is defined with this is the form of a function that TorchScript compiles; Python runs the function."""

    def decorate(compiled):
        @{functools}.wraps(compiled)
        def call(*args, **kwargs):
            return function(*args, **kwargs)

        call.__signature__ = {inspect}.signature(function)
        return call

    return decorate
'''
_NAME = "_compiled_form_of"
# A longer function is not written twice.
_MOST = 24


def compiled_beside(match: Match, function: cst.FunctionDef, new: Sequence[cst.Param]) -> Fix | None:
    """Compile a form of a method without ``*args`` and ``**kwargs``; Python goes on with the author's.

    Args:
        match: for the file.
        function: hands its variadic parameters on, and does nothing else with them.
        new: parameters for what ``*args`` took.

    Returns:
        None for what is decorated, long, or no method of a class of the file.
    """
    tree, model, line = match.file.tree, match.model(function), match.line(function)
    if function.decorators or model.end_lineno - model.lineno > _MOST or not is_top_method(tree, model):
        return None
    name = f"_eager_{function.name.value.strip('_')}"
    functools, more = match.imported("functools")
    inspect, imports = match.imported("inspect")
    definition = statement(_HELPER, functools=functools, inspect=inspect)
    beside = helper(match, definition) if isinstance(definition, cst.FunctionDef) else None
    if line is None or function.params.posonly_params or beside is None or is_mentioned(tree, name):
        return None

    def edits() -> tuple[Edit, ...]:
        return match.rewrite(line, *_forms(function, name, new), copied=True)

    instead = f", with {', '.join(f'`{each.name.value}`' for each in new)} instead" if new else ""
    words = f"Compile a form of `{function.name.value}` without {said(function)}{instead}; Python goes on with its own"
    return unsafe(words, edits, beside, *more, *imports, risks=(Risk.REFUSES,))


def _forms(node: cst.FunctionDef, name: str, new: Sequence[cst.Param]) -> tuple[cst.FunctionDef, cst.FunctionDef]:
    """The function under another name, and its form for the compiler."""
    eager = node.with_changes(name=cst.Name(name))
    body = eager.body.body
    if eager.get_docstring() is not None and len(body) > 1:
        eager = eager.with_changes(body=eager.body.with_changes(body=body[1:]))
    fixed = without_variadics(node, new)
    mark = cst.Decorator(cst.Call(cst.Name(_NAME), [cst.Arg(cst.Name(name))]))
    return eager, fixed.with_changes(decorators=[mark], leading_lines=[cst.EmptyLine(indent=False)])
