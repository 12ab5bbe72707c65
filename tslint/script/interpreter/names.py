"""Emits names and attributes (``toSugaredValue``): variables, globals of the function, members of Python modules."""

from __future__ import annotations

import ast
from dataclasses import replace

from tslint.project.classes import is_abstract
from tslint.project.definitions import (
    Ambiguous,
    Class,
    Definition,
    External,
    Function,
    GlobalValue,
    Module,
    ModuleRef,
    Undefined,
)
from tslint.script.events.names import (
    BaseMethodCall,
    ClosedOverGlobal,
    MissingModuleAttribute,
    UndefinedName,
    UnsupportedExternalAttribute,
)
from tslint.script.events.types import BranchUndefined
from tslint.script.interpreter import observers
from tslint.script.interpreter.emitter import Emitter, emits
from tslint.script.interpreter.externals import constant_value, is_missing, known
from tslint.script.interpreter.global_data import INFINITY, global_data
from tslint.script.interpreter.members import attribute_of
from tslint.script.interpreter.wrapped import look_through_wrapper
from tslint.script.operators import schemas
from tslint.script.operators.callables import Constant, ModuleClass, Operator, PythonData
from tslint.script.runtime_names import ENVIRONMENT
from tslint.script.scope import exemption, opaque_decorator, overloads
from tslint.script.types import FLOAT, Type, type_of_constant
from tslint.script.values import (
    UNKNOWN,
    ClassValue,
    ExternalValue,
    FunctionValue,
    ModuleReference,
    ModuleValue,
    PythonValue,
    SpecialForm,
    Typed,
    Value,
)
from tslint.util import astwalk


@emits(ast.Name)
def _name(em: Emitter, node: ast.Name, hint: Type | None) -> Value:
    value = em.env.find(node.id)
    if value is not None:
        return value
    failed = em.env.error(node.id)
    if failed is not None:
        if isinstance(failed, UndefinedName):
            failed = replace(failed, node=node)
        elif isinstance(failed, BranchUndefined):
            failed = replace(failed, use=node)
        em.report(failed)
        em.env.forget(node.id)
        return UNKNOWN
    if node.id in ENVIRONMENT:
        observers.builtin_name.tell(em, node)
        return SpecialForm(f"builtins.{node.id}")
    look_through_wrapper(em, node)
    return global_value(em, em.resolve(node), node.id, node)


def global_value(em: Emitter, found: Definition, spelled: str, node: ast.expr) -> Value:
    """Return the value of a global of the function (``toSugaredValue``)."""
    if isinstance(found, Undefined):
        if spelled.startswith("__"):
            return UNKNOWN
        stores = [
            n
            for n in astwalk.walk(em.unit.function.node)
            if isinstance(n, ast.Name) and n.id == spelled and isinstance(n.ctx, ast.Store)
        ]
        lost = em.env.lost.get(spelled)
        stored, type_ = stores[0] if stores else None, lost.type if isinstance(lost, Typed) else None
        em.report(UndefinedName(node, f"undefined value {spelled}", name=spelled, stored=stored, type=type_))
        em.env.forget(spelled)
        return UNKNOWN
    if isinstance(found, Function):
        _compile_mentioned(em, found, None, node)
        return FunctionValue(found)
    if isinstance(found, Class):
        return ClassValue(found)
    if isinstance(found, ModuleRef):
        return ModuleReference(found.module)
    if isinstance(found, GlobalValue):
        if isinstance(found.value, ast.Constant) and found.value.value is None and not found.rebound:
            return em.report(ClosedOverGlobal(node, f"undefined value {spelled}", name=spelled, type_name="NoneType"))
        return global_data(em, found, spelled, node)
    if isinstance(found, External):
        if found.name == "builtins.__debug__":
            return PythonValue("bool", spelled)
        if found.name == "builtins.NotImplemented":
            return PythonValue("NotImplementedType", spelled)
        return Typed(FLOAT) if found.name in INFINITY else ExternalValue(found.name)
    assert isinstance(found, Ambiguous)
    return UNKNOWN


def _compile_mentioned(em: Emitter, function: Function, receiver: Class | None, node: ast.expr) -> None:
    """Compile a function or method that is named without a call: ``partial(f, 1)``. Calls compile their callees."""
    parent = astwalk.parents(em.unit.function.node).get(node)
    if isinstance(parent, ast.Call) and parent.func is node:
        return
    if exemption(function, em.project) or opaque_decorator(function, em.project) or overloads(function, em.project):
        return
    if not is_abstract(function, em.project) and not em.model.is_active(function, receiver):
        em.model.reach(function, receiver, "method" if receiver else "function", em.unit, node, em.assumptions)


@emits(ast.Attribute)
def _attribute(em: Emitter, node: ast.Attribute, hint: Type | None) -> Value:
    owner = em.expression(node.value)
    if isinstance(owner, ExternalValue):
        full = f"{owner.name}.{node.attr}"
        found = known(full)
        if isinstance(known(owner.name), ModuleClass) and found is None:
            return em.report(BaseMethodCall(node, "attribute lookup is not defined on python value of type 'type'"))
        if isinstance(found, Constant):
            return constant_value(found)
        return _external_attribute(em, node, owner, full)
    if isinstance(owner, ModuleReference):
        definition = em.project.attribute(ModuleRef(owner.module), node.attr)
        if isinstance(definition, Undefined):
            # The name may be set from outside, or in a way that the index does not see: Python modules are open.
            return _missing(em, owner, node) if owner.module is em.unit.function.module else UNKNOWN
        if isinstance(definition, GlobalValue):
            constant = definition.value
            if isinstance(constant, ast.Constant) and not definition.rebound:
                type_ = type_of_constant(constant.value)
                return UNKNOWN if type_ is None else Typed(type_, constant.value)
            return UNKNOWN
        return global_value(em, definition, node.attr, node)
    value = attribute_of(em, owner, node.attr, node)
    if isinstance(owner, ModuleValue):
        if isinstance(value, FunctionValue) and value.receiver is owner:
            _compile_mentioned(em, value.function, owner.instance.definition, node)
        em.record(node, f"{owner.path}.{node.attr}", "attribute", value)
    return value


def _missing(em: Emitter, owner: ModuleReference, node: ast.Attribute) -> Value:
    """Report a name that the file reads from itself, as in ``sys.modules[__name__].size``, and never binds."""
    module = owner.module
    stored = any(isinstance(getattr(each, "ctx", None), ast.Store) for each in module.mentions(node.attr))
    if stored or "__getattr__" in module.bindings or _may_set_any_name(em, module):
        return UNKNOWN
    said = f"object has no attribute {node.attr}"
    return em.report(MissingModuleAttribute(node, said, module=ast.unparse(node.value), attribute=node.attr))


def _may_set_any_name(em: Emitter, module: Module) -> bool:
    """Return whether a file may bind names of its own that are not written: with ``globals()``, or ``setattr``."""
    targets = [each.value for each in module.mentions("__dict__") if isinstance(each, ast.Attribute)]
    for name in ("setattr", "globals", "locals", "vars", "exec"):
        for each in module.mentions(name):
            call = astwalk.parents(module.tree).get(each)
            if isinstance(call, ast.Call) and call.func is each:
                if name != "setattr":
                    return True
                targets += call.args[:1]
    return any(isinstance(em.project.resolve_expression(module, each), (ModuleRef, Ambiguous)) for each in targets)


def _external_attribute(em: Emitter, node: ast.Attribute, owner: ExternalValue, full: str) -> Value:
    """Return a member of an external module, or an attribute of an external value."""
    held = known(owner.name)
    if isinstance(held, PythonData) and held.type_name not in ("module", "type"):
        return em.report(
            UnsupportedExternalAttribute(
                node,
                f"attribute lookup is not defined on python value of type '{held.type_name}'",
                name=ast.unparse(node.value),
                type_name=held.type_name,
                attribute=node.attr,
            )
        )
    operator = (
        owner.name.startswith("torch.ops.aten.")
        and owner.name.count(".") == 3
        and bool(schemas(f"aten::{owner.name[15:]}"))
    )
    if operator or owner.name == "torch.Tensor" or isinstance(held, Operator):
        return em.report(
            UnsupportedExternalAttribute(
                node,
                "attribute lookup is not defined on builtin",
                name=ast.unparse(node.value),
                type_name="builtin",
                attribute=node.attr,
            )
        )
    if is_missing(full):
        return em.report(
            MissingModuleAttribute(node, f"object has no attribute {node.attr}", module=owner.name, attribute=node.attr)
        )
    return ExternalValue(full)
