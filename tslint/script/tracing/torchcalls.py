"""Evaluates functions of torch, math, numpy and random, and methods of tensors, on traced values."""

from __future__ import annotations

import ast

from tslint.script.events.tracing import (
    TraceDevice,
    TraceDropout,
    TraceDtype,
    TraceNumber,
    TraceNumpy,
    TraceRandom,
    TraceShapeNumber,
)
from tslint.script.operators import schemas
from tslint.script.tracing.frame import Frame
from tslint.script.tracing.kinds import (
    CONSTANT,
    DEVICE,
    DIM,
    DTYPE,
    RANK,
    SIZE,
    STATE,
    TENSOR,
    TENSORS,
    UNKNOWN,
    Kind,
    holds,
    many,
)

_DROPOUTS = frozenset("dropout dropout1d dropout2d dropout3d".split())
_RANDOM = frozenset("rand randn randint bernoulli normal multinomial poisson rand_like randn_like randperm".split())
_CONSTANT_TENSORS = frozenset({"tensor", "Tensor", "FloatTensor", "LongTensor", "IntTensor", "BoolTensor", "Size"})
CONSTANTS = "torch.tensor results are registered as constants in the trace"
NUMBER = "Converting a tensor to a Python number might cause the trace to be incorrect"
FLOAT = "Converting a tensor to a Python float might cause the trace to be incorrect"
LIST = "Converting a tensor to a Python list might cause the trace to be incorrect"
NUMPY = "Converting a tensor to a NumPy array might cause the trace to be incorrect"
_METHODS = {
    "dim": RANK, "ndimension": RANK, "numel": DIM, "nelement": DIM, "get_device": DEVICE,
    "is_floating_point": DTYPE, "is_complex": DTYPE, "is_contiguous": CONSTANT, "stride": CONSTANT,
    "data_ptr": CONSTANT, "element_size": CONSTANT, "storage_offset": CONSTANT, "equal": TENSOR, "allclose": TENSOR,
    "is_same_size": DIM, "split": TENSORS, "chunk": TENSORS, "tensor_split": TENSORS,
}  # fmt: skip

Keywords = dict[str | None, Kind]


def external(walk: Frame, node: ast.Call, name: str, arguments: list[Kind], keywords: Keywords) -> Kind:
    """Evaluate a call of an external function."""
    top, _, _ = name.partition(".")
    kinds = [*arguments, *keywords.values()]
    if top == "math":
        return _math(walk, node, name, kinds)
    if top == "random" or name.startswith(("numpy.random.", "secrets.")):
        walk.report(TraceRandom(node, ""))
        return CONSTANT
    if top == "numpy":
        if TENSOR in kinds:
            walk.report(TraceNumpy(node, NUMPY))
        elif DIM in kinds or SIZE in kinds:
            walk.report(TraceShapeNumber(node, FLOAT, function=name))
        return CONSTANT
    if top != "torch":
        return UNKNOWN
    return _torch(walk, node, name, arguments, keywords)


def _math(walk: Frame, node: ast.Call, name: str, kinds: list[Kind]) -> Kind:
    if name == "math.prod":
        return DIM if SIZE in kinds or any(holds(kind, "dim") for kind in kinds) else UNKNOWN
    if TENSOR in kinds:
        walk.report(TraceNumber(node, FLOAT))
    elif DIM in kinds:
        walk.report(TraceShapeNumber(node, FLOAT, function=name))
    return CONSTANT


def _torch(walk: Frame, node: ast.Call, name: str, arguments: list[Kind], keywords: Keywords) -> Kind:
    short = name.rpartition(".")[2]
    kinds = [*arguments, *keywords.values()]
    baked(walk, node, keywords)
    if short in _DROPOUTS and name.startswith("torch.nn.functional."):
        if len(node.args) < 3 and "training" not in keywords and None not in keywords:
            walk.report(TraceDropout(node, ""))
        return TENSOR if TENSOR in kinds else UNKNOWN
    if short in ("finfo", "iinfo"):
        if DTYPE in kinds:
            walk.report(TraceDtype(node, "", form=short))
        return CONSTANT
    if short in ("is_tensor", "is_grad_enabled", "is_tracing", "is_scripting", "device", "get_default_dtype"):
        return CONSTANT
    if short in _CONSTANT_TENSORS and name.count(".") == 1:
        return _made(walk, node, short, arguments)
    if short in _RANDOM:
        return TENSOR
    if short == "numel":
        return DIM if TENSOR in kinds else CONSTANT
    if short in ("unbind", "split") and arguments and arguments[0] == TENSOR:
        return _parts(short, node.args[1:])
    if any(holds(kind, "tensor") for kind in kinds) or DIM in kinds or SIZE in kinds:
        if short == "from_numpy" or name.startswith("torch.jit"):
            return UNKNOWN
        if short in _METHODS:
            return _METHODS[short]
        if short in ("interpolate", "pad") or not name.startswith("torch.utils"):
            return TENSORS if _several(short, len(arguments)) else TENSOR
        return UNKNOWN
    return STATE if STATE in kinds or (name.count(".") == 1 and schemas(f"aten::{short}")) else UNKNOWN


def _made(walk: Frame, node: ast.Call, short: str, arguments: list[Kind]) -> Kind:
    """Evaluate ``torch.tensor([x.shape[0], 1])``, which makes constants of the numbers in a list; a single number, as
    in ``torch.tensor(x.shape[0])``, stays traced.
    """
    if short == "Size":
        return SIZE if arguments and (holds(arguments[0], "dim") or arguments[0] == SIZE) else UNKNOWN
    for kind in arguments:
        if kind == SIZE or (kind != DIM and holds(kind, "dim")):
            walk.report(TraceShapeNumber(node, CONSTANTS, function=f"torch.{short}"))
            return STATE
        if kind != TENSOR and kind.name == "few" and holds(kind, "tensor"):
            walk.report(TraceNumber(node, CONSTANTS))
            return STATE
    return TENSOR if TENSOR in arguments or DIM in arguments else STATE


def baked(walk: Frame, node: ast.Call, keywords: Keywords) -> None:
    """Report ``device=x.device`` and ``dtype=x.dtype``, which become constants of the trace."""
    for keyword in node.keywords:
        if keyword.arg == "device" and keywords.get("device") == DEVICE:
            walk.report(TraceDevice(node, "", form="device="))
        elif keyword.arg == "dtype" and keywords.get("dtype") == DTYPE:
            walk.report(TraceDtype(node, "", form="dtype="))


def _several(short: str, given: int) -> bool:
    """Return whether an operator certainly returns several tensors if it gets a given number of arguments."""
    overloads = [schema for schema in schemas(f"aten::{short}") if len(schema.arguments) >= given]
    if short in ("max", "min"):
        return False
    return bool(overloads) and all(not str(schema.result).startswith("Tensor") for schema in overloads)


def _parts(short: str, sizes: list[ast.expr]) -> Kind:
    """Return the parts of a split: ``x.split(2)`` has as many as fit into the tensor; ``x.split([2, 3])`` has two."""
    if short == "unbind":
        return many(TENSOR, "the number of items")
    if sizes and isinstance(sizes[0], ast.Constant) and isinstance(sizes[0].value, int):
        return many(TENSOR, "how often the size fits into the tensor")
    return TENSORS


def method(walk: Frame, node: ast.Call, holder: Kind, arguments: list[Kind], keywords: Keywords) -> Kind:
    """Evaluate a method of a tensor."""
    assert isinstance(node.func, ast.Attribute)
    name = node.func.attr
    baked(walk, node, keywords)
    if name in ("to", "type") and arguments:
        _moved(walk, node, arguments)
        return TENSOR if holder == TENSOR else STATE
    if holder == STATE:
        if name in ("size", "dim", "item", "tolist", "numel"):
            return CONSTANT
        return TENSOR if any(holds(kind, "tensor") for kind in (*arguments, *keywords.values())) else STATE
    if name == "size":
        return DIM if node.args or node.keywords else SIZE
    if name == "item":
        walk.report(TraceNumber(node, NUMBER))
        return CONSTANT
    if name == "tolist":
        walk.report(TraceNumber(node, LIST))
        return CONSTANT
    if name in ("numpy", "__array__"):
        walk.report(TraceNumpy(node, NUMPY))
        return CONSTANT
    if name == "new_tensor":
        walk.report(TraceDevice(node, "", form="new_tensor"))
        return TENSOR
    if name == "type":
        return DTYPE
    if name in ("unbind", "split"):
        return _parts(name, node.args)
    if name in _METHODS:
        return _METHODS[name]
    if not is_tensor_method(name):
        return UNKNOWN
    return TENSORS if _several(name, len(arguments) + 1) else TENSOR


def _moved(walk: Frame, node: ast.Call, arguments: list[Kind]) -> None:
    """Report ``y.to(x)``, ``y.to(x.device)``, ``y.to(x.dtype)``, ``y.type(x.dtype)``."""
    for argument, kind in zip(node.args, arguments):
        if kind == DEVICE:
            walk.report(TraceDevice(node, "", form="to"))
        elif kind == DTYPE:
            walk.report(TraceDtype(node, "", form="to"))
        elif kind in (TENSOR, STATE) and argument is node.args[0]:
            walk.report(TraceDevice(node, "", form="to-other"))


def is_tensor_method(name: str) -> bool:
    """Return whether tensors have a method of that name."""
    return any(
        schema.arguments and schema.arguments[0].name in ("self", "condition", "input")
        and str(schema.arguments[0].type) == "Tensor"
        for schema in schemas(f"aten::{name}")
    )  # fmt: skip
