"""Evaluates expressions as the tracer sees them."""

from __future__ import annotations

import ast

from tslint.script.attributes import Instance, PyConst, PyKind
from tslint.script.scope import is_property
from tslint.script.tracing import conditions
from tslint.script.tracing.frame import Frame, evaluates
from tslint.script.tracing.iteration import members
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

_TENSOR_ATTRIBUTES = {
    "shape": SIZE, "device": DEVICE, "is_cuda": DEVICE, "is_mps": DEVICE, "is_cpu": DEVICE, "is_meta": DEVICE,
    "dtype": DTYPE, "ndim": RANK, "requires_grad": CONSTANT, "layout": CONSTANT, "is_sparse": CONSTANT,
    "is_quantized": CONSTANT, "names": CONSTANT, "grad_fn": CONSTANT, "is_leaf": CONSTANT, "itemsize": CONSTANT,
}  # fmt: skip
_SAME = frozenset("T mT H mH data grad real imag values indices".split())
_STATE_KINDS = frozenset({"Tensor", "Parameter"})


@evaluates(ast.Name)
def _name(walk: Frame, node: ast.Name) -> Kind:
    return walk.locals.get(node.id, UNKNOWN)


@evaluates(ast.Constant, ast.JoinedStr)
def _constant(walk: Frame, node: ast.expr) -> Kind:
    return CONSTANT


@evaluates(ast.BinOp)
def _binary_operation(walk: Frame, node: ast.BinOp) -> Kind:
    return _binary(walk.evaluate(node.left), walk.evaluate(node.right))


@evaluates(ast.UnaryOp)
def _unary(walk: Frame, node: ast.UnaryOp) -> Kind:
    if isinstance(node.op, ast.Not):
        conditions.truth(walk, node.operand, "not")
        return CONSTANT
    return walk.evaluate(node.operand)


@evaluates(ast.Tuple, ast.List)
def _sequence(walk: Frame, node: ast.Tuple | ast.List) -> Kind:
    items = tuple(walk.evaluate(item) for item in node.elts)
    if any(isinstance(item, ast.Starred) for item in node.elts):
        return SIZE if items and all(kind in (SIZE, DIM, CONSTANT) for kind in items) else UNKNOWN
    return few(items)


@evaluates(ast.Dict)
def _dict(walk: Frame, node: ast.Dict) -> Kind:
    for value in node.values:
        walk.evaluate(value)
    return Kind("dict", UNKNOWN)


@evaluates(ast.NamedExpr)
def _named(walk: Frame, node: ast.NamedExpr) -> Kind:
    bound = walk.evaluate(node.value)
    walk.assign(node.target, bound, node)
    return bound


@evaluates(ast.Starred)
def _starred(walk: Frame, node: ast.Starred) -> Kind:
    return walk.evaluate(node.value)


@evaluates(ast.Slice)
def _slice(walk: Frame, node: ast.Slice) -> Kind:
    for part in (node.lower, node.upper, node.step):
        if part is not None:
            walk.evaluate(part)
    return CONSTANT


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


@evaluates(ast.Attribute)
def _attribute(walk: Frame, node: ast.Attribute) -> Kind:
    if isinstance(node.value, ast.Name) and node.value.id == walk.self_name and walk.self_name:
        return _own(walk, node)
    owner = walk.evaluate(node.value)
    if owner in (TENSOR, STATE):
        if node.attr in _TENSOR_ATTRIBUTES:
            found = _TENSOR_ATTRIBUTES[node.attr]
            # Parameters and buffers keep their shape and dtype; their device may change.
            return found if owner == TENSOR or (found == DEVICE and node.attr == "device") else CONSTANT
        return owner if node.attr in _SAME else UNKNOWN
    if isinstance(owner, Modules):
        return _submodule_attribute(owner, node.attr)
    if owner == DEVICE and node.attr in ("type", "index"):
        return DEVICE
    if owner == DTYPE and node.attr in ("is_floating_point", "is_complex", "itemsize"):
        return DTYPE
    return element(owner) if owner.name == "few" and node.attr in ("values", "indices") else UNKNOWN


def _submodule_attribute(owner: Modules, name: str) -> Kind:
    """Return the kind of a submodule's attribute; only ``weight`` and ``bias`` of torch's modules are known."""
    if name in ("weight", "bias") and all(instance.external for instance in owner.instances):
        return STATE
    return UNKNOWN


def _own(walk: Frame, node: ast.Attribute) -> Kind:
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


@evaluates(ast.Subscript)
def _subscript(walk: Frame, node: ast.Subscript) -> Kind:
    owner = walk.evaluate(node.value)
    index = walk.evaluate(node.slice)
    if owner == SIZE:
        return SIZE if isinstance(node.slice, ast.Slice) else DIM
    if owner == TENSOR:
        return TENSOR
    if owner == STATE:
        return TENSOR if holds(index, "tensor") else STATE
    if isinstance(owner, Modules):
        return owner if isinstance(node.slice, ast.Slice) else members(owner)
    if owner.items is not None and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int):
        if -len(owner.items) <= node.slice.value < len(owner.items):
            return owner.items[node.slice.value]
    if owner.name in ("few", "many"):
        return owner if isinstance(node.slice, ast.Slice) else element(owner)
    return UNKNOWN
