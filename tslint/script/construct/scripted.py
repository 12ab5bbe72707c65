"""Evaluates the arguments of ``torch.jit.script(...)``: results of factory functions, modules that are created in the
call.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tslint.project.classes import Hierarchy
from tslint.project.definitions import Class, GlobalValue, Module
from tslint.script.assumptions import NO_ASSUMPTIONS
from tslint.script.attributes import PY_UNKNOWN, Instance, PyFunction, PyValue
from tslint.script.construct.assigned_before import assigned_before
from tslint.script.construct.calls import Calls
from tslint.script.construct.frame import Run
from tslint.script.construct.instances import InstanceChecks, module_level
from tslint.script.construct.statements import Statements
from tslint.script.constructed import local_names, same_module
from tslint.script.events import Event
from tslint.script.scope import Unit
from tslint.util import astwalk

if TYPE_CHECKING:
    from tslint.script.compilation import Compilation

_DEPTH = 4
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def scripted_value(model: Compilation, module: Module, node: ast.expr, depth: int = 0) -> PyValue:
    """Return the Python value of an expression of a file, as far as the source shows it."""
    node = same_module(model.project, module, node)
    if isinstance(node, ast.Name):
        value = assigned_before(module.tree, node, node.id)
        if value is not None:
            return scripted_value(model, module, value, depth + 1) if depth <= _DEPTH else PY_UNKNOWN
        if node.id in _local(module, node):
            return PY_UNKNOWN
    found = model.project.resolve_expression(module, node)
    if isinstance(found, GlobalValue):
        if found.rebound or found.value is None or depth > _DEPTH:
            return PY_UNKNOWN
        return scripted_value(model, found.module, found.value, depth + 1)
    top = Class(module, ast.ClassDef(name="<module>", bases=[], keywords=[], body=[], decorator_list=[]), "<module>")
    run = Run(model.project, Hierarchy(model.project, top), Calls())
    frame = Statements(run, module, None, None, NO_ASSUMPTIONS)
    frame.locals.update(dict.fromkeys(_local(module, node), PY_UNKNOWN))
    return frame.evaluator.evaluate(node)


def _local(module: Module, node: ast.expr) -> set[str]:
    """Return the names that the functions around an expression bind."""
    around = (each for each in astwalk.around(module.tree, node) if isinstance(each, _FUNCTIONS))
    return {name for function in around for name in local_names(function)}


def class_of_object(model: Compilation, value: PyValue) -> Class | None:
    """Return the class of an object of a script class, which is compiled with all its methods. Return None for other
    values, and if the class has a base class in the project.
    """
    made = value.definition if isinstance(value, Instance) else None
    if made is None or model.class_kind(made) != "script class":
        return None
    return None if any(isinstance(base, Class) for base in model.hierarchy(made).mro[1:]) else made


def scripted_events(model: Compilation, module: Module, value: PyValue) -> list[Event]:
    """Return the errors in the argument of ``torch.jit.script`` if the argument is an instance; if it is a function,
    compile it.
    """
    if isinstance(value, PyFunction) and value.function is not None and not value.bound:
        model.reach(value.function, None, "function", None, None, NO_ASSUMPTIONS)
    if not isinstance(value, Instance):
        return []
    unit = Unit(module_level(module), None, "constructor", [])
    checks = InstanceChecks(model, unit, None, None)
    checks.value(value, NO_ASSUMPTIONS, scripted=True)
    return checks.events
