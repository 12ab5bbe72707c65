"""Decides whether small functions that are defined and called inside another function can be inlined."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from tslint.script.dataflow.evaluation import quiet, steps
from tslint.script.dataflow.scopes import before_all, bound_times, comprehension_names, peeps
from tslint.util import astwalk
from tslint.util.record import record

_SCOPES = (
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda, ast.JoinedStr, ast.NamedExpr, ast.Await,
    ast.Yield, ast.YieldFrom,
)  # fmt: skip


@record
class Inlining:
    """The calls of a local function, and the expression that can replace them.

    Args:
        result: the expression that the function returns.
        uses: the places in this expression that read a parameter.
        calls: the calls that are not inside of another call of the function.
        arguments: for each call, nested ones included, the parameters' values.
    """

    result: ast.expr
    uses: tuple[ast.Name, ...]
    calls: tuple[ast.Call, ...]
    arguments: Mapping[ast.Call, Mapping[str, ast.expr]]


def inlining(
    tree: ast.Module, around: ast.FunctionDef, name: str, defined: ast.stmt, function: ast.FunctionDef | ast.Lambda
) -> Inlining | None:
    """Return how the calls of a local function can be replaced by its result; None if that is not equivalent.

    Args:
        tree: the tree of the file.
        around: the function that contains the local function.
        name: the name of the local function.
        defined: the statement that defines it.
        function: the statement itself, or the lambda that it assigns.
    """
    result = function.body if isinstance(function, ast.Lambda) else returned(function)
    spec = function.args
    if result is None or spec.vararg or spec.kwarg or spec.posonlyargs:
        return None
    inner = [each for each in astwalk.walk(result) if isinstance(each, _SCOPES)]
    if inner or name in _reads(result) or not is_one(tree, around, name, defined):
        return None
    reader = _Reader(name, spec, result)
    outer = _reads(result) - set(reader.names)
    calls: list[ast.Call] = []
    for call in _calls(around, name, defined):
        if call is None or _hidden(tree, call, around, outer) or not reader.read(call):
            return None
        calls.append(call)
    uses = [each for each in astwalk.walk(result) if isinstance(each, ast.Name) and each.id in reader.names]
    return Inlining(result, tuple(uses), tuple(calls), reader.arguments) if calls else None


def returned(node: ast.FunctionDef) -> ast.expr | None:
    """Return the expression that a function returns; None if the function does anything else."""
    body = node.body
    if len(body) > 1 and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]
    only = body[0]
    return only.value if len(body) == 1 and isinstance(only, ast.Return) and not node.decorator_list else None


def is_one(tree: ast.Module, around: ast.FunctionDef, name: str, defined: ast.stmt) -> bool:
    """Return whether a name is bound only once in a function, and before all its uses there: all of them then refer to
    this definition.
    """
    uses = [
        each for each in astwalk.walk(around)
        if isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Load)
    ]  # fmt: skip
    inside = {id(each) for each in astwalk.walk(defined)}
    uses = [each for each in uses if id(each) not in inside]
    return bound_times(around, name) == 1 and not peeps(around) and before_all(tree, defined, uses)


def _hidden(tree: ast.Module, call: ast.Call, around: ast.FunctionDef, outer: set[str]) -> bool:
    """Return whether a name that the local function reads from outside has another meaning at a call of it, such as a
    comprehension's variable.

    Also return True for code in an f-string, which has no position of its own before Python 3.12.
    """
    for each in astwalk.around(tree, call):
        if each is around:
            return False
        if isinstance(each, ast.JoinedStr) or comprehension_names(each) & outer:
            return True
    return True


def _reads(node: ast.AST) -> set[str]:
    return {each.id for each in astwalk.walk(node) if isinstance(each, ast.Name)}


def _calls(around: ast.FunctionDef, name: str, defined: ast.stmt) -> list[ast.Call | None]:
    """Return the outermost calls of a name, and None for each use that is not a call, or is in another function."""
    found: list[ast.Call | None] = []
    pending: list[ast.AST] = list(around.body)
    while pending:
        node = pending.pop()
        if node is defined:
            continue
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
            found.append(node)
            pending += [child for child in astwalk.walk(node) if isinstance(child, ast.Lambda)]
        elif isinstance(node, (ast.Lambda, ast.FunctionDef)):
            found += [None] if name in _reads(node) else []
        elif isinstance(node, ast.Name) and node.id == name:
            found.append(None)
        else:
            pending += astwalk.children(node)
    return found


class _Reader:
    def __init__(self, name: str, spec: ast.arguments, result: ast.expr) -> None:
        self.name, self.spec, self.result = name, spec, result
        self.names = [argument.arg for argument in (*spec.args, *spec.kwonlyargs)]
        self.arguments: dict[ast.Call, dict[str, ast.expr]] = {}

    def read(self, call: ast.Call) -> bool:
        """Return whether a call, with nested ones in its arguments, can be inlined."""
        values = self._values(call)
        if values is None or not self._same_order(values):
            return False
        self.arguments[call] = values
        return all(self._argument(value) for value in values.values())

    def _values(self, call: ast.Call) -> dict[str, ast.expr] | None:
        spec = self.spec
        if len(call.args) > len(spec.args) or any(isinstance(each, ast.Starred) for each in call.args):
            return None
        values: dict[str, ast.expr] = dict(zip(self.names, call.args))
        for keyword in call.keywords:
            if keyword.arg not in self.names or keyword.arg in values or keyword.arg is None:
                return None
            values[keyword.arg] = keyword.value
        first = len(spec.args) - len(spec.defaults)
        defaults = {argument.arg: value for argument, value in zip(spec.args[first:], spec.defaults)}
        defaults |= {a.arg: value for a, value in zip(spec.kwonlyargs, spec.kw_defaults) if value is not None}
        for name in self.names:
            if name not in values:
                if not isinstance(defaults.get(name), ast.Constant):
                    return None
                values[name] = defaults[name]
        return values

    def _same_order(self, values: dict[str, ast.expr]) -> bool:
        """Return whether the arguments can be evaluated where the parameters are used, instead of before.

        For that, each parameter must always be evaluated, exactly once, unless its argument is a name or a constant.
        Also, either nothing has an effect, or the uses are in the order of the call and nothing else runs before or
        between them.
        """
        moving = {name: value for name, value in values.items() if not isinstance(value, (ast.Name, ast.Constant))}
        if any(isinstance(each, _SCOPES) for value in moving.values() for each in astwalk.walk(value)):
            return False
        finished = list(steps(self.result))
        uses = [(each.id, sure) for each, sure in finished if isinstance(each, ast.Name) and each.id in moving]
        if sorted(name for name, _ in uses) != sorted(moving) or not all(sure for _, sure in uses):
            return False
        if quiet(self.result) and all(quiet(value) for value in moving.values()):
            return True
        if [name for name, _ in uses] != list(moving):
            return False
        last = max((i for i, (e, _) in enumerate(finished) if isinstance(e, ast.Name) and e.id in moving), default=0)
        called = {id(each.func) for each, _ in finished if isinstance(each, ast.Call)}
        return all(
            isinstance(each, (ast.Name, ast.Constant))
            or (isinstance(each, ast.Attribute) and (id(each) in called or _of_module(each)))
            for each, _ in finished[:last]
        )

    def _argument(self, value: ast.expr) -> bool:
        """Return whether an argument contains no call of the function, or is itself one that can be inlined."""
        inner = [
            each
            for each in astwalk.walk(value)
            if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id == self.name
        ]
        return not inner or (inner[0] is value and self.read(inner[0]))


def _of_module(node: ast.Attribute) -> bool:
    """Return whether an attribute is a member of torch, ``nn``, ``F`` or ``math``, such as ``nn.functional``."""
    return isinstance(node.value, ast.Name) and node.value.id in ("torch", "nn", "F", "math")
