"""Contains the state of one run over the traced code: what was analysed, with which kinds of arguments, and
the events.
"""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING

from tslint.project.definitions import Class, External, Function
from tslint.script.assumptions import NO_ASSUMPTIONS
from tslint.script.events import Event
from tslint.script.scope import Reach, Unit, decorators, opaque_decorator
from tslint.script.tracing.kinds import CONSTANT, TENSOR, UNKNOWN, Kind, many
from tslint.script.tracing.roots import Root

if TYPE_CHECKING:
    from tslint.script.compilation import Compilation

MOST_NESTED = 30
MOST_WALKS = 4000
_SCRIPTED = frozenset({"torch.jit.script", "torch.jit.script_if_tracing", "torch.jit._script.script"})
_CONSTANTS = frozenset({"int", "float", "bool", "str", "complex"})


class Tracing(ABC):
    """Analyses traced functions.

    Args:
        model: the static model, which knows classes.
    """

    def __init__(self, model: Compilation) -> None:
        self.model = model
        self.project = model.project
        self.events: dict[tuple[str, int], Event] = {}
        self.units: dict[tuple[int, int], Unit] = {}
        self._results: dict[tuple[int, int, tuple[tuple[str, Kind], ...]], Kind] = {}
        self._active: list[tuple[int, int]] = []

    def report(self, event: Event, unit: Unit) -> None:
        """Record an event; a position may be analysed several times, but is reported once."""
        self.events.setdefault((event.kind, id(event.node)), replace(event, unit=unit))

    def root(self, root: Root) -> None:
        """Analyse a traced function: its parameters are the inputs of the trace, tensors by default."""
        if self.is_scripted(root.function):
            return
        given = self._inputs(root.function, root.receiver is not None)
        unit = self._unit(root.function, root.receiver, "forward" if root.receiver is not None else "function")
        unit.reached.append(Reach(None, None, NO_ASSUMPTIONS))
        known = [kind or default for kind, (_, default) in zip(root.inputs, given)]
        named = {**dict(given), **dict(zip([name for name, _ in given], known))}
        self._walk(unit, named, root if root.sure else None)

    def call(
        self, function: Function, receiver: Class | None, given: dict[str, Kind], caller: Unit, node: ast.AST
    ) -> Kind:
        """Return the kind of the result of a function of the project that traced code calls."""
        if self.is_scripted(function) or opaque_decorator(function, self.project) is not None:
            return UNKNOWN
        if isinstance(function.node, ast.AsyncFunctionDef):
            return UNKNOWN
        key = (id(function), id(receiver))
        if key in self._active or len(self._active) >= MOST_NESTED or len(self._results) >= MOST_WALKS:
            return UNKNOWN
        unit = self._unit(function, receiver, "method" if receiver is not None else "function")
        if all(reach.node is not node for reach in unit.reached):
            unit.reached.append(Reach(caller, node, NO_ASSUMPTIONS))
        full = (*key, tuple(sorted(given.items(), key=lambda item: item[0])))
        if full not in self._results:
            self._results[full] = UNKNOWN
            self._results[full] = self._walk(unit, given, None)
        return self._results[full]

    def is_scripted(self, function: Function) -> bool:
        """Return whether a function is compiled even during tracing, so that its conditions stay dynamic."""
        return any(isinstance(d, External) and d.name in _SCRIPTED for _, d in decorators(function, self.project))

    def _unit(self, function: Function, receiver: Class | None, role: str) -> Unit:
        return self.units.setdefault((id(function), id(receiver)), Unit(function, receiver, role))

    @abstractmethod
    def walk(self, unit: Unit, given: dict[str, Kind], root: Root | None) -> Kind:
        """Run a function as the tracer does; return the kind of its result."""

    def _walk(self, unit: Unit, given: dict[str, Kind], root: Root | None) -> Kind:
        key = (id(unit.function), id(unit.receiver))
        self._active.append(key)
        try:
            return self.walk(unit, given, root)
        finally:
            self._active.pop()

    def _inputs(self, function: Function, is_method: bool) -> list[tuple[str, Kind]]:
        """Return the parameters of a traced function and their kinds."""
        spec = function.node.args
        arguments = [*spec.posonlyargs, *spec.args]
        required = len(arguments) - len(spec.defaults)
        found = [
            (argument.arg, self._annotated(function, argument.annotation, given=index < required))
            for index, argument in enumerate(arguments)
        ]
        if spec.vararg is not None:
            found.append((spec.vararg.arg, UNKNOWN))
        return found[1:] if is_method else found

    def _annotated(self, function: Function, annotation: ast.expr | None, given: bool) -> Kind:
        if annotation is None:
            # A parameter with a default is perhaps not passed. Any other one is, and the tracer only accepts tensors.
            return TENSOR if given else UNKNOWN
        node = annotation
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            try:
                node = ast.parse(node.value, mode="eval").body
            except SyntaxError:
                return UNKNOWN
        inner = node.slice if isinstance(node, ast.Subscript) else None
        base = node.value if isinstance(node, ast.Subscript) else node
        definition = self.project.resolve_expression(function.module, base)
        name = definition.name.rpartition(".")[2] if isinstance(definition, External) else ""
        if name in ("Tensor", "FloatTensor", "LongTensor") and inner is None:
            return TENSOR
        if name in _CONSTANTS:
            return CONSTANT
        if name in ("List", "list", "Sequence") and inner is not None:
            element = self._annotated(function, inner, given=False)
            return many(element, "the number of items") if element == TENSOR else UNKNOWN
        return UNKNOWN
