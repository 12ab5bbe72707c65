"""A second form of a function that TorchScript compiles, beside the one that Python goes on running.

``torch.jit.script`` reads the function that ``functools.wraps`` names (``inspect.unwrap`` in
``torch._sources.get_source_lines_and_file``), and callers in Python call the one around it.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

import libcst as cst

from tslint import walking
from tslint.diagnostics import Edit, Fix, Risk
from tslint.rulekit.match import Match
from tslint.rulekit.rule import unsafe
from tslint.rulekit.template import statement

_HELPER = '''\
def _compiled_form_of(function):
    """What is defined with this is the form of a function that TorchScript compiles; Python runs the function."""

    def decorate(compiled):
        @{functools}.wraps(compiled)
        def call(*args, **kwargs):
            return function(*args, **kwargs)

        return call

    return decorate
'''
_NAME = "_compiled_form_of"
# A longer function is not written twice.
_MOST = 24


def without_variadics(match: Match, function: ast.FunctionDef, new: Sequence[str], said: str) -> Fix | None:
    """Compile a form of a method without ``*args`` and ``**kwargs``; Python goes on with the author's.

    Args:
        match: for the file.
        function: hands its variadic parameters on, and does nothing else with them.
        new: names of parameters for what ``*args`` took.
        said: the variadic parameters in words.

    Returns:
        None for what is decorated, long, or no method of a class of the file.
    """
    tree = match.file.tree
    owner = walking.parents(tree).get(function)
    rows = (function.end_lineno or 0) - function.lineno
    if function.decorator_list or rows > _MOST or not isinstance(owner, ast.ClassDef):
        return None
    if walking.parents(tree).get(owner) is not tree or function.args.posonlyargs:
        return None
    node = match.libcst(function)
    name = f"_eager_{function.name.strip('_')}"
    functools, imports = match.imported("functools")
    helper = _helper(match, functools)
    if not isinstance(node, cst.FunctionDef) or helper is None or walking.mentions(tree).get(name):
        return None
    line = match.line(node)
    if line is None:
        return None

    def edits() -> tuple[Edit, ...]:
        return match.rewrite(line, *_forms(node, name, new))

    instead = f", with {', '.join(f'`{each}`' for each in new)} instead" if new else ""
    words = f"Compile a form of `{function.name}` without {said}{instead}; Python goes on with its own"
    return unsafe(words, edits, *helper, *imports, risks=(Risk.REFUSES,))


def _forms(node: cst.FunctionDef, name: str, new: Sequence[str]) -> tuple[cst.FunctionDef, cst.FunctionDef]:
    """The function under another name, and its form for the compiler."""
    eager = node.with_changes(name=cst.Name(name))
    body = eager.body.body
    if eager.get_docstring() is not None and len(body) > 1:
        eager = eager.with_changes(body=eager.body.with_changes(body=body[1:]))
    fixed = node.visit(_Fixed(new))
    assert isinstance(fixed, cst.FunctionDef)
    mark = cst.Decorator(cst.Call(cst.Name(_NAME), [cst.Arg(cst.Name(name))]))
    return eager, fixed.with_changes(decorators=[mark], leading_lines=[cst.EmptyLine(indent=False)])


class _Fixed(cst.CSTTransformer):
    """Takes the variadic parameters out of a function, and what expands them out of its calls."""

    def __init__(self, new: Sequence[str]) -> None:
        super().__init__()
        self.new = new
        self.names: set[str] = set()

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        for each in (node.params.star_arg, node.params.star_kwarg):
            if isinstance(each, cst.Param):
                self.names.add(each.name.value)

    def leave_Parameters(self, original_node: cst.Parameters, updated_node: cst.Parameters) -> cst.Parameters:
        kept = [*updated_node.params, *(cst.Param(cst.Name(name)) for name in self.new)]
        only = list(updated_node.kwonly_params)
        listed = only or kept
        if listed:
            listed[-1] = listed[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        star = cst.ParamStar() if only else cst.MaybeSentinel.DEFAULT
        return updated_node.with_changes(params=kept, star_arg=star, kwonly_params=only, star_kwarg=None)

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
        args: list[cst.Arg] = []
        for each in updated_node.args:
            if not (each.star and isinstance(each.value, cst.Name) and each.value.value in self.names):
                args.append(each)
            elif each.star == "*":
                args += [cst.Arg(cst.Name(name)) for name in self.new]
        if len(args) == len(updated_node.args) and args == list(updated_node.args):
            return updated_node
        if args:
            args[-1] = args[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        return updated_node.with_changes(args=args)


def _helper(match: Match, functools: str) -> tuple[Edit, ...] | None:
    """The edit that puts the decorator before the first definition of the file; none where it is there already.

    Returns:
        None where something else has its name.
    """
    tree = match.file.tree
    text = _HELPER.replace("{functools}", functools)
    for each in tree.body:
        if isinstance(each, ast.FunctionDef) and each.name == _NAME:
            return () if ast.dump(each) == ast.dump(ast.parse(text).body[0]) else None
    if walking.mentions(tree).get(_NAME):
        return None
    first = next(each for each in tree.body if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)))
    line = match.line(match.libcst(first))
    if line is None:
        return None
    return (match.insert_before(line, statement(text), blank=2),)
