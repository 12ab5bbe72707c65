"""Emits calls of the project's classes in compiled code."""

from __future__ import annotations

import ast

from tslint.project.classes import body_names
from tslint.project.definitions import Class
from tslint.script.events.modules import NotCallable
from tslint.script.events.names import ModuleConstruction
from tslint.script.events.types import ClassWithoutInit
from tslint.script.interpreter.arguments import Given, typed_arguments
from tslint.script.interpreter.call_dispatch import calls
from tslint.script.interpreter.classes import use_class
from tslint.script.interpreter.emitter import Emitter
from tslint.script.interpreter.function_calls import call_function, report_mismatch
from tslint.script.operators import Argument, Matched, Schema, match
from tslint.script.project_classes import fields, named_tuple, object_type
from tslint.script.types import ANYTHING, Simple
from tslint.script.values import UNKNOWN, ClassValue, ExceptionMessage, FunctionValue, Typed, Value


@calls(ClassValue)
def construct(em: Emitter, callee: ClassValue, node: ast.Call, given: Given) -> Value:
    """Emit ``Class(...)``."""
    definition = callee.definition
    kind = em.model.class_kind(definition)
    if kind in ("module", "excluded class"):
        said = f"Cannot instantiate class '{definition.name}' in a script function"
        excluded = kind == "excluded class"
        return em.report(ModuleConstruction(node, said, name=definition.qualname, excluded=excluded))
    if kind == "enum":
        return em.report(NotCallable(node, "cannot call a EnumClass", type=Simple("EnumClass"), callee=node.func))
    if kind == "namedtuple":
        return _make_tuple(em, definition, node, given)
    if kind == "dataclass":
        return em.report_dataclass(definition, node)
    if kind in ("script class", "typeddict"):
        return _make_instance(em, definition, node, given)
    return ExceptionMessage() if kind == "exception" else UNKNOWN


def _make_tuple(em: Emitter, definition: Class, node: ast.Call, given: Given) -> Value:
    em.check_fields(definition, node.func)
    made = named_tuple(em.model, definition)
    if made is None:
        return UNKNOWN
    defaults = {
        statement.target.id
        for statement in definition.node.body
        if isinstance(statement, ast.AnnAssign)
        and isinstance(statement.target, ast.Name)
        and statement.value is not None
    }
    if ANYTHING not in made.elements and made.fields and given.whole and fields(definition):
        formals = tuple(
            Argument(name, type_, "…" if name in defaults else None, False)
            for name, type_ in zip(made.fields, made.elements)
        )
        schema = Schema(definition.name, "", formals, (made,), ("",), f"{definition.name}({', '.join(made.fields)})")
        typed = typed_arguments(em, given)
        found = match([schema], typed)
        if not isinstance(found, Matched):
            report_mismatch(em, node, found, None, typed, given)
    return Typed(made)


def _make_instance(em: Emitter, definition: Class, node: ast.Call, given: Given) -> Value:
    if not use_class(em, definition, node):
        return UNKNOWN
    made = Typed(object_type(definition))
    own = body_names(definition.node).get("__init__")
    if not isinstance(own, ast.FunctionDef):
        return em.report(
            ClassWithoutInit(
                node,
                f"Class {definition.name} does not have an __init__ function defined",
                name=definition.qualname,
                inherited="__init__" in em.model.hierarchy(definition).members,
                of_package=em.project.installed.holds(definition.module.source.path),
            )
        )
    call_function(em, FunctionValue(definition.module.function(own, definition), made), node, given)
    return made
