"""Finds errors in hooks that are registered on a module between its construction and ``torch.jit.script``."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tslint.project.definitions import Class, External, Function, Module
from tslint.script.assumptions import NO_ASSUMPTIONS
from tslint.script.attributes import PY_UNKNOWN, HookCall, Instance, PyFunction, PyValue
from tslint.script.construct.instances import InstanceChecks, module_level
from tslint.script.constructed import made_class
from tslint.script.events import Event
from tslint.script.scope import Unit
from tslint.util import astwalk

if TYPE_CHECKING:
    from tslint.script.compilation import Compilation

REGISTERING = ("register_forward_hook", "register_forward_pre_hook")


class _Scope:
    """The statements of a function, or of a file's top level, in their order.

    Args:
        model: the static model of the run.
        module: the file.
        function: the function; None for the top level.
    """

    def __init__(self, model: Compilation, module: Module, function: Function | None) -> None:
        self.model = model
        self.module = module
        self.function = function
        self.functions: dict[str, Function] = {}
        self.made: dict[str, ast.expr] = {}
        self.hooks: dict[str, dict[str, list[HookCall]]] = {}  # by variable and path of the module
        self.events: list[Event] = []

    def block(self, body: list[ast.stmt]) -> None:
        """Read statements in order. Variables in a statement that may not run, such as an ``if``, are not known
        afterwards.
        """
        for statement in body:
            if isinstance(statement, ast.FunctionDef):
                outer = self.function
                prefix = f"{outer.qualname}.<locals>." if outer is not None else ""
                self.functions[statement.name] = self.module.function(statement, None, prefix, outer=outer)
            elif isinstance(statement, ast.With):
                self.block(statement.body)
            elif isinstance(statement, (ast.Expr, ast.Assign, ast.Return)) and statement.value is not None:
                for call in astwalk.of_kind(statement.value, ast.Call):
                    self._call(call)
                self._bind(statement)
            else:
                self._forget(statement)

    def _bind(self, statement: ast.Expr | ast.Assign | ast.Return) -> None:
        self._forget(statement)
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Name):
                self.made[target.id] = statement.value
                self.hooks[target.id] = {}

    def _forget(self, statement: ast.stmt) -> None:
        """Discard what is known of the variables that a statement binds again, or to which it may add hooks."""
        for node in astwalk.walk(statement):
            if isinstance(node, ast.Name) and (
                isinstance(node.ctx, ast.Store) or not isinstance(statement, (ast.Expr, ast.Assign, ast.Return))
            ):
                self.hooks.pop(node.id, None)
                self.functions.pop(node.id, None)
                self.made.pop(node.id, None)

    def _call(self, node: ast.Call) -> None:
        func = node.func
        if isinstance(func, ast.Attribute) and func.attr in REGISTERING and node.args:
            held = self.hooks.get(_root(func.value))
            if held is not None:
                call = HookCall(func.attr, node, self._hook(node.args[0]), self.function, NO_ASSUMPTIONS)
                held.setdefault(ast.unparse(func.value), []).append(call)
        elif node.args and isinstance(node.args[0], ast.Name) and self.hooks.get(node.args[0].id):
            found = self.model.project.resolve_expression(self.module, func)
            if isinstance(found, External) and found.name == "torch.jit.script":
                self._scripted(node.args[0].id)

    def _hook(self, node: ast.expr) -> PyValue:
        if isinstance(node, ast.Lambda):
            return PyFunction(None)
        if isinstance(node, ast.Name):
            if node.id in self.functions:
                return PyFunction(self.functions[node.id])
            found = self.model.project.resolve_expression(self.module, node)
            return PyFunction(found) if isinstance(found, Function) and node.id not in self.made else PY_UNKNOWN
        return PY_UNKNOWN

    def _scripted(self, name: str) -> None:
        unit = Unit(self.function or module_level(self.module), None, "constructor", [])
        for path, calls in self.hooks[name].items():
            checks = InstanceChecks(self.model, unit, None, None)
            checks.hooks(calls, self._class(name, path), NO_ASSUMPTIONS)
            self.events += checks.events

    def _class(self, name: str, path: str) -> Class | None:
        """Return the class of the module at a path, such as ``m`` or ``m.layers.first``; None if it is not known."""
        scope = self.function.node if self.function is not None else None
        found = made_class(self.model.project, self.module, self.made[name], scope)
        for attribute in path.split(".")[1:]:
            if found is None:
                return None
            values = [each.value for each in self.model.facts(found).attributes.get(attribute, ())]
            only = values[0] if len(values) == 1 else None
            found = only.definition if isinstance(only, Instance) else None
        return found


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def hook_events(model: Compilation, module: Module) -> Iterator[Event]:
    """Yield the errors in hooks of modules that a file creates, registers hooks on, and scripts."""
    if "jit" not in module.source.text or not any(word in module.source.text for word in REGISTERING):
        return
    scopes: list[tuple[Function | None, list[ast.stmt]]] = [(None, module.tree.body)]
    scopes += [(each, each.node.body) for each in module.functions() if each.owner is None]
    for function, body in scopes:
        scope = _Scope(model, module, function)
        scope.block(body)
        yield from scope.events
