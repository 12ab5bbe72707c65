"""Finds wrong uses of compiled modules in a file: methods that do not exist, and optimised modules that cannot be
loaded.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tslint.project.definitions import Class, External, Module
from tslint.script.construct.instances import module_level
from tslint.script.constructed import Scope, made_class, own_nodes
from tslint.script.events import Event
from tslint.script.events.hazards import OptimizedSave, UnexportedMethod
from tslint.script.interpreter.externals import is_module_member
from tslint.script.scope import Unit, exemption, is_property
from tslint.util import astwalk

if TYPE_CHECKING:
    from tslint.script.compilation import Compilation


@dataclass
class _Held:
    """What is known about a compiled module.

    Args:
        definition: the class that was compiled, if it is known.
        loaded: whether it has been saved and loaded.
        optimized: whether ``optimize_for_inference`` was applied to it.
    """

    definition: Class | None = None
    loaded: bool = False
    optimized: bool = False


def shipping_events(model: Compilation, module: Module) -> Iterator[Event]:
    """Yield the events in every function of a file, and at its top level."""
    text = module.source.text
    if "script(" not in text and "optimize_for_inference" not in text:
        return
    yield from _Scope(model, module, None).events()
    for node in astwalk.of_kind(module.tree, ast.FunctionDef, ast.AsyncFunctionDef):
        yield from _Scope(model, module, node).events()


class _Scope:
    """The variables of one function, or of the top level."""

    def __init__(self, model: Compilation, module: Module, scope: Scope) -> None:
        self.model = model
        self.module = module
        self.scope = scope
        body: ast.AST = scope if scope is not None else module.tree
        self.nodes = sorted(own_nodes(body), key=lambda n: (getattr(n, "lineno", 0), getattr(n, "col_offset", 0)))
        self.values: dict[str, list[ast.expr]] = {}
        for node in self.nodes:
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                self.values.setdefault(node.targets[0].id, []).append(node.value)
        stores = Counter(n.id for n in self.nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
        self.values = {name: values for name, values in self.values.items() if len(values) == stores[name] == 1}
        self.saved: dict[str, Class] = {}
        around = astwalk.parents(module.tree).get(scope) if scope is not None else None
        owner = None
        if isinstance(around, ast.ClassDef) and any(b.node is around for b in module.bindings.get(around.name, ())):
            owner = module.class_(around)
        function = module.function(scope, owner) if scope is not None else module_level(module)
        self.unit = Unit(function, None, "caller", [])

    def name(self, node: ast.expr) -> str:
        """Return the full name of an external callee; empty for other expressions."""
        found = self.model.project.resolve_expression(self.module, node)
        return found.name if isinstance(found, External) else ""

    def held(self, node: ast.expr, depth: int = 0) -> _Held | None:
        """Return the compiled module that is the value of an expression; None if it is not one."""
        if isinstance(node, ast.Name) and node.id in self.values and depth < 6:
            return self.held(self.values[node.id][0], depth + 1)
        if not isinstance(node, ast.Call):
            return None
        name = self.name(node.func) if isinstance(node.func, (ast.Name, ast.Attribute)) else ""
        if name == "torch.jit.script" and node.args:
            made = made_class(self.model.project, self.module, node.args[0], self.scope)
            return _Held(made) if made is not None and self.model.is_module(made) else _Held()
        if name == "torch.jit.optimize_for_inference" and node.args:
            inner = self.held(node.args[0], depth + 1) or _Held()
            return _Held(None, inner.loaded, True)
        if name == "torch.jit.load" and node.args:
            found = self.saved.get(ast.dump(node.args[0]))
            return _Held(found, True) if found is not None else None
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("eval", "train", "to", "cpu", "cuda"):
            return self.held(node.func.value, depth + 1)
        return None

    def events(self) -> Iterator[Event]:
        """Yield the events in source order, because a module must be saved before it is loaded."""
        for node in self.nodes:
            if isinstance(node, ast.Call):
                yield from self._save(node)
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                yield from self._method(node)

    def _save(self, node: ast.Call) -> Iterator[Event]:
        subject: ast.expr | None = None
        where: ast.expr | None = None
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("save", "save_to_buffer"):
            subject, where = node.func.value, node.args[0] if node.args else None
        if isinstance(node.func, (ast.Name, ast.Attribute)) and self.name(node.func) == "torch.jit.save":
            subject, where = (node.args[0], node.args[1]) if len(node.args) > 1 else (None, None)
        held = self.held(subject) if subject is not None else None
        if held is None:
            return
        if where is not None and held.definition is not None:
            self.saved[ast.dump(where)] = held.definition
        if held.optimized:
            compiler = "required keyword attribute 'value' is undefined"
            yield OptimizedSave(node, compiler, unit=self.unit)

    def _method(self, node: ast.Attribute) -> Iterator[Event]:
        held = self.held(node.value)
        if held is None or held.definition is None or is_module_member(node.attr) or node.attr.startswith("__"):
            return
        definition = held.definition
        member = self.model.hierarchy(definition).members.get(node.attr)
        units = {(u.function, u.receiver) for u in self.model.units.values()}
        compiled = any(u.receiver is definition and u.role == "forward" for u in self.model.units.values())
        if member is None or member.function is None or not compiled or (member.function, definition) in units:
            return
        if self.model.facts(definition).may_have(node.attr) or is_property(member.function, self.model.project):
            return
        if exemption(member.function, self.model.project) and not held.loaded:
            return
        compiler = f"'RecursiveScriptModule' object has no attribute '{node.attr}'"
        yield UnexportedMethod(
            node, compiler, name=node.attr, class_name=definition.name, loaded=held.loaded, unit=self.unit
        )
