"""Evaluates calls: those that read numbers, devices or dtypes from tensors, and those of the project's own code."""

from __future__ import annotations

import ast

from tslint.project.definitions import Class, External, Function
from tslint.script.attributes import Instance
from tslint.script.events.tracing import TraceShapeToScript
from tslint.script.tracing import builtin, torchcalls
from tslint.script.tracing.frame import Frame, evaluates
from tslint.script.tracing.kinds import CONSTANT, DIM, STATE, TENSOR, UNKNOWN, Kind, Method, Modules

_SCRIPT = frozenset({"int", "float", "bool"})
# Modules of torch.nn that return more than one tensor.
_SEVERAL = frozenset({"LSTM", "GRU", "RNN", "LSTMCell", "MultiheadAttention", "AdaptiveLogSoftmaxWithLoss"})


@evaluates(ast.Call)
def called(walk: Frame, node: ast.Call) -> Kind:
    """Return the kind of the result of a call."""
    name, definition = _named(walk, node.func)
    if name.startswith("builtins."):
        return builtin.called(walk, node, name.removeprefix("builtins."))
    arguments = [walk.evaluate(argument) for argument in node.args]
    keywords = {keyword.arg: walk.evaluate(keyword.value) for keyword in node.keywords}
    if name:
        return torchcalls.external(walk, node, name, arguments, keywords)
    if isinstance(definition, Function):
        return _function(walk, node, definition, arguments, keywords)
    if isinstance(definition, Class):
        return UNKNOWN
    if isinstance(node.func, ast.Attribute) and not _is_super(node.func.value):
        if _is_own(walk, node.func):
            owner = walk.evaluate(node.func)
            if isinstance(owner, (Method, Modules)):
                return _of_self(walk, node, owner, arguments, keywords)
            return UNKNOWN
        # Evaluated only once: in a long chain of calls, each call contains all earlier ones.
        holder = walk.evaluate(node.func.value)
        if holder in (TENSOR, STATE):
            return torchcalls.method(walk, node, holder, arguments, keywords)
        return _of_value(walk, node, holder, arguments)
    if isinstance(node.func, ast.Name):
        local = walk.locals.get(node.func.id, UNKNOWN)
        if isinstance(local, (Method, Modules)):
            return _of_self(walk, node, local, arguments, keywords)
    return UNKNOWN


def _named(walk: Frame, node: ast.expr) -> tuple[str, object]:
    """Return the full name and the definition of something external, or an empty name and the project's definition."""
    root = node
    while isinstance(root, ast.Attribute):
        root = root.value
    if not isinstance(root, ast.Name) or root.id in walk.locals:
        return "", None
    found = walk.tracing.project.resolve_expression(walk.module, node)
    if isinstance(found, External):
        return found.name, found
    return "", found


def _is_own(walk: Frame, node: ast.Attribute) -> bool:
    """Return whether an expression is an attribute of the instance."""
    return isinstance(node.value, ast.Name) and bool(walk.self_name) and node.value.id == walk.self_name


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


def bound(
    function: Function, arguments: list[Kind], keywords: dict[str | None, Kind], node: ast.Call, *, skip: int
) -> dict[str, Kind]:
    """Return the kind of value that each parameter has in a call; empty if ``*args`` or ``**kwargs`` are passed.

    A parameter whose argument is missing has its default: a constant if that is a literal other than None, otherwise
    unknown.

    Args:
        function: the called function.
        arguments: the kinds of the positional arguments.
        keywords: the kinds of the keyword arguments.
        node: the call.
        skip: how many parameters come before the first argument: 1 for ``self``.
    """
    spec = function.node.args
    names = [argument.arg for argument in (*spec.posonlyargs, *spec.args)]
    given: dict[str, Kind] = {}
    for argument, default in zip(reversed(names), reversed(spec.defaults)):
        # With the default None, other calls often pass a tensor, so nothing is reported.
        literal = isinstance(default, ast.Constant) and default.value is not None
        given[argument] = CONSTANT if literal else UNKNOWN
    if any(isinstance(argument, ast.Starred) for argument in node.args) or None in keywords:
        return {}
    given.update(zip(names[skip:], arguments))
    given.update({name: kind for name, kind in keywords.items() if name is not None})
    return given


def _function(
    walk: Frame, node: ast.Call, function: Function, arguments: list[Kind], keywords: dict[str | None, Kind]
) -> Kind:
    if walk.tracing.is_scripted(function):
        _numbers_for_script(walk, node, function, arguments)
        returned = function.node.returns
        return TENSOR if returned is not None and ast.unparse(returned).endswith("Tensor") else UNKNOWN
    return walk.tracing.call(function, None, bound(function, arguments, keywords, node, skip=0), walk.unit, node)


def _numbers_for_script(walk: Frame, node: ast.Call, function: Function, arguments: list[Kind]) -> None:
    """Report numbers from a shape that are passed to an ``int``, ``float`` or ``bool`` parameter of a compiled
    function: the trace stores their values.
    """
    parameters = function.node.args.args
    for argument, kind, parameter in zip(node.args, arguments, parameters):
        annotation = parameter.annotation
        if kind == DIM and isinstance(annotation, ast.Name) and annotation.id in _SCRIPT:
            walk.report(TraceShapeToScript(argument, "", function=function.name, parameter=parameter.arg))


def _of_self(
    walk: Frame, node: ast.Call, owner: Method | Modules, arguments: list[Kind], keywords: dict[str | None, Kind]
) -> Kind:
    if isinstance(owner, Method):
        assert owner.function is not None
        static = any(
            isinstance(mark, ast.Name) and mark.id == "staticmethod" for mark in owner.function.node.decorator_list
        )
        given = bound(owner.function, arguments, keywords, node, skip=0 if static else 1)
        return walk.tracing.call(owner.function, owner.receiver, given, walk.unit, node)
    assert isinstance(owner, Modules)
    from tslint.script.tracing.kinds import join_all

    found = [_module(walk, node, instance, arguments, keywords) for instance in owner.instances]
    return join_all(tuple(found)) if found else UNKNOWN


def _module(
    walk: Frame, node: ast.Call, instance: Instance, arguments: list[Kind], keywords: dict[str | None, Kind]
) -> Kind:
    if instance.definition is not None:
        member = walk.tracing.model.hierarchy(instance.definition).member("forward")
        if member is None or member.function is None:
            return UNKNOWN
        given = bound(member.function, arguments, keywords, node, skip=1)
        return walk.tracing.call(member.function, instance.definition, given, walk.unit, node)
    short = instance.external.rpartition(".")[2]
    if short == "Sequential":
        if len(arguments) != 1 or (instance.items is None and instance.element is None):
            return UNKNOWN
        from tslint.script.attributes import Instance

        passed = arguments[0]
        for item in instance.items if instance.items is not None else (instance.element,):
            if not isinstance(item, Instance):
                return UNKNOWN
            passed = _module(walk, node, item, [passed], {})
        return passed
    if not instance.external.startswith("torch.nn.") or short in ("ModuleList", "ModuleDict"):
        return UNKNOWN
    if short in _SEVERAL:
        return Kind("few", TENSOR) if TENSOR in arguments else UNKNOWN
    return TENSOR if TENSOR in arguments or TENSOR in keywords.values() else UNKNOWN


def _of_value(walk: Frame, node: ast.Call, holder: Kind, arguments: list[Kind]) -> Kind:
    """Evaluate a method of a value that is not a tensor."""
    assert isinstance(node.func, ast.Attribute)
    if holder.name == "size" and node.func.attr == "numel":
        return DIM
    # After a list has grown, its elements are not known.
    if node.func.attr in ("append", "extend", "insert") and isinstance(node.func.value, ast.Name):
        walk.locals[node.func.value.id] = UNKNOWN
    return UNKNOWN
