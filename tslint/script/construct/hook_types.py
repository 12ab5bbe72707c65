"""Checks the annotations of hooks against the module's ``forward`` and the hooks before them
(``check_forward_hook_input`` …).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from tslint.project.definitions import Class, Function
from tslint.script.annotations import AnnotationReader
from tslint.script.attributes import HookCall, PyFunction
from tslint.script.events.modules import HookSignature
from tslint.script.project_classes import class_type
from tslint.script.types import NONE, TENSOR, TensorType, TupleType, Type, has_unknowns

if TYPE_CHECKING:
    from tslint.script.compilation import Compilation


_ARITY = {"register_forward_hook": 3, "register_forward_pre_hook": 2}


class _Wrong(NamedTuple):
    """An annotation of a hook that the compiler rejects; ``part`` becomes the event's ``wrong``."""

    part: str
    node: ast.AST
    compiler: str


class RegisteredHooks:
    """The hooks of one module, checked in order: each hook gets the result of the previous hook.

    Args:
        model: the static model of the run.
        owner: the class of the module; None if it is not known.
    """

    def __init__(self, model: Compilation, owner: Class | None) -> None:
        self.model = model
        self.owner = owner
        self.names: dict[str, Function] = {}
        self.output: Type | None = None  # the output that the next hook gets; None if it is not known
        member = model.hierarchy(owner).members.get("forward") if owner is not None else None
        self.forward = member.function if member is not None else None
        if self.forward is not None:
            declared = self.forward.node.returns
            known = _read(model, self.forward, declared) if declared is not None else None
            self.output = known or model.returned(self.forward, owner)

    def mistake(self, call: HookCall) -> HookSignature | None:
        """Return the error for which the compiler rejects a hook before it compiles the hook; None if there is none."""
        if not isinstance(call.value, PyFunction):
            self.output = None
            return None
        function = call.value.function
        if function is not None and has_type_comment(function):
            self.output = None
            return None
        if function is None:
            said = "Expected a single top-level function"
            return HookSignature(call.node, said, register=call.register, hook="", wrong="lambda")
        wrong = self._wrong(call, function)
        self.names.setdefault(function.name, function)
        if wrong is None:
            return None
        message = f"{'Pre-hook' if _is_pre(call) else 'Hook'} '{function.name}' {wrong.compiler}"
        return HookSignature(wrong.node, message, register=call.register, hook=function.name, wrong=wrong.part)

    def compiled(self, call: HookCall, returned: Type | None) -> None:
        """Record the type that a hook returns, which the next hook gets."""
        if not _is_pre(call):
            self.output = returned if not call.assumptions else None

    def _wrong(self, call: HookCall, hook: Function) -> _Wrong | None:
        other = self.names.get(hook.name)
        if other is not None and other is not hook:
            said = "has at least two different python definitions. Please use unique names for all hooks."
            return _Wrong("name", call.node, said)
        if self._is_compiled_method(hook.name):
            return _Wrong("method", call.node, "cannot be defined: a method or hook with that name already exists.")
        node = hook.node
        names = [*node.args.posonlyargs, *node.args.args]
        if len(names) != _ARITY[call.register]:
            said = f"was expected to only have exactly {_ARITY[call.register]} inputs but it had {len(names)} inputs."
            return _Wrong("count", call.node, said)
        given = names[1].annotation
        if given is None:
            said = "expected the input argument to be typed as a Tuple but found type: 'Tensor' instead."
            return _Wrong("input", names[1], said)
        if _is_pre(call) and node.returns is None:
            said = "is missing a return annotation. Return annotations are required, please add one."
            return _Wrong("return", node, said)
        return self._wrong_type(call, hook, given, names[2:])

    def _is_compiled_method(self, name: str) -> bool:
        member = self.model.hierarchy(self.owner).members.get(name) if self.owner is not None else None
        function = member.function if member is not None else None
        return function is not None and (id(function), id(self.owner)) in self.model.units

    def _wrong_type(self, call: HookCall, hook: Function, given: ast.expr, rest: list[ast.arg]) -> _Wrong | None:
        type_ = _read(self.model, hook, given)
        if type_ is None:
            return None
        if not isinstance(type_, TupleType):
            said = f"expected the input argument to be typed as a Tuple but found type: '{type_}' instead."
            return _Wrong("tuple", given, said)
        taken = self._taken()
        if taken is not None:
            said = f"input argument's Tuple. Received type: '{type_}'."
            if len(taken) != len(type_.elements):
                return _Wrong("length", given, f"has the wrong number of contained types for the {said}")
            if any(_differ(declared, wanted) for declared, wanted in zip(type_.elements, taken)):
                said = f"has the wrong inner types for the input tuple argument. Received type: '{type_}'."
                return _Wrong("inner", given, said)
            if _is_pre(call) and hook.node.returns is not None:
                return self._wrong_result(hook, hook.node.returns, taken)
        output = rest[0].annotation if rest else None
        declared = _read(self.model, hook, output) if output is not None else None
        if output is not None and declared is not None and not call.assumptions and _differ(declared, self.output):
            said = f"has the wrong type for the output argument. Received type: '{declared}'."
            return _Wrong("output", output, f"{said} Expected type: '{self.output}'.")
        return None

    def _taken(self) -> list[Type | None] | None:
        """Return the types of the parameters of ``forward``; None if they are not known."""
        forward = self.forward
        if forward is None or "# type:" in forward.module.source.text or _is_variadic(forward):
            return None
        return [_read(self.model, forward, each.annotation) for each in forward.node.args.args[1:]]

    def _wrong_result(self, hook: Function, returns: ast.expr, taken: list[Type | None]) -> _Wrong | None:
        """Return the error in the declared result of a pre-hook; None if there is none. The result must be None or a
        tuple of the arguments of ``forward``; a single argument may also stand alone, unless it is a tuple.
        """
        type_ = _read(self.model, hook, returns)
        if type_ is None or type_ == NONE or None in taken:
            return None
        lone = taken[0] if len(taken) == 1 else None
        if isinstance(type_, TupleType):
            fits = len(type_.elements) == len(taken) and not any(map(_differ, type_.elements, taken))
        else:
            fits = lone is not None and not _differ(type_, lone)
        return None if fits else _Wrong("result", returns, f"returned the wrong type of: '{type_}'.")


def _is_pre(call: HookCall) -> bool:
    return call.register == "register_forward_pre_hook"


def has_type_comment(function: Function) -> bool:
    """Return whether a function may have a type comment, which is not read here."""
    lines = function.module.source.lines[function.node.lineno - 1 : function.node.end_lineno]
    return any("# type:" in line for line in lines)


def _read(model: Compilation, function: Function, node: ast.expr | None) -> Type | None:
    """Return an annotation's type; None if the static model does not know it."""
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
