"""Extra arguments that a function takes and never reads: callers go on passing them, and the compiler sees none.

``torch.jit.script`` reads the function that ``functools.wraps`` names (``inspect.unwrap`` in
``torch._sources.get_source_lines_and_file``), and callers in Python call the one around it.
"""

from __future__ import annotations

import ast

from tslint import walking
from tslint.diagnostics import Edit, Fix, Position, Risk
from tslint.rewrite.statements import deeper, indentation
from tslint.rulekit.match import Match
from tslint.rulekit.rule import unsafe
from tslint.script.dataflow.scopes import free

# By what is dropped: positional arguments, keywords.
_NAMES = {(True, False): "_ignore_extra_positionals", (False, True): "_ignore_extra_keywords"}
_BOTH = "_ignore_extra_arguments"


def ignored_outside(match: Match, function: ast.FunctionDef, parameters: list[Edit], said: str) -> Fix | None:
    """Take the variadic parameters out of a function, and put a function around it that drops what callers pass there.

    Args:
        match: for the file.
        function: reads none of its variadic parameters.
        parameters: the edits that take them out of its signature.
        said: the parameters in words.

    Returns:
        None for a function that is decorated, stands in another function, or has positional-only parameters.
    """
    tree = match.file.tree
    holder = walking.parents(tree).get(function)
    outer = walking.parents(tree).get(holder) if isinstance(holder, ast.ClassDef) else tree
    if function.decorator_list or not isinstance(holder, (ast.Module, ast.ClassDef)) or outer is not tree:
        return None
    if function.args.posonlyargs:
        return None  # a keyword may have the name of one: it is an extra argument then
    functools, imports = match.imported("functools")
    dropped = (function.args.vararg is not None, function.args.kwarg is not None)
    name = _NAMES.get(dropped, _BOTH)
    if {"function", "names"} & (free(function) | {function.name}) or "\n" in functools:
        return None
    helper = _helper(match, name, _definition(name, functools, *dropped, step=_step(match, function)))
    if helper is None:
        return None
    line = match.source.lines[function.lineno - 1]
    at = Position(function.lineno, 1)
    decorator = Edit(at, at, f"{indentation(line)}@{name}{match.source.newline}")
    words = f"Take {said} out of what is compiled: it is never read, and callers may go on passing it"
    return unsafe(words, *parameters, decorator, *helper, *imports, risks=(Risk.REFUSES,))


def _step(match: Match, function: ast.FunctionDef) -> str:
    line, inner = (match.source.lines[row - 1] for row in (function.lineno, function.body[0].lineno))
    return indentation(inner)[len(indentation(line)) :] or deeper(line)


def _definition(name: str, functools: str, positionals: bool, keywords: bool, *, step: str) -> list[str]:
    """The lines of the function that makes the one around."""
    what = {(True, False): "positional arguments", (False, True): "keyword arguments"}.get(
        (positionals, keywords), "arguments"
    )
    given = "*args[: function.__code__.co_argcount]" if positionals else "*args"
    lines = [
        f"def {name}(function):",
        f'{step}"""Let callers pass more {what} than a function has: TorchScript compiles the function itself."""',
    ]
    if keywords:
        spec = "function.__code__.co_argcount + function.__code__.co_kwonlyargcount"
        lines.append(f"{step}names = function.__code__.co_varnames[: {spec}]")
    passed = f"{given}, **{{name: value for name, value in kwargs.items() if name in names}}" if keywords else given
    return [
        *lines,
        "",
        f"{step}@{functools}.wraps(function)",
        f"{step}def call(*args, **kwargs):",
        f"{step}{step}return function({passed if keywords else f'{passed}, **kwargs'})",
        "",
        f"{step}return call",
    ]


def _helper(match: Match, name: str, lines: list[str]) -> tuple[Edit, ...] | None:
    """The edit that puts it before the first function or class of the file; none where it is there already.

    Returns:
        None where something else has the name.
    """
    tree, newline = match.file.tree, match.source.newline
    first: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | None = None
    for each in tree.body:
        if isinstance(each, ast.FunctionDef) and each.name == name:
            return () if match.text(each).split() == newline.join(lines).split() else None
        if name in walking.bound(each) or getattr(each, "name", "") == name:
            return None
        if first is None and isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            first = each
    if first is None:
        return None
    row = min([first.lineno, *(decorator.lineno for decorator in first.decorator_list)])
    at = Position(row, 1)
    return (Edit(at, at, newline.join([*lines, "", "", ""])),)
