"""Evaluates the arguments of ``torch.jit.script(...)``: results of factory functions, modules that are created in the
call.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tslint.project.classes import Hierarchy
from tslint.project.definitions import Class, GlobalValue, Module
from tslint.script.attributes import NO_ASSUMPTIONS, PY_UNKNOWN, Instance, PyFunction, PyValue
from tslint.script.construct.calls import Calls
from tslint.script.construct.frame import Run
from tslint.script.construct.instances import InstanceChecks, module_level
from tslint.script.construct.statements import Statements
from tslint.script.events import Event
from tslint.script.scope import Unit

if TYPE_CHECKING:
    from tslint.script.compilation import Compilation

_DEPTH = 4


def scripted_value(model: Compilation, module: Module, node: ast.expr, depth: int = 0) -> PyValue:
    """Return the Python value of an expression at a module's top level, as far as the source shows it."""
    found = model.project.resolve_expression(module, node)
    if isinstance(found, GlobalValue):
        if found.rebound or found.value is None or depth > _DEPTH:
            return PY_UNKNOWN
        return scripted_value(model, found.module, found.value, depth + 1)
    top = Class(module, ast.ClassDef(name="<module>", bases=[], keywords=[], body=[], decorator_list=[]), "<module>")
    run = Run(model.project, Hierarchy(model.project, top), Calls())
    return Statements(run, module, None, None, NO_ASSUMPTIONS).evaluator.evaluate(node)


def scripted_events(model: Compilation, module: Module, node: ast.expr) -> list[Event]:
    """Compile a function that a factory returns, and return the errors of a module that is created in the argument."""
    value = scripted_value(model, module, node)
    if isinstance(value, PyFunction) and value.function is not None and not value.bound:
        model.reach(value.function, None, "function", None, None, NO_ASSUMPTIONS)
    if not isinstance(value, Instance):
        return []
    unit = Unit(module_level(module), None, "constructor", [])
    checks = InstanceChecks(model, unit, None, None)
    checks.value(value, NO_ASSUMPTIONS, scripted=True)
    return checks.events
