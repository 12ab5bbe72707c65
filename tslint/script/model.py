"""The static model of one run: analyses each function that the compiler would compile, once for each class of
``self``.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tslint.project.closures import nested_functions, script_calls
from tslint.project.definitions import Class, External, Function, Module
from tslint.project.index import Project
from tslint.script import differences  # noqa: F401  # an observer: importing it registers it
from tslint.script.assumptions import NO_ASSUMPTIONS, in_words, of_class
from tslint.script.attributes import ClassFacts
from tslint.script.certainty import is_compiled_under
from tslint.script.class_declarations import interface_events, scripted_class_events
from tslint.script.classkinds import is_scripted_class
from tslint.script.compilation import Compilation
from tslint.script.construct.checks import class_events
from tslint.script.construct.hooks_of_scripted import hook_events
from tslint.script.construct.instances import class_instances
from tslint.script.construct.raising_properties import property_events
from tslint.script.construct.scripted import class_of_object, scripted_events, scripted_value
from tslint.script.constructed import scripted_new
from tslint.script.events import Event, hazards
from tslint.script.events.hazards import ComparedWithNumber, MutatedArgument, PrunedNoneDefault
from tslint.script.events.modules import MissingAttribute

# Observers, which register themselves when they are imported.
from tslint.script.hazards import (  # noqa: F401
    branches,
    calls,
    conditions,
    containers,
    copies,
    elements,
    functions,
    identity,
    lengths,
    results,
    values,
)
from tslint.script.hazards.modules import buffer_events, call_events
from tslint.script.hazards.passed_on import given_by_python
from tslint.script.hazards.shipping import shipping_events
from tslint.script.interpreter.compiler import compile_unit
from tslint.script.project_classes import is_classmethod, methods
from tslint.script.scope import Unit, module_roots
from tslint.script.targets import Target
from tslint.script.traced import traced_roots
from tslint.script.types import Type
from tslint.util import astwalk

if TYPE_CHECKING:
    from typing import TypeGuard

# Events that are only a problem in the archive of a module.
_ARCHIVED = frozenset(["unsaveable-none-default"])
# Events that are only a problem if Python passes the value: compiled callers pass lists on without a copy.
FROM_PYTHON = (MutatedArgument, PrunedNoneDefault, ComparedWithNumber)


def never_set(event: Event) -> TypeGuard[MissingAttribute]:
    """Return whether an event is about an attribute that no construction sets."""
    return isinstance(event, MissingAttribute) and (bool(event.detail) or event.attribute not in event.members)


def drops_if_some(event: Event) -> bool:
    """Return whether an event about an attribute that is never set is left out if the method compiles without this
    event for another class.

    This does not apply to properties: the getter is compiled for every class, even if Python never reads the property.
    """
    return never_set(event) and event.unit is not None and event.unit.role != "property"


def _stops(event: Event) -> bool:
    """Return whether the compiler certainly stops at an event, in every construction."""
    if event.unit is None or is_classmethod(event.unit.function) or type(event).__module__ == hazards.__name__:
        return False
    return event.condition is None and not event.in_loop_over_modules and not event.unit.conditions()


def _statement(function: ast.AST, node: ast.AST) -> ast.AST:
    """Return the innermost statement of a function that contains a node; the function itself if there is none."""
    around = (each for each in (node, *astwalk.around(function, node)) if isinstance(each, ast.stmt))
    return next(around, function)


def _is_function(node: ast.stmt) -> TypeGuard[ast.FunctionDef | ast.AsyncFunctionDef]:
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))


def _each(module: Module, argument: ast.expr) -> list[ast.expr]:
    """Return the possible values of an argument: for ``fn`` in ``for fn in (f, g): torch.jit.script(fn)``, each
    function.
    """
    bindings = module.bindings.get(argument.id, []) if isinstance(argument, ast.Name) else []
    only = bindings[0].node if len(bindings) == 1 else None
    if isinstance(only, ast.For) and isinstance(only.target, ast.Name) and isinstance(only.iter, (ast.Tuple, ast.List)):
        return only.iter.elts
    return [argument]


class Model(Compilation):
    """Compiles functions as the compiler would, and stores its errors.

    Args:
        project: the index.
        target: the version of torch that will compile the code.
        built: the facts about modules that ``tslint verify`` has built, as JSON.
    """

    def __init__(self, project: Project, target: Target | None = None, built: Sequence[str] = ()) -> None:
        super().__init__(project, target, built)
        self.shipped: list[Module] = []  # the files in which uses of compiled modules are checked
        self._derived_of: tuple[int, dict[Class, list[ClassFacts]]] = (0, {})  # by the number of roots

    def analyse(self, modules: Iterable[Module], only: Container[str] | None = None) -> None:
        """Find what the compiler compiles in the given modules, and compile everything that this code reaches.

        Args:
            modules: the files.
            only: the names of the definitions at module level that are compiled; None for all.
        """
        modules = list(modules)
        for module in modules:
            self.scripted_new |= scripted_new(self.project, module)
        for module in modules:
            classes = [each for each in module.classes() if only is None or each.qualname.split(".")[0] in only]
            for definition in classes:
                if self.is_module(definition) and self.class_kind(definition) == "module":
                    for each in self.built.constructions(definition) or [definition]:
                        self.module_class(each)
                elif self.class_kind(definition) == "interface":
                    self.class_events += interface_events(self, definition)
                elif is_scripted_class(self.project, definition):
                    self.class_events += scripted_class_events(self, definition, None, module)
                    if self.class_kind(definition) == "script class":
                        self._script_class(definition)
            for function in [each for each in module.functions() if only is None or each.name in only]:
                if self._is_scripted(function):
                    self.reach(function, None, "function", None, None, NO_ASSUMPTIONS)
            self._script_calls(module)
            self._script_nested(module)
            self.class_events += hook_events(self, module)
            self.shipped.append(module)

    def module_class(self, definition: Class) -> None:
        """Compile everything that the compiler compiles for a module class that is a root."""
        self.roots.append(definition)
        facts = self.facts(definition)
        forward: Unit | None = None
        roots = list(module_roots(facts.hierarchy, self.project, facts.unused_properties))
        if definition in self.traced:
            roots = traced_roots(roots)
        for function, role in roots:
            unit, _ = self.reach(function, definition, role, None, None, NO_ASSUMPTIONS)
            forward = unit if role == "forward" else forward
        if definition not in self.traced:
            self.class_events += class_events(facts, definition, forward)
            self.class_events += class_instances(self, facts, definition, forward)

    def _is_scripted(self, function: Function) -> bool:
        for decorator in function.node.decorator_list:
            target = decorator.func if isinstance(decorator, ast.Call) else decorator
            found = self.project.resolve_expression(function.module, target)
            if isinstance(found, External) and found.name in ("torch.jit.script", "torch.jit.script_if_tracing"):
                return True
        return False

    def _script_calls(self, module: Module) -> None:
        """Compile functions and classes that the module passes to ``torch.jit.script(...)``."""
        if not module.says_script:
            return
        scripting: dict[str, bool] = {}
        for node in astwalk.of_kind(module.tree, ast.Call):
            func = node.func
            if not node.args or not isinstance(func, (ast.Name, ast.Attribute)):
                continue
            if isinstance(func, ast.Name) and func.id in scripting:
                scripts = scripting[func.id]
            elif isinstance(func, ast.Attribute) and func.attr != "script":
                continue
            else:
                callee = self.project.resolve_expression(module, func)
                scripts = isinstance(callee, External) and callee.name == "torch.jit.script"
                if isinstance(func, ast.Name):
                    scripting[func.id] = scripts
            if scripts:
                for argument in _each(module, node.args[0]):
                    self._scripted(module, argument)

    def _scripted(self, module: Module, argument: ast.expr) -> None:
        target = self.project.resolve_expression(module, argument)
        if isinstance(target, Function):
            self.reach(target, None, "function", None, None, NO_ASSUMPTIONS)
        elif isinstance(target, Class):
            self.class_events += scripted_class_events(self, target, argument, module)
            if self.class_kind(target) == "script class":
                self._script_class(target)
        else:
            value = scripted_value(self, module, argument)
            made = class_of_object(self, value)
            if made is not None:
                self._script_class(made)
            self.class_events += scripted_events(self, module, value)

    def _script_nested(self, module: Module) -> None:
        """Compile functions that are defined in another function, and scripted there."""
        if not module.says_script:
            return
        methods = [
            module.function(node, owner) for owner in module.classes() for node in owner.node.body if _is_function(node)
        ]
        for outermost in [*module.functions(), *methods]:
            nested = list(nested_functions(outermost))
            for inner in nested:
                if self._is_scripted(inner):
                    self.reach(inner, None, "function", None, None, NO_ASSUMPTIONS)
            for outer in [outermost, *nested] if nested else ():
                for call, bound in script_calls(outer):
                    callee = self.project.resolve_expression(module, call.func)
                    if isinstance(bound, Function) and isinstance(callee, External):
                        if callee.name == "torch.jit.script":
                            self.reach(bound, None, "function", None, None, NO_ASSUMPTIONS)

    def _script_class(self, definition: Class) -> None:
        """Compile a script class that is a root."""
        self.class_attributes.setdefault(id(definition), {})
        for function in methods(self, definition):
            self.reach(function, definition, "script class", None, None, NO_ASSUMPTIONS)

    def refuses(self, definition: Class) -> bool | None:
        """Return whether a class certainly cannot be compiled, None if that is not known. A separate model compiles the
        class; its events are not reported.
        """
        if id(definition) not in self.refused:
            self.refused[id(definition)] = None
            trial = Model(self.project, self.target)
            trial.refused = self.refused
            trial._script_class(definition)
            events = [event for found in trial.events.values() for event in found]
            stops = any(_stops(event) for event in events)
            self.refused[id(definition)] = True if stops else None if events else False
        return self.refused[id(definition)]

    def compile(self, unit: Unit) -> Type | None:
        """Record the errors of the compiler in a function; return its return type, None if it is not known."""
        function, receiver = unit.function, unit.receiver
        found = self.read(unit)
        key = (id(function), id(receiver))
        self.events[key] = found
        if isinstance(function.node, ast.AsyncFunctionDef):
            return None
        self.active.append(key)
        places = {id(each.node): _statement(function.node, each.node) for each in found}
        try:
            events, returned, seen = compile_unit(self, unit, places.values())
        finally:
            self.active.pop()
        for index, each in enumerate(found):
            names, before = seen.get(places[id(each.node)], ({}, None))
            found[index] = replace(each, variables=names, returned=before)
        found += events
        self._returns[key] = returned
        return returned

    def _left_to_derived(self, event: Event, receiver: Class, of_some: bool) -> bool:
        """Return whether an event is about an attribute that the class itself never sets, and concerns only subclasses:
        one of them sets the attribute, or the method compiles without this event for another class.

        In Python the attribute is missing, too, so only subclasses are meant to have instances, as if the class were
        :attr:`abstract <tslint.project.classes.Hierarchy.abstract>`.

        Args:
            event: any event.
            receiver: the class for which the function with the event is compiled.
            of_some: whether the function compiles without this event for another class.
        """
        if not never_set(event):
            return False
        of_some = of_some and drops_if_some(event)
        if of_some or event.class_ is not receiver or self.built.origin(receiver):
            return of_some
        return any(
            event.attribute in each.attributes or event.attribute in each.hierarchy.members
            for each in self._derived().get(receiver, ())
        )

    def _derived(self) -> dict[Class, list[ClassFacts]]:
        """Return, for each class, the attributes of the compiled classes that inherit from it."""
        number, found = self._derived_of
        if number != len(self.roots):
            found = {}
            for root in self.roots:
                facts = self.facts(root)
                for each in facts.hierarchy.mro:
                    if isinstance(each, Class) and each is not root:
                        found.setdefault(each, []).append(facts)
            self._derived_of = len(self.roots), found
        return found

    def all_events(self) -> Iterable[Event]:
        """Yield the events, each with the conditions of the call paths that lead to its unit. Events that do no harm on
        these paths are left out.

        If a function has an event for some classes only (a base class's method in two subclasses), the condition of the
        event names the class.
        """
        compiled: dict[int, int] = {}
        for one in self.units.values():
            if one.receiver is None or not self.hierarchy(one.receiver).abstract:  # an abstract class has no instances
                compiled[id(one.function)] = compiled.get(id(one.function), 0) + 1
        seen: dict[tuple[int, str, int], int] = {}
        for (function, _), events in self.events.items():
            for key in {(function, event.kind, id(event.node)) for event in events}:
                seen[key] = seen.get(key, 0) + 1
        for (function, _), events in self.events.items():
            for event in events:
                unit = event.unit
                condition = event.condition
                if isinstance(event, FROM_PYTHON) and unit is not None and not given_by_python(unit, event.name):
                    continue
                if event.kind in _ARCHIVED and unit is not None and not unit.held_by_module:
                    continue
                receiver = unit.receiver if unit is not None else None
                of_some = (
                    receiver is not None
                    and self.built.origin(receiver) is None
                    and seen[function, event.kind, id(event.node)] < compiled.get(function, 0)
                )
                if receiver is not None and self._left_to_derived(event, receiver, of_some):
                    continue
                if unit is not None and event.assumptions and not is_compiled_under(unit, event.assumptions):
                    continue
                if unit is not None and condition is None:
                    condition = in_words(unit.conditions() or NO_ASSUMPTIONS)
                    if condition is None and receiver is not None and of_some:
                        condition = of_class(receiver.name)
                known = None if of_some else event.assumptions
                same = condition == event.condition and known == event.assumptions
                yield event if same else replace(event, condition=condition, assumptions=known)
        yield from self.class_events
        for definition in self.roots:
            if definition not in self.traced:
                yield from buffer_events(self, definition)
                yield from call_events(self, definition)
        yield from property_events(self, [each for each in self.roots if each not in self.traced])
        for module in self.shipped:
            yield from shipping_events(self, module)
