"""Contains the state of one function's compilation (``to_ir`` of ir_emitter.cpp), and dispatches to the emitters."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from tslint.project.definitions import Class, Definition, External, Module
from tslint.script.annotations import AnnotationReader, Unreadable, no_type_expression
from tslint.script.assumptions import NO_ASSUMPTIONS, Assumptions, in_words, satisfiable
from tslint.script.class_declarations import enum_value_event
from tslint.script.compilation import Compilation
from tslint.script.construct.narrowing import contradictory
from tslint.script.events import Event
from tslint.script.events.annotation import MutableDefault, UnreadableAnnotation
from tslint.script.events.names import ClosedOverGlobal, NotAValue
from tslint.script.events.types import unscripted
from tslint.script.interpreter.environment import Environment
from tslint.script.interpreter.externals import known
from tslint.script.interpreter.recovery import recover
from tslint.script.interpreter.value_kinds import as_typed, module_name, python_type, value_kind
from tslint.script.operators.callables import Constant
from tslint.script.project_classes import class_type, compile_class, tensor_default, unreadable_field
from tslint.script.runtime_names import runtime_value
from tslint.script.scope import Unit
from tslint.script.types import ANYTHING, TENSOR, ClassType, TensorType, TupleType, Type, walk
from tslint.script.values import (
    UNKNOWN,
    Alternatives,
    ContainerValue,
    ExternalValue,
    ModuleValue,
    PythonValue,
    TupleValue,
    Typed,
    Unknown,
    Value,
)
from tslint.util import astwalk

MOST_CASES = 6


_Expression = Callable[["Emitter", Any, "Type | None"], Value]
_Statement = Callable[["Emitter", Any], "bool | None"]
_EXPRESSIONS: dict[type[ast.expr], _Expression] = {}
_STATEMENTS: dict[type[ast.stmt], _Statement] = {}


def emits(*kinds: type[ast.expr]) -> Callable[[_Expression], _Expression]:
    """Register a function that emits the given kinds of expressions. The function gets the emitter, the node, and the
    type of the variable to which the result is assigned (None if there is none).

    torch's front end dispatches by node class, too (``build_expr`` in torch/jit/frontend.py).
    """

    def register(handler: _Expression) -> _Expression:
        _EXPRESSIONS.update(dict.fromkeys(kinds, handler))
        return handler

    return register


def emits_statement(*kinds: type[ast.stmt]) -> Callable[[_Statement], _Statement]:
    """Register an emitter for kinds of statements. The emitter returns False if the code after one is not reached."""

    def register(handler: _Statement) -> _Statement:
        _STATEMENTS.update(dict.fromkeys(kinds, handler))
        return handler

    return register


# The types of variables, and the type of earlier returns (see Event).
Seen = tuple[dict[str, Type], "Type | None"]


class Emitter:
    """Compiles one function.

    Args:
        model: the static model of the run.
        unit: the function and its ``self``.
    """

    def __init__(self, model: Compilation, unit: Unit) -> None:
        self.model = model
        self.project = model.project
        self.unit = unit
        self.module = unit.function.module
        self.env = Environment()
        self.events: list[Event] = []
        self.noticed: list[Event] = []  # events about code that compiles, but is wrong; they are not compile errors
        self.assumptions: Assumptions = NO_ASSUMPTIONS
        self.called_under: Assumptions | None = None  # the tests outside a call whose alternatives are tried
        self.loops: list[str] = []
        self.exits: set[ast.If] = set()  # `if` statements of which one branch leaves the function or the loop
        self.raising: set[ast.Call] = set()  # calls of functions that always raise in compiled code
        self.refused = False  # whether the front end has rejected something on which control flow depends
        self.hint: Type | None = None  # the type to which the current expression is assigned
        self.missing: set[str] = set()  # attributes of self that have been reported as missing
        self.recording = model.recording
        self.declaration = unit.function  # the function, or the overload whose signature is used
        self.declared_return: Type | None | bool = None
        self.returns: list[tuple[Assumptions, Type | None, ast.AST]] = []
        self.annotations = AnnotationReader(self.resolve, self.class_type, self.project.resolve_expression)
        self.watched: frozenset[ast.AST] = frozenset()  # statements before which the state is recorded
        self.seen: dict[ast.AST, Seen] = {}

    # Events

    def report(self, event: Event) -> Value:
        """Report an event; return Unknown, the value of the failed expression."""
        if contradictory(self.assumptions):
            return UNKNOWN  # no construction reaches this code
        variables, returned = self.snapshot()
        found = replace(
            event, condition=in_words(self.assumptions), assumptions=self.assumptions, unit=self.unit,
            variables=variables, returned=returned,
        )  # fmt: skip
        self.events.append(found)
        if not self.assumptions:
            recover(self.env, event)
        return UNKNOWN

    def snapshot(self) -> Seen:
        """Return the types of the variables at this point, and that of the last ``return`` before it (or None)."""
        return self.visible(), self.returns[-1][1] if self.returns else None

    def notice(self, event: Event) -> None:
        """Add an event about code that compiles; it has no effect on later code."""
        self.noticed.append(replace(event, condition=in_words(self.assumptions), unit=self.unit))

    def record(self, node: ast.AST, name: str, kind: str, value: Value) -> None:
        """Record the value of a name, if the recording is requested."""
        if self.recording is not None:
            self.recording.value(self.unit, node, name, kind, value, self.assumptions)

    @contextmanager
    def assume(self, assumptions: Assumptions) -> Iterator[None]:
        """Run the body under additional tests of the constructor."""
        before = self.assumptions
        self.assumptions = before | assumptions
        try:
            yield
        finally:
            self.assumptions = before

    def map_alternatives(self, value: Alternatives, look: Callable[[Value], Value]) -> Value:
        """Apply a function to each alternative, and join the results. An error in all of them has no condition."""
        results: list[tuple[Assumptions, Value]] = []
        batches: list[list[Event]] = []
        certain: list[list[Event]] = []
        for assumptions, option in value.cases:
            if not satisfiable(assumptions, self.assumptions) or contradictory(assumptions | self.assumptions):
                continue
            before = self.events
            self.events = []
            try:
                with self.assume(assumptions):
                    results.append((assumptions, look(option)))
                    certain.append([event for event in self.events if event.assumptions == self.assumptions])
            finally:
                batches.append(self.events)
                self.events = before
        if batches and all(certain):
            condition = in_words(self.assumptions)
            sure = {id(event) for event in certain[0]}
            self.events += [
                replace(event, condition=condition, assumptions=self.assumptions) if id(event) in sure else event
                for event in batches[0]
            ]
        else:
            for batch in batches:
                self.events += batch
        return join_alternatives([(a, r) for (a, r), batch in zip(results, batches) if not batch] or results)

    # Names

    def resolve(self, node: ast.expr) -> Definition:
        """Resolve a name in the function's closure and globals."""
        return runtime_value(self.project, self.unit.function, node)

    def qualified(self, node: ast.expr) -> str:
        """Return the full name, ``torch.nn.functional.relu``, of an expression that names something outside the
        project's code; empty for other expressions.
        """
        root = node
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name) or self.env.find(root.id) is not None:
            return ""
        found = self.resolve(node)
        return found.name if isinstance(found, External) else ""

    def class_type(self, definition: Class) -> Type | None | bool:
        """Return the type of a project's class in an annotation; False if the class cannot be a type, None if the type
        is not known.
        """
        if self.unit.receiver is definition:  # it can be named in its own methods, before they are compiled
            return None
        return class_type(self.model, definition)

    def reader_of(self, module: Module) -> AnnotationReader:
        """Return the reader for the annotations of another module."""
        resolve_in = self.project.resolve_expression
        return AnnotationReader(lambda node: resolve_in(module, node), self.class_type, resolve_in)

    def read_annotation(self, node: ast.expr) -> Type | None:
        """Return an annotation's type, None if it is not known; report an event if the compiler cannot read it."""
        kind = no_type_expression(node)
        if kind:
            self.report(UnreadableAnnotation(node, f"Expression of type {kind} cannot be used in a type expression"))
            return None
        found = self.annotations.read(node)
        if isinstance(found, Unreadable):
            place = found.node if hasattr(found.node, "lineno") and not isinstance(node, ast.Constant) else node
            self.report(UnreadableAnnotation(place, found.compiler, undefined=found.undefined))
            return None
        self._compile_classes(found, node)
        return found

    def _compile_classes(self, type_: Type | None, node: ast.expr) -> None:
        """Compile the script classes that an annotation names; report other classes that cannot be types."""
        for part in walk(type_) if type_ is not None else ():
            if isinstance(part, ClassType) and part.kind == "class" and isinstance(part.definition, Class):
                compile_class(self.model, part.definition, self.unit, node, self.assumptions)
            if isinstance(part, ClassType) and part.kind == "enum" and isinstance(part.definition, Class):
                refused = enum_value_event(self.model, part.definition, node)
                if refused is not None:
                    self.report(refused)
        for name in astwalk.walk(node) if type_ is None else ():
            found = self.resolve(name) if isinstance(name, (ast.Name, ast.Attribute)) else None
            if isinstance(found, Class) and self.model.class_kind(found) == "dataclass":
                self.report_dataclass(found, name)
        if any(isinstance(part, TupleType) and part.name for part in walk(type_)) if type_ is not None else False:
            for name in astwalk.walk(node):
                found = self.resolve(name) if isinstance(name, (ast.Name, ast.Attribute)) else None
                if isinstance(found, Class) and self.model.class_kind(found) == "namedtuple":
                    self.check_fields(found, name)

    def check_fields(self, definition: Class, node: ast.AST) -> None:
        """Report a NamedTuple with a field whose type cannot be read, or that has a Tensor as default."""
        said, field = unreadable_field(self.model, definition), tensor_default(self.model, definition)
        if said:
            self.report(UnreadableAnnotation(node, said))
        elif field:
            said = "Tensors are not supported as default NamedTuple fields"
            self.report(MutableDefault(node, said, name=field, owner=definition.name))

    def report_dataclass(self, definition: Class, node: ast.AST) -> Value:
        """Report a dataclass that is not compiled with ``torch.jit.script``: its methods have no source."""
        return self.report(unscripted(definition.qualname, node))

    def visible(self) -> dict[str, Type]:
        """Return the types of the variables with first-class values at this point."""
        found = {name: self.env.find(name) for name in self.env.names()}
        return {name: value.type for name, value in found.items() if isinstance(value, Typed)}

    # First-class values

    def type_of(self, value: Value, node: ast.AST) -> Type | None:
        """Return the type of a first-class value (``asValue``), None if it is not known; report any other value."""
        if isinstance(value, Typed):
            return value.type
        if isinstance(value, Unknown):
            return None
        if isinstance(value, TupleValue):
            # If the elements are written out, the compiler underlines the element.
            places: list[ast.AST] = [*node.elts] if isinstance(node, ast.Tuple) else []
            if len(places) != len(value.elements) or any(isinstance(each, ast.Starred) for each in places):
                places = [node] * len(value.elements)
            parts = [self.type_of(element, place) for element, place in zip(value.elements, places)]
            whole = [ANYTHING if part is None else part for part in parts]
            return TupleType(tuple(TENSOR if isinstance(part, TensorType) else part for part in whole))
        if isinstance(value, ModuleValue):
            return ClassType(module_name(value.instance), "module", value.instance)
        if isinstance(value, ContainerValue):
            return ClassType(f"__torch__.torch.nn.modules.container.{value.kind}", "module", value)
        if isinstance(value, Alternatives):
            result = self.map_alternatives(value, lambda option: as_typed(self.type_of(option, node)))
            return result.type if isinstance(result, Typed) else None
        kind = value_kind(value)
        if isinstance(value, PythonValue):
            self.report(
                ClosedOverGlobal(
                    node,
                    f"python value of type '{value.type_name or 'object'}' cannot be used as a value. Perhaps it is a"
                    " closed over global variable? If so, please consider passing it in as an argument or use a local"
                    " variable instead.",
                    name=value.spelled,
                    type_name=value.type_name,
                )
            )
        elif isinstance(value, ExternalValue) and isinstance(constant := known(value.name), Constant):
            self.report(
                ClosedOverGlobal(
                    node,
                    f"python value of type '{python_type(constant)}' cannot be used as a value. Perhaps it is a closed"
                    " over global variable? If so, please consider passing it in as an argument or use a local variable"
                    " instead.",
                    name=ast.unparse(node) if isinstance(node, ast.expr) else value.name,
                    type_name=python_type(constant),
                )
            )
        elif kind:
            name = getattr(value, "name", "") or getattr(value, "spelled", "")
            self.report(NotAValue(node, f"{kind} cannot be used as a value", what=kind, name=name))
        return None

    # Parts

    def expression(self, node: ast.expr, hint: Type | None = None) -> Value:
        """Emit an expression: see :func:`emits`."""
        handler = _EXPRESSIONS.get(type(node))
        if handler is not None:
            self.hint = hint
            return handler(self, node, hint)
        for child in astwalk.walk(node):
            if isinstance(child, ast.NamedExpr):
                self.env.set(child.target.id, UNKNOWN)
        return UNKNOWN

    def typed_expression(self, node: ast.expr, hint: Type | None = None) -> Type | None:
        """Emit an expression that must be a first-class value, and return its type; None if it is not known."""
        return self.type_of(self.expression(node, hint), node)

    def block(self, body: list[ast.stmt]) -> bool:
        """Emit statements in order; return False if the code after them is not reached: the compiler does
        not emit it.
        """
        for statement in body:
            if self.recording is not None:
                self.recording.emitted(self.unit, statement, self.assumptions)
            if statement in self.watched:
                self.seen[statement] = self.snapshot()
            handler = _STATEMENTS.get(type(statement))
            if handler is not None and handler(self, statement) is False:
                return False
        return True


def join_alternatives(results: list[tuple[Assumptions, Value]]) -> Value:
    """Return one value for the results of all alternatives; Unknown if there are too many."""
    flat: list[tuple[Assumptions, Value]] = []
    for assumptions, value in results:
        if isinstance(value, Alternatives):
            flat += [(assumptions | more, leaf) for more, leaf in value.cases if satisfiable(more, assumptions)]
        else:
            flat.append((assumptions, value))
    if not flat:
        return UNKNOWN
    first = flat[0][1]
    if all(value is first or value == first for _, value in flat):
        return first
    return Alternatives(tuple(flat)) if len(flat) <= MOST_CASES else UNKNOWN


def spread(em: Emitter, value: Value) -> Value:
    """Turn a tuple that contains alternatives into alternatives that are tuples. Return other values, and tuples with
    too many combinations, as they are.
    """
    if not isinstance(value, TupleValue) or not any(isinstance(each, Alternatives) for each in value.elements):
        return value
    found: list[tuple[Assumptions, tuple[Value, ...]]] = [(NO_ASSUMPTIONS, ())]
    for element in value.elements:
        cases = element.cases if isinstance(element, Alternatives) else ((NO_ASSUMPTIONS, element),)
        found = [
            (assumptions | more, (*parts, option))
            for assumptions, parts in found
            for more, option in cases
            if satisfiable(more, assumptions | em.assumptions)
        ]
        if len(found) > MOST_CASES:
            return value
    return Alternatives(tuple((assumptions, TupleValue(parts)) for assumptions, parts in found)) if found else value
