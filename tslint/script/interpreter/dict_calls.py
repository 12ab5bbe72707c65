"""Emits calls of ``dict``: without arguments, with keywords, with pairs, or with a dict."""

from __future__ import annotations

import ast

from tslint.script.events.types import LiteralElements
from tslint.script.interpreter import observers
from tslint.script.interpreter.arguments import arguments
from tslint.script.interpreter.emitter import Emitter
from tslint.script.interpreter.iteration import iterate
from tslint.script.types import (
    STRING,
    TENSOR,
    DictType,
    OptionalType,
    TensorType,
    TupleType,
    Type,
    has_unknowns,
    is_subtype,
)
from tslint.script.values import UNKNOWN, TupleValue, Typed, Value


def made_dict(em: Emitter, node: ast.Call) -> Value:
    """Emit a call of ``dict``."""
    hint = em.hint.element if isinstance(em.hint, OptionalType) else em.hint
    if not node.args and not node.keywords:
        return Typed(hint if isinstance(hint, DictType) else DictType(STRING, TENSOR), empty=True)
    given = arguments(em, node)
    if len(node.args) == 1 and not node.keywords and given.whole:
        value = given.values[0][1]
        made = _dict_of(em, node, value, hint)
        if isinstance(made, Typed) and not (isinstance(value, Typed) and isinstance(value.type, DictType)):
            observers.dict_call.tell(em, node)
        return made
    if node.args or not given.whole:
        return UNKNOWN
    types = [em.type_of(value, argument) for _, value, argument in given.values]
    sure = [type_ for type_ in types if type_ is not None and not has_unknowns(type_)]
    wanted = hint.value if isinstance(hint, DictType) and hint.key == STRING else None
    odd = next((t for t in sure if wanted is not None and not is_subtype(t, wanted)), None)
    if odd is not None and hint is not None:
        return em.report(
            LiteralElements(
                node,
                f"Dict type annotation `{hint}` did not match the type of an actual value type `{odd}`",
                wanted=hint,
                found=odd,
                what="values",
            )
        )
    if wanted is not None:
        return Typed(DictType(STRING, wanted))
    if len(sure) < len(types) or any(type_ != sure[0] for type_ in sure):
        return UNKNOWN
    return Typed(DictType(STRING, TENSOR if isinstance(sure[0], TensorType) else sure[0]))


def _dict_of(em: Emitter, node: ast.Call, value: Value, hint: Type | None) -> Value:
    """Emit ``dict(pairs)``, or a copy of a dict."""
    if isinstance(value, Typed) and isinstance(value.type, DictType):
        return Typed(value.type)
    pair = iterate(em, value, node.args[0]).element
    type_ = em.type_of(pair, node) if isinstance(pair, (Typed, TupleValue)) else None
    if not isinstance(type_, TupleType) or len(type_.elements) != 2 or has_unknowns(type_):
        return UNKNOWN
    made = DictType(*type_.elements)
    if not isinstance(hint, DictType):
        return Typed(made)
    for what, found, wanted in (("keys", made.key, hint.key), ("values", made.value, hint.value)):
        if not is_subtype(found, wanted):
            said = f"Dict type annotation `{hint}` did not match the type of an actual {what[:-1]} type `{found}`"
            return em.report(LiteralElements(node, said, wanted=hint, found=found, what=what))
    return Typed(hint)
