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
from tslint.script.attributes import HAS_RUN, NO_ASSUMPTIONS, Assumption, ClassFacts, PyConst, in_words, of_class
from tslint.script.construct.instances import module_level
from tslint.script.events import Event
from tslint.script.events.modules import RaisingProperty
from tslint.script.operators.tables import module_base
from tslint.script.scope import Reach, Unit, exemption, getter_of
from tslint.util import astwalk

if TYPE_CHECKING:
    from tslint.script.compilation import Compilation

_Stop = ast.Raise | ast.Assert | ast.Name
# Properties that raise unless a class overrides them, of the bases of torch.distributions.
_ABSTRACT = {"Transform": ("sign",), "Distribution": ("arg_constraints", "mean", "mode", "support", "variance")}
_MODULES = ("", "distribution.", "transforms.")
_ABSTRACT_BASES = [f"torch.distributions.{module}{name}" for module in _MODULES for name in _ABSTRACT]
_FRESH = in_words([Assumption(HAS_RUN, False)])


def property_events(model: Compilation, roots: Sequence[Class]) -> Iterator[Event]:
    """Yield an event for each property that raises in an instance of a module class."""
    raising: dict[int, list[tuple[Class, Function, _Stop, str | None]]] = {}
    for definition in roots:
        facts = model.facts(definition)
        if facts.hierarchy.abstract or "__prepare_scriptable__" in facts.hierarchy.members:
            continue
        yield from _of_package(facts, definition)
        yield from _of_distributions(facts, definition)
        for name, member in facts.hierarchy.members.items():
            getter = getter_of(member.function) if member.function is not None else None
            if getter is None or is_abstract(getter, model.project):
                continue
            if name in facts.ignored and member.owner is definition:
                continue
            found = _stop(model, facts, getter)
            if found is not None:
                raising.setdefault(id(getter.node), []).append((definition, getter, *found))
    for cases in raising.values():
        event = _event(model, roots, cases)
        if event is not None:
            yield event


def _event(
    model: Compilation, roots: Sequence[Class], cases: list[tuple[Class, Function, _Stop, str | None]]
) -> Event | None:
    """Return the event for one property that raises in instances of some classes; None if these are not meant to have
    instances.
    """
    owner = cases[0][1].owner
    derived = [each for each in roots if each is not owner and owner in model.hierarchy(each).mro]
    inheriting = [case for case in cases if case[0] is not owner]
    if derived and not inheriting:
        return None  # All subclasses override it, so only they are meant to have instances.
    definition, getter, stop, condition = inheriting[0] if inheriting else cases[0]
    if len(inheriting) < len(derived):
        condition = of_class(definition.name) if condition is None else condition
    said = _message(stop)
    reached = [Reach(None, None, NO_ASSUMPTIONS)]
    if model.project.installed.holds(getter.module.source.path):
        unit = Unit(module_level(definition.module), None, "constructor", reached)
        node: ast.AST = definition.node.bases[0] if definition.node.bases else definition.node
    else:
        unit, node = Unit(getter, definition, "property", reached), stop
    return RaisingProperty(node, said, name=getter.name, owner=definition.name, condition=condition, unit=unit)


def _of_package(facts: ClassFacts, definition: Class) -> Iterator[Event]:
    """Yield an event for a base class of another package with a property that is known to raise."""
    found = next((known for base in facts.hierarchy.externals if (known := module_base(base.name))), None)
    if found is not None and definition.node.bases and "forward" in facts.hierarchy.members:
        unit = Unit(module_level(definition.module), None, "constructor", [Reach(None, None, NO_ASSUMPTIONS)])
        said = f"{definition.name} {found.raises}"
        node = definition.node.bases[0]
        yield RaisingProperty(node, said, name=found.property, owner=definition.name, condition=found.when, unit=unit)


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
    """Return whether no base class of another package may override a property."""
    return base in (*_ABSTRACT_BASES, "builtins.object", "abc.ABC", "typing.Generic") or base.startswith("torch.nn.")


def _stop(model: Compilation, facts: ClassFacts, getter: Function) -> tuple[_Stop, str | None] | None:
    """Return the statement or name with which a getter certainly raises, and the condition; None if it may return."""
    names = getter.node.args.args
    own = names[0].arg if names else ""
    condition = None
    body = list(getter.node.body)
    while body:
        statement = body.pop(0)
        if isinstance(statement, ast.Raise):
            return (statement, condition) if _counts(model, getter, statement) else None
        if isinstance(statement, (ast.If, ast.Assert)):
            known = _truth(facts, statement.test, own)
            if known is None:
                return None
            truth, fresh = known
            if isinstance(statement, ast.Assert):
                if not truth:
                    return statement, _FRESH if fresh else condition
                continue
            condition = _FRESH if fresh else condition
            body = [*(statement.body if truth else statement.orelse), *body]
        elif not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
            name = _undefined(model, getter, statement)
            return None if name is None else (name, condition)
    return None


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


def _truth(facts: ClassFacts, test: ast.expr, own: str) -> tuple[bool, bool] | None:
    """Return whether a test of a module's attributes is true, and whether that may change when the module runs; None if
    it is not known.
    """
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = _truth(facts, test.operand, own)
        return None if inner is None else (not inner[0], inner[1])
    if isinstance(test, ast.BoolOp):
        parts = [_truth(facts, value, own) for value in test.values]
        decisive = isinstance(test.op, ast.Or)
        found = next((part for part in parts if part is not None and part[0] is decisive), None)
        if found is not None or None in parts:
            return found
        return not decisive, any(part[1] for part in parts if part is not None)
    if isinstance(test, ast.Call) and astwalk.is_name(test.func, "hasattr") and len(test.args) == 2:
        name = test.args[1].value if isinstance(test.args[1], ast.Constant) else None
        if not astwalk.is_name(test.args[0], own) or not isinstance(name, str) or facts.may_have(name):
            return None
        absent = name not in facts.attributes and name not in facts.hierarchy.members
        return (False, name in facts.elsewhere) if absent and not facts.hierarchy.externals[1:] else None
    against_none = isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.Is, ast.IsNot))
    if isinstance(test, ast.Compare) and against_none and isinstance(test.comparators[0], ast.Constant):
        value = _value(facts, test.left, own)
        if value is None or test.comparators[0].value is not None:
            return None
        return (value[0] is None) is isinstance(test.ops[0], ast.Is), value[1]
    value = _value(facts, test, own)
    return None if value is None else (bool(value[0]), value[1])


def _value(facts: ClassFacts, node: ast.expr, own: str) -> tuple[object, bool] | None:
    """Return the constant that an attribute contains, and whether other methods replace it; None if it contains
    something else.
    """
    if not isinstance(node, ast.Attribute) or not astwalk.is_name(node.value, own):
        return None
    stored = facts.attributes.get(node.attr)
    if stored is not None:
        values = [each.value for each in stored]
        only = values[0] if len(values) == 1 and not stored[0].assumptions else None
        return (only.value, node.attr in facts.elsewhere) if isinstance(only, PyConst) else None
    member = facts.hierarchy.members.get(node.attr)
    if member is None or not isinstance(member.node, (ast.Assign, ast.AnnAssign)) or node.attr in facts.elsewhere:
        return None
    return (member.node.value.value, False) if isinstance(member.node.value, ast.Constant) else None


def _message(stop: _Stop) -> str:
    """Return the text of an exception, as far as the source contains it."""
    if isinstance(stop, ast.Name):
        return f"name '{stop.id}' is not defined"
    if isinstance(stop, ast.Assert):
        text: ast.expr | None = stop.msg
    else:
        text = stop.exc.args[0] if isinstance(stop.exc, ast.Call) and stop.exc.args else None
    return str(text.value) if isinstance(text, ast.Constant) else ""
