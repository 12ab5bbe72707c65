"""Emits calls (``emitApplyExpr``), and reports values that cannot be called."""

from __future__ import annotations

import ast

from tslint.project.classes import body_names
from tslint.project.definitions import Class, External, GlobalValue
from tslint.script.classkinds import AUTOGRAD
from tslint.script.events.modules import ContainerCalled, ModuleValueCalled, NotCallable
from tslint.script.events.names import ClosedOverGlobal, SuperCall
from tslint.script.interpreter import observers
from tslint.script.interpreter.arguments import Given, arguments, typed_arguments
from tslint.script.interpreter.call_dispatch import call_value, calls
from tslint.script.interpreter.classes import after_owner
from tslint.script.interpreter.emitter import Emitter, emits
from tslint.script.interpreter.external_calls import call_python, is_renamed
from tslint.script.interpreter.externals import known
from tslint.script.interpreter.magic_methods import is_object, magic
from tslint.script.interpreter.operator_calls import match_call
from tslint.script.interpreter.special import SPECIAL
from tslint.script.operators.callables import Special
from tslint.script.operators.schema import parse
from tslint.script.types import (
    ANYTHING,
    ClassType,
    DictType,
    ListType,
    OptionalType,
    Simple,
    TensorType,
    TupleType,
    Type,
    UnionType,
    plain,
)
from tslint.script.values import (
    UNKNOWN,
    ExternalValue,
    FunctionValue,
    ModuleReference,
    OperatorValue,
    PythonValue,
    SpecialForm,
    SuperValue,
    TupleValue,
    Typed,
    Value,
)

_NEVER_CALLABLE = (TensorType, TupleType, Simple, ListType, DictType, OptionalType, UnionType)
# For `apply` of an autograd.Function, the compiler only checks the first argument, which it takes for the class.
_APPLY = parse("Function.apply(Tensor cls) -> Tensor")


@emits(ast.Call)
def emit_call(em: Emitter, node: ast.Call, hint: Type | None) -> Value:
    """Emit ``f(...)``."""
    hint = em.hint
    if isinstance(node.func, ast.Name) and node.func.id == "super" and em.env.find("super") is None:
        return _super(em, node)
    callee = em.expression(node.func)
    em.hint = hint
    if isinstance(callee, SpecialForm):
        found = known(callee.name)
        form = found.form if isinstance(found, Special) else callee.name.rpartition(".")[2]
        if form in SPECIAL:
            return SPECIAL[form](em, node)
    if isinstance(callee, ExternalValue) and not is_renamed(callee):
        found = known(callee.name)
        if isinstance(found, Special) and found.form in SPECIAL:
            return SPECIAL[found.form](em, node)
        if isinstance(found, Special):
            arguments(em, node)
            return UNKNOWN
    given = arguments(em, node, _operator(callee))
    em.hint = hint
    observers.value_call.tell(em, callee, node, given.positional())
    function = _autograd_function(em, node)
    if function is not None:
        observers.autograd_call.tell(em, node, function)
        first = Given(given.values[:1], given.whole)
        match_call(em, (_APPLY,), node, first, typed_arguments(em, first), "Function.apply")
    return call_value(em, callee, node, given)


def _operator(callee: Value) -> str:
    """Return the name of a function of an external module, or of a tensor's method; empty for other values."""
    if isinstance(callee, ExternalValue):
        return callee.name
    if not isinstance(callee, OperatorValue) or not isinstance(callee.receiver, Typed):
        return ""
    return callee.name if isinstance(callee.receiver.type, TensorType) else ""


def _autograd_function(em: Emitter, node: ast.Call) -> Class | None:
    """Return the ``autograd.Function`` that a call applies; None for other calls. The call is ``MyFunction.apply(x)``,
    or ``my_function(x)`` if the file assigns ``my_function = MyFunction.apply``.
    """
    target: ast.expr = node.func
    module = em.module
    if isinstance(target, ast.Name) and em.env.find(target.id) is None:
        found = em.project.resolve(module, target.id)
        if not isinstance(found, GlobalValue) or found.rebound or found.value is None:
            return None
        target, module = found.value, found.module
    if not isinstance(target, ast.Attribute) or target.attr != "apply":
        return None
    root = target.value
    while isinstance(root, ast.Attribute):
        root = root.value
    if not isinstance(root, ast.Name) or (target is node.func and em.env.find(root.id) is not None):
        return None
    owner = em.project.resolve_expression(module, target.value)
    if isinstance(owner, Class):
        bases = {base.name for base in em.model.hierarchy(owner).externals if isinstance(base, External)}
        if bases & AUTOGRAD:
            return owner
    return None


@calls(TupleValue)
def _call_tuple(em: Emitter, callee: TupleValue, node: ast.Call, given: Given) -> Value:
    said = "cannot call a value of type 'Tuple[…]'"
    return em.report(ContainerCalled(node, said, container="tuple", path=""))


@calls(Typed)
def _call_typed(em: Emitter, callee: Typed, node: ast.Call, given: Given) -> Value:
    type_ = callee.type
    if isinstance(type_, ClassType) and type_.kind == "module":
        said = f"'{type_}' object has no attribute or method '__call__'"
        return em.report(ModuleValueCalled(node.func, said))
    if is_object(type_):
        return magic(em, type_, "__call__", node, node.func)
    if isinstance(type_, ClassType) and type_.kind == "interface" and isinstance(type_.definition, Class):
        return _call_interface(em, callee, type_, type_.definition, node, given)
    if isinstance(type_, _NEVER_CALLABLE) and type_ != ANYTHING:
        said = f"cannot call a value of type '{plain(type_)}'"
        return em.report(NotCallable(node, said, type=type_, callee=node.func))
    return UNKNOWN


def _call_interface(
    em: Emitter, callee: Typed, type_: ClassType, definition: Class, node: ast.Call, given: Given
) -> Value:
    """Emit a call of an object that implements an interface; for modules, ``forward`` is called."""
    called = "forward" if em.model.is_module(definition) else "__call__"
    member = body_names(definition.node).get(called)
    if isinstance(member, ast.FunctionDef):
        return call_value(em, FunctionValue(definition.module.function(member, definition), callee), node, given)
    said = f"'{type_}' object has no attribute or method '{called}'."
    return em.report(NotCallable(node, said, type=type_, callee=node.func))


@calls(ModuleReference)
def _call_python_module(em: Emitter, callee: ModuleReference, node: ast.Call, given: Given) -> Value:
    return em.report(NotCallable(node, "cannot call a value", type=None, callee=node.func))


@calls(PythonValue)
def _call_python_value(em: Emitter, callee: PythonValue, node: ast.Call, given: Given) -> Value:
    if callee.in_python:
        return UNKNOWN
    if callee.type_name == "partial":
        return call_python(em, callee.spelled, node, given)
    return em.report(
        ClosedOverGlobal(
            node,
            f"python value of type '{callee.type_name}' cannot be used as a value",
            name=callee.spelled,
            type_name=callee.type_name,
        )
    )


def _super(em: Emitter, node: ast.Call) -> Value:
    if node.args:
        em.report(SuperCall(node, "Python type cannot be used as a value", method=None, following=after_owner(em)))
        return UNKNOWN
    return SuperValue()
