"""The state of one run: classes, their instances, and compiled functions."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tslint.project.classes import Hierarchy
from tslint.project.definitions import Class, Function
from tslint.project.index import Project
from tslint.script.assumptions import Assumptions
from tslint.script.attributes import ClassFacts
from tslint.script.classkinds import ClassKind, class_kind
from tslint.script.construct import class_facts
from tslint.script.construct.built import Built
from tslint.script.events import Event
from tslint.script.frontend import front_end_events
from tslint.script.module_classes import is_module_class
from tslint.script.recording import Recording
from tslint.script.scope import Reach, Unit, exemption, opaque_decorator, wrapper_of
from tslint.script.targets import Target
from tslint.script.types import Type
from tslint.util.astwalk import kept

MOST_NESTED = 40


class Compilation(ABC):
    """What has been compiled so far; see :class:`tslint.script.model.Model`, which compiles.

    Args:
        project: the index.
        target: the version of torch that will compile the code.
        built: the facts about modules that ``tslint verify`` has built, as JSON.
    """

    def __init__(self, project: Project, target: Target | None = None, built: Sequence[str] = ()) -> None:
        self.project = project
        self.target = target or Target()
        self.built = Built(project, built)
        self.units: dict[tuple[int, int], Unit] = {}
        self.events: dict[tuple[int, int], list[Event]] = {}
        self.class_events: list[Event] = []
        self._returns: dict[tuple[int, int], Type | None] = {}
        self._hierarchies: dict[int, Hierarchy] = {}
        self._facts: dict[int, ClassFacts] = {}
        self._kinds: dict[int, ClassKind] = {}
        self._modules: dict[int, bool] = {}
        self.class_attributes: dict[int, dict[str, Type | None]] = {}  # for script classes, by the id of the class
        self.passed_on: dict[Class, tuple[Any, ...]] = {}  # arguments that constructors pass on to modules
        self.refused: dict[int, bool | None] = {}  # whether plain classes cannot be compiled, by the id of the class
        self.active: list[tuple[int, int]] = []
        self.roots: list[Class] = []  # the module classes that are compiled by themselves, in order
        # Functions at the end of long call paths: compiled after the rest of the path; until then, their results are
        # unknown.
        self._postponed: list[Unit] = []
        self.recording: Recording | None = None
        self.scripted_new: set[Class] = set()  # classes whose instances are scripted at once, before they run
        self.traced: frozenset[Class] = frozenset()  # classes whose instances are only traced
        self.tracing_known = False  # something is traced, and all scripting is known

    def hierarchy(self, definition: Class) -> Hierarchy:
        """Return a class and its bases."""
        if id(definition) not in self._hierarchies:
            origin = self.built.origin(definition)
            if origin is not None:
                return self.hierarchy(origin)
            self._hierarchies[id(definition)] = Hierarchy(self.project, definition)
        return self._hierarchies[id(definition)]

    def facts(self, definition: Class) -> ClassFacts:
        """Return the attributes of a class's instances."""
        if id(definition) not in self._facts:
            origin = self.built.origin(definition)
            self._facts[id(definition)] = (
                class_facts(self.project, self.hierarchy(definition))
                if origin is None
                else self.built.facts(definition, self.facts(origin))
            )
        return self._facts[id(definition)]

    def is_module(self, definition: Class) -> bool:
        """Return whether a class is an ``nn.Module``."""
        known = self._modules.get(id(definition))
        if known is None:
            known = self._modules[id(definition)] = is_module_class(self.hierarchy(definition))
        return known

    def class_kind(self, definition: Class) -> ClassKind:
        """Return the kind of type that the compiler makes of a class."""
        if id(definition) not in self._kinds:
            hierarchy = self.hierarchy(definition)
            self._kinds[id(definition)] = class_kind(self.project, hierarchy, is_module=self.is_module(definition))
        return self._kinds[id(definition)]

    def is_class_in_progress(self, definition: Class) -> bool:
        """Return whether a method of a script class is being compiled, so that not all of its attributes may be known
        yet.
        """
        return any(receiver == id(definition) for _, receiver in self.active)

    def reach(
        self,
        function: Function,
        receiver: Class | None,
        role: str,
        caller: Unit | None,
        node: ast.AST | None,
        assumptions: Assumptions,
    ) -> tuple[Unit | None, Type | None]:
        """Compile a function for one class of ``self``, unless that is done already, and record the use of it.

        Returns:
            Its unit (None if the compiler does not compile the body), and its return type (None if it is not known).
        """
        word = exemption(function, self.project)
        if word:
            if self.recording is not None:
                self.recording.exempt(function, receiver, caller, node, word)
            return None, None
        opaque = opaque_decorator(function, self.project)
        if opaque is not None:
            if self.recording is not None:
                self.recording.exempt(function, receiver, caller, node, "decorated")
            wrapper = wrapper_of(opaque)
            if wrapper is not None and (id(wrapper), id(receiver)) not in self.units:
                # The wrapper is compiled instead, as a closure; the values of its free variables are not known.
                unit = Unit(wrapper, receiver, role, [Reach(caller, node, assumptions)])
                self.units[id(wrapper), id(receiver)] = unit
                self.events[id(wrapper), id(receiver)] = self.read(unit)
            return None, None
        key = (id(function), id(receiver))
        if key in self.units:
            self.units[key].reached.append(Reach(caller, node, assumptions))
            return self.units[key], self._returns.get(key)
        unit = Unit(function, receiver, role, [Reach(caller, node, assumptions)])
        self.units[key] = unit
        if len(self.active) >= MOST_NESTED:
            self._postponed.append(unit)
            return unit, None
        returned = self.compile(unit)
        while self._postponed and not self.active:
            self.compile(self._postponed.pop())
        return unit, returned

    def returned(self, function: Function, receiver: Class | None) -> Type | None:
        """Return the return type of a function that has been compiled; None if it is not known."""
        return self._returns.get((id(function), id(receiver)))

    def is_active(self, function: Function, receiver: Class | None) -> bool:
        """Return whether a function is being compiled at the moment. A call of it is then a recursion, which the
        compiler rejects.
        """
        return (id(function), id(receiver)) in self.active

    def read(self, unit: Unit) -> list[Event]:
        """Return the errors of the front end in a function."""
        function = unit.function
        is_init, is_method = function.name == "__init__", unit.receiver is not None
        known = _read(function.node)
        if (is_init, is_method) not in known:
            found = front_end_events(function.node, function.module.source, is_init=is_init, is_method=is_method)
            known[is_init, is_method] = list(found)
        return [replace(each, unit=unit) for each in known[is_init, is_method]]

    @abstractmethod
    def refuses(self, definition: Class) -> bool | None:
        """Return whether a plain class certainly cannot be compiled; None if that is not known.

        If an attribute holds an instance, the compiler tries to compile the class, and raises only where the attribute
        is read.
        """

    @abstractmethod
    def compile(self, unit: Unit) -> Type | None:
        """Record the errors of the compiler in a function; return its return type, None if it is not known."""


@kept
def _read(function: ast.AST) -> dict[tuple[bool, bool], list[Event]]:
    """Return a cache, kept with the function, for its errors in the front end. The keys are ``(is_init, is_method)``.

    The errors are the same for all classes that inherit the function.
    """
    return {}
