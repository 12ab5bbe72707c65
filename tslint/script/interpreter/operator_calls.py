"""Calls of operators and of what lies outside the project (``BuiltinFunction::call``, ``PythonValue::call``)."""

from __future__ import annotations

import ast

from tslint.script.differences import is_newer
from tslint.script.hazards.calls import notice_python_call
from tslint.script.interpreter.arguments import Given, typed_arguments
from tslint.script.interpreter.emitter import Emitter
from tslint.script.interpreter.special import METHODS
from tslint.script.interpreter.value_kinds import as_typed, module_name, value_kind
from tslint.script.operators import Arg, Matched, Schema, match, schemas
from tslint.script.operators.callables import (
    BooleanDispatch,
    Cast,
    CompiledFunction,
    Constant,
    ExceptionClass,
    Known,
    ModuleClass,
    Operator,
    PythonData,
    PythonModule,
    PythonOperator,
    Special,
    Unsupported,
)
from tslint.script.types import BOOL, STRING, TENSOR, DictType, ListType, TensorType, Type
from tslint.script.values import (
    UNKNOWN,
    Alternatives,
    ContainerValue,
    ExternalValue,
    ModuleValue,
    OperatorValue,
    TupleValue,
    Typed,
    Unknown,
    Value,
)


def call_operator(em: Emitter, callee: OperatorValue, node: ast.Call, given: Given) -> Value:
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
                return ContainerValue(owner.kind, owner.items, owner.keys, owner.element, owner.path, view)
        return UNKNOWN
    if callee.name == "unbound::method":
        first = given.values[0][1] if given.values else UNKNOWN
        if isinstance(first, ModuleValue):
            em.report(
                "base-method-call",
                node,
                "Expected a value of type 'Tensor (inferred)' for argument 'self' but instead found type "
                f"'{module_name(first.instance)}",
                name=callee.spelled,
            )
        return UNKNOWN
    method = callee.name.partition("::")[2]
    if isinstance(callee.receiver, Typed) and method in METHODS:
        special = METHODS[method](em, callee.receiver, node, given)
        if special is not None:
            return special
    overloads = schemas(callee.name)
    if not overloads or is_newer(em, callee.name, node, callee.name):
        return UNKNOWN
    typed = typed_arguments(em, given)
    receiver = callee.receiver
    own = Arg(receiver.type, None, receiver.empty) if isinstance(receiver, Typed) else None
    if not given.whole:
        return UNKNOWN
    found = match(overloads, typed, own)
    if isinstance(found, Matched):
        return as_typed(found.return_type)
    operator_mismatch(em, node, callee.name, found.message, typed, receiver, given)
    return UNKNOWN


def operator_mismatch(
    em: Emitter,
    node: ast.Call,
    name: str,
    message: str,
    typed: list[Arg],
    receiver: Value | None,
    given: Given,
) -> None:
    lines = message.split("\n")
    method = name.partition("::")[2]
    list_type = receiver.type if isinstance(receiver, Typed) and isinstance(receiver.type, ListType) else None
    if list_type is not None and method in ("append", "insert", "extend") and typed:
        em.report(
            "list-element",
            node,
            lines[1] if len(lines) > 1 else lines[0],
            method=method,
            list=str(list_type),
            element=str(typed[-1].type),
            owner=node.func.value if isinstance(node.func, ast.Attribute) else None,
            message=message,
        )
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            em.env.forget(node.func.value.id)  # what the list was meant to hold is not known
        return
    em.report(
        "operator-mismatch",
        node,
        lines[0] if lines[0].startswith("Arguments for call") else (lines[1] if len(lines) > 1 else lines[0]),
        operator=name,
        word="",
        message=message,
        given=given,
        types=[str(argument.type) if argument.type is not None else "?" for argument in typed],
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
    lines = found.message.split("\n")
    em.report(
        "operator-mismatch",
        node,
        lines[0] if lines[0].startswith("Arguments for call") else (lines[1] if len(lines) > 1 else lines[0]),
        operator=name,
        word="",
        message=found.message,
        given=given,
        types=[str(argument.type) if argument.type is not None else "?" for argument in typed],
    )
    return UNKNOWN


def call_external(em: Emitter, callee: ExternalValue, found: Known | None, node: ast.Call, given: Given) -> Value:
    """Call something that the tables know."""
    name = callee.name
    if found is None or isinstance(found, (ExceptionClass, Constant, Special)):
        return UNKNOWN
    if isinstance(found, Operator):
        if is_newer(em, found.operator, node, name):
            return UNKNOWN
        return match_call(em, schemas(found.operator), node, given, typed_arguments(em, given), name)
    if isinstance(found, CompiledFunction):
        return match_call(em, found.schemas, node, given, typed_arguments(em, given), name)
    if isinstance(found, BooleanDispatch):
        return _dispatch(em, found, node, given)
    if isinstance(found, Cast):
        typed = typed_arguments(em, given)
        if found.type == BOOL and len(typed) == 1 and _has_length(typed[0].type):
            return Typed(BOOL)
        if not typed and given.whole and not given.values and schemas(found.operator):
            match_call(em, schemas(found.operator), node, given, typed, name)
        if len(typed) == 1 and typed[0].type is not None and schemas(found.operator):
            if typed[0].type != found.type and not isinstance(match(schemas(found.operator), typed), Matched):
                match_call(em, schemas(found.operator), node, given, typed, name)
        return Typed(found.type)
    if isinstance(found, PythonOperator):
        return call_python(em, callee.name, node, given)
    if isinstance(found, ModuleClass):
        return em.report(
            "module-construction",
            node,
            f"Cannot instantiate class '{name.rpartition('.')[2]}' in a script function",
            name=name,
        )
    if isinstance(found, PythonData):
        if found.type_name == "method":
            # A bound method is called with its `self` as one more parameter, which nobody can give.
            root = name.partition(".")[0]
            return em.report(
                "numpy-call" if root == "numpy" else "foreign-call",
                node,
                f"{name.partition('.')[2]}(Tensor self, ...) -> Tensor 0",
                name=name,
                short=name.rpartition(".")[2],
                package=root,
                reason="python-operator",
            )
        if found.type_name == "builtin_function_or_method":
            return call_python(em, callee.name, node, given)
        return UNKNOWN
    if isinstance(found, Unsupported):
        return _unsupported(em, callee, found, node, given)
    if isinstance(found, PythonModule):
        return em.report("not-callable", node, "cannot call a value", type=None, callee=node.func)
    return UNKNOWN


def _has_length(type_: Type | None) -> bool:
    """Whether a value is true where it is not empty: strings, lists, dicts."""
    return type_ == STRING or isinstance(type_, (ListType, DictType))


def _unsupported(em: Emitter, callee: ExternalValue, found: Unsupported, node: ast.Call, given: Given) -> Value:
    name, root = callee.name, callee.name.partition(".")[0]
    last = name.rpartition(".")[2]
    place: ast.AST = node
    if name in ("torch.autograd.Variable", "torch.autograd.variable.Variable", "torch.Variable"):
        kind = "variable-call"
    elif root == "numpy":
        kind = "numpy-call"
    elif root == "builtins":
        kind = "unsupported-builtin"
    elif root == "torch":
        kind = (
            "module-construction"
            if found.reason == "class" and name.startswith("torch.nn.")
            else "unsupported-torch-call"
        )
    else:
        kind = "foreign-call"
    types = [str(value.type) if isinstance(value, Typed) else "?" for _, value, _ in given.values]
    return em.report(
        kind,
        place,
        found.message,
        name=name,
        short=last,
        package=root,
        reason=found.reason,
        types=types,
    )


def call_python(em: Emitter, name: str, node: ast.Call, given: Given) -> Value:
    """A callable that the compiler leaves to Python: everything is a Tensor."""
    root = name.partition(".")[0]
    for position, (_, value, argument) in enumerate(given.values):
        if isinstance(value, (Unknown, Alternatives)):
            continue
        kind = {"builtins": "unsupported-builtin", "numpy": "numpy-call"}.get(root, "foreign-call")
        if not isinstance(value, (Typed, TupleValue, ModuleValue, ContainerValue)):
            return em.report(
                kind,
                node,
                f"{value_kind(value) or 'Python type'} cannot be used as a value",
                name=name,
                short=name.rpartition(".")[2],
                package=root,
                reason="python-operator",
                path="",
                argument=argument,
                types=[],
            )
        type_ = em.type_of(value, argument)
        if type_ is not None and not isinstance(type_, TensorType) and str(type_) != "Any":
            container = value if isinstance(value, ContainerValue) else None
            if container is not None and name == "builtins.reversed":
                kind = "container-reversed"
            return em.report(
                kind,
                node,
                f"Expected a value of type 'Tensor' for argument '{position}' but instead found type '{type_}'",
                name=name,
                short=name.rpartition(".")[2],
                package=root,
                reason="python-operator",
                path=container.path if container else "",
                argument=argument,
                types=[str(type_)],
            )
    notice_python_call(em, name, node, [value for _, value, _ in given.values])
    return Typed(TENSOR) if root != "builtins" else UNKNOWN


def _dispatch(em: Emitter, found: BooleanDispatch, node: ast.Call, given: Given) -> Value:
    flag = given.named(found.argument, found.index)
    chosen: bool | None = found.default
    if flag is not None:
        chosen = bool(flag.constant) if isinstance(flag, Typed) and flag.type == BOOL and flag.is_constant else None
    if chosen is None or not given.whole:
        return UNKNOWN
    target = found.if_true if chosen else found.if_false
    if isinstance(target, BooleanDispatch):
        return _dispatch(em, target, node, given)
    return match_call(em, target.schemas, node, given, typed_arguments(em, given), found.name)
