"""Looks up what public names of torch, the standard library and numpy mean to the compiler."""

from __future__ import annotations

from functools import cache
from typing import Any

from tslint.script.operators.schema import Schema, parse, parse_type
from tslint.script.operators.tables import entry as entry_of
from tslint.script.operators.tables import schemas, table
from tslint.script.types import Type
from tslint.util.record import record


@record
class Known:
    """The meaning of a name.

    Args:
        name: the canonical name.
    """

    name: str


@record
class Operator(Known):
    """A builtin operator: its overloads are ``schemas(operator)``."""

    operator: str


@record
class CompiledFunction(Known):
    """A Python function that compiles; it has several schemas if it has ``@_overload`` declarations."""

    schemas: tuple[Schema, ...]


@record
class BooleanDispatch(Known):
    """A function that stands for one of two functions, chosen by an argument that must be a constant bool
    (``return_indices``).

    Args:
        argument: the name of that argument.
        index: its position.
        default: its value if it is not passed.
        if_true, if_false: the two functions; each may be a dispatch again (``torch.unique``).
    """

    argument: str
    index: int
    default: bool
    if_true: CompiledFunction | BooleanDispatch
    if_false: CompiledFunction | BooleanDispatch


@record
class PythonOperator(Known):
    """A callable without source that the compiler delegates to Python: every argument and the result are Tensors.

    Code with such a call compiles but cannot be saved (``set(x)``, ``reversed(x)``, ``map``).
    """


@record
class Unsupported(Known):
    """A name that compiled code cannot call.

    Args:
        reason: ``unknown-operator`` (torch's, but without a schema), ``python-builtin`` (written in C), ``class``
            (cannot be instantiated), ``metaclass`` (a class whose objects are classes or modules), ``weak-reference``
            (numpy's functions crash the compiler), ``no-source`` or ``body`` (a Python function that does not compile;
            the message is about a line of its body).
        message: the first line of the compiler's message.
        gives: the type of the result in Python if the first argument is a Tensor; None if it is not known.
    """

    reason: str
    message: str
    gives: Type | None = None


@record
class Constant(Known):
    """Data that can be read through its module (``math.pi``, ``torch.float32``), but not as a plain global.

    Args:
        type: the type in TorchScript (dtypes are int).
        value: the value if it is a bool, int, str or None; otherwise its ``repr`` (floats, dtypes, tuples). It is also
            None if it depends on the machine (``os``, ``sys``).
    """

    type: Type
    value: bool | int | str | None


@record
class PythonData(Known):
    """Data that the compiler cannot use: "python value of type 'dict' cannot be used as a value"."""

    type_name: str


@record
class ModuleClass(Known):
    """A subclass of ``torch.nn.Module``; see :func:`tslint.script.operators.module_class`."""


@record
class ExceptionClass(Known):
    """An exception, which can be raised."""


@record
class Special(Known):
    """A name that the emitter itself handles.

    Args:
        form: the construct: ``print``, ``tuple``, ``getattr``, ``hasattr``, ``isinstance``, ``list``, ``dict``,
            ``range``, ``zip``, ``enumerate``, ``slice``, ``annotate``, ``is_scripting``, ``fork``, ``wait``,
            ``awaitable``, ``awaitable_wait``, ``awaitable_nowait``, ``unchecked_cast``, ``no_grad``, ``autocast``,
            ``record_function``, ``check``, ``legacy_tensor_constructor``.
    """

    form: str


@record
class Cast(Known):
    """A call of ``int``, ``float``, ``bool``, ``complex`` or ``str``: an operator, or nothing if the type already
    matches.
    """

    operator: str
    type: Type


@record
class PythonModule(Known):
    """A module; its members have entries of their own."""


def canonical(qualified: str) -> str:
    """Return the canonical name of an object: ``torch.nn.Linear`` for ``torch.nn.modules.linear.Linear``.

    Unknown names are returned unchanged. The caller resolves ``np`` and other import aliases.
    """
    return str(table("aliases").get(qualified, qualified))


@cache
def python_callable(qualified: str) -> Known | None:
    """Return the meaning of a full name (``torch.nn.functional.pad``, ``math.log2``, ``builtins.len``) in a call.

    Returns:
        None if the name is not known: then nothing can be concluded about it.
    """
    name = canonical(qualified)
    entry = entry_of(name, "callables")
    return None if entry is None or name == "torch" else _read(name, entry)


def torch_attribute(qualified: str) -> Known | None:
    """Return the meaning of a name that is read and not called, such as a constant, a module or data; None if it is not
    known.
    """
    return python_callable(qualified)


def _read(name: str, entry: list[Any]) -> Known:
    kind, *rest = entry
    if kind in ("function", "dispatch"):
        return _function(name, entry)
    if kind == "operator":
        return Operator(name, rest[0])
    if kind == "unsupported":
        return Unsupported(name, rest[0], rest[1], parse_type(rest[2]) if len(rest) > 2 else None)
    if kind == "constant":
        return Constant(name, parse_type(rest[0]), rest[1])
    if kind == "data":
        return PythonData(name, rest[0])
    if kind == "special":
        return Special(name, rest[0])
    if kind == "cast":
        return Cast(name, rest[0], parse_type(rest[1]))
    plain: dict[str, type[Known]] = {
        "python operator": PythonOperator,
        "module class": ModuleClass,
        "exception": ExceptionClass,
        "module": PythonModule,
    }
    return plain[kind](name)


def _function(name: str, entry: list[Any]) -> CompiledFunction | BooleanDispatch:
    if entry[0] == "function":
        return CompiledFunction(name, tuple(parse(text) for text in entry[1:]))
    _, argument, index, default, if_true, if_false = entry
    return BooleanDispatch(name, argument, index, default, _function(name, if_true), _function(name, if_false))


def is_operator(name: str) -> bool:
    """Return whether an event's callee is an operator, and not compiled Python code."""
    return name.startswith("aten::") or isinstance(python_callable(name), Operator)


def takes_out(name: str) -> bool:
    """Return whether an operator has an overload with a parameter ``out``."""
    short = name.rpartition(".")[2].rpartition("::")[2]
    return is_operator(name) and any(each.argument("out") is not None for each in schemas(f"aten::{short}"))
