"""Finds code that the torch of ``target-torch`` rejects although torch 2.13 accepts it, in everything that the static
model has compiled.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tslint.project.definitions import Class, Definition, External, Function, Module
from tslint.script.assumptions import NO_ASSUMPTIONS, Assumptions, in_words
from tslint.script.events import Event
from tslint.script.events.hazards import NewerThanTarget
from tslint.script.events.names import UnsupportedTorchCall
from tslint.script.interpreter import observers
from tslint.script.recording import Recording, conditions
from tslint.script.scope import Unit
from tslint.script.targets import FEATURES, added
from tslint.script.types import BOOL, INT
from tslint.util import astwalk
from tslint.util.torch_versions import written

if TYPE_CHECKING:
    from tslint.script.compilation import Compilation
    from tslint.script.interpreter.emitter import Emitter
    from tslint.script.operators import Arg, Schema

_NAMES = {
    "torch.compiler.is_compiling": "is-compiling",
    "torch.jit._IgnoreContextManager": "ignore-context-manager",
}
_WEIGHT_NORM = "torch.nn.utils.parametrizations.weight_norm"


def add_differences(model: Compilation, recording: Recording, modules: Sequence[Module]) -> None:
    """Add an event to the static model for each use of a feature that the target lacks, in compiled functions, and in
    code that constructs modules.

    Args:
        model: the static model after compilation; its target is not the newest torch.
        recording: lists the statements that the compiler emits.
        modules: the checked files; the functions that create the arguments of their script calls are searched, too.
    """
    search = _Search(model)
    for unit in list(model.units.values()):
        events = model.events.setdefault((id(unit.function), id(unit.receiver)), [])
        events += search.function(unit, recording)
    for definition in model.roots:
        model.class_events += search.root(definition)
    for module in modules:
        model.class_events += search.factories(module)


class _Search:
    """Searches for features that the target lacks; each position is reported once."""

    def __init__(self, model: Compilation) -> None:
        self.model = model
        self.target = model.target
        self.seen: set[tuple[int, str, int]] = set()

    def event(self, feature: str, node: ast.AST, unit: Unit) -> Iterator[Event]:
        key = (id(node), feature, id(unit))
        if self.target.lacks(feature) and key not in self.seen:
            self.seen.add(key)
            yield replace(newer_than_target(feature, node, self.model), unit=unit)

    def resolve(self, unit: Unit, node: ast.expr) -> Definition:
        return self.model.project.resolve_expression(unit.function.module, node)

    def function(self, unit: Unit, recording: Recording) -> Iterator[Event]:
        """Yield the events in a compiled function."""
        node = unit.function.node
        spec = node.args
        local = {argument.arg for argument in [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]}
        for argument in [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]:
            if argument.annotation is not None:
                yield from self.annotation(argument.annotation, unit)
        if node.returns is not None:
            yield from self.annotation(node.returns, unit)
        for statement in astwalk.walk(node):
            if isinstance(statement, ast.stmt) and (id(unit), id(statement)) in recording.visits:
                if isinstance(statement, ast.AnnAssign):
                    yield from self.annotation(statement.annotation, unit)
                ways = conditions(recording.visits[id(unit), id(statement)], NO_ASSUMPTIONS)
                for part in _own_expressions(statement):
                    for event in self.expression(part, unit, local):
                        yield replace(event, condition=_words(ways))

    def annotation(self, node: ast.expr, unit: Unit) -> Iterator[Event]:
        """Yield the events in an annotation."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            try:
                inner = ast.parse(node.value.strip(), mode="eval").body
            except (SyntaxError, ValueError):
                return
            if any(isinstance(part, ast.BinOp) and isinstance(part.op, ast.BitOr) for part in astwalk.walk(inner)):
                yield from self.event("pipe-union", node, unit)
            return
        for part in astwalk.walk(node):
            if isinstance(part, ast.BinOp) and isinstance(part.op, ast.BitOr):
                yield from self.event("pipe-union", part, unit)
                return
            if isinstance(part, (ast.Name, ast.Attribute)):
                yield from self.class_(part, unit)

    def expression(self, part: ast.expr, unit: Unit, local: set[str]) -> Iterator[Event]:
        """Yield the events in one expression."""
        if isinstance(part, ast.Attribute) and part.attr == "apply":
            owner = self.resolve(unit, part.value)
            if isinstance(owner, Class) and any(
                base.name.startswith("torch.autograd.") and base.name.endswith("Function")
                for base in self.model.hierarchy(owner).externals
            ):
                yield from self.event("autograd-function", part, unit)
        if isinstance(part, (ast.Name, ast.Attribute)) and not (isinstance(part, ast.Name) and part.id in local):
            found = self.resolve(unit, part)
            if isinstance(found, External) and found.name in _NAMES:
                yield from self.event(_NAMES[found.name], part, unit)
            else:
                yield from self.class_(part, unit)

    def class_(self, node: ast.expr, unit: Unit) -> Iterator[Event]:
        """Yield the events for a class that is used as a value or a type."""
        found = self.resolve(unit, node)
        if not isinstance(found, Class):
            return
        kind = self.model.class_kind(found)
        if kind == "enum":
            yield from self.event("enum", node, unit)
        elif kind == "namedtuple" and _string_annotations(found):
            yield from self.event("named-tuple-strings", node, unit)

    def root(self, definition: Class) -> Iterator[Event]:
        """Yield the events in the body and the constructor of a compiled module class."""
        hierarchy = self.model.hierarchy(definition)
        own = next((unit for unit in self.model.units.values() if unit.receiver is definition), None)
        owners = [owner for owner in hierarchy.mro if isinstance(owner, Class)]
        # `__annotations__` of an instance are those of the nearest class that has any.
        annotated = next((owner for owner in owners if _annotations(owner)), None)
        if own is not None and annotated is definition and _string_annotations(annotated):
            yield from self.event("class-annotation-strings", _annotations(annotated)[0], own)
        for owner in owners:
            member = owner.module.function
            for node in owner.node.body:
                if isinstance(node, ast.FunctionDef) and node.name == "__init__":
                    yield from self.constructor(member(node, owner), definition)

    def factories(self, module: Module) -> Iterator[Event]:
        """Yield the events in functions that create the arguments of ``torch.jit.script``."""
        if "weight_norm" not in module.source.text or not self.target.lacks("parametrized-weight-norm"):
            return
        project = self.model.project
        for node in astwalk.of_kind(module.tree, ast.Call):
            if node.args and isinstance(node.args[0], ast.Call):
                callee = project.resolve_expression(module, node.func)
                maker = project.resolve_expression(module, node.args[0].func)
                if isinstance(callee, External) and callee.name == "torch.jit.script" and isinstance(maker, Function):
                    yield from self.constructor(maker, None)

    def constructor(self, function: Function, receiver: Class | None) -> Iterator[Event]:
        """Yield the events for the parametrized ``weight_norm``, which the target does not have, in code that creates
        modules.

        An ``if`` or ``try`` at the function's top level is skipped, because it may handle the difference.
        """
        unit = Unit(function, receiver, "constructor", [])
        for statement in function.node.body:
            if isinstance(statement, (ast.If, ast.Try)):
                continue
            for node in astwalk.walk(statement):
                if isinstance(node, (ast.Name, ast.Attribute)):
                    found = self.resolve(unit, node)
                    if isinstance(found, External) and found.name == _WEIGHT_NORM:
                        key = (id(node), "parametrized-weight-norm", 0)
                        if key not in self.seen:
                            self.seen.add(key)
                            yield from self.event("parametrized-weight-norm", node, unit)


def newer_than_target(feature: str, node: ast.AST, model: Compilation) -> NewerThanTarget:
    """Return the event for a feature that the target lacks."""
    row = FEATURES[feature]
    until = written(row.until) if row.until is not None else None
    return NewerThanTarget(
        node,
        "",
        words=row.words,
        since=written(row.since),
        until=until,
        instead=row.instead,
        target=str(model.target),
    )


@observers.function_call.observe
def check_bools(em: Emitter, node: ast.Call, schema: Schema, arguments: Sequence[Arg]) -> None:
    """Report bools that are passed for ints, if the torch version in ``target-torch`` does not convert them."""
    if not em.model.target.lacks("bool-as-int"):
        return
    by_name = {formal.name: formal.type for formal in schema.arguments}
    for position, argument in enumerate(arguments):
        inside = position < len(schema.arguments)
        formal = by_name.get(argument.name) if argument.name else schema.arguments[position].type if inside else None
        if argument.type == BOOL and formal == INT:
            em.report(newer_than_target("bool-as-int", node, em.model))
            return


@observers.schema_call.observe
def check_added(em: Emitter, operator: str, node: ast.Call, name: str) -> None:
    """Report operators that the target does not have yet."""
    target = em.model.target
    since = added(operator) if target.differs else None
    if since is not None and target.is_before(since):
        message = f"Unknown builtin op: {operator}"
        em.report(UnsupportedTorchCall(node, message, name=name, since=written(since), target=str(target)))


def _words(ways: Iterable[Assumptions]) -> str | None:
    """Return the constructions in which a statement is emitted, as text; None if the statement is emitted in all."""
    return " or ".join(in_words(assumptions) or "" for assumptions in ways) or None


def _own_expressions(statement: ast.stmt) -> Iterator[ast.expr]:
    """Yield the expressions of a statement, without those of nested statements and annotations."""
    pending: list[ast.AST] = [statement]
    while pending:
        node = pending.pop()
        for field, value in ast.iter_fields(node):
            if field == "annotation":
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not isinstance(child, ast.stmt):
                    pending.append(child)
                    if isinstance(child, ast.expr):
                        yield child


def _annotations(definition: Class) -> list[ast.AnnAssign]:
    return [node for node in definition.node.body if isinstance(node, ast.AnnAssign)]


def _string_annotations(definition: Class) -> bool:
    found = _annotations(definition)
    if definition.module.postponed_annotations:
        return bool(found)
    return any(isinstance(node.annotation, ast.Constant) and isinstance(node.annotation.value, str) for node in found)
