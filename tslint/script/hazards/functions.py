"""Finds silent differences of a whole function: its decorators, defaults and arguments."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from tslint.project.definitions import External, Function
from tslint.project.index import Project
from tslint.script.dataflow.definitions import default_of
from tslint.script.events.hazards import (
    ComparedWithNumber,
    DroppedDecorator,
    MutatedArgument,
    PrunedNoneDefault,
    UnsaveableNoneDefault,
)
from tslint.script.events.names import HiddenGlobal
from tslint.script.hazards.context import unguarded
from tslint.script.interpreter import observers
from tslint.script.scope import EFFECTS, decorators
from tslint.script.types import ANY, DictType, ListType, TensorType, Type
from tslint.util import astwalk

if TYPE_CHECKING:
    from tslint.script.interpreter.emitter import Emitter

_MUTATING = frozenset(
    "append extend insert pop clear remove reverse sort update setdefault popitem __setitem__".split()
)
_COPIED = (ListType, DictType)  # between Python and compiled code


@observers.function_end.observe
def notice_function(em: Emitter, types: Mapping[str, Type | None]) -> None:
    """Check a function that has been compiled."""
    function = em.unit.function
    hidden = {event.decorator for event in em.events if isinstance(event, HiddenGlobal)}
    for mark, effect in dropped_decorators(function, em.project):
        if mark in hidden:
            continue  # the decorator is already reported as the reason for an error
        em.notice(DroppedDecorator(mark, "", effect=effect, function=function))
    for argument, test in none_tests(function.node, types):
        any_ = types.get(argument.arg) == ANY
        em.notice(PrunedNoneDefault(test, "", name=argument.arg, argument=argument, function=function, is_any=any_))
    for argument, compared in compared_with_numbers(function.node, types):
        number = type(compared.comparators[0].value).__name__  # type: ignore[attr-defined]
        em.notice(
            ComparedWithNumber(compared, "", name=argument.arg, argument=argument, function=function, type=number)
        )
    # If uses of the parameter are rejected, it is not meant as a Tensor, and with the right annotation it may be saved.
    refused = _names_in_refusals(em)
    for argument, default in unsaveable_defaults(function.node, types):
        if argument.arg in refused:
            continue
        em.notice(UnsaveableNoneDefault(default, "", name=argument.arg, argument=argument, function=function))
    for name, type_ in types.items():
        if isinstance(type_, _COPIED):
            node = mutation(function.node, name, type_)
            if node is not None:
                em.notice(MutatedArgument(node, "", name=name, type=type_))


def _names_in_refusals(em: Emitter) -> set[str]:
    """Return the variables in the expressions that the compiler would reject. For a rejected index, this includes the
    variables in the indexed value.
    """
    nodes: set[ast.AST] = {event.node for event in em.events if isinstance(event.node, ast.expr)}
    indexed = astwalk.of_kind(em.unit.function.node, ast.Subscript) if nodes else ()
    nodes |= {each for each in indexed if each.value in nodes or each.slice in nodes}
    return {each.id for node in nodes for each in astwalk.walk(node) if isinstance(each, ast.Name)}


def dropped_decorators(function: Function, project: Project) -> Iterator[tuple[ast.expr, str]]:
    """Yield the decorators that the compiler ignores although they have an effect.

    Yields:
        The decorator and its effect: a value of ``EFFECTS``, or ``wraps``.
    """
    for mark, definition in decorators(function, project):
        if isinstance(definition, External) and definition.name in EFFECTS:
            if not _already_inside(function, EFFECTS[definition.name], project):
                yield mark, EFFECTS[definition.name]
        elif isinstance(definition, Function) and _changes(definition, project):
            yield mark, "wraps"


def _already_inside(function: Function, effect: str, project: Project) -> bool:
    """Return whether the whole body is inside a ``with`` of the same effect."""
    body = [statement for statement in function.node.body if not _is_text(statement)]
    if len(body) != 1 or not isinstance(body[0], ast.With):
        return False
    for item in body[0].items:
        target = item.context_expr.func if isinstance(item.context_expr, ast.Call) else item.context_expr
        found = project.resolve_expression(function.module, target)
        same = EFFECTS.get(found.name) if isinstance(found, External) else None
        if same == effect or {same, effect} == {"no_grad", "inference_mode"}:
            return True
    return False


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _changes(decorator: Function, project: Project) -> bool:
    """Return whether the wrapper in a decorator, marked with ``functools.wraps``, does more than call the function;
    False if there is no such wrapper.
    """
    for node in astwalk.walk(decorator.node):
        if isinstance(node, ast.FunctionDef) and node is not decorator.node:
            for mark in node.decorator_list:
                target = mark.func if isinstance(mark, ast.Call) else mark
                found = project.resolve_expression(decorator.module, target)
                if isinstance(found, External) and found.name == "functools.wraps":
                    return not _hands_on(node)
    return False


def _hands_on(wrapper: ast.FunctionDef) -> bool:
    body = [statement for statement in wrapper.body if not _is_text(statement)]
    if len(body) != 1 or not isinstance(body[0], ast.Return) or not isinstance(body[0].value, ast.Call):
        return False
    call = body[0].value
    return isinstance(call.func, ast.Name) and all(
        isinstance(argument, (ast.Starred, ast.Name)) for argument in call.args
    )


def none_tests(
    function: ast.FunctionDef | ast.AsyncFunctionDef, types: Mapping[str, Type | None]
) -> Iterator[tuple[ast.arg, ast.Compare]]:
    """Yield the first test for None of each parameter that the compiler does not treat as an Optional.

    The compiler evaluates such a test at compile time. A parameter without annotation is a Tensor, even with the
    default None.
    """
    if not any(_is_none_test(node) for node in astwalk.of_kind(function, ast.Compare)):
        return
    spec, nodes = function.args, unguarded(function)
    for argument in [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]:
        type_ = types.get(argument.arg)
        default = default_of(function, argument.arg)
        absent = isinstance(default, ast.Constant) and default.value is None
        if type_ != ANY and not (isinstance(type_, TensorType) and (type_.inferred or absent)):
            continue
        for name in (argument.arg, *_other_names(function, argument.arg)):
            test = _first_test(function, nodes, name)
            if test is not None:
                yield argument, test
                break


def _other_names(function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> Iterator[str]:
    """Yield the variables to which a function assigns the value of the variable ``name``."""
    for node in function.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name) and node.value.id == name:
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))


def compared_with_numbers(
    function: ast.FunctionDef | ast.AsyncFunctionDef, types: Mapping[str, Type | None]
) -> Iterator[tuple[ast.arg, ast.Compare]]:
    """Yield, for each parameter without annotation, the first condition that compares it (``==``, ``!=``) with a
    number.
    """
    tensors = {name for name, type_ in types.items() if isinstance(type_, TensorType) and type_.inferred}
    seen = {name for name in tensors if name in astwalk.bound(function)}
    for node in astwalk.walk(function) if tensors else ():
        test = node.test if isinstance(node, (ast.If, ast.IfExp)) else None
        if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], (ast.Eq, ast.NotEq)):
            continue
        name, number = getattr(test.left, "id", ""), test.comparators[0]
        if name in tensors - seen and isinstance(number, ast.Constant) and type(number.value) in (int, float):
            seen.add(name)
            argument = next(each for each in astwalk.walk(function) if isinstance(each, ast.arg) and each.arg == name)
            yield argument, test


def unsaveable_defaults(
    function: ast.FunctionDef | ast.AsyncFunctionDef, types: Mapping[str, Type | None]
) -> Iterator[tuple[ast.arg, ast.expr]]:
    """Yield the Tensor parameters, with or without annotation, whose default is None.

    In the schema that default is an undefined tensor, which the archive cannot store.
    """
    spec = function.args
    names = [*spec.posonlyargs, *spec.args]
    for argument, default in zip(names[len(names) - len(spec.defaults) :], spec.defaults):
        type_ = types.get(argument.arg)
        none = isinstance(default, ast.Constant) and default.value is None
        if none and isinstance(type_, TensorType):
            yield argument, default


def _first_test(
    function: ast.FunctionDef | ast.AsyncFunctionDef, nodes: Iterable[ast.AST], name: str
) -> ast.Compare | None:
    parameters = {each.arg for each in function.args.args}
    bound = name in parameters
    for node in nodes:
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store):
            if bound:
                return None
            bound = True
        if isinstance(node, ast.Compare) and _is_none_test(node):
            if any(isinstance(side, ast.Name) and side.id == name for side in (node.left, *node.comparators)):
                return node
    return None


def _is_none_test(node: ast.AST) -> bool:
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not isinstance(node.ops[0], (ast.Is, ast.IsNot)):
        return False
    return any(isinstance(side, ast.Constant) and side.value is None for side in (node.left, *node.comparators))


def mutation(function: ast.FunctionDef | ast.AsyncFunctionDef, name: str, type_: Type) -> ast.AST | None:
    """Return the first node that changes a list or dict, or a list or dict inside of it, in place.

    Return None if the name may refer to another object, or the function returns the list or dict.
    """
    if name in astwalk.bound(function):
        augmented = {each.target for each in astwalk.of_kind(function, ast.AugAssign)}
        names = (each for each in astwalk.of_kind(function, ast.Name) if each.id == name)
        if any(isinstance(each.ctx, ast.Store) and each not in augmented for each in names):
            return None
    for handed in astwalk.of_kind(function, ast.Return):
        if handed.value is not None:
            if any(isinstance(_part(inner, name, type_), _COPIED) for inner in _returned(handed.value)):
                return None
    for node in unguarded(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _MUTATING:
            if isinstance(_part(node.func.value, name, type_), _COPIED):
                return node
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, (ast.Store, ast.Del)):
            if isinstance(_part(node.value, name, type_), _COPIED):
                return node
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id == name:
            return node
    return None


def _part(node: ast.expr, name: str, type_: Type) -> Type | None:
    """Return the type of the variable ``name``, or of an item in its value; None for other expressions."""
    if isinstance(node, ast.Name):
        return type_ if node.id == name else None
    if not isinstance(node, ast.Subscript) or isinstance(node.slice, ast.Slice):
        return None
    held = _part(node.value, name, type_)
    return held.inside[-1] if isinstance(held, _COPIED) else None


def _returned(node: ast.expr) -> list[ast.expr]:
    """Return the elements of a returned tuple, and of tuples in it; for another value, the value itself."""
    return [part for element in node.elts for part in _returned(element)] if isinstance(node, ast.Tuple) else [node]
