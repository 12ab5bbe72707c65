"""Finds modules that are only passed to ``torch.jit.trace``: the compiler never reads their ``forward``."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from tslint.project.definitions import Class, External, Function, Module
from tslint.script.constructed import Scope, made_class, project_class
from tslint.script.submodules import submodules
from tslint.util import astwalk
from tslint.util.record import record

if TYPE_CHECKING:
    from tslint.script.compilation import Compilation

TRACERS = frozenset(
    {"torch.jit.trace", "torch.jit.trace_module", "torch.jit._trace.trace", "torch.jit._trace.trace_module"}
)
_SCRIPTING = {"torch.jit.script", "torch.jit._script.script"}


def traced_roots(roots: list[tuple[Function, str]]) -> list[tuple[Function, str]]:
    """Return the functions that the tracer nevertheless compiles: exported methods and, if there are any, properties
    (``make_module`` of torch/jit/_trace.py).
    """
    exports = [root for root in roots if root[1] == "export"]
    return [root for root in roots if root[1] == "property"] + exports if exports else []


@record(eq=False)
class Use:
    """One place where a checked file names a class.

    Args:
        definition: the class.
        inside: the outermost class of the file that contains the place.
        embedded: whether the place is in an argument of a module's constructor.
    """

    definition: Class
    inside: Class | None
    embedded: bool


class _Reader:
    """Reads how files use subclasses of ``nn.Module``: traced, scripted or otherwise.

    Args:
        model: the static model, which decides which classes are modules.
    """

    def __init__(self, model: Compilation) -> None:
        self.model = model
        self.project = model.project
        self.traced: list[Class] = []
        self.scripted: set[Class] = set()
        self.unsure = False  # whether something unknown is passed to the compiler
        self.uses: list[Use] = []
        self.exported: set[tuple[Module, str]] = set()

    def read(self, modules: Iterable[Module]) -> bool:
        """Read files. Return whether they trace modules, and everything that they pass to the compiler is known."""
        for module in modules:
            if not self.unsure:
                self._module(module)
        return bool(self.traced) and not self.unsure

    def _module(self, module: Module) -> None:
        outermost = {id(definition.node): definition for definition in module.classes()}
        # A node, the function and the class that contain it, and whether it is passed to another module's constructor.
        pending: list[tuple[ast.AST, Scope, Class | None, bool]] = [(module.tree, None, None, False)]
        while pending:
            node, scope, inside, embedded = pending.pop()
            children: Iterable[ast.AST | None] = astwalk.children(node)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                # Decorators are not uses: `@torch.jit.script` above a function is not about modules.
                children = [*node.body, *node.args.defaults, *node.args.kw_defaults]
                scope = node
            elif isinstance(node, ast.ClassDef):
                # Bases are not uses either: an instance of a subclass is another module.
                children = node.body
                inside = inside or outermost.get(id(node))
            elif isinstance(node, ast.Call):
                if self._callee(module, node) not in _SCRIPTING:
                    pending.append((node.func, scope, inside, embedded))
                embedded = self._call(module, node, scope) or embedded
                children = [*node.args, *node.keywords]
            elif isinstance(node, (ast.Name, ast.Attribute)):
                self._name(module, node, scope, inside, embedded)
            elif isinstance(node, ast.Assign):
                if any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets):
                    names = [each.value for each in astwalk.walk(node.value) if isinstance(each, ast.Constant)]
                    self.exported |= {(module, str(name)) for name in names}
            pending += [(child, scope, inside, embedded) for child in children if child is not None]

    def _callee(self, module: Module, node: ast.expr) -> str:
        """Return the full name of an external callee; empty for other expressions."""
        if isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)):
            found = self.project.resolve_expression(module, node.func)
            return found.name if isinstance(found, External) else ""
        return ""

    def _call(self, module: Module, node: ast.Call, scope: Scope) -> bool:
        """Read a call; return whether its arguments become part of another module."""
        name = self._callee(module, node)
        if name in TRACERS or name in _SCRIPTING:
            named = [keyword.value for keyword in node.keywords if keyword.arg in ("obj", "func", "mod")]
            first = node.args[0] if node.args else named[0] if named else None
            made = None if first is None else made_class(self.project, module, first, scope)
            if name in _SCRIPTING:
                if made is not None:
                    self.scripted.add(made)
                elif first is None or not self._no_module(module, first):
                    self.unsure = True
            elif made is not None and self.model.is_module(made) and made not in self.traced:
                self.traced.append(made)
            return False
        if name:
            return name.startswith("torch.nn.")
        constructor = project_class(self.project, module, node.func, scope)
        return constructor is not None and self.model.is_module(constructor)

    def _no_module(self, module: Module, node: ast.expr) -> bool:
        """Return whether the argument of ``torch.jit.script`` is a function, or a result of tracing."""
        if isinstance(node, (ast.Name, ast.Attribute)):
            return isinstance(self.project.resolve_expression(module, node), Function)
        return self._callee(module, node) in TRACERS

    def _name(
        self, module: Module, node: ast.Name | ast.Attribute, scope: Scope, inside: Class | None, embedded: bool
    ) -> None:
        if not isinstance(node.ctx, ast.Load):
            return
        found = self.project.resolve_expression(module, node)
        if isinstance(found, External) and found.name in _SCRIPTING:
            self.unsure = True  # the function is passed on, so anything may be compiled
        if not isinstance(found, Class) and isinstance(node, ast.Name) and embedded:
            # A variable with a module is a use of the module's class.
            found = made_class(self.project, module, node, scope) or found
        if isinstance(found, Class):
            self.uses.append(Use(found, inside, embedded))


def only_traced(model: Compilation, modules: Iterable[Module]) -> frozenset[Class] | None:
    """Return the classes whose modules are only traced, and the classes that are only used as parts of such modules.

    The files pass modules of these classes to ``torch.jit.trace``, but never to ``torch.jit.script``, and not as a part
    of a module that may be compiled.

    Args:
        model: the static model, which decides which classes are modules; nothing is compiled for this.
        modules: the checked files.

    Returns:
        None if nothing is traced, or if something unknown is passed to the compiler.
    """
    modules = list(modules)
    tracing = [module for module in modules if traces(model, module)]
    read = _Reader(model)
    # This ends the search for almost all projects, before the slow part.
    if not read.read(tracing) or not read.read(module for module in modules if module not in tracing):
        return None
    compiled = {c for module in modules for c in module.classes() if model.is_module(c)}
    traced = {c for c in read.traced if c not in read.scripted}
    parts = set(_parts(model, read, traced, compiled))
    traced |= parts
    while True:
        kept = {c for c in traced if _holds(model, read, c, traced, direct=c not in parts)}
        # The parts of a compiled module are compiled, whatever else is done with them.
        for root in compiled - kept:
            kept -= {part.definition for part in submodules(model, root)}
        if kept == traced:
            return frozenset(traced)
        traced = kept


def traces(model: Compilation, module: Module) -> bool:
    """Return whether a file calls the tracer by its name."""
    if "trace(" not in module.source.text and "trace_module(" not in module.source.text:
        return False
    for node in astwalk.of_kind(module.tree, ast.Call):
        if isinstance(node.func, (ast.Name, ast.Attribute)):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
            if name in ("trace", "trace_module"):
                found = model.project.resolve_expression(module, node.func)
                if isinstance(found, External) and found.name in TRACERS:
                    return True
    return False


def _parts(model: Compilation, read: _Reader, traced: set[Class], compiled: set[Class]) -> Iterator[Class]:
    """Yield the classes of modules inside instances of the traced ones, at any depth, unless they are scripted or in
    ``__all__``.
    """
    pending, seen = list(traced), set(traced)
    while pending:
        for part in submodules(model, pending.pop()):
            found = part.definition
            if found not in seen:
                seen.add(found)
                pending.append(found)
                if found in compiled and found not in read.scripted and (found.module, found.name) not in read.exported:
                    yield found


def _holds(model: Compilation, read: _Reader, definition: Class, traced: set[Class], *, direct: bool) -> bool:
    """Return whether every use of a class leads only to the tracer."""
    for use in read.uses:
        if use.definition is not definition or use.inside is definition:
            continue
        if use.inside is not None and use.inside in traced:
            continue
        if not direct or use.embedded or (use.inside is not None and model.is_module(use.inside)):
            return False
    return True
