"""Emits attributes of module instances: ``self.name`` in compiled code (``ModuleValue::attr``)."""

from __future__ import annotations

import ast

from tslint.project.classes import Member, is_abstract
from tslint.project.definitions import Class, External, Function, GlobalValue
from tslint.script.assumptions import HAS_RUN, NO_ASSUMPTIONS, Assumption, Assumptions, satisfiable
from tslint.script.attributes import Attribute, ClassFacts, Instance, PyConst, PyDict, PyExternal, PyKind, PySequence
from tslint.script.construct.facts import class_variable
from tslint.script.construct.foreign import external_type
from tslint.script.construct.frame import ITEMS
from tslint.script.events.modules import (
    AttributeInconvertible,
    ClassVariable,
    MemberClass,
    MissingAttribute,
    ModuleMethod,
    ReadMember,
)
from tslint.script.interpreter import externals
from tslint.script.interpreter.attribute_conversion import convert, convert_value
from tslint.script.interpreter.emitter import Emitter
from tslint.script.interpreter.split_conditions import shown_by
from tslint.script.operators import module_class
from tslint.script.operators.callables import Constant, ModuleClass, Operator
from tslint.script.private_names import is_private
from tslint.script.scope import CACHES, cache_of, decorators, exemption, getter_of, is_property
from tslint.script.types import BOOL, FLOAT, INT, NONE, STRING, Type
from tslint.script.values import (
    EMPTY,
    UNKNOWN,
    Alternatives,
    FunctionValue,
    Missing,
    ModuleValue,
    Typed,
    Unknown,
    Value,
)

# Methods of modules and containers that are not compiled, but are not missing either (ModuleValue::attr).
ITERABLE_METHODS = frozenset(
    "named_modules modules children named_children named_buffers keys values items extend append insert".split()
)
# Containers whose items have numbers as names, unless they are built from an OrderedDict; and their methods.
_NUMBERING = (".Sequential", ".ModuleList")
_OF_CONTAINERS = ITERABLE_METHODS | {"forward", "pop"}
_HIDDEN = frozenset("_modules _parameters _buffers __dict__ _forward_hooks _forward_pre_hooks __class__".split())


_MISSING: dict[str, type[ReadMember]] = {
    "module-method": ModuleMethod,
    "inconvertible": AttributeInconvertible,
    "class-variable-of-functions": AttributeInconvertible,
    "class-variable": ClassVariable,
    "class": MemberClass,
}


def module_attribute(em: Emitter, owner: ModuleValue, name: str, node: ast.AST) -> Value:
    """Return the value of ``module.name``; report an event if the compiler does not find the name."""
    value = lookup(em, owner, name)
    return settle(em, owner, name, value, node)


def settle(em: Emitter, owner: ModuleValue, name: str, value: Value, node: ast.AST) -> Value:
    """Return the value of an attribute, and report the alternatives in which the attribute is missing."""
    if isinstance(value, Alternatives):
        return em.map_alternatives(value, lambda option: settle(em, owner, name, option, node))
    if isinstance(value, Missing):
        return report_missing(em, owner, name, value, node)
    return value


def report_missing(em: Emitter, owner: ModuleValue, name: str, missing: Missing, node: ast.AST) -> Value:
    """Report an attribute that does not exist."""
    definition = owner.instance.definition
    class_name = definition.qualname if definition is not None else owner.instance.external.rpartition(".")[2]
    text = f"Module '{class_name}' has no attribute '{name}'"
    if missing.detail in CACHES:
        text = "'functools._lru_cache_wrapper' object has no attribute '__globals__'"
    elif missing.why == "inconvertible" and missing.detail == "function":
        text += " (This function exists as an attribute on the Python module, but we failed to compile it"
    elif missing.why == "inconvertible":
        text += " (This attribute exists on the Python module, but we failed to convert Python type"
        if not missing.detail.startswith("object of "):  # the compiler also prints the module of the class
            text += f": '{missing.detail.removeprefix(EMPTY).partition(' of ')[0]}' to a TorchScript type."
    if missing.why == "module-method":
        text = missing.detail or f"'{class_name}.{name}' is being compiled since it was called from '{em.unit.name}'"
    if missing.why == "class":
        text = f"type object '{missing.detail.rpartition('.')[2]}' has no attribute '__globals__'"
    facts = em.model.facts(definition) if definition is not None else None
    origin = em.model.built.origin(definition) if definition is not None else None
    return em.report(
        _MISSING.get(missing.why, MissingAttribute)(
            node,
            text,
            attribute=name,
            owner=owner.path,
            class_name=class_name,
            detail=missing.detail,
            definition=missing.node,
            class_=definition,
            annotated=facts.annotation_owner if facts is not None else None,
            members=tuple(sorted({*facts.attributes, *facts.hierarchy.members})) if facts is not None else (),
            in_others=origin is not None and name in em.model.facts(origin).attributes,
        )
    )


def lookup(em: Emitter, owner: ModuleValue, name: str) -> Value:
    """Return an attribute without reporting errors: it may be Missing, or Alternatives that contain Missing."""
    definition = owner.instance.definition
    if name in _HIDDEN:
        return Missing("hidden")
    if definition is None:
        return externals.module_attribute(owner.instance, name)
    facts = em.model.facts(definition)
    if is_private(name):
        # Python turns `self.__x` into `_Class__x`; the compiler does not (pytorch/pytorch#17411).
        return UNKNOWN if name in facts.attributes and facts.may_have(name) else Missing("private")
    if name == "training":
        return Typed(BOOL)
    if name in facts.ignored:
        return Missing("ignored")
    if name in em.missing:
        return UNKNOWN
    stored = facts.attributes.get(name)
    if name in facts.elsewhere:
        return _set_by_running(em, owner, facts, name, stored or [])
    if stored:
        live = [attribute for attribute in stored if satisfiable(attribute.assumptions, em.assumptions)]
        options: list[tuple[Assumptions, Value]] = []
        for attribute in live:
            if attribute.value is None:
                options.append((attribute.assumptions, _unset(em, owner, facts, name)))
            else:
                options.append((attribute.assumptions, _stored(em, owner, facts, name, attribute)))
        if owner.path != "self":
            # Another instance of the class has other arguments: the tests of its constructor are not those of this
            # function's instance.
            options = [(NO_ASSUMPTIONS, value) for _, value in options]
        return _alternatives(options, owner.path == "self")
    return _unset(em, owner, facts, name)


def _stored(em: Emitter, owner: ModuleValue, facts: ClassFacts, name: str, attribute: Attribute) -> Value:
    """Return a value that the constructor stores. Only constants, parameters and buffers may have a name that begins
    with two underscores.
    """
    value = convert(em, facts, name, attribute, f"{owner.path}.{name}")
    plain = isinstance(value, Typed) and not attribute.kind and attribute.value != PyKind("Parameter")
    hidden = name.startswith("__") and name not in facts.constants
    return Missing("hidden", "", attribute.node) if plain and hidden else value


def _set_by_running(em: Emitter, owner: ModuleValue, facts: ClassFacts, name: str, stored: list[Attribute]) -> Value:
    """Return an attribute that methods also set: the value that the constructor stores is valid until the module first
    runs.
    """
    fresh = frozenset([Assumption(HAS_RUN, False)])
    if owner.path != "self" or (not stored and facts.may_have(name)):
        return UNKNOWN
    options: list[tuple[Assumptions, Value]] = [(frozenset([Assumption(HAS_RUN, True)]), UNKNOWN)]
    if em.unit.receiver in em.model.scripted_new:
        fresh, options = NO_ASSUMPTIONS, []
    annotated = name in facts.annotations
    for attribute in stored:
        if satisfiable(attribute.assumptions, em.assumptions):
            if attribute.value is None:
                options.append((attribute.assumptions | fresh, _unset(em, owner, facts, name)))
            else:
                value = _stored(em, owner, facts, name, attribute)
                again = isinstance(value, Missing) and facts.elsewhere[name] <= facts.methods
                if (
                    annotated
                    or again  # another call of the same method stores the same kind of object
                    or (isinstance(value, Typed) and value.type != NONE)
                    or not isinstance(value, (Typed, Missing))
                ):
                    # A run must store a value of the same type, or the compiler rejects the assignment.
                    options = [option for option in options if option[0] != frozenset([Assumption(HAS_RUN, True)])]
                    options.append((attribute.assumptions, value))
                else:
                    options.append((attribute.assumptions | fresh, value))
    if not stored:
        member = facts.hierarchy.members.get(name)
        hidden = member is not None and not _is_variable(em, facts, name, member)
        if hidden or inherited_member(facts, name, stored=True) is not None:
            return UNKNOWN
        options.append((fresh, Missing("absent") if member is None else _variable(em, facts, member)))
    return _alternatives(options, True)


def _alternatives(options: list[tuple[Assumptions, Value]], own: bool) -> Value:
    if not options:
        return UNKNOWN
    first = options[0][1]
    if len(options) == 1:
        return first
    if all(value is first or (value == first and not isinstance(value, Missing)) for _, value in options):
        return first
    if all(isinstance(value, Missing) for _, value in options):
        # If the attribute is also missing where a value is stored, the reason there says more than `absent`.
        return next((value for _, value in options if isinstance(value, Missing) and value.why != "absent"), first)
    if not own:
        return UNKNOWN
    return Alternatives(tuple(options))


def _unset(em: Emitter, owner: ModuleValue, facts: ClassFacts, name: str) -> Value:
    """Return an attribute that the constructor does not set: a member of the class, Missing, or Unknown."""
    member = facts.hierarchy.members.get(name)
    if member is not None:
        if member.function is not None:
            if is_property(member.function, em.project):
                return _property(em, owner, facts, member.function, name)
            if any("property" in getattr(d, "name", "") for _, d in decorators(member.function, em.project)):
                return UNKNOWN  # a value that Python computes on first use: `functools.cached_property`
            cache = cache_of(member.function, em.project)
            if cache:
                return Missing("inconvertible", cache, member.node)
            return FunctionValue(member.function, owner)
        if name in facts.constants and isinstance(member.node, (ast.Assign, ast.AnnAssign)):
            return _class_constant(em, member)
        if isinstance(member.node, ast.Assign) and isinstance(member.node.value, ast.Lambda):
            return Missing("inconvertible", "function", member.node)
        class_ = _class_in(em, member)
        if class_:
            return Missing("class", class_, member.node)
        if isinstance(member.node, (ast.Assign, ast.AnnAssign)) and member.node.value is not None:
            if _is_variable(em, facts, name, member):
                return UNKNOWN if name in facts.elsewhere or facts.may_have(name) else _variable(em, facts, member)
        elif isinstance(member.node, ast.AnnAssign) and name not in facts.elsewhere and not facts.may_have(name):
            return inherited_member(facts, name) or _variable(em, facts, member)
        return UNKNOWN
    if facts.may_have(name) or name in facts.elsewhere or name in ITERABLE_METHODS:
        return UNKNOWN
    return inherited_member(facts, name) or Missing("absent")


def _is_variable(em: Emitter, facts: ClassFacts, name: str, member: Member) -> bool:
    """Return whether a member is a variable of the class body that the compiler ignores: its value is no Python
    function, or it only has an annotation.
    """
    node = member.node
    if name in facts.constants or not isinstance(node, (ast.Assign, ast.AnnAssign)):
        return False
    plain = (ast.Constant, ast.List, ast.Dict, ast.Tuple, ast.UnaryOp, ast.BinOp)
    if node.value is None or isinstance(node.value, plain):
        return True
    value = class_variable(em.project, facts.hierarchy, member)
    if isinstance(value, PyExternal):
        # A builtin function is no method of the class: `act = torch.relu`.
        return isinstance(externals.known(value.name), (Operator, Constant)) or bool(external_type(value.name))
    return isinstance(value, (PyConst, PyKind, PySequence, PyDict, Instance))


def _variable(em: Emitter, facts: ClassFacts, member: Member) -> Missing:
    """Return the Missing value for a variable of the class body that the compiler ignores.

    A list of functions has a reason of its own: the compiler does not accept it in an attribute of the instance either.
    """
    value = member.node.value if isinstance(member.node, (ast.Assign, ast.AnnAssign)) else None
    if value is None:
        return Missing("absent", "annotated in the class body, but never set", member.node)
    found = convert_value(em, class_variable(em.project, facts.hierarchy, member), "", False)
    if isinstance(found, Missing) and found.detail.endswith(" of functions"):
        return Missing("class-variable-of-functions", found.detail, member.node)
    return Missing("class-variable", ast.unparse(value), member.node)


def _class_in(em: Emitter, member: Member) -> str:
    """Return the name of the class that a class variable contains; empty if it contains something else. The compiler
    takes such a class for a method, and rejects it.
    """
    if isinstance(member.node, ast.ClassDef):
        return member.node.name
    value = member.node.value if isinstance(member.node, ast.Assign) else None
    if not isinstance(value, (ast.Name, ast.Attribute)):
        return ""
    found = em.project.resolve_expression(member.owner.module, value)
    outside = isinstance(found, External) and isinstance(externals.known(found.name), ModuleClass)
    return ast.unparse(value) if outside or isinstance(found, Class) else ""


def inherited_member(facts: ClassFacts, name: str, *, stored: bool = False) -> Value | None:
    """Return an attribute that a base class outside the project may provide; None if there is none.

    Args:
        facts: the facts of the class.
        name: the attribute.
        stored: whether a method stores a value in the attribute, so that it is not an item of a container.
    """
    for base in facts.hierarchy.externals:
        found = module_class(base.name)
        if base.name in ("torch.nn.Module", "torch.nn.modules.Module", "torch.nn.modules.module.Module"):
            if externals.is_module_member(name):
                return externals.base_member(name)
        elif found is not None and not found.container and found.error is None:
            if not externals.is_lacking(found, name):
                return externals.member_of(found, name, None)
        elif found is not None and base.name.endswith(_NUMBERING):
            if name in _OF_CONTAINERS or not (stored or _is_numbered(facts, base.name)):
                return UNKNOWN
        elif base.name not in ("builtins.object", "abc.ABC", "typing.Generic"):
            return UNKNOWN
    return None


def _is_numbered(facts: ClassFacts, container: str) -> bool:
    """Return whether the items of a container certainly have numbers, not names of an OrderedDict."""
    if container.endswith("ModuleList"):
        return True
    made = [each.value for each in facts.attributes.get(ITEMS, ())]
    return bool(made) and all(isinstance(each, Instance) and _has_numbers(each) for each in made)


def _has_numbers(made: Instance) -> bool:
    """Return whether a Sequential certainly is built from modules, not from a dict of them."""
    only = made.items[0] if made.items is not None and len(made.items) == 1 else None
    return made.known and made.items is not None and not made.keys and (only is None or isinstance(only, Instance))


def _class_constant(em: Emitter, member: Member) -> Value:
    """Return the value of a constant of the class body: a literal, or a global with a literal."""
    value = getattr(member.node, "value", None)
    if isinstance(value, (ast.Name, ast.Attribute)):
        found = em.project.resolve_expression(member.owner.module, value)
        value = found.value if isinstance(found, GlobalValue) and not found.rebound else None
    kinds: dict[type, Type] = {bool: BOOL, int: INT, float: FLOAT, str: STRING, type(None): NONE}
    if isinstance(value, ast.Constant) and type(value.value) in kinds:
        return Typed(kinds[type(value.value)], value.value)
    return UNKNOWN


def _property(em: Emitter, owner: ModuleValue, facts: ClassFacts, last: Function, name: str) -> Value:
    function = getter_of(last)  # the class keeps the setter under the same name
    if function is None or name in facts.unused_properties:
        return UNKNOWN
    if exemption(function, em.project) or is_abstract(function, em.project):
        return UNKNOWN
    _, returned = em.model.reach(
        function, owner.instance.definition, "property", em.unit, function.node, em.assumptions
    )
    if function.node.returns is not None:
        found = em.reader_of(function.module).read(function.node.returns)
        return Typed(found) if isinstance(found, Type) else UNKNOWN
    return Typed(returned) if returned is not None else UNKNOWN


def is_absent_property(em: Emitter, definition: Class, name: str) -> bool:
    """Return whether a name is only a property, which ``hasattr`` does not find in compiled code."""
    facts = em.model.facts(definition)
    member = facts.hierarchy.members.get(name)
    return (
        member is not None
        and member.function is not None
        and name not in facts.attributes
        and is_property(member.function, em.project)
    )


def has_attribute(em: Emitter, owner: ModuleValue, name: str) -> bool | tuple[Assumptions, Assumptions] | None:
    """Return the result of ``hasattr(module, 'name')`` in the compiler; None if that is not known. If constructions
    differ, return the tests under which it is true, and those under which it is false.
    """
    definition = owner.instance.definition
    if definition is not None and is_absent_property(em, definition, name):
        return False
    value = lookup(em, owner, name)
    if isinstance(value, FunctionValue) and isinstance(value.receiver, ModuleValue) and definition is not None:
        # To answer, the compiler creates the attribute, and creating a method compiles it.
        em.model.reach(value.function, definition, "method", em.unit, value.function.node, em.assumptions)
        return True
    if isinstance(value, Unknown):
        return None
    if isinstance(value, Missing):
        return False if value.why in ("absent", "class-variable", "inconvertible") else None
    if isinstance(value, Alternatives):
        there = [case for case in value.cases if not isinstance(case[1], Missing)]
        absent = [case for case in value.cases if isinstance(case[1], Missing)]
        if not absent or not there:
            return bool(there)
        asked = Assumption(f"hasattr({owner.path}, {name!r})", True)
        return shown_by(em, there, absent, asked), shown_by(em, absent, there, asked.negated())
    return True
