"""Finds properties that raise when the compiler reads them.

The compiler reads every attribute of a module to see what is exported (``infer_methods_to_compile`` of
torch/jit/_recursive.py); an AttributeError then counts as a missing attribute, any other exception ends the
compilation.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tslint.project.classes import is_abstract
from tslint.project.definitions import Class, Definition, External, Function, Undefined
from tslint.script.assumptions import HAS_RUN, NO_ASSUMPTIONS, Assumption, Assumptions, in_words, of_class, satisfiable
from tslint.script.attributes import PY_UNKNOWN, ClassFacts, PyConst, PyParameter, PyValue
from tslint.script.construct.instances import module_level
from tslint.script.construct.pyvalues import MOST_CASES, cases
from tslint.script.events import Event
from tslint.script.events.modules import RaisingProperty
from tslint.script.operators.tables import ModuleBase, module_base
from tslint.script.scope import Reach, Unit, exemption, getter_of
from tslint.util import astwalk

if TYPE_CHECKING:
    from tslint.script.compilation import Compilation

_Stop = ast.Raise | ast.Assert | ast.Name
# The properties of base classes of torch.distributions that raise unless a subclass overrides them.
_ABSTRACT = {"Transform": ("sign",), "Distribution": ("arg_constraints", "mean", "mode", "support", "variance")}
_MODULES = ("", "distribution.", "transforms.")
_ABSTRACT_BASES = [f"torch.distributions.{module}{name}" for module in _MODULES for name in _ABSTRACT]
_FRESH = frozenset([Assumption(HAS_RUN, False)])


def property_events(model: Compilation, roots: Sequence[Class]) -> Iterator[Event]:
    """Yield an event for each property that raises in an instance of a module class."""
    raising: dict[int, list[tuple[Class, Function, _Stop, str | None]]] = {}
    for definition in roots:
        facts = model.facts(definition)
        if facts.hierarchy.abstract or "__prepare_scriptable__" in facts.hierarchy.members:
            continue
        of_package = _known_base(model, facts)
        if of_package is not None and definition.node.bases and _has_instances(model, roots, definition):
            yield _inherited(definition, of_package.property, f"{definition.name} {of_package.raises}", of_package.when)
        yield from _of_distributions(facts, definition)
        for name, member in facts.hierarchy.members.items():
            getter = getter_of(member.function) if member.function is not None else None
            if getter is None or is_abstract(getter, model.project):
                continue
            if name in facts.ignored and member.owner is definition:
                continue
            if of_package is not None and name == of_package.property and _is_of_package(model, getter):
                continue
            found = _stop(model, facts, getter)
            if found is not None:
                raising.setdefault(id(getter.node), []).append((definition, getter, *found))
    for raised in raising.values():
        if _is_of_package(model, raised[0][1]):
            # The author cannot change the property: each class that inherits it is a mistake of its own.
            for definition, getter, stop, condition in raised:
                if _has_instances(model, roots, definition):
                    yield _inherited(definition, getter.name, _message(stop), condition)
        elif (event := _event(model, roots, raised)) is not None:
            yield event


def _event(
    model: Compilation, roots: Sequence[Class], cases: list[tuple[Class, Function, _Stop, str | None]]
) -> Event | None:
    """Return the event for one property that raises in instances of the given classes; None if these classes are not
    meant to have instances.
    """
    owner = cases[0][1].owner
    derived = _derived(model, roots, owner)
    inheriting = [case for case in cases if case[0] is not owner]
    if derived and not inheriting:
        return None  # All subclasses override it, so only they are meant to have instances.
    definition, getter, stop, condition = inheriting[0] if inheriting else cases[0]
    if len(inheriting) < len(derived):
        condition = of_class(definition.name) if condition is None else condition
    unit = Unit(getter, definition, "property", [Reach(None, None, NO_ASSUMPTIONS)])
    said = _message(stop)
    return RaisingProperty(stop, said, name=getter.name, owner=definition.name, condition=condition, unit=unit)


def _inherited(definition: Class, name: str, said: str, condition: str | None) -> Event:
    """Return the event for a class that inherits a property from a class of another package."""
    unit = Unit(module_level(definition.module), None, "constructor", [Reach(None, None, NO_ASSUMPTIONS)])
    node: ast.AST = definition.node.bases[0] if definition.node.bases else definition.node
    return RaisingProperty(node, said, name=name, owner=definition.name, condition=condition, unit=unit)


def _is_of_package(model: Compilation, function: Function) -> bool:
    return model.project.installed.holds(function.module.source.path)


def _has_instances(model: Compilation, roots: Sequence[Class], definition: Class) -> bool:
    """Return whether a class is meant to have instances: it has a ``forward`` of the author's, or no other root derives
    from it.
    """
    forward = model.hierarchy(definition).members.get("forward")
    own = forward is not None and (forward.function is None or not _is_of_package(model, forward.function))
    return own or not _derived(model, roots, definition)


def _derived(model: Compilation, roots: Sequence[Class], owner: Class | None) -> list[Class]:
    """Return the roots that inherit from a class."""
    return [each for each in roots if each is not owner and owner in model.hierarchy(each).mro]


def _known_base(model: Compilation, facts: ClassFacts) -> ModuleBase | None:
    """Return the first base class from another package, installed or not, that the tables list because one of its
    properties raises; None if there is none.
    """
    installed = model.project.installed
    names = [base.name for base in facts.hierarchy.externals]
    for each in facts.hierarchy.mro:
        if isinstance(each, Class) and installed.holds(each.module.source.path):
            names.append(f"{each.module.name}.{each.qualname}")
    return next((known for name in names if (known := module_base(name))), None)


def _of_distributions(facts: ClassFacts, definition: Class) -> Iterator[Event]:
    """Yield an event for a module class that also inherits from a class of torch.distributions, if it does not override
    the properties that raise there.
    """
    bases = [base.name for base in facts.hierarchy.externals]
    if facts.hierarchy.open or not definition.node.bases or not all(map(_is_known, bases)):
        return
    for base in bases:
        names = _ABSTRACT[base.rpartition(".")[2]] if base in _ABSTRACT_BASES else ()
        left = [each for each in names if each not in facts.hierarchy.members and each not in facts.ignored]
        if left:
            unit = Unit(module_level(definition.module), None, "constructor", [Reach(None, None, NO_ASSUMPTIONS)])
            yield RaisingProperty(
                definition.node.bases[0], "", name=left[0], owner=definition.name, base=base, unit=unit
            )
            return


def _is_known(base: str) -> bool:
    """Return whether a base class is known, so that it is also known which of the properties it overrides."""
    return base in (*_ABSTRACT_BASES, "builtins.object", "abc.ABC", "typing.Generic") or base.startswith("torch.nn.")


def _stop(model: Compilation, facts: ClassFacts, getter: Function) -> tuple[_Stop, str | None] | None:
    """Return the statement or name with which a getter raises, and the condition under which this is certain (None for
    always). Return None if no such condition is known.
    """
    found = list(_ends(model, facts, getter, getter.node.body, NO_ASSUMPTIONS))
    always = all(stop is not None for stop, _ in found)
    stop, tests = next(((stop, tests) for stop, tests in found if stop is not None), (None, NO_ASSUMPTIONS))
    return None if stop is None else (stop, in_words(tests & _FRESH if always else tests))


def _ends(
    model: Compilation, facts: ClassFacts, getter: Function, body: Sequence[ast.stmt], given: Assumptions
) -> Iterator[tuple[_Stop | None, Assumptions]]:
    """Yield the statements or names with which a getter raises, and the tests that lead there; None where it may
    return.
    """
    names = getter.node.args.args
    own = names[0].arg if names else ""
    for place, statement in enumerate(body):
        if isinstance(statement, ast.Raise):
            yield statement if _counts(model, getter, statement) else None, given
            return
        if isinstance(statement, (ast.If, ast.Assert)):
            for tests, truth in _truths(facts, statement.test, own, given):
                branch = [] if isinstance(statement, ast.Assert) else statement.body if truth else statement.orelse
                if isinstance(statement, ast.Assert) and truth is False:
                    yield statement, tests
                elif truth is None:
                    yield None, tests
                else:
                    yield from _ends(model, facts, getter, [*branch, *body[place + 1 :]], tests)
            return
        if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
            yield _undefined(model, getter, statement), given
            return
    yield None, given


def _undefined(model: Compilation, getter: Function, statement: ast.stmt) -> ast.Name | None:
    """Return the undefined name with which a statement of a getter raises, if the compiler does not compile the getter;
    otherwise None.
    """
    value = statement.value if isinstance(statement, (ast.Return, ast.Expr)) else None
    first = value
    while isinstance(first, (ast.Attribute, ast.Call)):
        first = first.value if isinstance(first, ast.Attribute) else first.func
    if not isinstance(first, ast.Name) or not exemption(getter, model.project):
        return None
    found = model.project.resolve_expression(getter.module, first)
    own = {argument.arg for argument in getter.node.args.args}
    return first if isinstance(found, Undefined) and first.id not in own else None


def _counts(model: Compilation, getter: Function, statement: ast.Raise) -> bool:
    """Return whether a ``raise`` ends the compilation: the exception, or its only base outside the project, is a
    builtin one other than AttributeError.
    """
    raised = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
    found: Definition | None = model.project.resolve_expression(getter.module, raised) if raised is not None else None
    if isinstance(found, Class) and not model.hierarchy(found).open and len(model.hierarchy(found).externals) == 1:
        found = model.hierarchy(found).externals[0]
    kind = getattr(builtins, found.name.rpartition(".")[2], None) if isinstance(found, External) else None
    return isinstance(kind, type) and issubclass(kind, Exception) and not issubclass(kind, AttributeError)


def _truths(facts: ClassFacts, test: ast.expr, own: str, given: Assumptions) -> list[tuple[Assumptions, bool | None]]:
    """Return the results that a test of a module's attributes may have, each with the tests of the constructor (and of
    ``given``) that lead to it; None if a result is not known.
    """
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return [
            (tests, None if truth is None else not truth) for tests, truth in _truths(facts, test.operand, own, given)
        ]
    if isinstance(test, ast.BoolOp):
        decisive = isinstance(test.op, ast.Or)
        found: list[tuple[Assumptions, bool | None]] = [(given, not decisive)]
        for value in test.values:
            found = [
                (more, truth if truth is decisive or known is not None else None)
                for tests, known in found
                for more, truth in ([(tests, known)] if known is decisive else _truths(facts, value, own, tests))
            ]
        return found if len(found) <= MOST_CASES else [(given, None)]
    if isinstance(test, ast.Call) and astwalk.is_name(test.func, "hasattr") and len(test.args) == 2:
        return [_presence(facts, test, own, given)]
    about, asks = test, "{}"
    if isinstance(test, ast.Compare) and isinstance(test.comparators[0], ast.Constant):
        about, asks = test.left, "{} is None"
        if test.comparators[0].value is not None or not isinstance(test.ops[0], (ast.Is, ast.IsNot)):
            return [(given, None)]
    turned = isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.IsNot)
    answers = [(tests, _answer(value, asks, tests)) for tests, value in _values(facts, about, own, given)]
    return [(tests, None if answer is None else answer is not turned) for tests, answer in answers]


def _answer(value: PyValue, asks: str, tests: Assumptions) -> bool | None:
    """Return whether a value is true or, if ``asks`` is ``{} is None``, whether it is None. Return None if that is not
    known; for a parameter, the tests may show it.
    """
    if isinstance(value, PyParameter):
        return next((each.holds for each in tests if each.text == asks.format(value.name)), None)
    return None if not isinstance(value, PyConst) else value.value is None if asks != "{}" else bool(value.value)


def _presence(facts: ClassFacts, test: ast.Call, own: str, given: Assumptions) -> tuple[Assumptions, bool | None]:
    """Return the result of ``hasattr``, and the tests that lead to it: False if nothing sets the attribute before the
    module runs; None if that is not known.
    """
    name = test.args[1].value if isinstance(test.args[1], ast.Constant) else None
    if not astwalk.is_name(test.args[0], own) or not isinstance(name, str) or facts.may_have(name):
        return given, None
    absent = name not in facts.attributes and name not in facts.hierarchy.members
    if not absent or facts.hierarchy.externals[1:]:
        return given, None
    return (given | _FRESH if name in facts.elsewhere else given), False


def _values(facts: ClassFacts, node: ast.expr, own: str, given: Assumptions) -> list[tuple[Assumptions, PyValue]]:
    """Return the values that an attribute may contain, each with the tests that lead to it. If other methods replace
    the value, the attribute only contains these values before the module runs.
    """
    if not isinstance(node, ast.Attribute) or not astwalk.is_name(node.value, own):
        return [(given, PY_UNKNOWN)]
    fresh = _FRESH if node.attr in facts.elsewhere else NO_ASSUMPTIONS
    found: list[tuple[Assumptions, PyValue]] = []
    for stored in facts.attributes.get(node.attr, ()):
        for tests, value in cases(stored.value or PY_UNKNOWN, given | stored.assumptions):
            reached = given | stored.assumptions | tests
            if satisfiable(tests, given | stored.assumptions) and satisfiable(stored.assumptions, given):
                found.append((reached | fresh, value))
    member = facts.hierarchy.members.get(node.attr)
    if found or member is None or not isinstance(member.node, (ast.Assign, ast.AnnAssign)) or fresh:
        return found if 0 < len(found) <= MOST_CASES else [(given, PY_UNKNOWN)]
    constant = member.node.value
    return [(given, PyConst(constant.value) if isinstance(constant, ast.Constant) else PY_UNKNOWN)]


def _message(stop: _Stop) -> str:
    """Return the text of an exception; empty if the source does not contain it."""
    if isinstance(stop, ast.Name):
        return f"name '{stop.id}' is not defined"
    if isinstance(stop, ast.Assert):
        text: ast.expr | None = stop.msg
    else:
        text = stop.exc.args[0] if isinstance(stop.exc, ast.Call) and stop.exc.args else None
    return str(text.value) if isinstance(text, ast.Constant) else ""
