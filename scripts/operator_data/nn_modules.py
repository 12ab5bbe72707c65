"""Determines the compiled form of every public module class of ``torch.nn``: constructors, attributes, methods.

Each class is built with small arguments and scripted; then again with one argument changed at a time, to find which
attributes depend on it.
"""

from __future__ import annotations

import inspect
import re
from types import ModuleType
from typing import Any, get_args, get_origin, get_type_hints

import torch
from torch import nn
from torch.jit import _recursive

from operator_data.isolation import answers

# Distinct small values: they show which argument an attribute copies.
_REQUIRED: dict[str, Any] = {
    "in_features": 12, "out_features": 5, "in1_features": 3, "in2_features": 4, "n_classes": 10, "cutoffs": [3, 6],
    "num_classes": 7, "in_channels": 4, "out_channels": 8, "kernel_size": 3, "d_model": 16, "nhead": 2,
    "embed_dim": 16, "num_heads": 2, "dim": 1, "unflattened_size": (2, 3), "downscale_factor": 2, "upscale_factor": 2,
    "groups": 2, "input_size": 3, "hidden_size": 9, "mode": "LSTM", "norm_type": 2.0, "normalized_shape": 6,
    "num_embeddings": 10, "embedding_dim": 3, "num_features": 4, "num_groups": 2, "num_channels": 4, "output_size": 5,
    "padding": 1, "value": 0.5, "size": 2, "threshold": 0.25, "num_layers": 2, "bias": True, "num_chunks": 4,
}  # fmt: skip
_RECURRENT = (
    "input_size", "hidden_size", ("num_layers", 1), ("bias", True), ("batch_first", False), ("dropout", 0.0),
    ("bidirectional", False), ("proj_size", 0), ("device", None), ("dtype", None),
)  # fmt: skip
_SPECIFIC: dict[str, dict[str, Any]] = {
    "FractionalMaxPool2d": {"output_size": 5},
    "FractionalMaxPool3d": {"output_size": 5},
    "Unflatten": {"unflattened_size": (2, 3)},
}
# They contain what the author passes; the static model reads the arguments instead.
_CONTAINERS = ("Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict", "Container", "Module")


def _required(name: str, parameter: str) -> Any:
    if parameter == "encoder_layer":
        return nn.TransformerEncoderLayer(16, 2)
    if parameter == "decoder_layer":
        return nn.TransformerDecoderLayer(16, 2)
    if parameter == "module":
        return nn.Linear(3, 5)
    return _SPECIFIC.get(name, {}).get(parameter, _REQUIRED[parameter])


def _parameters(name: str, class_: type) -> list[tuple[str, Any]]:
    """Return the constructor's parameters with their defaults; ``inspect.Parameter.empty`` if there is none."""
    empty = inspect.Parameter.empty
    if name in ("LSTM", "GRU", "RNN"):
        listed = [(entry, empty) if isinstance(entry, str) else entry for entry in _RECURRENT]
        if name == "RNN":
            listed.insert(3, ("nonlinearity", "tanh"))
        return listed if name == "LSTM" else [entry for entry in listed if entry[0] != "proj_size"]
    found = []
    for parameter in list(inspect.signature(class_.__init__).parameters.values())[1:]:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            found.append((("*" if parameter.kind is parameter.VAR_POSITIONAL else "**") + parameter.name, None))
        else:
            found.append((parameter.name, parameter.default))
    return found


def _clean(text: str) -> str:
    text = re.sub(r"\.___torch_mangle_\d+", "", text)
    return re.sub(r" \(of Python compilation unit at: 0x[0-9a-f]+\)| at 0x[0-9a-f]+", "", text)


def _first(error: BaseException) -> str:
    """Return the compiler's first line, and the reason if that line is only the schema."""
    lines = [line for line in str(error).strip().splitlines() if line.strip() not in ("", ":")] or [""]
    lone = lines[0].endswith(":") and "->" in lines[0] and len(lines) > 1
    return _clean(" ".join(lines[:2]) if lone else lines[0]).rstrip(":")


def _constant_type(value: Any) -> str:
    module = ModuleType("holder")
    module.value = value  # type: ignore[attr-defined]
    unit = torch._C.CompilationUnit()
    unit.define("def f():\n  return m.value\n", lambda name: module if name == "m" else None)
    text = str(unit.find_function("f").schema).split(" -> ", 1)[1]
    return text[1:-1] if text.startswith("((") else text


def _types(instance: nn.Module) -> dict[str, str]:
    """Return attribute → type as a schema spells it; constants have ``=`` before it."""
    concrete = _recursive.get_module_concrete_type(instance, share_types=False)
    found = {name: _schema_type(type_) for name, (type_, _) in concrete.get_attributes().items()}
    found |= {name: "=" + _constant_type(value) for name, value in concrete.get_constants().items()}
    return {name: type_ for name, type_ in sorted(found.items()) if name != "_is_full_backward_hook"}


def _schema_type(type_: Any) -> str:
    kind = type_.kind()
    if kind == "ListType":
        return f"{_schema_type(type_.getElementType())}[]"
    if kind == "OptionalType":
        return f"{_schema_type(type_.getElementType())}?"
    if kind == "TupleType":
        return f"({', '.join(map(_schema_type, type_.elements()))})"
    if kind in ("UnionType", "DictType"):
        return f"{kind.removesuffix('Type')}({', '.join(map(_schema_type, type_.containedTypes()))})"
    return _clean(str(type_))


def _methods(instance: nn.Module, name: str) -> list[str] | str:
    """Return the schemas of a compiled method, or the compiler's message."""

    def stubs(module: nn.Module) -> list[Any]:
        if module is not instance:
            return _recursive.infer_methods_to_compile(module)
        if name == "forward":
            return _recursive.infer_methods_to_compile(module)
        return [_recursive.make_stub_from_method(module, name)]

    try:
        scripted = _recursive.create_script_module(instance, stubs, share_types=False)
        names = [method for method in scripted._c._method_names() if method.split("__")[0] == name]
        return [_clean(str(scripted._c._get_method(method).schema)) for method in names]
    except Exception as error:
        return _first(error)


def _build(class_: type, given: dict[str, Any]) -> nn.Module:
    named = dict(given)
    positional = [named.pop(name) for name in list(named) if name in ("input_size", "hidden_size", "module")]
    # LSTM, GRU and RNN declare only *args and **kwargs.
    lone = issubclass(class_, nn.RNNBase) and class_ is not nn.RNNBase
    return class_(*positional, **named) if lone else class_(**given)


def _changes(class_: type, parameters: list[tuple[str, Any]], given: dict[str, Any]) -> list[tuple[str, Any]]:
    """Return other values for arguments, one at a time."""
    found: list[tuple[str, Any]] = []
    try:
        hints = get_type_hints(class_.__init__)  # type: ignore[misc]
    except (NameError, TypeError):
        hints = {}
    for name, default in parameters:
        value = given.get(name, default)
        if isinstance(value, bool):
            found.append((name, not value))
        elif isinstance(value, float):
            found += [(name, int(value)), (name, None)]
        elif isinstance(value, int):
            tuples = ((value, value), (value,), (value,) * 3)
            found += [(name, each) for each in tuples if _allowed(hints.get(name), each)]
            found += [(name, (value, None))] if _takes_none_inside(hints.get(name)) else []
            found += [(name, "same")] if str in get_args(hints.get(name)) else []
        elif value is None and name not in ("device", "dtype"):
            found += [(name, 1), (name, 0.5), (name, (2, 2)), (name, "mean"), (name, True)]
        elif isinstance(value, str):
            found.append((name, None))
    return found


def _allowed(hint: Any, value: tuple[Any, ...]) -> bool:
    """Return whether the annotation allows a tuple of this length: with another length, the module cannot run."""
    lengths = {len(get_args(each)) for each in get_args(hint) if get_origin(each) is tuple}
    endless = any(Ellipsis in get_args(each) for each in get_args(hint))
    return not lengths or endless or len(value) in lengths


def _takes_none_inside(hint: Any) -> bool:
    """Return whether the annotation allows a tuple that contains None."""
    tuples = [each for each in get_args(hint) if get_origin(each) is tuple]
    return any(type(None) in get_args(part) for each in tuples for part in get_args(each))


def _describe(name: str) -> dict[str, Any]:
    class_ = getattr(nn, name)
    empty = inspect.Parameter.empty
    parameters = _parameters(name, class_)
    entry: dict[str, Any] = {"class": f"{class_.__module__}.{class_.__qualname__}"}
    entry["init"] = [
        [parameter] if default is empty else [parameter, _clean(repr(default))] for parameter, default in parameters
    ]
    entry["constants"] = sorted(set(getattr(class_, "__constants__", ())))
    entry["bases"] = [base.__name__ for base in class_.__mro__[1:] if issubclass(base, nn.Module)]
    if name in _CONTAINERS:
        return entry
    given = {parameter: _required(name, parameter) for parameter, default in parameters if default is empty}
    given |= _SPECIFIC.get(name, {})
    instance = _build(class_, given)
    try:
        types = _types(instance)
    except Exception as error:
        return {**entry, "error": _first(error)}
    entry["attributes"] = types
    concrete = _recursive.get_module_concrete_type(instance, share_types=False)
    entry["parameters"] = [attribute for attribute, _ in instance.named_parameters(recurse=False)]
    entry["buffers"] = [attribute for attribute, _ in instance.named_buffers(recurse=False)]
    entry["modules"] = {
        child: type(getattr(instance, child)).__module__ + "." + type(getattr(instance, child)).__qualname__
        for child, _ in concrete.get_modules()
    }
    methods: dict[str, Any] = {}
    for method in sorted(dir(class_)):
        own = inspect.isfunction(getattr(class_, method)) and not hasattr(nn.Module, method)
        if method == "forward" or (own and not method.startswith("__")):
            methods[method] = _methods(_build(class_, given), method)
    entry["methods"] = methods
    known = {**{parameter: default for parameter, default in parameters if default is not empty}, **given}
    entry["copies"] = sorted(
        parameter
        for parameter, value in known.items()
        if parameter in types and type(getattr(instance, parameter, None)) is type(value)
        if _equal(getattr(instance, parameter), value)
    )
    entry["variants"] = _variants(class_, parameters, given, types, entry["copies"])
    return {key: value for key, value in entry.items() if value or key in ("init", "methods", "attributes")}


def _equal(a: Any, b: Any) -> bool:
    return bool(a is b or (isinstance(a, bool | int | float | str | tuple | list) and a == b))


def _variants(
    class_: type, parameters: list[tuple[str, Any]], given: dict[str, Any], types: dict[str, str], copies: list[str]
) -> dict[str, Any]:
    """Return ``"bias=False"`` → the attributes whose type differs, or the message if ``forward`` no longer compiles."""
    variants: dict[str, Any] = {}
    if isinstance(_methods(_build(class_, given), "forward"), str):
        return variants
    for name, value in _changes(class_, parameters, given):
        try:
            instance = _build(class_, {**given, name: value})
        except Exception:
            continue
        try:
            other = _types(instance)
        except Exception:
            continue
        forward = _methods(_build(class_, {**given, name: value}), "forward")
        key = f"{name}={value!r}"
        if isinstance(forward, str):
            variants[key] = forward
            continue
        differing = {attribute: type_ for attribute, type_ in other.items() if types.get(attribute) != type_}
        differing |= {attribute: "" for attribute in types if attribute not in other}
        if name in copies:
            differing.pop(name, None)
        if differing:
            variants[key] = differing
    return variants


def nn_modules() -> dict[str, Any]:
    """Return the description of every public subclass of ``torch.nn.Module``, by its public name."""
    names = [
        name for name, value in sorted(vars(nn).items()) if isinstance(value, type) and issubclass(value, nn.Module)
    ]
    found = zip(names, answers(names, _describe))
    return {f"torch.nn.{name}": entry for name, entry in found if entry != "crash"}
