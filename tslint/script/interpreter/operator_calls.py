"""Emits calls of operators and compiled methods: selects the overload (``BuiltinFunction::call``)."""

from __future__ import annotations

import ast
from dataclasses import replace

from tslint.script.events.annotation import ListElement
from tslint.script.events.calls import OperatorMismatch
from tslint.script.events.names import BaseMethodCall
from tslint.script.interpreter import observers
from tslint.script.interpreter.arguments import Given, known_types, typed_arguments
from tslint.script.interpreter.call_dispatch import calls
from tslint.script.interpreter.emitter import Emitter
from tslint.script.interpreter.special import METHODS
from tslint.script.interpreter.value_kinds import as_typed, module_name
from tslint.script.operators import Arg, Matched, Mismatch, Schema, match, schemas
from tslint.script.operators.callables import is_operator, takes_out
from tslint.script.operators.diagnosis import diagnose
from tslint.script.types import ANYTHING, ListType, Type
from tslint.script.values import UNKNOWN, ContainerValue, ModuleValue, OperatorValue, Schemas, Typed, Value


@calls(OperatorValue)
def call_operator(em: Emitter, callee: OperatorValue, node: ast.Call, given: Given) -> Value:
    """Emit ``x.relu()``, ``torch.relu(x)``."""
    if callee.name.startswith("container::"):
        owner = callee.receiver
        if isinstance(owner, ContainerValue):
            view = {
                "children": "values",
                "named_children": "items",
                "keys": "keys",
                "values": "values",
                "items": "items",
            }.get(callee.spelled)
            if view is not None:
                return replace(owner, view=view)
        return UNKNOWN
    if callee.name == "unbound::method":
        first = given.values[0][1] if given.values else UNKNOWN
        if isinstance(first, ModuleValue):
            em.report(
                BaseMethodCall(
                    node,
                    "Expected a value of type 'Tensor (inferred)' for argument 'self' but instead found type "
                    f"'{module_name(first.instance)}",
                )
            )
        return UNKNOWN
    method = callee.name.partition("::")[2]
    if isinstance(callee.receiver, Typed) and method in METHODS:
        special = METHODS[method](em, callee.receiver, node, given)
        if special is not None:
            return special
    overloads = schemas(callee.name)
    if not overloads:
        return UNKNOWN
    observers.schema_call.tell(em, callee.name, node, callee.name)
    typed = typed_arguments(em, given)
    receiver = callee.receiver
    own = Arg(receiver.type, None, receiver.empty) if isinstance(receiver, Typed) else None
    if not given.whole:
        return UNKNOWN
    found = match(overloads, typed, own)
    if isinstance(found, Matched):
        return as_typed(found.return_type)
    operator_mismatch(em, node, callee.name, found, typed, receiver, given)
    return UNKNOWN


def operator_mismatch(
    em: Emitter,
    node: ast.Call,
    name: str,
    found: Mismatch,
    typed: list[Arg],
    receiver: Value | None,
    given: Given,
) -> None:
    lines = found.message.split("\n")
    method = name.partition("::")[2]
    list_type = receiver.type if isinstance(receiver, Typed) and isinstance(receiver.type, ListType) else None
    if list_type is not None and method in ("append", "insert", "extend") and typed:
        em.report(
            ListElement(
                node,
                lines[1] if len(lines) > 1 else lines[0],
                method=method,
                held=list_type,
                element=typed[-1].type or ANYTHING,
                owner=node.func.value if isinstance(node.func, ast.Attribute) else None,
            )
        )
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            em.env.forget(node.func.value.id)  # the intended element type of the list is not known
        return
    said = lines[0] if lines[0].startswith("Arguments for call") else (lines[1] if len(lines) > 1 else lines[0])
    types = known_types(typed)
    diagnosis = diagnose(node, found.reasons, given.passed(), types, name)
    em.report(
        OperatorMismatch(
            node,
            said,
            operator=name,
            builtin=is_operator(name),
            takes_out=takes_out(name),
            types=types,
            diagnosis=diagnosis,
        )
    )


def match_call(
    em: Emitter,
    overloads: tuple[Schema, ...],
    node: ast.Call,
    given: Given,
    typed: list[Arg],
    name: str,
    receiver: Type | None = None,
) -> Value:
    if not given.whole or not overloads:
        return UNKNOWN
    found = match(overloads, typed, receiver)
    if isinstance(found, Matched):
        return as_typed(found.return_type)
    operator_mismatch(em, node, name, found, typed, None, given)
    return UNKNOWN


@calls(Schemas)
def call_schemas(em: Emitter, callee: Schemas, node: ast.Call, given: Given) -> Value:
    """Call a compiled method of a ``torch.nn`` class."""
    return match_call(em, callee.schemas, node, given, typed_arguments(em, given), "", callee.receiver)
