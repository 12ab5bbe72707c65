"""Emits constructs that the emitter itself handles (``emitApplySpecialForm``), and methods with special results."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tslint.script.events.calls import FormArguments
from tslint.script.events.names import GetattrName, PrintKeyword
from tslint.script.events.types import (
    AnnotationMismatch,
    EnumerateArgument,
    LiteralElements,
    NotATuple,
    RangeBound,
    SliceOrRangeArguments,
    StarredUnknownLength,
    TolistWithoutAnnotation,
)
from tslint.script.interpreter import observers
from tslint.script.interpreter.arguments import Given, arguments, rejects_starred, typed_arguments
from tslint.script.interpreter.dict_calls import made_dict
from tslint.script.interpreter.emitter import Emitter
from tslint.script.interpreter.environment import Condition
from tslint.script.interpreter.futures import awaitable, awaited, fork, wait
from tslint.script.interpreter.iteration import iterate
from tslint.script.interpreter.members import attribute_of
from tslint.script.interpreter.modules import has_attribute
from tslint.script.interpreter.tensor_indices import get_item
from tslint.script.interpreter.type_tests import check_object, hasattr_condition, isinstance_condition
from tslint.script.interpreter.value_kinds import first_class_module
from tslint.script.operators import Matched, match, schemas
from tslint.script.types import (
    ANY,
    BOOL,
    INT,
    NONE,
    STRING,
    TENSOR,
    DictType,
    ListType,
    OptionalType,
    TensorType,
    TupleType,
    Type,
    convertible,
    has_unknowns,
    is_subtype,
    unify,
)
from tslint.script.values import (
    NO_CONSTANT,
    UNKNOWN,
    Alternatives,
    ContainerValue,
    IterableValue,
    ModuleValue,
    SliceValue,
    TupleValue,
    Typed,
    Unknown,
    Value,
)


def _print(em: Emitter, node: ast.Call) -> Value:
    for keyword in node.keywords:
        em.report(
            PrintKeyword(keyword.value, "print doesn't accept any keyword arguments", keyword=keyword.arg, call=node)
        )
        break
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            arguments(em, ast.copy_location(ast.Call(node.func, [argument], []), node))
        else:
            em.typed_expression(argument)
    return Typed(NONE)


def _range(em: Emitter, node: ast.Call) -> Value:
    given = arguments(em, node)
    count = len(given.positional())
    if given.whole and not 1 <= count <= 3:
        most = f"at most 3 arguments, got {count}" if count else "at least 1 arguments, got 0"
        return em.report(
            SliceOrRangeArguments(node, f"range expected {most}", function="range", keyword=None, count=count)
        )
    for position, (_, value, argument) in enumerate(given.values):
        if isinstance(value, Alternatives):

            def look(option: Value, position: int = position, argument: ast.expr = argument) -> Value:
                _check_bound(em, option, position, argument, node)
                return option

            em.map_alternatives(value, look)
        else:
            _check_bound(em, value, position, argument, node)
    return IterableValue("range", tuple(given.positional()))


def _check_bound(em: Emitter, value: Value, position: int, argument: ast.expr, node: ast.Call) -> None:
    type_ = em.type_of(value, argument)
    if type_ is not None and type_ != INT:
        said = f"all inputs of range must be ints, found {type_} in argument {position}"
        em.report(RangeBound(node, said, type=type_, argument=argument))


def _enumerate(em: Emitter, node: ast.Call) -> Value:
    if rejects_starred(em, node):
        return UNKNOWN
    given = arguments(em, node)
    positional = len(given.positional())
    wrong = next((keyword for keyword in node.keywords if keyword.arg not in (None, "start")), None)
    text = ""
    if given.whole and positional == 0:
        text = "enumerate expected at least 1 arguments, got 0"
    elif given.whole and positional > 2:
        text = f"enumerate expected at most 2 arguments, got {positional}"
    elif wrong is not None:
        text = f"enumerate expected kwarg name 'start', got '{wrong.arg}'"
    if text:
        keyword = wrong.arg if wrong is not None else None
        return em.report(EnumerateArgument(node, text, keyword=keyword, count=positional))
    values = given.positional()
    return IterableValue("enumerate", (values[0],)) if values else UNKNOWN


def _zip(em: Emitter, node: ast.Call) -> Value:
    if rejects_starred(em, node):
        return UNKNOWN
    if not node.args and not node.keywords:
        said = "zip expected at least 1 arguments, got 0"
        return em.report(FormArguments(node, said, function="zip", least=1, most=None, count=0))
    given = arguments(em, node)
    return IterableValue("zip", tuple(given.positional())) if given.whole and given.values else UNKNOWN


def _isinstance(em: Emitter, node: ast.Call) -> Value:
    return _type_test(em, node, isinstance_condition)


def _hasattr(em: Emitter, node: ast.Call) -> Value:
    return _type_test(em, node, hasattr_condition)


def _type_test(em: Emitter, node: ast.Call, test: Callable[[Emitter, ast.Call], Condition]) -> Value:
    if len(node.args) != 2 or node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
        given, function = arguments(em, node), ast.unparse(node.func)
        count = len(given.positional())
        if not given.whole or count == 2:
            return UNKNOWN
        said = f"{function} expected exactly 2 arguments but found {count}"
        return em.report(FormArguments(node, said, function=function, least=2, most=2, count=count))
    condition = test(em, node)
    return Typed(BOOL, condition.static if condition.static is not None else NO_CONSTANT)


def _getattr(em: Emitter, node: ast.Call) -> Value:
    if len(node.args) < 2:
        return UNKNOWN
    owner = em.expression(node.args[0])
    name = node.args[1]
    if not (isinstance(name, ast.Constant) and isinstance(name.value, str)):
        said = "getattr's second argument must be a string literal"
        em.report(GetattrName(name, said, call=node, function="getattr"))
        return UNKNOWN
    if len(node.args) == 3:
        if isinstance(owner, ModuleValue):
            if has_attribute(em, owner, name.value) is not True:
                return UNKNOWN
        else:
            return check_object(em, owner, node.args[0])
    attribute = ast.copy_location(ast.Attribute(node.args[0], name.value, ast.Load()), node)
    return attribute_of(em, owner, name.value, attribute)


def _tuple(em: Emitter, node: ast.Call) -> Value:
    if rejects_starred(em, node):
        return UNKNOWN
    given = arguments(em, node)
    if not given.values:
        return TupleValue(())
    value = given.values[0][1]
    if isinstance(value, TupleValue):
        return value
    if isinstance(value, Typed):
        if isinstance(value.type, TupleType):
            return value
        if isinstance(value.type, ListType):
            em.report(
                StarredUnknownLength(
                    node,
                    "cannot statically infer the expected size of a list in this context",
                    what="tuple()",
                    type=value.type,
                    value=node.args[0],
                )
            )
        elif not has_unknowns(value.type) and value.type != ANY:
            em.report(NotATuple(node, f"{value.type} cannot be used as a tuple", type=value.type, needed=None))
    elif isinstance(value, IterableValue):
        said = f"{value.compiled} cannot be used as a tuple"
        em.report(StarredUnknownLength(node, said, what="tuple()", type=ListType(INT), value=node.args[0]))
    return UNKNOWN


def _list(em: Emitter, node: ast.Call) -> Value:
    hint = em.hint.element if isinstance(em.hint, OptionalType) else em.hint
    if not node.args:
        return Typed(hint if isinstance(hint, ListType) else ListType(TENSOR), empty=True)
    value = UNKNOWN if rejects_starred(em, node) else em.expression(node.args[0])
    if isinstance(value, ModuleValue) or (isinstance(value, ContainerValue) and value.view not in ("", "values")):
        return UNKNOWN
    iterated = iterate(em, value, node.args[0])
    element = first_class_module(iterated.element)
    firsts = [first_class_module(item) for item in iterated.items or ()]
    items = [item.type for item in firsts if isinstance(item, Typed) and not has_unknowns(item.type)]
    if iterated.unrolled and items and len(items) == len(iterated.items or ()):
        if isinstance(hint, ListType) and all(is_subtype(item, hint.element) for item in items):
            return Typed(hint)
        odd = next((item for item in items if not is_subtype(item, items[0])), None)
        if odd is not None:
            joined: Type | None = items[0]
            for item in items[1:]:
                joined = unify(joined, item, default_to_union=True) if joined is not None else None
            return em.report(
                LiteralElements(
                    node,
                    f"List type annotation `List[{items[0]}]` did not match the types of the given list elements, which"
                    f" were unified to {joined}",
                    wanted=ListType(items[0]),
                    found=joined,
                    what="elements",
                )
            )
    if isinstance(element, Typed) and not isinstance(value, Unknown):
        return Typed(ListType(TENSOR if isinstance(element.type, TensorType) else element.type))
    return UNKNOWN


def _slice(em: Emitter, node: ast.Call) -> Value:
    given = arguments(em, node)
    count, keyword = len(given.positional()), next((each.arg for each in node.keywords if each.arg), None)
    text = ""
    if keyword is not None:
        text = "Slice does not accept any keyword arguments"
    elif given.whole and not 1 <= count <= 3:
        text = f"slice accepts exactly 1, 2 or 3 arguments, got: {count}"
    if text:
        em.report(SliceOrRangeArguments(node, text, function="slice", keyword=keyword, count=count))
    return SliceValue()


def _unsure(em: Emitter, node: ast.Call) -> Value:
    arguments(em, node)
    return UNKNOWN


def _tensor(em: Emitter, node: ast.Call) -> Value:
    given = arguments(em, node)
    typed_arguments(em, given)
    observers.old_constructor_call.tell(em, node, given)
    return Typed(TENSOR)


def _annotate(em: Emitter, node: ast.Call) -> Value:
    if len(node.args) != 2:
        return UNKNOWN
    type_ = em.read_annotation(node.args[0])
    value = em.expression(node.args[1], type_)
    if type_ is None:
        return UNKNOWN
    given = em.type_of(value, node.args[1]) if isinstance(value, (Typed, TupleValue)) else None
    if given is None or has_unknowns(given) or has_unknowns(type_) or (isinstance(value, Typed) and value.empty):
        return Typed(type_)
    if not convertible(given, type_, allow_conversions=True):
        em.report(
            AnnotationMismatch(
                node.args[1],
                f"expected an expression of type {type_} but found {given}",
                name=ast.unparse(node.args[1]),
                declared=type_,
                actual=given,
            )
        )
        return Typed(type_)
    if given == NONE and isinstance(type_, OptionalType):
        return Typed(type_, None)
    # An Optional variable to which a value is assigned has the type of the value: it needs no further refinement.
    if isinstance(type_, OptionalType) and given != NONE and not isinstance(given, OptionalType):
        return Typed(type_.element)
    # In all other cases the variable has the type of the value: the annotation is only compared with it.
    return Typed(given if type_ != ANY and is_subtype(given, type_) else type_)


def _is_scripting(em: Emitter, node: ast.Call) -> Value:
    return Typed(BOOL, True)


SPECIAL: dict[str, Callable[[Emitter, ast.Call], Value]] = {
    "print": _print,
    "range": _range,
    "enumerate": _enumerate,
    "zip": _zip,
    "isinstance": _isinstance,
    "hasattr": _hasattr,
    "getattr": _getattr,
    "tuple": _tuple,
    "list": _list,
    "annotate": _annotate,
    "is_scripting": _is_scripting,
    "dict": made_dict,
    "slice": _slice,
    "fork": fork,
    "wait": wait,
    "awaitable": awaitable,
    "awaitable_wait": awaited,
    "awaitable_nowait": _unsure,
    "unchecked_cast": _annotate,
    "no_grad": _unsure,
    "autocast": _unsure,
    "check": _unsure,
    "legacy_tensor_constructor": _tensor,
}


def _tensor_only(result: Type) -> Callable[[Emitter, Typed, ast.Call, Given], Value | None]:
    def method(em: Emitter, owner: Typed, node: ast.Call, given: Given) -> Value | None:
        return Typed(result) if isinstance(owner.type, TensorType) and not given.values else None

    return method


def _to(em: Emitter, owner: Typed, node: ast.Call, given: Given) -> Value | None:
    if not isinstance(owner.type, TensorType) or not given.whole:
        return None
    # The overloads differ only in their arguments: whichever is chosen, the result is a tensor.
    typed = typed_arguments(em, given)
    return Typed(TENSOR) if isinstance(match(schemas("aten::to"), typed, owner.type), Matched) else None


def _type(em: Emitter, owner: Typed, node: ast.Call, given: Given) -> Value | None:
    if not isinstance(owner.type, TensorType):
        return None
    typed = typed_arguments(em, given)
    if len(typed) <= 1:
        observers.type_call.tell(em, node)
    return Typed(TENSOR) if len(typed) <= 1 else UNKNOWN


def _format(em: Emitter, owner: Typed, node: ast.Call, given: Given) -> Value | None:
    observers.format_call.tell(em, owner, node, given)
    if owner.type != STRING:
        return None
    typed_arguments(em, given)  # every first-class value can be formatted
    return None if any(keyword.arg is not None for keyword in node.keywords) else Typed(STRING)


def _tolist(em: Emitter, owner: Typed, node: ast.Call, given: Given) -> Value | None:
    if not isinstance(owner.type, TensorType):
        return None
    if em.hint is None:
        em.report(TolistWithoutAnnotation(node, "Expected type hint for result of tolist()"))
        return UNKNOWN
    return Typed(em.hint)


def _size(em: Emitter, owner: Typed, node: ast.Call, given: Given) -> Value | None:
    if isinstance(owner.type, TensorType) and not given.values:
        return Typed(ListType(INT))
    return None


def _sort(em: Emitter, owner: Typed, node: ast.Call, given: Given) -> Value | None:
    observers.sort_call.tell(em, node, owner.type)
    return None


def _items(em: Emitter, owner: Typed, node: ast.Call, given: Given) -> Value | None:
    if isinstance(owner.type, DictType):
        return Typed(ListType(TupleType((owner.type.key, owner.type.value))))
    return None


METHODS: dict[str, Callable[[Emitter, Typed, ast.Call, Given], Value | None]] = {
    "tolist": _tolist,
    "type": _type,
    "to": _to,
    "size": _size,
    "sort": _sort,
    "items": _items,
    "format": _format,
    "__getitem__": get_item,
    **dict.fromkeys("byte char double float int long short half cfloat cdouble".split(), _tensor_only(TENSOR)),
}
