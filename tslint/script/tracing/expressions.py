"""What expressions are to the tracer."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tslint.script.attributes import Instance, PyConst, PyKind
from tslint.script.operators import schemas
from tslint.script.scope import is_property
from tslint.script.tracing import conditions
from tslint.script.tracing.calls import called
from tslint.script.tracing.iteration import comprehension
from tslint.script.tracing.kinds import (
    CONSTANT,
    DEVICE,
    DIM,
    DTYPE,
    RANK,
    SIZE,
    STATE,
    TENSOR,
    UNKNOWN,
    Kind,
    Method,
    Modules,
    element,
    few,
    holds,
)

if TYPE_CHECKING:
    from tslint.script.tracing.walk import Walk

_TENSOR_ATTRIBUTES = {
    "shape": SIZE, "device": DEVICE, "is_cuda": DEVICE, "is_mps": DEVICE, "is_cpu": DEVICE, "is_meta": DEVICE,
    "dtype": DTYPE, "ndim": RANK, "requires_grad": CONSTANT, "layout": CONSTANT, "is_sparse": CONSTANT,
    "is_quantized": CONSTANT, "names": CONSTANT, "grad_fn": CONSTANT, "is_leaf": CONSTANT, "itemsize": CONSTANT,
}  # fmt: skip
_SAME = frozenset("T mT H mH data grad real imag values indices".split())
_STATE_KINDS = frozenset({"Tensor", "Parameter"})


def evaluate(walk: Walk, node: ast.expr) -> Kind:
    """What an expression is; events on the way are reported."""
    if isinstance(node, ast.Name):
        return walk.locals.get(node.id, UNKNOWN)
    if isinstance(node, (ast.Constant, ast.Lambda)):
        return CONSTANT if isinstance(node, ast.Constant) else UNKNOWN
    if isinstance(node, ast.Attribute):
        return _attribute(walk, node)
    if isinstance(node, ast.Call):
        return called(walk, node)
    if isinstance(node, ast.Subscript):
        return _subscript(walk, node)
    if isinstance(node, ast.BinOp):
        return _binary(evaluate(walk, node.left), evaluate(walk, node.right))
    if isinstance(node, ast.UnaryOp):
        if isinstance(node.op, ast.Not):
            conditions.truth(walk, node.operand, "not")
            return CONSTANT
        return evaluate(walk, node.operand)
    if isinstance(node, ast.Compare):
        return conditions.compared(walk, node)
    if isinstance(node, ast.BoolOp):
        return conditions.boolean(walk, node)
    if isinstance(node, ast.IfExp):
        return conditions.conditional(walk, node)
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
        return comprehension(walk, node)
    if isinstance(node, (ast.Tuple, ast.List)):
        items = tuple(evaluate(walk, item) for item in node.elts)
        if any(isinstance(item, ast.Starred) for item in node.elts):
            return SIZE if items and all(kind in (SIZE, DIM, CONSTANT) for kind in items) else UNKNOWN
        return few(items)
    if isinstance(node, ast.Dict):
        for value in node.values:
            evaluate(walk, value)
        return Kind("dict", UNKNOWN)
    if isinstance(node, ast.NamedExpr):
        bound = evaluate(walk, node.value)
        walk.assign(node.target, bound, node)
        return bound
    if isinstance(node, ast.Starred):
        return evaluate(walk, node.value)
    if isinstance(node, ast.Slice):
        for part in (node.lower, node.upper, node.step):
            if part is not None:
                evaluate(walk, part)
        return CONSTANT
    return CONSTANT if isinstance(node, ast.JoinedStr) else UNKNOWN


def _binary(left: Kind, right: Kind) -> Kind:
    kinds = (left, right)
    if TENSOR in kinds:
        return TENSOR
    if SIZE in kinds:
        return SIZE
    if STATE in kinds:
        return TENSOR if DIM in kinds else STATE if CONSTANT in kinds or left == right else UNKNOWN
    if DIM in kinds:
        return DIM
    if left.name == right.name == "few":
        return Kind("few", element(left) if element(left) == element(right) else UNKNOWN)
    if RANK in kinds:
        return RANK
    return CONSTANT if left == right == CONSTANT else UNKNOWN


def is_tensor_method(name: str) -> bool:
    """Whether tensors have a method of that name."""
    return any(
        schema.arguments and schema.arguments[0].name in ("self", "condition", "input")
        and str(schema.arguments[0].type) == "Tensor"
        for schema in schemas(f"aten::{name}")
    )  # fmt: skip


def _attribute(walk: Walk, node: ast.Attribute) -> Kind:
    if isinstance(node.value, ast.Name) and node.value.id == walk.self_name and walk.self_name:
        return _own(walk, node)
    owner = evaluate(walk, node.value)
    if owner in (TENSOR, STATE):
        if node.attr in _TENSOR_ATTRIBUTES:
            found = _TENSOR_ATTRIBUTES[node.attr]
            # The state of a module keeps its shape and dtype; its device may change.
            return found if owner == TENSOR or (found == DEVICE and node.attr == "device") else CONSTANT
        return owner if node.attr in _SAME else UNKNOWN
    if isinstance(owner, Modules):
        return _held(owner, node.attr)
    if owner == DEVICE and node.attr in ("type", "index"):
        return DEVICE
    if owner == DTYPE and node.attr in ("is_floating_point", "is_complex", "itemsize"):
        return DTYPE
    return element(owner) if owner.name == "few" and node.attr in ("values", "indices") else UNKNOWN


def _held(owner: Modules, name: str) -> Kind:
    """An attribute of a submodule: only parameters are told."""
    if name in ("weight", "bias") and all(instance.external for instance in owner.instances):
        return STATE
    return UNKNOWN


def _own(walk: Walk, node: ast.Attribute) -> Kind:
    receiver = walk.unit.receiver
    assert receiver is not None
    facts = walk.tracing.model.facts(receiver)
    member = facts.hierarchy.member(node.attr)
    if member is not None and member.function is not None:
        if is_property(member.function, walk.tracing.project):
            return walk.tracing.call(member.function, receiver, {}, walk.unit, node)
        return Method("method", function=member.function, receiver=receiver)
    options = facts.attributes.get(node.attr, [])
    if node.attr == "training":
        return CONSTANT
    if not options or node.attr in facts.elsewhere:
        return UNKNOWN
    values = [option.value for option in options]
    if all(option.kind in ("buffer", "parameter") or _is_state(option.value) for option in options):
        return STATE
    held = tuple(value for value in values if isinstance(value, Instance))
    if held and all(value in held or _is_none(value) for value in values):
        return Modules("modules", instances=held)
    return CONSTANT if all(isinstance(value, PyConst) for value in values) else UNKNOWN


def _is_state(value: object) -> bool:
    return isinstance(value, PyKind) and value.kind in _STATE_KINDS


def _is_none(value: object) -> bool:
    return value is None or (isinstance(value, PyConst) and value.value is None)


def _subscript(walk: Walk, node: ast.Subscript) -> Kind:
    owner = evaluate(walk, node.value)
    index = evaluate(walk, node.slice)
    if owner == SIZE:
        return SIZE if isinstance(node.slice, ast.Slice) else DIM
    if owner == TENSOR:
        return TENSOR
    if owner == STATE:
        return TENSOR if holds(index, "tensor") else STATE
    if isinstance(owner, Modules):
        from tslint.script.tracing.iteration import members

        return owner if isinstance(node.slice, ast.Slice) else members(owner)
    if owner.items is not None and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int):
        if -len(owner.items) <= node.slice.value < len(owner.items):
            return owner.items[node.slice.value]
    if owner.name in ("few", "many"):
        return owner if isinstance(node.slice, ast.Slice) else element(owner)
    return UNKNOWN
