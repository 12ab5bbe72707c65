"""Generates calls of torch's own functions and methods, argument by argument from their schemas."""

from __future__ import annotations

import keyword
import random
from functools import cache
from typing import Any, NamedTuple

import torch

TYPES = {
    "Tensor": "Tensor",
    "int": "int",
    "float": "float",
    "number": "float",
    "bool": "bool",
    "str": "str",
    "List[int]": "List[int]",
    "List[Tensor]": "List[Tensor]",
    "List[float]": "List[float]",
    "List[bool]": "List[bool]",
    "Optional[int]": "Optional[int]",
    "Optional[Tensor]": "Optional[Tensor]",
    "Optional[bool]": "bool",
    "Optional[float]": "float",
    "Optional[number]": "float",
    "Optional[List[int]]": "List[int]",
    "Optional[str]": "Optional[str]",
    "Optional[Device]": "torch.device",
    "complex": "complex",
}
# Calls that depend on the process, and not on types.
LEFT_OUT = ("sym_", "_", "from_file", "quantize", "fbgemm", "cudnn", "miopen", "mkldnn", "rename", "names")


class Argument(NamedTuple):
    """A parameter of a schema: its name, its type, and whether it is optional or keyword-only."""

    name: str
    type: str
    optional: bool
    named: bool


class Call(NamedTuple):
    """A callable: its text, whether it is a method, its parameters and its result."""

    name: str
    is_method: bool
    arguments: tuple[Argument, ...]
    result: str


@cache
def calls() -> tuple[Call, ...]:
    """Return every operator that ``torch`` or ``Tensor`` has under its own name and whose arguments can be written."""
    found = []
    for schema in torch._C._jit_get_all_schemas():
        name = schema.name.removeprefix("aten::")
        if "::" in name or any(name.startswith(one) or one == name for one in LEFT_OUT) or "Dimname" in str(schema):
            continue
        arguments = _arguments(schema)
        if arguments is None:
            continue
        results = [str(each.type) for each in schema.returns]
        result = {("Tensor",): "Tensor", ("Tensor", "Tensor"): "Tuple[Tensor, Tensor]"}.get(tuple(results))
        result = result or (TYPES.get(results[0], "?") if len(results) == 1 else "?")
        if hasattr(torch, name):
            found.append(Call(f"torch.{name}", False, arguments, result))
        if hasattr(torch.Tensor, name) and arguments and arguments[0].type == "Tensor":
            found.append(Call(name, True, arguments[1:], result))
    return tuple(sorted(set(found)))


@cache
def calls_giving(result: str) -> tuple[Call, ...]:
    """Return the operators that return a type."""
    return tuple(one for one in calls() if one.result == result)


def _arguments(schema: Any) -> tuple[Argument, ...] | None:
    found = []
    for each in schema.arguments:
        type_ = TYPES.get(str(each.type))
        has_default = each.has_default_value()
        if type_ is None:
            if not has_default:
                return None
            continue
        found.append(Argument(each.name, type_, has_default, each.kwarg_only))
    return tuple(found)


def written(call: Call, draw: random.Random, rate: float) -> str:
    """Return a call with slots for its arguments.

    With probability ``rate`` an argument is dropped, added or misnamed.
    """
    positional: list[str] = []
    named: list[str] = []
    by_name = False
    for each in call.arguments:
        if each.optional and draw.random() < 0.6:
            by_name = True
            continue
        if draw.random() < rate * 0.3:
            by_name = True
            continue
        by_name = by_name or each.named or draw.random() < 0.1
        if by_name:
            if keyword.iskeyword(each.name):
                continue
            name = each.name if draw.random() >= rate * 0.3 else draw.choice(["axis", "inputs", "keepdims", each.name])
            if all(not one.startswith(name + "=") for one in named):
                named.append(f"{name}=<{each.type}>")
        else:
            positional.append(f"<{each.type}>")
    if draw.random() < rate * 0.3 and not named:
        positional.append("<*>")
    inside = ", ".join(positional + named)
    return f"<Tensor>.{call.name}({inside})" if call.is_method else f"{call.name}({inside})"
