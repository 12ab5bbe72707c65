"""Finds errors in the instances that a constructor stores: every submodule and hook is compiled, even if ``forward``
does not use it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tslint.project.classes import Hierarchy
from tslint.project.definitions import Class, External, Function, Module
from tslint.script.assumptions import HAS_RUN, NO_ASSUMPTIONS, Assumption, Assumptions, in_words
from tslint.script.attributes import ClassFacts, HookCall, Instance, Norm, PyFunction, PyValue
from tslint.script.classkinds import makes_objects
from tslint.script.construct.arguments import BadArgument, bad_arguments, in_general, possible
from tslint.script.construct.changed_attributes import changed_attributes
from tslint.script.construct.checks import PARAMETRIZED, REMOVING
from tslint.script.construct.class_constants import invalid_class_constants
from tslint.script.construct.declared import Declarations, invalid_constant
from tslint.script.construct.hook_types import RegisteredHooks, has_type_comment
from tslint.script.construct.inherited_overloads import base_expression, inherited_overloads
from tslint.script.construct.kept import kept_instances
from tslint.script.construct.passed_through import passed_through
from tslint.script.events import Event
from tslint.script.events.modules import (
    AttributeCast,
    ConstructorIndentation,
    InheritedOverloads,
    InvalidConstant,
    LazyModule,
    ModuleArgument,
    UnscriptableModule,
    UnscriptableParametrization,
    WeightNorm,
)
from tslint.script.operators import NNModule, Unsupported, module_class
from tslint.script.operators.tables import torch_version
from tslint.script.scope import Reach, Unit
from tslint.util import astwalk
from tslint.util.torch_versions import version

if TYPE_CHECKING:
    from tslint.script.compilation import Compilation

_TABLES = version(torch_version())
_FRESH: Assumptions = frozenset([Assumption(HAS_RUN, False)])


_UNINITIALIZED = {"UninitializedParameter": "parameters", "UninitializedBuffer": "buffers"}


def module_level(module: Module) -> Function:
    """Return an empty function that stands for a file's top level, because events need a function around them."""
    node = ast.FunctionDef(
        name="<module>", body=[], decorator_list=[], args=ast.arguments([], [], None, [], [], None, [])
    )
    node.lineno, node.col_offset, node.end_lineno, node.end_col_offset = 1, 0, 1, 0
    return Function(module, node, "<module>")


class InstanceChecks:
    """Finds errors that prevent instances from being compiled.

    Args:
        model: the static model, which compiles the hooks.
        unit: the function that counts as the creator of instances whose creator is not recorded.
        reached: the unit that compiles the instances; None for arguments of ``torch.jit.script``.
        receiver: the class of the constructor.
    """

    def __init__(self, model: Compilation, unit: Unit, reached: Unit | None, receiver: Class | None) -> None:
        self.model = model
        self.unit = unit
        self.reached = reached
        self.receiver = receiver
        self.changed = changed_attributes(unit.function.module.tree)
        self.seen: dict[tuple[str, int], int] = {}
        self.events: list[Event] = []

    def value(self, value: PyValue | None, assumptions: Assumptions, *, scripted: bool = False) -> None:
        """Check all instances in a value."""
        for more, instance in kept_instances(value):
            self.instance(instance, assumptions | more, scripted=scripted)

    def instance(self, instance: Instance, assumptions: Assumptions, *, scripted: bool = False) -> None:
        """Check one instance, which the constructor stores under the given tests."""
        unit = self._unit(instance.function)
        name = instance.external.rpartition(".")[2]
        found = module_class(instance.external) if instance.external else None
        self.hooks(instance.hook_calls, instance.definition, assumptions)
        if scripted and instance.norm is not None:
            self._scripted_norm(instance.norm, assumptions)
        for layer, bad in passed_through(self.model, instance, self.changed):
            self._argument(bad, assumptions, unit, instance, layer)
        if found is None or not isinstance(instance.node, ast.Call):
            return
        if name.startswith("Lazy"):
            self.report(
                LazyModule(
                    instance.node,
                    f"'{found.class_name}' has uninitialized parameters weight. Did you forget to run a forward pass?",
                    name=name,
                ),
                assumptions if scripted else assumptions | _FRESH,
                unit,
            )
        elif (refused := self._refused(found)) is not None:
            self.report(UnscriptableModule(instance.node, refused, name=name), assumptions, unit)
        else:
            self.arguments(instance, assumptions)

    def uninitialized(self, name: str, node: ast.AST | None, assumptions: Assumptions) -> None:
        """Report an attribute if it is an uninitialized parameter or buffer: its size comes from the first input."""
        call = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
        if not isinstance(call, ast.Call):
            return
        made = self.model.project.resolve_expression(self.unit.function.module, call.func)
        kind = _UNINITIALIZED.get(made.name.rpartition(".")[2]) if isinstance(made, External) else None
        if kind is not None:
            owner = self.receiver.name if self.receiver is not None else ""
            said = f"'{owner}' has uninitialized {kind} {name}. Did you forget to run a forward pass?"
            self.report(LazyModule(call, said, name=owner, attribute=name), assumptions | _FRESH, self.unit)

    def arguments(self, instance: Instance, assumptions: Assumptions) -> None:
        """Check the arguments of an instance of a class of torch.nn."""
        for bad in bad_arguments(instance):
            self._argument(bad, assumptions, self._unit(instance.function), instance, instance)

    def _argument(
        self, bad: BadArgument, assumptions: Assumptions, unit: Unit, instance: Instance, layer: Instance
    ) -> None:
        """Report an argument that prevents a layer (the instance itself, or one inside it) from being compiled. Nothing
        is reported if the file may change the attribute later, or if the tests exclude the argument.
        """
        if bad.name in self.changed or not possible(bad.assumptions, assumptions):
            return
        if not isinstance(instance.node, ast.Call):
            return
        event = ModuleArgument(
            bad.node,
            bad.compiler,
            name=layer.external.rpartition(".")[2],
            argument=bad.name,
            given=bad.given,
            wanted=bad.wanted,
            call=instance.node,
            within=instance.definition.name if instance.definition is not None else "",
        )
        self.report(event, in_general(bad) | assumptions, unit)

    def _scripted_norm(self, norm: Norm, assumptions: Assumptions) -> None:
        """Report a module that is passed to ``torch.jit.script`` with a parametrization, or with the hook of the old
        ``weight_norm`` or ``spectral_norm``.
        """
        unit = self._unit(norm.function)
        if norm.hook in PARAMETRIZED:
            compiler = PARAMETRIZED[norm.hook]
            self.report(UnscriptableParametrization(norm.node, compiler, name=norm.hook), assumptions, unit)
        elif norm.hook in REMOVING:
            compiler = f"'{norm.hook}' object has no attribute '__name__'"
            function = REMOVING[norm.hook].removeprefix("remove_")
            self.report(WeightNorm(norm.node, compiler, function=function, attribute=""), assumptions, unit)

    def hooks(self, calls: Sequence[HookCall], owner: Class | None, assumptions: Assumptions) -> None:
        """Check the hooks of one module, in order: they are compiled with it, and must have annotations.

        Args:
            calls: the calls that register them.
            owner: the module's class, if it is in the project.
            assumptions: the tests under which the module is created.
        """
        registered = RegisteredHooks(self.model, owner)
        for call in calls:
            under = assumptions | call.assumptions
            function = call.value.function if isinstance(call.value, PyFunction) else None
            event = registered.mistake(call)
            if event is not None:
                outside = event.node is call.node or function is None
                unit = self._unit(call.function) if outside or function is None else self._unit(function)
                if not outside:
                    unit.reached[:] = [Reach(self.reached, None, NO_ASSUMPTIONS)]
                self.report(event, under, unit)
            elif function is not None and not has_type_comment(function):
                _, returned = self.model.reach(function, None, "hook", self.reached, call.node, under)
                registered.compiled(call, returned)

    def declarations(self, facts: ClassFacts) -> None:
        """Check class annotations and constants that the instance does not satisfy."""
        from tslint.script.project_classes import class_type, satisfies

        owner = facts.annotation_owner or facts.hierarchy.definition
        declared = Declarations(
            facts,
            lambda node: self.model.project.resolve_expression(owner.module, node),
            lambda definition: class_type(self.model, definition),
            self.model.is_module,
            lambda definition, interface: satisfies(self.model, definition, interface),
            self._kind_of_object,
        )
        for broken in declared.broken():
            module = owner.module
            event = broken.event
            if isinstance(event, InvalidConstant):
                module = self.unit.function.module
            unit = (
                self.unit
                if module is self.unit.function.module
                else Unit(module_level(module), None, "constructor", [Reach(self.reached, None, NO_ASSUMPTIONS)])
            )
            fresh = isinstance(event, AttributeCast) and event.attribute in facts.elsewhere
            self.report(event, broken.assumptions | (_FRESH if fresh else NO_ASSUMPTIONS), unit)
        for name, member, what in invalid_class_constants(facts, self.model.project):
            message = invalid_constant(what, facts, name)
            unit = Unit(
                module_level(member.owner.module), None, "constructor", [Reach(self.reached, None, NO_ASSUMPTIONS)]
            )
            self.report(InvalidConstant(member.node, message, attribute=name, spelled=what), NO_ASSUMPTIONS, unit)

    def overloads(self, hierarchy: Hierarchy) -> None:
        """Check whether ``forward`` compiles without the overloads of the class of torch that defines it."""
        found = inherited_overloads(hierarchy)
        if found is None or found.compiles:
            return
        for owner, base in base_expression(self.model.project, hierarchy):
            reached = [Reach(self.reached, None, NO_ASSUMPTIONS)]
            unit = Unit(module_level(owner.module), None, "constructor", reached)
            said = "Variable 'hx' previously had type Tensor (inferred) but is now being assigned to a value of type"
            event = InheritedOverloads(base, f"{said} Tuple[Tensor, Tensor]", name=owner.name, base=found.base)
            self.report(event, NO_ASSUMPTIONS, unit)

    def _kind_of_object(self, definition: Class) -> str:
        kind = self.model.class_kind(definition)
        return kind if makes_objects(self.model.hierarchy(definition), kind) else ""

    def _refused(self, found: NNModule) -> str | None:
        """Return the compiler's message if no instance of a class of torch.nn can be compiled; otherwise None."""
        if isinstance(found.forward, Unsupported) and not self.model.target.is_before(_TABLES):
            return found.forward.message
        return found.error

    def constructor_text(self, function: Function) -> None:
        """Report a line of ``__init__`` that does not begin with the indentation of the ``def``: torch parses the text
        for a warning, and fails.
        """
        row = stray_row(function)
        if row:
            node = next(
                (
                    n
                    for n in astwalk.walk(function.node)
                    if isinstance(n, ast.expr) and n.lineno <= row <= (n.end_lineno or 0)
                ),
                function.node,
            )
            smallest = min(
                (
                    n
                    for n in astwalk.walk(function.node)
                    if isinstance(n, ast.expr) and n.lineno <= row <= (n.end_lineno or 0)
                ),
                key=lambda n: (n.end_lineno or 0) - n.lineno,
                default=node,
            )
            self.report(
                ConstructorIndentation(smallest, "unexpected indent (<unknown>, line 1)"), NO_ASSUMPTIONS, self.unit
            )

    def _unit(self, function: Function | None) -> Unit:
        if function is None or function is self.unit.function:
            return self.unit
        receiver = self.receiver if function.owner is not None else None
        return Unit(function, receiver, "constructor", [Reach(self.reached, None, NO_ASSUMPTIONS)])

    def report(self, event: Event, assumptions: Assumptions, unit: Unit) -> None:
        """Record an event. Of several events of one kind at the same node, only the first is kept; if a later one has
        no condition, that one replaces it.
        """
        condition = in_words(assumptions)
        event = replace(event, condition=condition, unit=unit)
        key = (event.kind, id(event.node))
        if key not in self.seen:
            self.seen[key] = len(self.events)
            self.events.append(event)
        elif condition is None:
            self.events[self.seen[key]] = event


def stray_row(function: Function) -> int:
    """Return the first row of a constructor's text that does not begin with the indentation of its ``def``; 0 if there
    is none.
    """
    node = function.node
    first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    lines = function.module.source.lines[first - 1 : node.end_lineno]
    margin = lines[0][: len(lines[0]) - len(lines[0].lstrip())] if lines else ""
    for offset, line in enumerate(lines if margin else ()):
        text = line.strip()
        useless = text.startswith("#") and not text.startswith("# type:")
        if text and not useless and not line.startswith(margin):
            return first + offset
    return 0


def class_instances(model: Compilation, facts: ClassFacts, definition: Class, forward: Unit | None) -> Iterator[Event]:
    """Yield the errors in the instances that a module class's constructor stores, and in its declarations."""
    member = facts.hierarchy.members.get("__init__")
    function = member.function if member is not None and member.function is not None else None
    if "__prepare_scriptable__" in facts.hierarchy.members:
        return
    place = function or (forward.function if forward is not None else module_level(definition.module))
    unit = Unit(place, definition if place.owner else None, "constructor", [Reach(forward, None, NO_ASSUMPTIONS)])
    checks = InstanceChecks(model, unit, forward, definition)
    checks.declarations(facts)
    checks.overloads(facts.hierarchy)
    if function is not None:
        checks.constructor_text(function)
    for name, options in facts.attributes.items():
        for option in options:
            checks.value(option.value, option.assumptions)
            checks.uninitialized(name, option.node, option.assumptions)
    for option in facts.base:
        if isinstance(option.value, Instance):
            checks.arguments(option.value, option.assumptions)
    checks.hooks(facts.hook_calls, facts.hierarchy.definition, NO_ASSUMPTIONS)
    yield from checks.events
