"""Finds the parameters of a constructor that must be ints because layers of torch take them as sizes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from tslint.project.classes import Hierarchy
from tslint.project.definitions import Definition, External, Function, Module
from tslint.script.operators import module_class
from tslint.script.types import INT
from tslint.util import astwalk

_LAYERS = "torch.nn."
_OF_DIMENSIONS = frozenset(f"torch.{name}" for name in "empty ones rand randn zeros Tensor FloatTensor".split())
_PARAMETERS = frozenset(["torch.nn.Parameter", "torch.nn.parameter.Parameter"])
_REGISTERING = ("register_buffer", "register_parameter")
INT_ANNOTATION = ast.Name("int", ast.Load())


def sizes(
    function: Function, resolve: Callable[[Module, ast.expr], Definition], hierarchy: Hierarchy
) -> frozenset[str]:
    """Return the parameters that a constructor always passes to a layer as a size: ``n`` in ``nn.Linear(n, 3)``.

    If the argument is not an int but a float, a tensor or None, the layer does not compile. A tensor's dimensions are
    ints, too: ``self.w = nn.Parameter(torch.randn(n, 3))``. The constructor may also pass it on to that of its base.

    Args:
        function: the constructor.
        resolve: resolves a name of a module.
        hierarchy: the class with its bases.
    """

    def found(body: Sequence[ast.stmt]) -> set[str]:
        names: set[str] = set()
        for statement in body:
            for value in _stored(statement):
                for call in _layers(value, of_module):
                    names.update(name.id for name in _passed(call, of_module))
            if isinstance(statement, ast.If):
                names |= found(statement.body) & found(statement.orelse)
            base_call = statement.value if isinstance(statement, ast.Expr) else None
            if isinstance(base_call, ast.Call) and _calls_base(base_call):
                names.update(_passed_to_base(base_call, function, resolve, hierarchy))
        return names

    def of_module(node: ast.expr) -> Definition:
        return resolve(function.module, node)

    names = found(function.node.body)
    if not names:
        return frozenset()
    return frozenset(
        names - {node.id for node in astwalk.walk(function.node) if isinstance(node, ast.Name) and _is_stored(node)}
    )


def _calls_base(call: ast.Call) -> bool:
    """Return whether a call is ``super().__init__(…)``."""
    func = call.func
    of_super = isinstance(func, ast.Attribute) and func.attr == "__init__" and isinstance(func.value, ast.Call)
    return of_super and astwalk.is_name(func.value.func, "super")  # type: ignore[attr-defined]


def _passed_to_base(
    call: ast.Call, function: Function, resolve: Callable[[Module, ast.expr], Definition], hierarchy: Hierarchy
) -> Iterator[str]:
    """Yield the names that a call passes for parameters of the base's constructor that are sizes."""
    member = hierarchy.member("__init__", function.owner) if function.owner is not None else None
    base = member.function if member is not None else None
    if base is None or any(isinstance(argument, ast.Starred) for argument in call.args):
        return
    spec = base.node.args
    taken = sizes(base, resolve, hierarchy)
    names = [each.arg for each in (*spec.posonlyargs, *spec.args)][1:]
    for name, value in (*zip(names, call.args), *((each.arg, each.value) for each in call.keywords)):
        if name in taken and isinstance(value, ast.Name):
            yield value.id


def _stored(statement: ast.stmt) -> list[ast.expr]:
    """Return the values that a statement stores in an attribute, buffer or parameter; empty for other statements."""
    if isinstance(statement, ast.Assign):
        return [statement.value] if _is_attribute(statement.targets) else []
    call = statement.value if isinstance(statement, ast.Expr) else None
    registers = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in _REGISTERING
    return call.args[1:] if registers and isinstance(call, ast.Call) else []


def _is_attribute(targets: list[ast.expr]) -> bool:
    return len(targets) == 1 and isinstance(targets[0], ast.Attribute) and isinstance(targets[0].value, ast.Name)


def _is_stored(node: ast.Name) -> bool:
    return not isinstance(node.ctx, ast.Load)


def _layers(value: ast.expr, resolve: Callable[[ast.expr], Definition]) -> Iterator[ast.Call]:
    """Yield the calls of classes of ``torch.nn``, and of functions such as ``torch.zeros``, that create an attribute's
    value or an item of it, as in ``nn.Sequential(nn.Linear(n, 3))``.
    """
    if isinstance(value, ast.BinOp):
        yield from _layers(value.left, resolve)
        yield from _layers(value.right, resolve)
    if not isinstance(value, ast.Call):
        return
    found = resolve(value.func)
    if not isinstance(found, External) or not (found.name.startswith(_LAYERS) or found.name in _OF_DIMENSIONS):
        return
    yield value
    if found.name in _PARAMETERS:
        yield from (call for argument in value.args[:1] for call in _layers(argument, resolve))
    if found.name.rpartition(".")[2] in ("Sequential", "ModuleList"):
        for argument in value.args:
            for part in argument.elts if isinstance(argument, (ast.List, ast.Tuple)) else [argument]:
                yield from _layers(part, resolve)


def _passed(call: ast.Call, resolve: Callable[[ast.expr], Definition]) -> Iterator[ast.Name]:
    """Yield the names in what a call passes as a tensor's dimensions, or for those parameters of a layer that are
    required and must be constant ints.
    """
    found = resolve(call.func)
    if isinstance(found, External) and found.name in _OF_DIMENSIONS:
        if len(call.args) > 1:  # a single argument may be a tuple
            yield from (name for argument in call.args for name in _operands(argument))
        return
    layer = module_class(found.name) if isinstance(found, External) else None
    if layer is None or any(isinstance(argument, ast.Starred) for argument in call.args):
        return
    required = {each.name for each in layer.init if each.default is None}
    given = [*zip([each.name for each in layer.init], call.args), *((each.arg, each.value) for each in call.keywords)]
    for parameter, value in given:
        attribute = layer.attributes.get(parameter or "")
        if parameter in required and parameter in layer.copies:
            if attribute is not None and attribute.constant and attribute.type == INT:
                yield from _operands(value)


def _operands(value: ast.expr) -> Iterator[ast.Name]:
    """Yield the names of which an int is computed, so that they are ints as well: ``n`` and ``k`` in ``n // 2 * k``."""
    if isinstance(value, ast.Name):
        yield value
    elif isinstance(value, ast.BinOp) and isinstance(value.op, (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)):
        yield from _operands(value.left)
        yield from _operands(value.right)
