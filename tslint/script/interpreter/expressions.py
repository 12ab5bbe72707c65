"""Expressions (``emitSugaredExpr``, ``emitSimpleExpr``)."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from tslint.project.definitions import (
    Ambiguous,
    Class,
    Definition,
    External,
    Function,
    GlobalValue,
    ModuleRef,
    Undefined,
)
from tslint.script.hazards.values import notice_braces, notice_text, notice_truth_value
from tslint.script.interpreter.arguments import starred_parts
from tslint.script.interpreter.assignment import assign
from tslint.script.interpreter.conditions import emit_condition, refine
from tslint.script.interpreter.emitter import Emitter, emits, join_alternatives
from tslint.script.interpreter.externals import constant_value, different_constants, is_missing, known
from tslint.script.interpreter.iteration import iteration_of
from tslint.script.interpreter.members import attribute_of
from tslint.script.interpreter.operators import binary, compare, unary
from tslint.script.interpreter.value_kinds import first_class_module, python_type
from tslint.script.operators import schemas
from tslint.script.operators.callables import Constant, ModuleClass, Operator, PythonData
from tslint.script.types import (
    BOOL,
    COMPLEX,
    DICT_KEYS,
    FLOAT,
    INT,
    NONE,
    STRING,
    TENSOR,
    DictType,
    ListType,
    OptionalType,
    TensorType,
    Type,
    UnionType,
    has_unknowns,
    is_subtype,
    unify,
)
from tslint.script.values import (
    NO_CONSTANT,
    UNKNOWN,
    Alternatives,
    ClassValue,
    ExternalValue,
    FunctionValue,
    ModuleReference,
    ModuleValue,
    PythonValue,
    SpecialForm,
    TupleValue,
    Typed,
    Value,
)
from tslint.util import astwalk

# The environment of ir_emitter.cpp knows these before any global of the user's.
_ENVIRONMENT = frozenset(
    "print tuple float complex int bool str getattr hasattr isinstance range zip enumerate list dict len hex oct round"
    " hash id min max abs all any divmod sum ord chr bin pow sorted slice".split()
)
_LITERALS: dict[type, Type] = {
    bool: BOOL,
    int: INT,
    float: FLOAT,
    complex: COMPLEX,
    str: STRING,
    type(None): NONE,
}
_PYTHON_TYPES = {
    ast.List: "list",
    ast.Dict: "dict",
    ast.Tuple: "tuple",
    ast.Set: "set",
    ast.ListComp: "list",
    ast.DictComp: "dict",
    ast.SetComp: "set",
    ast.JoinedStr: "str",
}
# What calls make of which nothing but the type matters here: data that compiled code cannot close over.
_MADE = {
    "functools.partial": "partial",
    **{
        f"builtins.{name}": name
        for name in ("int", "float", "bool", "str", "complex", "list", "dict", "set", "tuple", "frozenset")
    },
    **{
        f"torch.{name}": "Tensor"
        for name in (
            "tensor as_tensor zeros ones full empty rand randn randint arange linspace logspace eye from_numpy"
            " FloatTensor LongTensor IntTensor DoubleTensor Tensor zeros_like ones_like stack cat"
        ).split()
    },
    "builtins.len": "int",
    "torch.device": "device",
    "logging.getLogger": "Logger",
    "collections.OrderedDict": "OrderedDict",
    "collections.defaultdict": "defaultdict",
    "argparse.Namespace": "Namespace",
    "types.SimpleNamespace": "SimpleNamespace",
}


@emits(ast.Constant)
def _constant(em: Emitter, node: ast.Constant, hint: Type | None) -> Value:
    type_ = _LITERALS.get(type(node.value))
    return UNKNOWN if type_ is None else Typed(type_, node.value)


@emits(ast.Name)
def _name(em: Emitter, node: ast.Name, hint: Type | None) -> Value:
    value = em.env.find(node.id)
    if value is not None:
        return value
    failed = em.env.error(node.id)
    if failed is not None:
        place = failed.facts.get("statement", node)
        em.report(failed.kind, place if isinstance(place, ast.AST) else node, failed.compiler, **failed.facts, use=node)
        em.env.forget(node.id)
        return UNKNOWN
    if node.id in _ENVIRONMENT:
        return SpecialForm(f"builtins.{node.id}")
    return global_value(em, em.resolve(node), node.id, node)


def global_value(em: Emitter, found: Definition, spelled: str, node: ast.expr) -> Value:
    """A name of the function's globals (``toSugaredValue``)."""
    if isinstance(found, Undefined):
        if spelled.startswith("__"):
            return UNKNOWN
        stores = [
            n
            for n in astwalk.walk(em.unit.function.node)
            if isinstance(n, ast.Name) and n.id == spelled and isinstance(n.ctx, ast.Store)
        ]
        lost = em.env.lost.get(spelled)
        em.report(
            "undefined-name", node, f"undefined value {spelled}", name=spelled,
            stored=stores[0] if stores else None, type=str(lost.type) if isinstance(lost, Typed) else None,
        )  # fmt: skip
        em.env.forget(spelled)
        return UNKNOWN
    if isinstance(found, Function):
        return FunctionValue(found)
    if isinstance(found, Class):
        return ClassValue(found)
    if isinstance(found, ModuleRef):
        return ModuleReference(found.module)
    if isinstance(found, GlobalValue):
        if isinstance(found.value, ast.Constant) and found.value.value is None and not found.rebound:
            return em.report(
                "closed-over-global", node, f"undefined value {spelled}", name=spelled, type_name="NoneType"
            )
        return _global_data(em, found, spelled)
    if isinstance(found, External):
        if found.name == "builtins.__debug__":
            return PythonValue("bool", spelled)
        return ExternalValue(found.name)
    assert isinstance(found, Ambiguous)
    return UNKNOWN


def _global_data(em: Emitter, found: GlobalValue, spelled: str) -> Value:
    value = found.value
    if found.rebound or value is None:
        return PythonValue(found.type_name, spelled) if found.type_name not in ("", "NoneType") else UNKNOWN
    if isinstance(value, ast.Call):
        made = em.project.resolve_expression(found.module, value.func)
        name = _MADE.get(made.name, "") if isinstance(made, External) else ""
        return PythonValue(name, spelled) if name else UNKNOWN
    if isinstance(value, ast.Attribute):
        made = em.project.resolve_expression(found.module, value)
        constant = known(made.name) if isinstance(made, External) else None
        return PythonValue(python_type(constant), spelled) if isinstance(constant, Constant) else UNKNOWN
    if isinstance(value, ast.UnaryOp) and isinstance(value.operand, ast.Constant):
        value = value.operand
    if isinstance(value, ast.Constant):
        if value.value is None:
            return UNKNOWN
        return PythonValue(type(value.value).__name__, spelled)
    type_name = _PYTHON_TYPES.get(type(value))
    return PythonValue(type_name, spelled) if type_name else UNKNOWN


@emits(ast.Attribute)
def _attribute(em: Emitter, node: ast.Attribute, hint: Type | None) -> Value:
    owner = em.expression(node.value)
    if isinstance(owner, ExternalValue):
        full = f"{owner.name}.{node.attr}"
        found = known(full)
        if isinstance(known(owner.name), ModuleClass) and found is None:
            return em.report(
                "base-method-call",
                node,
                "attribute lookup is not defined on python value of type 'type'",
                name=ast.unparse(node),
            )
        if isinstance(found, Constant):
            return constant_value(found)
        return _external_attribute(em, node, owner, full)
    if isinstance(owner, ModuleReference):
        definition = em.project.attribute(ModuleRef(owner.module), node.attr)
        if isinstance(definition, Undefined):
            # Set from outside, or by something that the index does not see: Python modules are open.
            return UNKNOWN
        if isinstance(definition, GlobalValue):
            constant = definition.value
            if isinstance(constant, ast.Constant) and not definition.rebound and type(constant.value) in _LITERALS:
                return Typed(_LITERALS[type(constant.value)], constant.value)
            return UNKNOWN
        return global_value(em, definition, node.attr, node)
    value = attribute_of(em, owner, node.attr, node)
    if isinstance(owner, ModuleValue):
        em.record(node, f"{owner.path}.{node.attr}", "attribute", value)
    return value


def _external_attribute(em: Emitter, node: ast.Attribute, owner: ExternalValue, full: str) -> Value:
    """A name of a module that is not the project's, or an attribute of what is no module."""
    held = known(owner.name)
    if isinstance(held, PythonData) and held.type_name not in ("module", "type"):
        return em.report(
            "foreign-attribute",
            node,
            f"attribute lookup is not defined on python value of type '{held.type_name}'",
            name=ast.unparse(node.value),
            type_name=held.type_name,
            attribute=node.attr,
        )
    operator = (
        owner.name.startswith("torch.ops.aten.")
        and owner.name.count(".") == 3
        and bool(schemas(f"aten::{owner.name[15:]}"))
    )
    if operator or owner.name == "torch.Tensor" or isinstance(held, Operator):
        return em.report(
            "foreign-attribute",
            node,
            "attribute lookup is not defined on builtin",
            name=ast.unparse(node.value),
            type_name="builtin",
            attribute=node.attr,
        )
    if is_missing(full):
        return em.report(
            "missing-module-attribute",
            node,
            f"object has no attribute {node.attr}",
            name=full,
            module=owner.name,
            attribute=node.attr,
        )
    return ExternalValue(full)


@emits(ast.BoolOp)
def _bool_op(em: Emitter, node: ast.BoolOp, hint: Type | None) -> Value:
    condition = emit_condition(em, node)
    if condition.static is None:
        notice_truth_value(em, node)
    return Typed(BOOL, condition.static if condition.static is not None else NO_CONSTANT)


@emits(ast.UnaryOp)
def _unary(em: Emitter, node: ast.UnaryOp, hint: Type | None) -> Value:
    if isinstance(node.op, ast.Not):
        condition = emit_condition(em, node)
        return Typed(BOOL, condition.static if condition.static is not None else NO_CONSTANT)
    return unary(em, node, em.expression(node.operand))


@emits(ast.BinOp)
def _binary(em: Emitter, node: ast.BinOp, hint: Type | None) -> Value:
    # Long sums are deep trees: walk down the left side without recursion.
    chain: list[ast.BinOp] = []
    left: ast.expr = node
    while isinstance(left, ast.BinOp):
        chain.append(left)
        left = left.left
    value = em.expression(left)
    for operation in reversed(chain):
        value = binary(em, operation, operation.op, value, em.expression(operation.right))
    return value


def _against_none(node: ast.Compare) -> bool:
    return any(isinstance(side, ast.Constant) and side.value is None for side in (node.left, node.comparators[0]))


@emits(ast.Compare)
def _compare(em: Emitter, node: ast.Compare, hint: Type | None) -> Value:
    if len(node.ops) == 1 and isinstance(node.ops[0], (ast.Is, ast.IsNot)) and _against_none(node):
        condition = emit_condition(em, node)
        return Typed(BOOL, condition.static if condition.static is not None else NO_CONSTANT)
    left = em.expression(node.left)
    result: Value = UNKNOWN
    for op, right_node in zip(node.ops, node.comparators):
        right = em.expression(right_node)
        result = compare(em, node, op, left, right)
        left = right
    # Chained: `a < b and b < c`, and that is a bool.
    return result if len(node.ops) == 1 else Typed(BOOL)


@emits(ast.IfExp)
def _if_expression(em: Emitter, node: ast.IfExp, hint: Type | None) -> Value:
    condition = emit_condition(em, node.test)
    if em.recording is not None:
        em.recording.decided(em.unit, node, condition)
    if condition.static is not None:
        chosen, refinements = (
            (node.body, condition.when_true) if condition.static else (node.orelse, condition.when_false)
        )
        return _refined(em, chosen, refinements)
    if condition.split is not None:
        results = []
        for atoms, branch, refinements in (
            (condition.split[0], node.body, condition.when_true),
            (condition.split[1], node.orelse, condition.when_false),
        ):
            with em.assume(atoms):
                results.append((atoms, _refined(em, branch, refinements)))
        if not condition.split[0] or not condition.split[1]:
            return results[0][1] if results[0][1] == results[1][1] else UNKNOWN
        return join_alternatives(results)
    left = _refined(em, node.body, condition.when_true)
    right = _refined(em, node.orelse, condition.when_false)
    a, b = em.type_of(left, node.body), em.type_of(right, node.orelse)
    if a is None or b is None:
        return UNKNOWN
    joined = unify(a, b)
    if (
        isinstance(left, ModuleValue)
        and isinstance(right, ModuleValue)
        and different_constants(left.instance, right.instance)
    ):
        joined = None
    if joined is None:
        em.report(
            "if-expression-types",
            node,
            f"if-expression's true branch has type {a} but false branch has type {b}",
            true=str(a),
            false=str(b),
        )
        return UNKNOWN
    return Typed(joined)


def _refined(em: Emitter, node: ast.expr, refinements: Mapping[str, Type | Alternatives]) -> Value:
    em.env.push()
    refine(em, refinements)
    value = em.expression(node)
    em.env.pop()
    return value


@emits(ast.Tuple)
def _tuple(em: Emitter, node: ast.Tuple, hint: Type | None) -> Value:
    elements: list[Value] = []
    for element in node.elts:
        if isinstance(element, ast.Starred):
            inner = em.expression(element.value)
            parts = starred_parts(em, inner, element, "tuple")
            if parts is None:
                return UNKNOWN
            elements += parts
        else:
            elements.append(em.expression(element))
    return TupleValue(tuple(first_class_module(element) for element in elements))


@emits(ast.List)
def _list(em: Emitter, node: ast.List, hint: Type | None) -> Value:
    wanted = _list_hint(hint)
    if not node.elts:
        return Typed(wanted if wanted is not None else ListType(TENSOR), empty=True)
    types: list[Type | None] = []
    for element in node.elts:
        if isinstance(element, ast.Starred):
            parts = starred_parts(em, em.expression(element.value), element, "list")
            types += [None] if parts is None else [em.type_of(part, element) for part in parts]
        else:
            types.append(em.typed_expression(element, wanted.element if wanted is not None else None))
    return _list_of(em, node, types, wanted)


def _list_hint(hint: Type | None) -> ListType | None:
    if isinstance(hint, OptionalType):
        hint = hint.element
    if isinstance(hint, UnionType):
        lists = [member for member in hint.order if isinstance(member, ListType)]
        hint = lists[0] if len(lists) == 1 else None
    return hint if isinstance(hint, ListType) else None


def _list_of(em: Emitter, node: ast.expr, types: list[Type | None], wanted: ListType | None) -> Value:
    if any(type_ is None or has_unknowns(type_) for type_ in types):
        return Typed(wanted) if wanted is not None else UNKNOWN
    known_types = [type_ for type_ in types if type_ is not None]
    if wanted is not None:
        if all(is_subtype(type_, wanted.element) for type_ in known_types):
            return Typed(wanted)
        found: Type | None = known_types[0]
        for type_ in known_types[1:]:
            found = unify(found, type_, default_to_union=True) if found is not None else None
        return _other_elements(em, node, wanted, "list elements", found)
    joined: Type | None = known_types[0]
    for type_ in known_types[1:]:
        joined = unify(joined, type_, default_to_union=True) if joined is not None else None
    if joined is None:
        return UNKNOWN
    return Typed(ListType(TENSOR if isinstance(joined, TensorType) else joined))


def _other_elements(em: Emitter, node: ast.expr, wanted: Type, what: str, found: Type | None) -> Value:
    """A display or comprehension whose items are not what the place where it stands wants."""
    said = "not of one type" if found is None else str(found)
    em.report(
        "literal-elements",
        node,
        f"List type annotation `{wanted}` did not match the types of the given list elements, which were unified to"
        f" {said}"
        if isinstance(wanted, ListType)
        else f"Type annotation was inferred to be `{wanted}`, but the type of {what} given by the dict literal is"
        f" {said}",
        wanted=str(wanted),
        found=said,
        what=what,
    )
    return Typed(wanted)


@emits(ast.Dict)
def _dict(em: Emitter, node: ast.Dict, hint: Type | None) -> Value:
    wanted = hint.element if isinstance(hint, OptionalType) else hint
    if not isinstance(wanted, DictType):
        wanted = None
    keys = [em.typed_expression(key) for key in node.keys if key is not None]
    values = [em.typed_expression(value, wanted.value if wanted else None) for value in node.values]
    if wanted is not None:
        for what, types, declared in (("keys", keys, wanted.key), ("values", values, wanted.value)):
            sure = [t for t in types if t is not None and not has_unknowns(t)]
            odd = next((t for t in sure if not is_subtype(t, declared)), None)
            if odd is not None and None not in node.keys:
                return _other_elements(em, node, wanted, what, odd)
        return Typed(wanted)
    if not node.keys:
        return Typed(DictType(STRING, TENSOR), empty=True)
    if any(key is None for key in node.keys) or any(t is None or has_unknowns(t) for t in (*keys, *values)):
        return UNKNOWN
    odd = next((key for key in keys if key != keys[0]), None)
    if odd is not None:
        place = node.keys[keys.index(odd)]
        return em.report(
            "dict-keys",
            place if place is not None else node,
            f"Dict keys must contain only a single type. Expected: {keys[0]} but found {odd} instead",
            expected=str(keys[0]),
            found=str(odd),
        )
    key_type, value_type = keys[0], values[0]
    for key in keys[1:]:
        key_type = unify(key_type, key) if key_type is not None and key is not None else None
    for value in values[1:]:
        value_type = (
            unify(value_type, value, default_to_union=True) if value_type is not None and value is not None else None
        )
    if key_type is not None and key_type not in DICT_KEYS:
        return em.report(
            "dict-key-type",
            node,
            f"Cannot create dict for key type '{key_type}', only int, float, complex, Tensor, device and string keys"
            " are supported",
            type=str(key_type),
        )
    if key_type is None or value_type is None:
        return UNKNOWN
    return Typed(DictType(key_type, TENSOR if isinstance(value_type, TensorType) else value_type))


@emits(ast.ListComp, ast.GeneratorExp)
def _comprehension(em: Emitter, node: ast.ListComp | ast.GeneratorExp, hint: Type | None) -> Value:
    if len(node.generators) != 1:
        return UNKNOWN
    generator = node.generators[0]
    iterated = iteration_of(em, generator.iter)
    wanted = _list_hint(hint)
    em.env.push()
    items = iterated.items if iterated.unrolled and iterated.items else [iterated.element]
    types: list[Type | None] = []
    for item in items[:3]:
        assign(em, generator.target, item, generator.iter)
        for test in generator.ifs:
            emit_condition(em, test)
        types.append(em.typed_expression(node.elt, wanted.element if wanted is not None else None))
    em.env.pop()
    return _list_of(em, node, types, wanted)


@emits(ast.DictComp)
def _dict_comprehension(em: Emitter, node: ast.DictComp, hint: Type | None) -> Value:
    if len(node.generators) != 1:
        return UNKNOWN
    em.env.push()
    assign(em, node.generators[0].target, iteration_of(em, node.generators[0].iter).element, node)
    key, value = em.typed_expression(node.key), em.typed_expression(node.value)
    em.env.pop()
    return UNKNOWN if key is None or value is None or has_unknowns(value) else Typed(DictType(key, value))


@emits(ast.JoinedStr)
def _joined_string(em: Emitter, node: ast.JoinedStr, hint: Type | None) -> Value:
    notice_braces(em, node)
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            type_ = em.typed_expression(part.value)
            if type_ is not None:
                notice_text(em, part.value, Typed(type_), node)
    return Typed(STRING)


@emits(ast.Starred)
def _starred(em: Emitter, node: ast.Starred, hint: Type | None) -> Value:
    return em.expression(node.value)
