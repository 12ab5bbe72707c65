"""Contains the state of one function while the tracer runs it: the kinds of its variables and expressions."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from tslint.script.events import Event
from tslint.script.events.tracing import TraceReboundState
from tslint.script.scope import Unit
from tslint.script.tracing.kinds import SIZE, UNKNOWN, Kind, element, holds
from tslint.script.tracing.run import Tracing
from tslint.util import astwalk

Locals = dict[str, Kind]
_Handler = Callable[["Frame", Any], Kind]
_EXPRESSIONS: dict[type[ast.expr], _Handler] = {}


def evaluates(*kinds: type[ast.expr]) -> Callable[[_Handler], _Handler]:
    """Register a handler for the given kinds of expressions."""

    def register(handler: _Handler) -> _Handler:
        _EXPRESSIONS.update(dict.fromkeys(kinds, handler))
        return handler

    return register


class Frame:
    """The variables of one function.

    Args:
        tracing: the run.
        unit: the function, with the class of its ``self``.
        given: the kinds of its parameters; missing ones are unknown.
    """

    def __init__(self, tracing: Tracing, unit: Unit, given: Locals) -> None:
        self.tracing = tracing
        self.unit = unit
        self.module = unit.function.module
        self.locals: Locals = {}
        node = unit.function.node
        spec = node.args
        for argument in [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg]:
            if argument is not None:
                self.locals[argument.arg] = given.get(argument.arg, UNKNOWN)
        arguments = [*spec.posonlyargs, *spec.args]
        self.self_name = arguments[0].arg if unit.receiver is not None and arguments else ""
        # A name that a function binds is never a global, even before it is bound.
        for each in astwalk.walk(node):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                self.locals.setdefault(each.id, UNKNOWN)

    def evaluate(self, node: ast.expr) -> Kind:
        """Return the kind of an expression, and report the events in it."""
        handler = _EXPRESSIONS.get(type(node))
        return UNKNOWN if handler is None else handler(self, node)

    def report(self, event: Event) -> None:
        """Record an event in this function."""
        self.tracing.report(event, self.unit)

    def is_plain_parameter(self, name: str) -> bool:
        """Return whether a name is a parameter without annotation."""
        spec = self.unit.function.node.args
        return any(
            argument.arg == name and argument.annotation is None
            for argument in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)
        )

    def assign(self, target: ast.expr, value: Kind, node: ast.AST) -> None:
        """Bind a target."""
        if isinstance(target, ast.Name):
            self.locals[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)):
            items = value.items if value.items is not None and len(value.items) == len(target.elts) else None
            starred = any(isinstance(each, ast.Starred) for each in target.elts)
            for index, each in enumerate(target.elts):
                if isinstance(each, ast.Starred):
                    self.assign(each.value, SIZE if value == SIZE else UNKNOWN, node)
                else:
                    self.assign(each, items[index] if items is not None and not starred else element(value), node)
        elif isinstance(target, ast.Attribute):
            self._rebound(target, value, node)
            self.evaluate(target.value)
        elif isinstance(target, ast.Subscript):
            self.evaluate(target.value)
            self.evaluate(target.slice)

    def _is_self(self, target: ast.Attribute) -> bool:
        return isinstance(target.value, ast.Name) and bool(self.self_name) and target.value.id == self.self_name

    def _rebound(self, target: ast.Attribute, value: Kind, node: ast.AST) -> None:
        """Report ``self.buf = …`` for a buffer, or if the old value of the attribute is read for the new one: later
        calls of the trace read the value from before the trace.
        """
        if not self._is_self(target) or not isinstance(node, (ast.Assign, ast.AnnAssign)) or node.value is None:
            return
        reads = any(
            isinstance(each, ast.Attribute) and each.attr == target.attr and self._is_self(each)
            for each in astwalk.walk(node.value)
        )
        kinds = self._attribute_kinds(target.attr)
        if "buffer" in kinds or (reads and (kinds or holds(value, "tensor"))):
            self._lost(node, target, number=not holds(value, "tensor") and "buffer" not in kinds)

    def _attribute_kinds(self, name: str) -> set[str]:
        """Return what an attribute of ``self`` may contain: ``buffer``, ``parameter``, or the name of the value's
        class, such as ``PyConst``.
        """
        assert self.unit.receiver is not None
        facts = self.tracing.model.facts(self.unit.receiver)
        return {option.kind or type(option.value).__name__ for option in facts.attributes.get(name, ())}

    def _lost(self, node: ast.AST, target: ast.Attribute, *, number: bool) -> None:
        self.report(TraceReboundState(node, "", attribute=target.attr, number=number))
