"""Gives the parameters of a constructor values that stand for any argument.

If a constructor calls ``super().__init__(*args, **kwargs)`` with its own ``*args`` and ``**kwargs``, the parameters of
the base class's constructor get such values, too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tslint.project.definitions import Class, Function
from tslint.script.attributes import PY_UNKNOWN, PyDict, PyParameter, PySequence, PyValue
from tslint.script.construct.frame import Frame
from tslint.script.construct.passed import kind, passed
from tslint.script.construct.replay import identity
from tslint.script.construct.sizes import INT_ANNOTATION, sizes
from tslint.script.dataflow.definitions import defaults_of
from tslint.util import astwalk

REST, KEYWORDS = PySequence("*", None), PyDict(None)
"""The values of a constructor's ``*args`` and ``**kwargs`` if :func:`is_handed_on` returns True for them."""


def bind_any(frame: Frame, function: Function) -> None:
    """Bind the parameters of a constructor, but not its first one, to values that stand for any argument."""
    spec = function.node.args
    frame.locals.update(any_arguments(frame, function))
    if spec.vararg:
        only = is_handed_on(function.node, spec.vararg.arg)
        frame.locals[spec.vararg.arg] = REST if only else PySequence("tuple", None)
    if spec.kwarg:
        frame.locals[spec.kwarg.arg] = KEYWORDS if is_handed_on(function.node, spec.kwarg.arg) else PyDict(None)


def any_arguments(frame: Frame, function: Function) -> dict[str, PyParameter]:
    """Return values that stand for any argument, by the names of a method's parameters without its first one."""
    spec = function.node.args
    names = [*spec.posonlyargs, *spec.args]
    defaults = defaults_of(function.node)
    ints = sizes(function, frame.run.project.resolve_expression, frame.run.hierarchy)
    others = passed(frame, function)
    found = {}
    for argument in [*names, *spec.kwonlyargs][1:]:
        default = frame.evaluate(defaults[argument.arg]) if argument.arg in defaults else None
        written = argument.annotation
        named = frame.resolve(written) if isinstance(written, (ast.Name, ast.Attribute)) else None
        annotation = INT_ANNOTATION if written is None and argument.arg in ints else written
        class_ = named if isinstance(named, Class) else None
        own = kind(default) if default is not None else ""
        more = tuple(each for each in others.get(argument.arg, ()) if kind(each) != own)
        found[argument.arg] = PyParameter(argument.arg, default, annotation, class_, more)
    return found


def handed_on(frame: Frame, function: Function, hidden: Iterable[PyValue]) -> dict[str, PyValue]:
    """Return the values of a method's parameters, by name, if a constructor calls the method with its own ``*args`` or
    ``**kwargs``. Parameters without a known value are left out; the result is empty if the call also unpacks other
    values.

    Args:
        frame: the frame of the method.
        function: the method.
        hidden: the values after ``*`` and ``**`` in the call.
    """
    stars = list(hidden)
    if not stars or not all(each is REST or each is KEYWORDS for each in stars):
        return {}
    run = frame.run
    run.unfit()
    found: dict[str, PyValue] = {}
    for name, parameter in any_arguments(frame, function).items():
        known = run.parameters.setdefault(name, parameter)
        if known is parameter:
            run.handed_on.add(name)
        if known is parameter or (name in run.handed_on and identity(known) == identity(parameter) is not None):
            found[name] = known
        elif name not in run.handed_on and REST not in stars:
            # The constructor has a parameter of this name, so that the name is not in `**kwargs`.
            found[name] = parameter.default or PY_UNKNOWN
    return found


def is_handed_on(function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> bool:
    """Return whether the items of a variadic parameter stay known: the function only reads it, passes it on, or changes
    single items.
    """
    return isinstance(function, ast.FunctionDef) and name in _variadics(function)


@astwalk.kept
def _variadics(function: ast.FunctionDef) -> frozenset[str]:
    """Return the names of the variadic parameters that a function reads, passes on, or changes item by item."""
    spec = function.args
    names = {each.arg for each in (spec.vararg, spec.kwarg) if each is not None}
    if not names:
        return frozenset()
    for node in astwalk.walk(function):
        for each in ast.iter_child_nodes(node):
            if isinstance(each, ast.Name) and each.id in names and not _keeps(node, each):
                names.remove(each.id)
    return frozenset(names)


def _keeps(around: ast.AST, name: ast.Name) -> bool:
    """Return whether the node around the name of a variadic parameter only reads the arguments, passes all of them on,
    or changes a single one.
    """
    if isinstance(around, ast.Attribute):
        return around.attr in ("get", "items", "keys", "values", "pop")
    if isinstance(around, ast.Subscript):
        return not isinstance(around.ctx, ast.Del)
    return isinstance(around, (ast.Starred, ast.Compare)) or (isinstance(around, ast.keyword) and around.arg is None)
