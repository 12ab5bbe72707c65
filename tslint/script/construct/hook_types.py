"""Compares the types that a hook declares with those of the module's ``forward`` (``check_forward_hook_input`` …)."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from tslint.project.definitions import Class, Function
from tslint.script.annotations import AnnotationReader
from tslint.script.project_classes import class_type
from tslint.script.types import TENSOR, TensorType, TupleType, Type, has_unknowns

if TYPE_CHECKING:
    from tslint.script.compilation import Compilation


class WrongType(NamedTuple):
    """A declaration of a hook that the compiler does not accept: ``part`` is ``tuple``, ``length``, ``inner``,
    ``output``.
    """

    part: str
    node: ast.expr
    compiler: str


def wrong_type(model: Compilation, hook: Function, receiver: Class | None, *, alone: bool) -> WrongType | None:
    """Return the first wrong annotation of a hook whose input has one.

    Args:
        model: the run's model.
        hook: the hook.
        receiver: the class of the module that it is registered on; None if that is not known.
        alone: whether no earlier hook can have changed the output.
    """
    _, given, *rest = [*hook.node.args.posonlyargs, *hook.node.args.args]
    type_, annotation = _read(model, hook, given.annotation), given.annotation
    if type_ is None or annotation is None:
        return None
    if not isinstance(type_, TupleType):
        said = f"expected the input argument to be typed as a Tuple but found type: '{type_}' instead."
        return WrongType("tuple", annotation, said)
    member = model.hierarchy(receiver).members.get("forward") if receiver is not None else None
    forward = member.function if member is not None else None
    if forward is None or "# type:" in forward.module.source.text or _is_variadic(forward):
        return None
    taken = [_read(model, forward, each.annotation) for each in forward.node.args.args[1:]]
    if len(taken) != len(type_.elements):
        said = f"has the wrong number of contained types for the input argument's Tuple. Received type: '{type_}'."
        return WrongType("length", annotation, said)
    if any(_differ(declared, wanted) for declared, wanted in zip(type_.elements, taken)):
        said = f"has the wrong inner types for the input tuple argument. Received type: '{type_}'."
        return WrongType("inner", annotation, said)
    output = rest[0].annotation if rest and alone else None
    if output is not None and forward.node.returns is not None:
        declared, wanted = _read(model, hook, output), _read(model, forward, forward.node.returns)
        if declared is not None and _differ(declared, wanted):
            said = f"has the wrong type for the output argument. Received type: '{declared}'."
            return WrongType("output", output, f"{said} Expected type: '{wanted}'.")
    return None


def _read(model: Compilation, function: Function, node: ast.expr | None) -> Type | None:
    """Return an annotation's type; None if it is not known to the model."""
    if node is None:
        return TENSOR
    resolve = model.project.resolve_expression
    reader = AnnotationReader(
        lambda each: resolve(function.module, each), lambda definition: class_type(model, definition), resolve
    )
    found = reader.read(node)
    return found if isinstance(found, Type) and not has_unknowns(found) else None


def _is_variadic(function: Function) -> bool:
    spec = function.node.args
    return bool(spec.vararg or spec.kwarg or spec.kwonlyargs or spec.posonlyargs)


def _differ(declared: Type, wanted: Type | None) -> bool:
    if wanted is None or (isinstance(declared, TensorType) and isinstance(wanted, TensorType)):
        return False
    return declared != wanted
