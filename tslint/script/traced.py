"""Modules that are only ever handed to ``torch.jit.trace``: the compiler never sees their ``forward``."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tslint.project.definitions import Class, External, Function
from tslint.project.module import Module
from tslint.script.constructed import Scope, made_class
from tslint.script.submodules import submodules

if TYPE_CHECKING:
    from tslint.script.model import Model

_TRACING = {"torch.jit.trace", "torch.jit.trace_module", "torch.jit._trace.trace", "torch.jit._trace.trace_module"}
_SCRIPTING = {"torch.jit.script", "torch.jit._script.script"}


def traced_roots(roots: list[tuple[Function, str]]) -> list[tuple[Function, str]]:
    """What the tracer compiles all the same: exported methods, and beside them properties (``make_module`` of
    torch/jit/_trace.py)."""
    exports = [root for root in roots if root[1] == "export"]
    return [root for root in roots if root[1] == "property"] + exports if exports else []


@dataclass(frozen=True, eq=False)
class Use:
    """One place where a checked file names a class.

    Args:
        definition: the class.
        inside: the outermost class of the file whose body the place is in.
        embedded: it is an argument of another module's constructor there.
    """

    definition: Class
    inside: Class | None
    embedded: bool


class _Reader:
    """Reads what files do with the classes of modules."""

    def __init__(self, model: Model, modules: Iterable[Module]) -> None:
        self.model = model
        self.project = model.project
        self.traced: list[Class] = []
        self.scripted: set[Class] = set()
        self.unsure = False
        self.uses: list[Use] = []
        self.exported: set[tuple[Module, str]] = set()
        for module in modules:
            self._module(module)

    def _module(self, module: Module) -> None:
        outer = {id(binding.node): module.class_(binding.node) for bindings in module.bindings.values() for binding in bindings
                 if isinstance(binding.node, ast.ClassDef)}  # fmt: skip
        # A node, the function and the class around it, and whether another module is being given it.
        pending: list[tuple[ast.AST, Scope, Class | None, bool]] = [(module.tree, None, None, False)]
        while pending:
            node, scope, inside, embedded = pending.pop()
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                for decorator in node.decorator_list:
                    self._decorator(module, decorator)
                children: list[ast.AST] = [*node.body, *node.args.defaults, *(d for d in node.args.kw_defaults if d)]
                pending += [(child, node, inside, False) for child in children]
                continue
            if isinstance(node, ast.ClassDef):
                inside = inside or outer.get(id(node))
                for decorator in node.decorator_list:
                    self._decorator(module, decorator)
                # The bases are no use of theirs: an instance of a derived class is another module.
                pending += [(child, scope, inside, False) for child in node.body]
                continue
            if isinstance(node, ast.Call):
                embedded = self._call(module, node, scope) or embedded
            elif isinstance(node, (ast.Name, ast.Attribute)):
                self._name(module, node, scope, inside, embedded)
            elif isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
                names = [n.value for n in ast.walk(node.value) if isinstance(n, ast.Constant)]
                self.exported |= {(module, str(name)) for name in names}
            pending += [(child, scope, inside, embedded) for child in ast.iter_child_nodes(node)]

    def _decorator(self, module: Module, node: ast.expr) -> None:
        # `@torch.jit.script` above a function says nothing of modules.
        pass

    def _call(self, module: Module, node: ast.Call, scope: Scope) -> bool:
        """Look at a call; whether what it is given becomes part of another module."""
        if not isinstance(node.func, (ast.Name, ast.Attribute)):
            return False
        callee = self.project.resolve_expression(module, node.func)
        if isinstance(callee, Class):
            return self.model.is_module(callee)
        if not isinstance(callee, External):
            return False
        if callee.name in _TRACING or callee.name in _SCRIPTING:
            first = node.args[0] if node.args else next((k.value for k in node.keywords if k.arg in ("obj", "func", "mod")), None)
            made = None if first is None else made_class(self.project, module, first, scope)
            if callee.name in _TRACING:
                if made is not None and self.model.is_module(made) and made not in self.traced:
                    self.traced.append(made)
            elif made is not None:
                self.scripted.add(made)
            elif first is None or not self._no_module(module, first, scope):
                self.unsure = True
            return False
        return callee.name.startswith("torch.nn.")

    def _no_module(self, module: Module, node: ast.expr, scope: Scope) -> bool:
        """Whether what is handed to ``torch.jit.script`` is a function, or what tracing has made."""
        if isinstance(node, (ast.Name, ast.Attribute)):
            return isinstance(self.project.resolve_expression(module, node), Function)
        if isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)):
            callee = self.project.resolve_expression(module, node.func)
            return isinstance(callee, External) and callee.name in _TRACING
        return False

    def _name(self, module: Module, node: ast.Name | ast.Attribute, scope: Scope, inside: Class | None, embedded: bool) -> None:
        if isinstance(node.ctx, ast.Load):
            found = self.project.resolve_expression(module, node)
            if not isinstance(found, Class) and isinstance(node, ast.Name):
                # A variable that holds a module is a use of the module's class.
                made = made_class(self.project, module, node, scope) if embedded else None
                found = made if made is not None else found
            if isinstance(found, Class):
                self.uses.append(Use(found, inside, embedded))


def only_traced(model: Model, modules: Iterable[Module]) -> frozenset[Class]:
    """The classes whose modules the files hand to ``torch.jit.trace``, and never to the compiler: neither to
    ``torch.jit.script`` nor as a part of a module that may be compiled; and the classes that are used as parts of such
    modules alone.

    Args:
        model: knows classes; nothing is compiled for this.
        modules: the checked files.
    """
    modules = list(modules)
    if not any("trace" in module.source.text for module in modules):
        return frozenset()
    read = _Reader(model, modules)
    if not read.traced or read.unsure:
        return frozenset()
    compiled = {c for module in modules for c in module.classes() if model.is_module(c)}
    traced = {c for c in read.traced if c not in read.scripted}
    parts = set(_parts(model, read, traced, compiled))
    traced |= parts
    while True:
        kept = {c for c in traced if _holds(model, read, c, traced, direct=c not in parts)}
        # What a compiled module holds is compiled, whatever else happens to it.
        for root in compiled - kept:
            kept -= {part.definition for part in submodules(model, root)}
        if kept == traced:
            return frozenset(traced)
        traced = kept


def _parts(model: Model, read: _Reader, traced: set[Class], compiled: set[Class]) -> Iterator[Class]:
    """Candidates: classes that the traced ones hold, transitively."""
    pending, seen = list(traced), set(traced)
    while pending:
        for part in submodules(model, pending.pop()):
            found = part.definition
            if found not in seen:
                seen.add(found)
                pending.append(found)
                if found in compiled and found not in read.scripted and (found.module, found.name) not in read.exported:
                    yield found


def _holds(model: Model, read: _Reader, definition: Class, traced: set[Class], *, direct: bool) -> bool:
    """Whether every use of a class leaves it to the tracer."""
    for use in read.uses:
        if use.definition is not definition or use.inside is definition:
            continue
        if use.inside is not None and use.inside in traced:
            continue
        if not direct or use.embedded or (use.inside is not None and model.is_module(use.inside)):
            return False
    return True
