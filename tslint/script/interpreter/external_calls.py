"""Emits calls of external names (``PythonValue::call``): a handler for each kind of name in the generated tables."""

from __future__ import annotations

import ast
import builtins
from functools import singledispatch

from tslint.script.events.modules import NotCallable
from tslint.script.events.names import (
    ContainerReversed,
    ModuleConstruction,
    NumpyCall,
    OutsideCall,
    PackageCall,
    UnsupportedBuiltin,
    UnsupportedExternalCall,
    UnsupportedTorchCall,
    VariableCall,
)
from tslint.script.interpreter import observers
from tslint.script.interpreter.arguments import Given, typed_arguments
from tslint.script.interpreter.call_dispatch import calls
from tslint.script.interpreter.emitter import Emitter
from tslint.script.interpreter.externals import known
from tslint.script.interpreter.magic_methods import OF_FUNCTIONS, is_object, lacks, magic, report_lacking
from tslint.script.interpreter.operator_calls import match_call
from tslint.script.interpreter.value_kinds import value_kind
from tslint.script.operators import Matched, match, schemas
from tslint.script.operators.callables import (
    BooleanDispatch,
    Cast,
    CompiledFunction,
    ExceptionClass,
    Known,
    ModuleClass,
    Operator,
    PythonData,
    PythonModule,
    PythonOperator,
    Unsupported,
)
from tslint.script.runtime_names import ENVIRONMENT
from tslint.script.types import ANYTHING, BOOL, STRING, TENSOR, DictType, ListType, TensorType, Type
from tslint.script.values import (
    UNKNOWN,
    Alternatives,
    ContainerValue,
    ExceptionMessage,
    ExternalValue,
    ModuleValue,
    SpecialForm,
    TupleValue,
    Typed,
    Unknown,
    Value,
)

_VARIABLE = ("torch.autograd.Variable", "torch.autograd.variable.Variable", "torch.Variable")
_KINDS: dict[str, type[OutsideCall]] = {
    "numpy": NumpyCall,
    "builtins": UnsupportedBuiltin,
    "torch": UnsupportedTorchCall,
    "einops": PackageCall,
}


_TAKING_FUNCTIONS = frozenset(["builtins.map", "builtins.filter"])


@calls(ExternalValue, SpecialForm)
def call_external(em: Emitter, callee: ExternalValue | SpecialForm, node: ast.Call, given: Given) -> Value:
    """Call an external name."""
    if isinstance(callee, ExternalValue) and is_renamed(callee):
        return _renamed(em, callee.name, node, given)
    if callee.name in OF_FUNCTIONS and given.values:
        first = given.values[0][1]
        if isinstance(first, Typed) and is_object(first.type):
            return magic(em, first.type, OF_FUNCTIONS[callee.name], node, given.values[0][2])
        if callee.name == "builtins.len" and lacks(em, first, "__len__"):
            return report_lacking(em, first, "__len__", node)
    if callee.name in _TAKING_FUNCTIONS and node.args and isinstance(node.args[0], ast.Lambda):
        return UNKNOWN  # the compiler stops at the lambda
    return _call(known(callee.name), em, callee.name, node, given)


def is_renamed(callee: ExternalValue) -> bool:
    """Return whether code calls a builtin by a name that the compiler does not know: ``xrange = range``."""
    module, _, name = callee.name.rpartition(".")
    return module == "builtins" and name in ENVIRONMENT


def _renamed(em: Emitter, name: str, node: ast.Call, given: Given) -> Value:
    held = getattr(builtins, name.rpartition(".")[2])
    if held in (dict, slice):  # they have errors of their own
        return UNKNOWN
    if isinstance(held, type):
        return call_python(em, name, node, given)
    said = f"Python builtin {held!r} is currently not supported in Torchscript"
    return em.report(UnsupportedBuiltin(node, said, name=name))


@singledispatch
def _call(found: Known | None, em: Emitter, name: str, node: ast.Call, given: Given) -> Value:
    """Call a name by its entry in the tables. The result is Unknown for constants and unknown names."""
    return UNKNOWN


@_call.register(Operator)
def _operator(found: Operator, em: Emitter, name: str, node: ast.Call, given: Given) -> Value:
    observers.schema_call.tell(em, found.operator, node, name)
    observers.operator_call.tell(em, found.operator, node, given)
    if name == "builtins.pow" and len(given.positional()) == 2:
        observers.power.tell(em, node, *given.positional())
    typed = typed_arguments(em, given)
    if found.operator == "aten::sorted" and typed:
        observers.sort_call.tell(em, node, typed[0].type)
    result = match_call(em, schemas(found.operator), node, given, typed, name)
    if name.startswith("builtins.") and isinstance(result, Typed):
        observers.operation.tell(em, node, node.args, [each.type for each in typed], result.type)
    return result


@_call.register(CompiledFunction)
def _compiled(found: CompiledFunction, em: Emitter, name: str, node: ast.Call, given: Given) -> Value:
    return match_call(em, found.schemas, node, given, typed_arguments(em, given), name)


@_call.register(BooleanDispatch)
def _dispatch(found: BooleanDispatch, em: Emitter, name: str, node: ast.Call, given: Given) -> Value:
    flag = given.named(found.argument, found.index)
    chosen: bool | None = found.default
    if flag is not None:
        chosen = bool(flag.constant) if isinstance(flag, Typed) and flag.type == BOOL and flag.is_constant else None
    if chosen is None or not given.whole:
        return UNKNOWN
    target = found.if_true if chosen else found.if_false
    if isinstance(target, BooleanDispatch):
        return _dispatch(target, em, name, node, given)
    return match_call(em, target.schemas, node, given, typed_arguments(em, given), found.name)


@_call.register(Cast)
def _cast(found: Cast, em: Emitter, name: str, node: ast.Call, given: Given) -> Value:
    typed = typed_arguments(em, given)
    if found.type == BOOL and len(typed) == 1 and _has_length(typed[0].type):
        return Typed(BOOL)
    if not typed and given.whole and not given.values and schemas(found.operator):
        match_call(em, schemas(found.operator), node, given, typed, name)
    if len(typed) == 1 and typed[0].type is not None and schemas(found.operator):
        if typed[0].type != found.type and not isinstance(match(schemas(found.operator), typed), Matched):
            match_call(em, schemas(found.operator), node, given, typed, name)
    return Typed(found.type)


def _has_length(type_: Type | None) -> bool:
    """Return whether values of a type are true unless they are empty: strings, lists, dicts."""
    return type_ == STRING or isinstance(type_, (ListType, DictType))


@_call.register(PythonOperator)
def _python_operator(found: PythonOperator, em: Emitter, name: str, node: ast.Call, given: Given) -> Value:
    return call_python(em, name, node, given)


@_call.register(ModuleClass)
def _module_class(found: ModuleClass, em: Emitter, name: str, node: ast.Call, given: Given) -> Value:
    said = f"Cannot instantiate class '{name.rpartition('.')[2]}' in a script function"
    return em.report(ModuleConstruction(node, said, name=name))


@_call.register(PythonModule)
def _python_module(found: PythonModule, em: Emitter, name: str, node: ast.Call, given: Given) -> Value:
    return em.report(NotCallable(node, "cannot call a value", type=None, callee=node.func))


@_call.register(ExceptionClass)
def _exception(found: ExceptionClass, em: Emitter, name: str, node: ast.Call, given: Given) -> Value:
    return ExceptionMessage()


@_call.register(PythonData)
def _python_data(found: PythonData, em: Emitter, name: str, node: ast.Call, given: Given) -> Value:
    if found.type_name == "builtin_function_or_method":
        return call_python(em, name, node, given)
    if found.type_name != "method":
        return UNKNOWN
    # The compiler's schema of a bound method has a parameter `self`, which callers cannot pass.
    root = name.partition(".")[0]
    said = f"{name.partition('.')[2]}(Tensor self, ...) -> Tensor 0"
    kind = NumpyCall if root == "numpy" else UnsupportedExternalCall
    return em.report(kind(node, said, name=name))


@_call.register(Unsupported)
def _unsupported(found: Unsupported, em: Emitter, name: str, node: ast.Call, given: Given) -> Value:
    root = name.partition(".")[0]
    if root == "torch" and found.reason == "class" and name.startswith("torch.nn."):
        return em.report(ModuleConstruction(node, found.message, name=name))
    kind = VariableCall if name in _VARIABLE else _KINDS.get(root, UnsupportedExternalCall)
    types = tuple(value.type if isinstance(value, Typed) else ANYTHING for _, value, _ in given.values)
    said = em.report(kind(node, found.message, name=name, types=types))
    return Typed(found.gives) if found.gives is not None and types[:1] == (TENSOR,) else said


def call_python(em: Emitter, name: str, node: ast.Call, given: Given) -> Value:
    """Call something that the compiler delegates to Python: every argument must be a Tensor."""
    root = name.partition(".")[0]
    for position, (_, value, argument) in enumerate(given.values):
        if isinstance(value, (Unknown, Alternatives)):
            continue
        kind = _KINDS.get(root, UnsupportedExternalCall)
        if not isinstance(value, (Typed, TupleValue, ModuleValue, ContainerValue)):
            said = f"{value_kind(value) or 'Python type'} cannot be used as a value"
            return em.report(kind(node, said, name=name))
        type_ = em.type_of(value, argument)
        if type_ is not None and not isinstance(type_, TensorType) and str(type_) != "Any":
            said = f"Expected a value of type 'Tensor' for argument '{position}' but instead found type '{type_}'"
            if isinstance(value, ContainerValue) and name == "builtins.reversed":
                return em.report(ContainerReversed(node, said, path=value.path))
            return em.report(kind(node, said, name=name, types=(type_,)))
    observers.python_call.tell(em, name, node, [value for _, value, _ in given.values])
    return Typed(TENSOR) if root != "builtins" else UNKNOWN
