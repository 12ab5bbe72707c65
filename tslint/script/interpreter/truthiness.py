"""Emits the use of values as conditions (``emitToBool``)."""

from __future__ import annotations

import ast
from dataclasses import replace

from tslint.project.classes import body_names
from tslint.project.definitions import Class
from tslint.script.assumptions import satisfiable
from tslint.script.dataflow.members import kinds
from tslint.script.events.modules import NotACondition
from tslint.script.interpreter import observers
from tslint.script.interpreter.emitter import Emitter
from tslint.script.interpreter.environment import Condition
from tslint.script.interpreter.magic_methods import is_object, magic
from tslint.script.interpreter.split_conditions import (
    assumption_for,
    common_assumptions,
    maybe_static,
    split_alternatives,
)
from tslint.script.types import (
    BOOL,
    DICT_KEYS,
    NONE,
    NUMBERS,
    STRING,
    ClassType,
    DictType,
    FutureType,
    ListType,
    Simple,
    TensorType,
    Type,
)
from tslint.script.values import NO_CONSTANT, Alternatives, ModuleValue, Typed, Unknown, Value


def truthiness(em: Emitter, value: Value, node: ast.expr) -> Condition:
    """Return the condition for a value that is used as a test (``emitToBool``). A constant bool makes it static, unless
    the test reads a local variable.
    """
    read = node if isinstance(value, Unknown) else _attribute_read(em, node)
    if isinstance(value, Alternatives):
        condition = _split_alternatives_of_bool(em, value, node, read)
        if condition is not None:
            return condition
        return maybe_static(em, read, "{}") if _declared(em, read) else Condition(unsure=True)
    if isinstance(value, Unknown):
        if _could_be_static(em, node):
            return maybe_static(em, node, "{}")
        return Condition()
    if (
        isinstance(value, Typed)
        and value.type == BOOL
        and value.constant is not NO_CONSTANT
        and not isinstance(node, ast.Name)
    ):
        return Condition(bool(value.constant))
    if isinstance(value, Typed) and value.type == BOOL and value.constant is NO_CONSTANT and _declared(em, read):
        return maybe_static(em, read, "{}")
    type_ = em.type_of(value, node)
    if type_ is None:
        return Condition()
    said = "" if castable_to_bool(type_) else f"Could not cast value of type {type_} to bool"
    if not said and is_object(type_):
        answer = magic(em, type_, "__bool__", node, node)
        if isinstance(answer, Typed) and answer.type != BOOL:
            said = f"expected a bool expression for condition but found {answer.type}"
    observers.condition.tell(em, node, type_)
    if said:
        em.report(NotACondition(node, said, type=type_, value=value, held=_attribute_kinds(em, node)))
    return Condition()


def _attribute_read(em: Emitter, node: ast.expr) -> ast.expr:
    """Return ``self.flag`` for ``getattr(self, "flag", False)``, and other expressions as they are."""
    if not isinstance(node, ast.Call) or em.qualified(node.func) != "builtins.getattr":
        return node
    return ast.copy_location(ast.Attribute(node.args[0], ast.literal_eval(node.args[1]), ast.Load()), node)


def _attribute_kinds(em: Emitter, node: ast.expr) -> frozenset[str]:
    """Return the kinds of values that ``self.name`` has in all constructions; ``unknown`` for other expressions."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and em.unit.receiver is not None:
        owner = em.env.find(node.value.id)
        if isinstance(owner, ModuleValue) and owner.path == "self":
            return frozenset().union(*(kinds(em.model, each, node.attr) for each in _sharing(em, em.unit.receiver)))
    return frozenset(["unknown"])


def _sharing(em: Emitter, receiver: Class) -> list[Class]:
    """Return the classes in the file whose instances have the current method: the receiver, and others that inherit the
    method.
    """
    owner = em.unit.function.owner
    others = [
        each for each in receiver.module.classes()
        if owner is not None and any(base is owner for base in em.model.hierarchy(each).mro)
    ]  # fmt: skip
    return [receiver, *others]


def _known_bool(option: Value) -> Condition:
    return Condition(isinstance(option, Typed) and bool(option.constant))


def _declared_bool(em: Emitter, option: Value, node: ast.expr) -> Condition:
    known = isinstance(option, Typed) and option.is_constant
    return _known_bool(option) if known else maybe_static(em, node, "{}")


def _split_alternatives_of_bool(em: Emitter, value: Alternatives, node: ast.expr, read: ast.expr) -> Condition | None:
    live = [(assumptions, option) for assumptions, option in value.cases if satisfiable(assumptions, em.assumptions)]
    if live and all(isinstance(o, Typed) and o.type == BOOL and o.is_constant for _, o in live):
        return split_alternatives(em, value, _known_bool, assumption_for(em, read, "{}"))
    if _declared(em, read) and all(
        isinstance(o, Unknown) or (isinstance(o, Typed) and o.type == BOOL) for _, o in live
    ):
        # A case may be a constant, or a parameter whose truth the constructor may have tested.
        split = split_alternatives(em, value, lambda o: _declared_bool(em, o, read), assumption_for(em, read, "{}"))
        return replace(split, unsure=True)

    def look(option: Value) -> Value:
        truthiness(em, option, node)
        return option

    em.map_alternatives(value, look)
    good = [assumptions for assumptions, option in live if not (isinstance(option, Typed) and option.type == NONE)]
    if good and len(good) < len(live) and common_assumptions(good) - em.assumptions:
        # The case None has been reported, so inside the branch only the other cases count.
        return Condition(split=(common_assumptions(good) - em.assumptions, frozenset()))
    return None


def _could_be_static(em: Emitter, node: ast.expr) -> bool:
    """Return whether an unknown value might be a constant with which the compiler prunes branches: an attribute of a
    Python module, or a ``Final`` attribute of ``self``.
    """
    if isinstance(node, ast.Attribute):
        root: ast.expr = node
        while isinstance(root, ast.Attribute):
            root = root.value
        if isinstance(root, ast.Name):
            owner = em.env.find(root.id)
            if owner is None:
                return True
            if isinstance(owner, ModuleValue):
                return is_constant_attribute(em, node)
    return False


def is_constant_attribute(em: Emitter, node: ast.Attribute) -> bool:
    """Return whether ``self.flag`` is declared as a constant."""
    if em.unit.receiver is None or not isinstance(node.value, ast.Name):
        return True
    return node.attr in em.model.facts(em.unit.receiver).constants


def _declared(em: Emitter, node: ast.expr) -> bool:
    """Return whether a test reads an attribute of ``self`` that is declared as a constant, so that the compiler knows
    its value.
    """
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name) or em.unit.receiver is None:
        return False
    owner = em.env.find(node.value.id)
    return isinstance(owner, ModuleValue) and owner.path == "self" and is_constant_attribute(em, node)


def castable_to_bool(type_: Type) -> bool:
    """Return whether the compiler accepts a type as a condition."""
    if isinstance(type_, TensorType) or type_ in NUMBERS[:2] or type_ in (BOOL, STRING, Simple("number")):
        return True
    if isinstance(type_, (ListType, DictType)):
        return True
    if isinstance(type_, FutureType):
        return False
    if isinstance(type_, ClassType):
        if type_.kind == "class" and isinstance(type_.definition, Class):
            return "__bool__" in body_names(type_.definition.node)
        return type_.kind not in ("module", "enum")
    return type_ in (Simple("list"),) and type_ not in DICT_KEYS
