"""Handles argument lists of ``forward``, including keyword arguments, and calls and traces with them."""

from __future__ import annotations

import copy
import inspect
from typing import Any

import torch

Arguments = tuple[Any, ...]
"""The positional arguments, followed by :class:`Keywords` if there are keyword arguments."""


class NoTraceByName(Exception):
    """The installed torch cannot trace with arguments that are given by name."""


class Keywords(dict[str, Any]):
    """Arguments by name: the last item of an argument list."""


def called(*positional: Any, **keywords: Any) -> Arguments:
    """Return the arguments of a call as an argument list."""
    return (*positional, Keywords(keywords)) if keywords else positional


def split(arguments: Arguments) -> tuple[Arguments, Keywords]:
    """Split arguments into positional and keyword ones."""
    if arguments and isinstance(arguments[-1], Keywords):
        return arguments[:-1], arguments[-1]
    return arguments, Keywords()


def run(module: Any, arguments: Arguments) -> Any:
    """Call a module on copies of the arguments."""
    positional, keywords = split(cloned(arguments))
    return module(*positional, **keywords)


def traced(module: Any, arguments: Arguments, **options: Any) -> Any:
    """Trace a module on copies of the arguments, as ``torch.jit.trace`` does.

    Raises:
        NoTraceByName: arguments are passed by name, and the installed torch cannot trace with such arguments.
    """
    positional, keywords = split(cloned(arguments))
    if not keywords:
        return torch.jit.trace(module, positional, **options)
    if "example_kwarg_inputs" not in inspect.signature(torch.jit.trace).parameters:
        raise NoTraceByName("this torch cannot trace with arguments that are given by name; give them by position")
    if positional:
        # Torch accepts only one of the two kinds, so all arguments are passed by name.
        keywords = Keywords({**_named(module, positional), **keywords})
    return torch.jit.trace(module, example_kwarg_inputs=dict(keywords), **options)


def _named(module: Any, positional: Arguments) -> dict[str, Any]:
    return dict(zip(inspect.signature(module.forward).parameters, positional))


def cloned(value: Any) -> Any:
    """Return a copy of inputs, so that a forward may write to it; a value that cannot be copied is returned itself.

    The tensors of the copy are leaves with the same ``requires_grad``.
    """
    if isinstance(value, torch.Tensor):
        return value.detach().clone().requires_grad_(value.requires_grad)
    if isinstance(value, tuple):
        items = [cloned(item) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if type(value) is list:
        return [cloned(item) for item in value]
    if type(value) in (dict, Keywords):
        return type(value)({key: cloned(item) for key, item in value.items()})
    try:
        return copy.deepcopy(value)
    except Exception:
        return value
