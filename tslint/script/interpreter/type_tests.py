"""Emits ``isinstance`` and ``hasattr`` as conditions, which are static if the type is known."""

from __future__ import annotations

import ast

from tslint.project.definitions import Class, External, GlobalValue, Undefined
from tslint.script.annotations import BARE, Unreadable, no_type_expression
from tslint.script.assumptions import Assumption
from tslint.script.construct.expressions import canonical
from tslint.script.events.annotation import UnreadableAnnotation
from tslint.script.events.names import GetattrName, HasattrOfValue
from tslint.script.interpreter import observers
from tslint.script.interpreter.emitter import Emitter
from tslint.script.interpreter.environment import Condition
from tslint.script.interpreter.externals import known
from tslint.script.interpreter.known_classes import while_not_compiled
from tslint.script.interpreter.members import attribute_of
from tslint.script.interpreter.modules import has_attribute
from tslint.script.interpreter.split_conditions import split_alternatives, undecided
from tslint.script.operators.callables import ModuleClass, Operator
from tslint.script.types import ANY, ANYTHING, ClassType, ListType, Simple, TupleType, Type, is_subtype, members, union
from tslint.script.values import (
    UNKNOWN,
    Alternatives,
    ContainerValue,
    FunctionValue,
    Missing,
    ModuleValue,
    OperatorValue,
    Typed,
    Unknown,
    Value,
)

_MODULE = ("torch.nn.Module", "torch.nn.modules.Module", "torch.nn.modules.module.Module")


def isinstance_condition(em: Emitter, node: ast.Call) -> Condition:
    """Emit ``isinstance(value, types)``: static if the type is known, otherwise it refines a plain variable."""
    for test in _tests(node):
        if em.qualified(test) in _MODULE:  # never compiled itself, so it is not a type
            em.expression(node.args[0])
            em.report(UnreadableAnnotation(test, f"Unknown type name '{ast.unparse(test)}'", tested=True))
            return Condition(unsure=True)
        kind = no_type_expression(test)
        if kind:
            em.report(UnreadableAnnotation(test, f"Expression of type {kind} cannot be used in a type expression"))
            return _unsure(node)
        if _has_no_type(em, test):
            em.expression(node.args[0])
            em.report(UnreadableAnnotation(test, f"Unknown type name '{ast.unparse(test)}'", tested=True))
            return _unsure(node)
        if isinstance(em.resolve(test), Class) and not _is_module_class(em, test):
            em.read_annotation(test)  # which compiles the class
    return _of_type(em, em.expression(node.args[0]), node)


def _has_no_type(em: Emitter, test: ast.expr) -> bool:
    """Return whether a test names something that is certainly not a type for the compiler.

    That is a class of Python, NumPy or torch that has no TorchScript type, or a global tuple of types, of which the
    compiler only sees the name. Other classes of the project count as types: whether the compiler knows them depends on
    what it has compiled before.
    """
    found = em.resolve(test) if isinstance(test, (ast.Name, ast.Attribute)) else None
    if isinstance(found, Undefined):
        return isinstance(em.annotations.read(test), Unreadable)
    if isinstance(found, Class):
        return em.model.class_kind(found) == "excluded class"
    if isinstance(found, External) and not found.name.startswith("torch.nn."):
        reported_as_bare = found.name in BARE and found.name != "builtins.dict"
        return not reported_as_bare and isinstance(em.annotations.read(test), Unreadable)
    return isinstance(found, GlobalValue) and not found.rebound and isinstance(found.value, ast.Tuple)


def _of_type(em: Emitter, value: Value, node: ast.Call) -> Condition:
    if isinstance(value, Alternatives) and any(isinstance(option, Typed) for _, option in value.cases):
        return split_alternatives(
            em, value, lambda option: _of_type(em, option, node), Assumption(ast.unparse(node), True)
        )
    if isinstance(value, (Unknown, Alternatives, ModuleValue, ContainerValue, Missing)):
        if isinstance(value, Unknown) and isinstance(node.args[0], ast.Name):
            return Condition(unsure=True)
        tests = [test for test in _tests(node) if _is_module_class(em, test)]
        if tests:
            observers.module_type_test.tell(em, node, value)
            _check_known(em, value, tests)
        return undecided(Assumption(ast.unparse(node), True))
    _check_known(em, value, [test for test in _tests(node) if _is_module_class(em, test)])
    actual = em.type_of(value, node.args[0])
    wanted: list[Type] = []
    for test in _tests(node):
        named = em.qualified(test)
        if named == "builtins.list":
            wanted.append(Simple("list"))
        elif named == "builtins.tuple":
            wanted.append(Simple("tuple"))
        elif named in BARE and named.startswith("typing."):
            em.read_annotation(test)
            return _unsure(node)
        else:
            found = em.annotations.read(test)
            if isinstance(found, Type):
                wanted.append(found)
            elif not _is_other_class(em, test):
                return _unsure(node)
    if actual is None:
        return Condition(unsure=True)
    possible = list(members(actual))
    if actual == ANY:
        condition = Condition()
        if isinstance(node.args[0], ast.Name):
            condition.when_true = {node.args[0].id: union(wanted) if wanted else ANYTHING}
        return condition
    yes = [member for member in possible if _is_one_of(member, wanted)]
    no = [member for member in possible if not _is_one_of(member, wanted)]
    if not no:
        return Condition(True)
    if not yes:
        return Condition(False)
    condition = Condition()
    if isinstance(node.args[0], ast.Name):
        condition.when_true = {node.args[0].id: union(yes)}
        condition.when_false = {node.args[0].id: union(no)}
    return condition


def _check_known(em: Emitter, value: Value, tests: list[ast.expr]) -> None:
    """Report the first module class in an ``isinstance`` test whose name the compiler does not know.

    Args:
        em: the emitter.
        value: the tested value. Nothing is reported if it is neither a module nor a value of a known type.
        tests: the module classes.
    """
    if isinstance(value, Alternatives):
        em.map_alternatives(value, lambda option: _look(em, option, tests))
    elif isinstance(value, (ModuleValue, Typed)):
        _look(em, value, tests)


def _look(em: Emitter, value: Value, tests: list[ast.expr]) -> Value:
    for test in tests if isinstance(value, (ModuleValue, Typed)) else ():
        found = em.resolve(test)
        class_ = found if isinstance(found, Class) else canonical(found.name) if isinstance(found, External) else None
        unknown = while_not_compiled(em, class_) if class_ is not None else None
        if unknown is not None:
            with em.assume(unknown):
                em.report(UnreadableAnnotation(test, f"Unknown type name '{ast.unparse(test)}'", tested=True))
            break
    return value


def _unsure(node: ast.Call) -> Condition:
    """Return a condition of which nothing is known; the tested value becomes unknown, too."""
    condition = Condition(unsure=True)
    if isinstance(node.args[0], ast.Name):
        condition.when_true = {node.args[0].id: ANYTHING}
    return condition


def _tests(node: ast.Call) -> list[ast.expr]:
    """Return the types in the second argument of ``isinstance``."""
    return node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]


def _is_module_class(em: Emitter, node: ast.expr) -> bool:
    """Return whether a test names a class of modules."""
    found = em.resolve(node) if isinstance(node, (ast.Name, ast.Attribute)) else None
    if isinstance(found, Class):
        return em.model.is_module(found)
    return isinstance(found, External) and isinstance(known(found.name), ModuleClass)


def _is_other_class(em: Emitter, node: ast.expr) -> bool:
    """Return whether a test names a Python class of which no TorchScript value is an instance."""
    found = em.resolve(node) if isinstance(node, (ast.Name, ast.Attribute)) else None
    if isinstance(found, Class):
        return em.class_type(found) is None and not found.node.keywords and not em.model.hierarchy(found).open
    return isinstance(found, External) and known(found.name) is not None and not isinstance(known(found.name), Operator)


def _is_one_of(actual: Type, wanted: list[Type]) -> bool:
    for type_ in wanted:
        if type_ == Simple("list") and isinstance(actual, ListType):
            return True
        if type_ == Simple("tuple") and isinstance(actual, TupleType):
            return True
        if is_subtype(actual, type_):
            return True
    return False


def hasattr_condition(em: Emitter, node: ast.Call) -> Condition:
    """Emit ``hasattr(object, 'name')``: decided by the members of the module or class."""
    value = em.expression(node.args[0])
    name = node.args[1]
    if not (isinstance(name, ast.Constant) and isinstance(name.value, str)):
        said = "hasattr's second argument must be a string literal"
        em.report(GetattrName(name, said, call=node, function="hasattr"))
        return Condition(unsure=True)
    if isinstance(value, ModuleValue):
        known = has_attribute(em, value, name.value)
        if isinstance(known, bool):
            return Condition(known)
        if known is not None:
            return Condition(split=known)
        return undecided(Assumption(ast.unparse(node), True))
    if isinstance(value, (FunctionValue, OperatorValue)):
        attribute_of(em, value, name.value, ast.copy_location(ast.Attribute(node.args[0], name.value), node.args[0]))
        return Condition(unsure=True)
    check_object(em, value, node.args[0])
    return Condition(unsure=not isinstance(value, Typed) or isinstance(value.type, (ClassType, TupleType)))


def check_object(em: Emitter, value: Value, node: ast.expr) -> Value:
    """Report a value that ``hasattr`` does not support: it supports only modules, objects and named tuples."""
    plain = isinstance(value, Typed) and isinstance(value.type, TupleType) and value.type.name is None
    if isinstance(value, Typed) and (plain or not isinstance(value.type, (ClassType, TupleType))):
        return em.report(
            HasattrOfValue(
                node,
                f"hasattr's first argument must be an object or NamedTuple, got {value.type} instead",
                type=value.type,
            )
        )
    return UNKNOWN
