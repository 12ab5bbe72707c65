"""Conditions: what the compiler decides statically, and what a test shows of variables (``emitCondExpr``)."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from tslint.project.classes import body_names
from tslint.project.definitions import Class, External
from tslint.script.attributes import Atom, Atoms, consistent
from tslint.script.construct.conditions import source_parameter
from tslint.script.dataflow.members import kinds
from tslint.script.interpreter.emitter import Emitter
from tslint.script.interpreter.environment import Condition
from tslint.script.interpreter.externals import known
from tslint.script.interpreter.modules import has_attribute
from tslint.script.operators.callables import Operator
from tslint.script.types import (
    ANY,
    BOOL,
    DICT_KEYS,
    NONE,
    NUMBERS,
    STRING,
    ClassType,
    DictType,
    FutureType,
    ListType,
    OptionalType,
    Simple,
    TensorType,
    TupleType,
    Type,
    UnionType,
    is_subtype,
    members,
    union,
)
from tslint.script.values import (
    NO_CONSTANT,
    Alternatives,
    ContainerValue,
    Missing,
    ModuleValue,
    TupleValue,
    Typed,
    Unknown,
    Value,
)

_SCRIPTING = {"torch.jit.is_scripting", "torch._jit_internal.is_scripting"}
_NEVER = {
    "torch.overrides.has_torch_function",
    "torch.overrides.has_torch_function_unary",
    "torch.overrides.has_torch_function_variadic",
    "torch._C._has_torch_function",
    "torch._C._has_torch_function_unary",
}


def emit_condition(em: Emitter, node: ast.expr) -> Condition:
    """Emit a test."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return emit_condition(em, node.operand).negated()
    if isinstance(node, ast.BoolOp):
        return _short_circuit(em, node)
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (ast.Is, ast.IsNot)):
        condition = _is(em, node)
        if condition is not None:
            return condition.negated() if isinstance(node.ops[0], ast.IsNot) else condition
    if isinstance(node, ast.Call):
        special = _call(em, node)
        if special is not None:
            return special
    if isinstance(node, ast.IfExp):
        chosen = _chosen(em, node)
        if chosen is not None:
            return chosen
    value = em.expression(node)
    return truthiness(em, value, node)


def _chosen(em: Emitter, node: ast.IfExp) -> Condition | None:
    """``a if torch.jit.is_scripting() else b``: the compiler knows which is asked, and keeps what that decides, not
    what it shows of variables."""
    called = node.test.operand if isinstance(node.test, ast.UnaryOp) else node.test
    if not isinstance(called, ast.Call) or em.qualified(called.func) not in _SCRIPTING:
        return None
    scripting = emit_condition(em, node.test).static
    inner = emit_condition(em, node.body if scripting else node.orelse)
    return Condition(inner.static, split=inner.split, unsure=inner.unsure)


def _call(em: Emitter, node: ast.Call) -> Condition | None:
    name = em.qualified(node.func) if isinstance(node.func, (ast.Name, ast.Attribute)) else ""
    if (
        isinstance(node.func, ast.Name)
        and node.func.id in ("isinstance", "hasattr")
        and em.env.find(node.func.id) is None
    ):
        name = f"builtins.{node.func.id}"  # the emitter's environment comes before the module's globals
    if name in _SCRIPTING:
        return Condition(True)
    if name in _NEVER:
        return Condition(False)
    if name == "builtins.bool" and len(node.args) == 1 and not node.keywords:
        inner = emit_condition(em, node.args[0])
        return inner
    if name in ("builtins.isinstance", "torch.jit.isinstance") and len(node.args) == 2 and not node.keywords:
        return isinstance_condition(em, node)
    if name == "builtins.hasattr" and len(node.args) == 2 and not node.keywords:
        return hasattr_condition(em, node)
    return None


def _short_circuit(em: Emitter, node: ast.BoolOp) -> Condition:
    """``and``/``or``: every operand is emitted, the later ones with what the earlier ones show."""
    conjunction = isinstance(node.op, ast.And)
    result = emit_condition(em, node.values[0])
    for operand in node.values[1:]:
        em.env.push()
        outer = em.atoms
        refine(em, result.when_true if conjunction else result.when_false)
        if result.split is not None:
            # One instance decides the first operand; the second is emitted all the same.
            em.atoms = outer
        right = emit_condition(em, operand)
        em.atoms = outer
        em.env.pop()
        result = _combine(result, right, conjunction)
    return result


def _combine(left: Condition, right: Condition, conjunction: bool) -> Condition:
    stop = not conjunction
    static: bool | None = None
    if left.static is stop or right.static is stop:
        static = stop
    elif left.static is not None and right.static is not None:
        static = not stop
    split: tuple[Atoms, Atoms] | None = None
    unsure = left.unsure or right.unsure
    if static is None and (left.split or right.split):
        if left.static is not None:
            split = right.split
        elif right.static is not None:
            split = left.split
        elif left.split and right.split and (not conjunction or consistent(left.split[0], right.split[0])):
            whole = _whole(left.split[0], right.split[0], conjunction)
            not_whole = frozenset(atom.negated() for atom in whole)
            if conjunction:
                split = (left.split[0] | right.split[0] | whole, not_whole)
            else:
                split = (whole, left.split[1] | right.split[1] | not_whole)
        else:
            unsure = True
    result = Condition(static, split=split, unsure=unsure)
    joined, alternative = ("when_true", "when_false") if conjunction else ("when_false", "when_true")
    merged = {**getattr(left, joined), **getattr(right, joined)}
    setattr(result, joined, merged)
    weaker: dict[str, Type | Alternatives] = {}
    one, other = getattr(left, alternative), getattr(right, alternative)
    for name in one.keys() & other.keys():
        if isinstance(one[name], Type) and isinstance(other[name], Type):
            weaker[name] = union([one[name], other[name]])
    setattr(result, alternative, weaker)
    return result


def _whole(left: Atoms, right: Atoms, conjunction: bool) -> Atoms:
    """``a or b``, as a constructor that tests the same has it; nothing where its words are not known."""
    parts = [*left, *right]
    if len(left) != 1 or len(right) != 1 or any(not part.holds or part.version for part in parts):
        return frozenset()
    return frozenset([Atom((" and " if conjunction else " or ").join(part.text for part in parts), True)])


def refine(em: Emitter, refinements: Mapping[str, Type | Alternatives]) -> None:
    """Give variables the types that a test has shown (``insertRefinements``)."""
    for name, shown in refinements.items():
        em.env.set(name, _as_value(shown))


def _as_value(shown: Type | Alternatives) -> Value:
    return Typed(shown) if isinstance(shown, Type) else shown


def atom_for(em: Emitter, node: ast.expr, wording: str) -> Atom:
    """A test of the constructor for something that the compiler would decide, in the constructor's own words where an
    attribute is one of its parameters."""
    spelled = ast.unparse(node)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and em.unit.receiver is not None:
        owner = em.env.find(node.value.id)
        if isinstance(owner, ModuleValue) and owner.path == "self":
            stored = em.model.facts(em.unit.receiver).attributes.get(node.attr, [])
            sources = {source_parameter(attribute) for attribute in stored}
            if len(sources) == 1 and None not in sources:
                spelled = str(sources.pop())
    return Atom(wording.format(spelled), True)


def _maybe_static(em: Emitter, node: ast.expr, wording: str) -> Condition:
    atom = atom_for(em, node, wording)
    if atom in em.atoms:
        return Condition(True)
    if atom.negated() in em.atoms:
        return Condition(False)
    return Condition(split=(frozenset([atom]), frozenset([atom.negated()])), unsure=True)


def _is(em: Emitter, node: ast.Compare) -> Condition | None:
    """``x is None``: static where the type decides it, else it refines plain variables."""
    right_node = node.comparators[0]
    left_none = isinstance(node.left, ast.Constant) and node.left.value is None
    if not left_none and not (isinstance(right_node, ast.Constant) and right_node.value is None):
        return None
    operand = right_node if left_none else node.left
    value = em.expression(operand)
    return none_test(em, value, operand)


def none_test(em: Emitter, value: Value, node: ast.expr) -> Condition:
    """Whether a value is None, as the compiler decides it."""
    if isinstance(value, Alternatives):
        return _split_alternatives(
            em, value, lambda option: none_test(em, option, node), atom_for(em, node, "{} is None")
        )
    if isinstance(value, (Unknown, Missing)):
        return _maybe_static(em, node, "{} is None")
    if isinstance(value, Typed):
        if value.type == NONE or (value.is_constant and value.constant is None):
            return Condition(True)
        if (
            isinstance(value.type, OptionalType)
            or value.type == ANY
            or (isinstance(value.type, UnionType) and NONE in value.type.members)
        ):
            condition = Condition()
            if isinstance(node, ast.Name):
                # Only what is not None is refined: where it is None, it keeps its type.
                if value.type != ANY:
                    condition.when_false = {node.id: union([m for m in members(value.type) if m != NONE])}
            return condition
        return Condition(False)
    if not isinstance(value, (ModuleValue, ContainerValue, TupleValue)):
        em.type_of(value, node)
    return Condition(False)


def _split_alternatives(em: Emitter, value: Alternatives, look: Callable[[Value], Condition], atom: Atom) -> Condition:
    """A test of something that depends on the construction."""
    true: list[tuple[Atoms, Value]] = []
    false: list[tuple[Atoms, Value]] = []
    name = ""
    other = False
    for atoms, option in value.cases:
        if not consistent(atoms, em.atoms):
            continue
        with em.assume(atoms):
            condition = look(option)
        if condition.split is not None:
            true.append((atoms | condition.split[0], option))
            false.append((atoms | condition.split[1], option))
            continue
        other = other or condition.static is None
        for cases, static, shown in ((true, True, condition.when_true), (false, False, condition.when_false)):
            if condition.static in (static, None):
                name = next(iter(shown), name)
                cases.append((atoms, _as_value(shown[name]) if name in shown else option))
    if other:
        if not name:
            return Condition(unsure=True)
        return Condition(None, {name: Alternatives(tuple(true))}, {name: Alternatives(tuple(false))}, unsure=True)
    if not false:
        return Condition(True)
    if not true:
        return Condition(False)
    # Where the cases have nothing in common to say, the test itself says it.
    when_true = _common([atoms for atoms, _ in true]) - em.atoms or frozenset([atom])
    when_false = _common([atoms for atoms, _ in false]) - em.atoms or frozenset([atom.negated()])
    return Condition(split=(when_true, when_false))


def _common(options: list[Atoms]) -> Atoms:
    """What holds in all of several cases."""
    result = options[0]
    for option in options[1:]:
        result = result & option
    return result


def isinstance_condition(em: Emitter, node: ast.Call) -> Condition:
    """``isinstance(value, types)``: decided where the type tells, else it refines a plain variable."""
    return _of_type(em, em.expression(node.args[0]), node)


def _of_type(em: Emitter, value: Value, node: ast.Call) -> Condition:
    if isinstance(value, Alternatives) and any(isinstance(option, Typed) for _, option in value.cases):
        return _split_alternatives(em, value, lambda option: _of_type(em, option, node), Atom(ast.unparse(node), True))
    if isinstance(value, (Unknown, Alternatives, ModuleValue, ContainerValue, Missing)):
        if isinstance(value, Unknown) and isinstance(node.args[0], ast.Name):
            return Condition(unsure=True)
        atom = Atom(ast.unparse(node), True)
        return Condition(split=(frozenset([atom]), frozenset([atom.negated()])), unsure=True)
    actual = em.type_of(value, node.args[0])
    tests = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]
    wanted: list[Type] = []
    for test in tests:
        named = em.qualified(test)
        if named == "builtins.list":
            wanted.append(Simple("list"))
        elif named == "builtins.tuple":
            wanted.append(Simple("tuple"))
        elif named == "typing.List":
            wanted.append(Simple("list"))
        else:
            found = em.annotations.read(test)
            if isinstance(found, Type):
                wanted.append(found)
            elif not _is_other_class(em, test):
                return Condition(unsure=True)
    if actual is None:
        return Condition(unsure=True)
    possible = list(members(actual))
    if actual == ANY:
        condition = Condition()
        if (
            isinstance(node.args[0], ast.Name)
            and len(wanted) == 1
            and wanted[0] not in (Simple("list"), Simple("tuple"))
        ):
            condition.when_true = {node.args[0].id: wanted[0]}
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


def _is_other_class(em: Emitter, node: ast.expr) -> bool:
    """Whether a test names a Python class that no TorchScript value is an instance of."""
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
    """``hasattr(object, 'name')``: decided by what the module or class has."""
    value = em.expression(node.args[0])
    name = node.args[1]
    if not (isinstance(name, ast.Constant) and isinstance(name.value, str)):
        return Condition(unsure=True)
    if isinstance(value, ModuleValue):
        known = has_attribute(em, value, name.value)
        if isinstance(known, bool):
            return Condition(known)
        if known is not None:
            return Condition(split=known)
        atom = Atom(ast.unparse(node), True)
        return Condition(split=(frozenset([atom]), frozenset([atom.negated()])), unsure=True)
    if isinstance(value, Typed) and not isinstance(value.type, (ClassType, TupleType)):
        em.report(
            "hasattr-of-value",
            node.args[0],
            f"hasattr's first argument must be an object or NamedTuple, got {value.type} instead",
            type=str(value.type),
        )
        return Condition()
    return Condition(unsure=True)


def truthiness(em: Emitter, value: Value, node: ast.expr) -> Condition:
    """Use a value as a condition (``emitToBool``): static only for constant bools that are not literals of locals."""
    if isinstance(value, Alternatives):
        condition = _split_alternatives_of_bool(em, value, node)
        if condition is not None:
            return condition
        return _maybe_static(em, node, "{}") if _declared(em, node) else Condition(unsure=True)
    if isinstance(value, Unknown):
        if _could_be_static(em, node):
            return _maybe_static(em, node, "{}")
        return Condition()
    if (
        isinstance(value, Typed)
        and value.type == BOOL
        and value.constant is not NO_CONSTANT
        and not isinstance(node, ast.Name)
    ):
        return Condition(bool(value.constant))
    if isinstance(value, Typed) and value.type == BOOL and value.constant is NO_CONSTANT and _declared(em, node):
        return _maybe_static(em, node, "{}")
    type_ = em.type_of(value, node)
    if type_ is not None and not castable_to_bool(type_):
        em.report(
            "not-a-condition",
            node,
            f"Could not cast value of type {type_} to bool",
            type=type_,
            value=value,
            held=_held(em, node),
        )
    return Condition()


def _held(em: Emitter, node: ast.expr) -> frozenset[str]:
    """What ``self.name`` holds in any construction."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and em.unit.receiver is not None:
        owner = em.env.find(node.value.id)
        if isinstance(owner, ModuleValue) and owner.path == "self":
            return frozenset().union(*(kinds(em.model, each, node.attr) for each in _sharing(em, em.unit.receiver)))
    return frozenset(["unknown"])


def _sharing(em: Emitter, receiver: Class) -> list[Class]:
    """The classes of the file whose instances run the function: the receiver, and others that inherit it."""
    owner = em.unit.function.owner
    others = [
        each for each in receiver.module.classes()
        if owner is not None and any(base is owner for base in em.model.hierarchy(each).mro)
    ]  # fmt: skip
    return [receiver, *others]


def _known_bool(option: Value) -> Condition:
    return Condition(isinstance(option, Typed) and bool(option.constant))


def _split_alternatives_of_bool(em: Emitter, value: Alternatives, node: ast.expr) -> Condition | None:
    live = [(atoms, option) for atoms, option in value.cases if consistent(atoms, em.atoms)]
    if live and all(isinstance(o, Typed) and o.type == BOOL and o.is_constant for _, o in live):
        return _split_alternatives(em, value, _known_bool, atom_for(em, node, "{}"))

    def look(option: Value) -> Value:
        truthiness(em, option, node)
        return option

    em.each(value, look)
    good = [atoms for atoms, option in live if not (isinstance(option, Typed) and option.type == NONE)]
    if good and len(good) < len(live) and _common(good) - em.atoms:
        # None has been reported as a condition, and is not reported again inside.
        return Condition(split=(_common(good) - em.atoms, frozenset()))
    return None


def _could_be_static(em: Emitter, node: ast.expr) -> bool:
    """Whether an unknown value might be a constant that prunes: an attribute of a module, or a Final of ``self``."""
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
    """Whether ``self.flag`` is declared constant."""
    if em.unit.receiver is None or not isinstance(node.value, ast.Name):
        return True
    return node.attr in em.model.facts(em.unit.receiver).constants


def _declared(em: Emitter, node: ast.expr) -> bool:
    """Whether a test is an attribute of ``self`` that is declared constant: the compiler knows its value."""
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name) or em.unit.receiver is None:
        return False
    owner = em.env.find(node.value.id)
    return isinstance(owner, ModuleValue) and owner.path == "self" and is_constant_attribute(em, node)


def castable_to_bool(type_: Type) -> bool:
    """Whether the compiler takes a type as a condition."""
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


__all__ = ["Condition", "castable_to_bool", "emit_condition", "is_constant_attribute", "none_test", "truthiness"]
