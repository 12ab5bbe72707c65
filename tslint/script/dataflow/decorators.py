"""Finds decorators of a file that replace a function by a wrapper, if the wrapper calls the function once, and can be
written as a function of its own.
"""

from __future__ import annotations

import ast

from tslint.util import astwalk
from tslint.util.record import record


@record
class Wrapped:
    """A decorated function.

    Args:
        plain: the function.
        wrapper: the inner function of the decorator, which replaces the decorated function.
        call: the wrapper's call of the function.
        expanded: ``**kwargs`` in that call.
        rest: the parameters of the function for which ``**kwargs`` stands.
    """

    plain: ast.FunctionDef
    wrapper: ast.FunctionDef
    call: ast.Call
    expanded: ast.keyword | None
    rest: list[ast.arg]

    @property
    def hidden(self) -> str:
        """Return the new name of the decorated function, ``_f`` for ``f``: the wrapper gets the old one."""
        return f"_{self.plain.name}"

    @property
    def nothing_by_default(self) -> frozenset[str]:
        """Return the parameters of the wrapper that are None by default."""
        found = parameters(self.wrapper.args)
        return frozenset(name.arg for name, value in found if isinstance(value, ast.Constant) and value.value is None)


def wrapped(tree: ast.Module, name: str) -> Wrapped | None:
    """Return a decorated function by its name, with its wrapper; None unless it has one decorator, which just returns
    the wrapper, and the wrapper can be written as a function of its own.
    """
    functions = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
    plain = functions.get(name)
    decorator = plain.decorator_list[0] if plain is not None and len(plain.decorator_list) == 1 else None
    if plain is None or not isinstance(decorator, ast.Name):
        return None
    wrapper, parameter = _wrapper(functions.get(decorator.id))
    if wrapper is None or not _is_plain(tree, plain, decorator.id, wrapper) or _named(plain, plain.name):
        return None
    return _called(plain, wrapper, parameter)


def parameters(arguments: ast.arguments) -> list[tuple[ast.arg, ast.expr | None]]:
    """Return each parameter with its default."""
    missing: list[ast.expr | None] = [None] * (len(arguments.args) - len(arguments.defaults))
    return list(zip(arguments.args, [*missing, *arguments.defaults]))


def _wrapper(decorator: ast.FunctionDef | None) -> tuple[ast.FunctionDef | None, str]:
    """Return the function that a decorator returns, and the decorator's parameter, which is the decorated function.
    Return None and an empty name if the decorator does more than return a wrapper.
    """
    if decorator is None or decorator.decorator_list or len(decorator.args.args) != 1:
        return None, ""
    body = [
        each for each in decorator.body if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
    ]
    if len(body) != 2:
        return None, ""
    inner, returned = body
    if not isinstance(inner, ast.FunctionDef) or not isinstance(returned, ast.Return):
        return None, ""
    wraps = [ast.unparse(each).partition("(")[0].rpartition(".")[2] for each in inner.decorator_list]
    if not isinstance(returned.value, ast.Name) or returned.value.id != inner.name or wraps not in ([], ["wraps"]):
        return None, ""
    if inner.args.vararg or inner.args.kwonlyargs or inner.args.posonlyargs:
        return None, ""
    return inner, decorator.args.args[0].arg


def _is_plain(tree: ast.Module, plain: ast.FunctionDef, decorator: str, wrapper: ast.FunctionDef) -> bool:
    """Return whether a function and its decorator are defined once, the function's new name is free, and the wrapper
    can be moved out: it has no inner functions, and all defaults are constants.
    """
    for name in (plain.name, decorator):
        bound = [
            each
            for each in astwalk.mentions(tree).get(name, ())
            if getattr(each, "name", None) == name and isinstance(each, ast.stmt)
        ]
        if len(bound) != 1 or name in astwalk.bound(tree):
            return False
    private = f"_{plain.name}"
    if any(isinstance(each, ast.Name) or each in tree.body for each in astwalk.mentions(tree).get(private, ())):
        return False
    if any(isinstance(each, ast.Attribute) for each in astwalk.mentions(tree).get("__wrapped__", ())):
        return False
    defaults = [*plain.args.defaults, *wrapper.args.defaults]
    scoped = (ast.Nonlocal, ast.Global, ast.Lambda, ast.FunctionDef, ast.Yield, ast.YieldFrom)
    inner = [each for statement in wrapper.body for each in astwalk.walk(statement)]
    if plain.args.vararg or plain.args.kwonlyargs or plain.args.posonlyargs or _named(wrapper, wrapper.name):
        return False
    return all(isinstance(each, ast.Constant) for each in defaults) and not any(isinstance(n, scoped) for n in inner)


def _called(plain: ast.FunctionDef, wrapper: ast.FunctionDef, parameter: str) -> Wrapped | None:
    calls = [
        each for each in astwalk.walk(wrapper)
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id == parameter
    ]  # fmt: skip
    options = wrapper.args.kwarg.arg if wrapper.args.kwarg else ""
    uses = [name for statement in wrapper.body for name in _named(statement, parameter)]
    if len(calls) != 1 or len(uses) != 1:
        return None
    call = calls[0]
    expanded = next((keyword for keyword in call.keywords if keyword.arg is None), None)
    own = [name for statement in wrapper.body for name in _named(statement, options)] if options else []
    if any(isinstance(each, ast.Starred) for each in call.args) or len(own) != (1 if expanded is not None else 0):
        return None
    taken = {each.arg for each in wrapper.args.args} | {keyword.arg for keyword in call.keywords}
    left = parameters(plain.args)[len(call.args) :] if options else []
    # A parameter that the wrapper has under the same name is not passed on; the function keeps its default.
    rest = [(each, value) for each, value in left if each.arg not in taken]
    if any(value is None for _, value in rest) or plain.args.kwarg:
        return None
    return Wrapped(plain, wrapper, call, expanded, [each for each, _ in rest])


def _named(node: ast.AST, name: str) -> list[ast.Name]:
    return [each for each in astwalk.walk(node) if isinstance(each, ast.Name) and each.id == name]
