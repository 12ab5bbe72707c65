"""Determines how the compiler treats the public names of torch and of the standard library.

Every name is tried in two ways: it is read as ``module.NAME``, and called with an invalid argument, for which the
compiler prints the schemas. Nothing is executed except reading constants.
"""

from __future__ import annotations

import builtins
import enum
import importlib
import re
from types import FunctionType, ModuleType
from typing import Any

import torch
from torch import _jit_internal
from torch.jit import _builtins

from operator_data.isolation import answers
from operator_data.variants import variants

# If an object has several names, it gets the one in the first of these modules that contains it.
MODULES = """
math cmath operator warnings copy random functools itertools collections typing time os os.path sys numbers string re
enum dataclasses abc contextlib logging json pathlib datetime
torch torch.nn.functional torch.nn torch.nn.init torch.linalg torch.special torch.fft torch.sparse torch.functional
torch._VF torch.autograd torch.autograd.profiler torch.profiler torch.cpu.amp
torch.autograd.functional torch.cuda torch.cuda.amp torch.amp
torch.nn.utils torch.nn.utils.rnn torch.nn.utils.parametrizations torch.nn.modules.utils torch.jit torch.onnx
torch.compiler torch.backends.cudnn torch.random torch.overrides torch.utils.checkpoint torch.distributed
torch.nn.parallel torch.distributions
torch._jit_internal torch.nn.parameter torch.types torch.nn.modules.module
numpy numpy.random numpy.linalg
torch.cuda.nvtx torch.distributed.nn torch.func torch.futures torch.fx torch.hub torch.library torch.masked
torch.multiprocessing torch.nested torch.nn.attention torch.nn.attention.flex_attention torch.nn.utils.fusion
torch.nn.utils.parametrize torch.nn.utils.prune torch.nn.utils.stateless torch.optim torch.optim.lr_scheduler
torch.serialization torch.signal.windows torch.testing torch.utils.data torch.utils.dlpack torch.utils.hooks
torch.utils.mobile_optimizer
argparse base64 bisect concurrent.futures decimal fractions gc glob gzip hashlib heapq inspect io multiprocessing pdb
pickle platform pprint queue shutil statistics struct subprocess tempfile textwrap threading timeit traceback types
unittest.mock uuid weakref
torch.cuda.nvtx torch.distributed.nn torch.func torch.futures torch.fx torch.hub torch.library torch.masked
torch.multiprocessing torch.nested torch.nn.attention torch.nn.attention.flex_attention torch.nn.utils.fusion
torch.nn.utils.parametrize torch.nn.utils.prune torch.nn.utils.stateless torch.optim torch.optim.lr_scheduler
torch.package torch.serialization torch.signal.windows torch.testing torch.utils.benchmark torch.utils.data
torch.utils.dlpack torch.utils.hooks torch.utils.mobile_optimizer
argparse base64 bisect csv concurrent.futures decimal fractions gc getpass glob gzip hashlib heapq inspect io
multiprocessing pdb pickle platform pprint queue shutil statistics struct subprocess tempfile textwrap threading timeit
traceback types unittest.mock urllib.request uuid weakref zipfile
""".split()
# The constants of these modules depend on the machine and its Python.
_MACHINE = ("os", "os.path", "sys", "time", "pathlib")
# Names in the environment of ir_emitter.cpp: the compiler never looks them up in Python.
SPECIAL_FORMS = {
    "print": "print",
    "tuple": "tuple",
    "getattr": "getattr",
    "hasattr": "hasattr",
    "isinstance": "isinstance",
    "list": "list",
    "dict": "dict",
    "range": "range",
    "zip": "zip",
    "enumerate": "enumerate",
    "slice": "slice",
}
CASTS = {"float": "Float", "int": "Int", "bool": "Bool", "complex": "Complex", "str": "str"}
ENVIRONMENT = {
    **{name: f"aten::{name}" for name in "len hex oct round hash all any divmod sum ord chr bin pow sorted".split()},
    **{name: f"prim::{name}" for name in "id min max abs".split()},
}
_SPECIAL_OBJECTS = {
    "torch.jit.annotate": "annotate",
    "torch.jit.isinstance": "isinstance",
    "torch.jit.is_scripting": "is_scripting",
    "torch.jit.fork": "fork",
    "torch.jit.wait": "wait",
    "torch.jit._fork": "fork",
    "torch.jit._wait": "wait",
    "torch.jit._awaitable": "awaitable",
    "torch.jit._awaitable_wait": "awaitable_wait",
    "torch.jit._awaitable_nowait": "awaitable_nowait",
    "torch.jit.unchecked_cast": "unchecked_cast",
    "torch.no_grad": "no_grad",
    "torch.autocast": "autocast",
    "torch.cuda.amp.autocast": "autocast",
    "torch.amp.autocast": "autocast",
    "torch.cpu.amp.autocast": "autocast",
    "torch.autograd.profiler.record_function": "record_function",
    "torch._check": "check",
}
_PRINTED = re.compile(r"^\s*(\S.*\(.*\) -> .*):$")


def _compile(body: str, name: str, value: object) -> tuple[str, str]:
    """Return the schema of ``def f(): return BODY``, or the compiler's message."""
    unit = torch._C.CompilationUnit()
    try:
        unit.define(f"def f():\n  return {body}\n", lambda asked: value if asked == name else None)
        return str(unit.find_function("f").schema), ""
    except Exception as error:
        message = re.sub(r" (of \S+ object )?at 0x[0-9a-f]+", "", str(error).strip())
        return "", f"{type(error).__name__}:\n{message}"


def _scripted(function: Any) -> list[str]:
    schema = torch.jit.script(function).schema
    try:
        return [str(schema)]
    except RuntimeError:
        return [_spelled(schema)]


def _spelled(schema: Any) -> str:
    """Return the text of a schema with a default that the compiler cannot print: None for a broadcasting list."""
    parts = []
    for argument in schema.arguments:
        text = str(torch._C.parse_schema(f"f({_type(argument)} {argument.name}) -> ()")).split("(", 1)[1]
        text = text.rsplit(") ->", 1)[0]
        if argument.has_default_value():
            value = argument.default_value
            text += f"={value!r}" if not isinstance(value, str) else f'="{value}"'
        parts.append(text)
    returns = str(torch._C.parse_schema(f"f() -> {_type(schema.returns[0])}")).split("-> ", 1)[1]
    return f"{schema.name}({', '.join(parts)}) -> {returns}"


def _type(argument: Any) -> str:
    """Return a type as a schema spells it."""

    def spell(type_: Any) -> str:
        kind = type_.kind()
        if kind == "ListType":
            return f"{spell(type_.getElementType())}[]"
        if kind == "OptionalType":
            return f"{spell(type_.getElementType())}?"
        if kind == "TupleType":
            return f"({', '.join(spell(element) for element in type_.elements())})"
        return str(type_)

    text = spell(argument.type)
    size = argument.N
    if size is None:
        return text
    return re.sub(r"\[\](\??)$", lambda match: f"[{size}]{match.group(1)}", text)


def _entry(place: tuple[str, str]) -> list[Any] | None:
    module_name, name = place
    module = importlib.import_module(module_name)
    value = getattr(module, name)
    qualified = f"{module_name}.{name}"
    if isinstance(value, ModuleType):
        return ["module", value.__name__]
    if qualified in _SPECIAL_OBJECTS:
        return ["special", _SPECIAL_OBJECTS[qualified]]
    schema, message = _compile(f"m.{name}", "m", module)
    if schema:
        return _constant(schema, value, machine=module_name in _MACHINE)
    operator = _builtins._find_builtin(value) if callable(value) else None
    if operator is not None and variants(operator):
        return ["operator", operator]
    if not callable(value) or ("python value of type" in message and not isinstance(value, type | FunctionType)):
        return ["data", type(value).__name__]
    return _callable(f"m.{name}", "m", module, value)


def _callable(spelled: str, name: str, scope: object, value: Any) -> list[Any] | None:
    if isinstance(value, FunctionType) and value in _jit_internal.boolean_dispatched:
        return _dispatch(value)
    _, message = _compile(f"{spelled}(no_such_argument=1)", name, scope)
    if not message:
        return None
    if isinstance(value, type):
        if issubclass(value, torch.nn.Module):
            return ["module class"]
        if issubclass(value, BaseException):
            return ["exception"]
    if "Legacy Tensor Constructor" in message:
        return ["special", "legacy_tensor_constructor"]
    if "isIntList() INTERNAL ASSERT" in message:
        return ["function", *_scripted(value)]
    printed = [match.group(1) for match in map(_PRINTED.match, message.splitlines()) if match]
    if printed and ("Keyword argument no_such_argument unknown" in message or "not provided" in message):
        if isinstance(value, type) and issubclass(value, tuple):
            return ["function", printed[0].replace(" -> ()", f" -> __torch__.{value.__module__}.{value.__qualname__}")]
        if not isinstance(value, FunctionType):
            return ["python operator"]
        own = [schema for schema in printed if schema.split("(", 1)[0] == value.__name__]
        if own:
            return ["function", *own]
    return ["unsupported", *_reason(value, message)]


def _dispatch(value: Any) -> list[Any]:
    """Describe a function that stands for one of two functions, chosen by a constant argument; each may be such a
    function again.
    """
    both = _jit_internal.boolean_dispatched[value]
    branches = []
    for function in (both["if_true"], both["if_false"]):
        if function in _jit_internal.boolean_dispatched:
            branches.append(_dispatch(function))
        else:
            branches.append(["function", *_scripted(function)])
    return ["dispatch", both["arg_name"], both["index"], both["default"], *branches]


def _reason(value: Any, message: str) -> tuple[str, str]:
    """Return the kind of reason why the compiler rejects a call, and the first line of its message.

    The kind is about the object itself, or ``body`` if the body of the function is rejected.
    """
    # Positions, addresses and counters differ from run to run.
    noise = (
        r": /\S*\.py\S*| \(of Python compilation unit at: \w+\)|\.___torch_mangle_\d+|\s+at\s+File \".*| at 0x[0-9a-f]+"
    )
    message = re.sub(noise, "", message)
    first = message.split("\n")[1].rstrip(":") or message.split("\n", 1)[0].rstrip(":")
    if _builtins._find_builtin(value) is not None:
        return "unknown-operator", first
    if isinstance(value, type):
        return "metaclass" if issubclass(value, type | ModuleType | enum.Enum) else "class", first
    if "cannot create weak reference" in first:
        return "weak-reference", first
    if not isinstance(value, FunctionType):
        return "python-builtin", first
    return ("no-source" if message.startswith("OSError") else "body"), first


def _constant(schema: str, value: Any, *, machine: bool) -> list[Any]:
    type_ = schema.split(" -> ", 1)[1]
    if type_.startswith("((") and type_.endswith("))"):
        type_ = type_[1:-1]
    if machine and not isinstance(value, bool):
        return ["constant", type_, None]
    plain = isinstance(value, bool | int | str) or value is None
    return ["constant", type_, value if plain else repr(value)]


def _builtin(name: str) -> list[Any] | None:
    value = getattr(builtins, name)
    if isinstance(value, type) and issubclass(value, BaseException):
        return ["exception"]
    if not callable(value):
        return ["data", type(value).__name__]
    return _callable(name, name, value, value)


def _environment() -> dict[str, list[Any]]:
    table: dict[str, list[Any]] = {name: ["special", form] for name, form in SPECIAL_FORMS.items()}
    table |= {name: ["cast", f"aten::{operator}", name] for name, operator in CASTS.items()}
    table |= {name: ["operator", operator] for name, operator in ENVIRONMENT.items()}
    return table


def _names(module: ModuleType) -> list[str]:
    return [name for name in sorted(dir(module)) if not name.startswith("__")]


def _paths(value: Any) -> list[str]:
    """Return the name by an object's ``__module__`` and ``__qualname__`` if the object is found there; else nothing."""
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(name, str) or not module.startswith("torch."):
        return []
    try:
        return [f"{module}.{name}"] if getattr(importlib.import_module(module), name) is value else []
    except (ImportError, AttributeError):
        return []


def callables() -> tuple[dict[str, Any], dict[str, str]]:
    """Return how the compiler treats each public name, and the other names of the same objects."""
    places: list[tuple[str, str]] = []
    aliases: dict[str, str] = {}
    first: dict[int, str] = {}
    modules = [(name, importlib.import_module(name)) for name in MODULES]
    members = [(name, module, each) for name, module in modules for each in _names(module)]
    # Private names come last: most are not kept, and must not become the only name of an object.
    for module_name, module, name in sorted(members, key=lambda each: each[2].startswith("_")):
        value = getattr(module, name, None)
        qualified = f"{module_name}.{name}"
        # Unrelated names share small values such as 1, so a second name is only recognised for objects that have a
        # ``__name__``.
        if hasattr(value, "__name__") and not isinstance(value, ModuleType):
            known = first.setdefault(id(value), qualified)
            aliases |= {path: known for path in _paths(value) if path != known}
            if known != qualified:
                aliases[qualified] = known
                continue
        places.append((module_name, name))
    table = {f"{module}.{name}": found for (module, name), found in zip(places, answers(places, _entry))}
    names = [name for name in dir(builtins) if not name.startswith("_")]
    table |= {f"builtins.{name}": found for name, found in zip(names, answers(names, _builtin))}
    table |= {f"builtins.{name}": entry for name, entry in _environment().items()}
    kept = {name: entry for name, entry in table.items() if _worth_keeping(name, entry)}
    return kept, {alias: name for alias, name in sorted(aliases.items()) if name in kept and alias not in kept}


def _worth_keeping(name: str, entry: Any) -> bool:
    if entry is None or entry == "crash":
        return False
    if name.startswith("pickle.") and entry[0] == "data":
        return False  # its opcodes
    if entry[0] == "unsupported" and re.search(r"cuda::|_cuda|_amdsmi|_mps|_xpu", entry[2]):
        # This is only true for a torch without CUDA.
        return False
    private = any(part.startswith("_") and part not in ("_VF", "_jit_internal") for part in name.split("."))
    return not private or entry[0] in ("operator", "function", "dispatch", "special")
