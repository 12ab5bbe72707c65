"""Evaluates calls of torch's and Python's own functions in a constructor."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from dataclasses import replace

from tslint.script.assumptions import Assumptions
from tslint.script.attributes import (
    MOST_ITEMS,
    PY_UNKNOWN,
    Instance,
    Norm,
    PyChoice,
    PyConst,
    PyDict,
    PyExternal,
    PyKind,
    PyParameter,
    PySequence,
    PyValue,
)
from tslint.script.construct.arithmetic import python_type
from tslint.script.construct.expressions import CONTAINERS, is_torch_module
from tslint.script.construct.foreign import ARRAY, PAIRS, foreign_type
from tslint.script.construct.frame import Frame
from tslint.script.construct.pyvalues import as_set, cases, choose, common_element, kind_of, type_test
from tslint.script.construct.results import python_result, torch_result
from tslint.util import astwalk
from tslint.util.record import record


@record
class ExternalCall:
    """A call of something outside the project.

    Args:
        frame: the frame that contains the call.
        node: the call.
        name: the full name of the callee.
        arguments: the positional arguments.
        keywords: the other arguments.
        known: False if ``*args`` or ``**kwargs`` hide arguments.
    """

    frame: Frame
    node: ast.Call
    name: str
    arguments: list[PyValue]
    keywords: list[tuple[str, PyValue]]
    known: bool


_Handler = Callable[[ExternalCall], PyValue]
_HANDLERS: dict[str, _Handler] = {}

# The dtypes of the old constructors, which make tensors, and which are not operators: `torch.FloatTensor(3)`.
_DTYPES = ("", "Half", "BFloat16", "Float", "Double", "Bool", "Byte", "Char", "Short", "Int", "Long")
_TENSORS = ("from_numpy", *(f"{dtype}Tensor" for dtype in _DTYPES))
_OTHER_MATH = ("math.prod", "math.frexp", "math.modf")
_COUNTS = {"_single": 1, "_pair": 2, "_triple": 3, "_quadruple": 4}
_SEQUENCES = frozenset("List list Tuple tuple Sequence".split())
PLAIN = frozenset(["int", "float", "bool", "str", "complex", "list", "tuple", "dict", "set"])
# Calls of which only the type is known.
_KINDS = {
    "torch.nn.Parameter": "Parameter",
    "torch.nn.parameter.Parameter": "Parameter",
    "torch.nn.Buffer": "Tensor",
    "torch.nn.parameter.Buffer": "Tensor",
    # The first run turns these into a plain parameter and a plain Tensor. Before that, the module cannot be compiled.
    "torch.nn.UninitializedParameter": "Parameter",
    "torch.nn.UninitializedBuffer": "Tensor",
    "torch.device": "device",
    "torch.Generator": "Generator",
    "functools.partial": "partial",
    **{f"torch.{name}": "Tensor" for name in _TENSORS},
    **{f"math.{name}": "int" for name in "floor ceil gcd lcm comb perm factorial trunc isqrt".split()},
    **{f"math.{name}": "bool" for name in "isnan isinf isfinite isclose".split()},
    "builtins.hasattr": "bool",
    "builtins.callable": "bool",
}
_ANY_LAYER = "torch.nn.*"  # the value of ``getattr(nn, name)``
HOOKED = {
    "torch.nn.utils.weight_norm": "WeightNorm",
    "torch.nn.utils.spectral_norm": "SpectralNorm",
    "torch.nn.utils.parametrizations.spectral_norm": "parametrizations.spectral_norm",
    "torch.nn.utils.parametrizations.orthogonal": "parametrizations.orthogonal",
    "torch.nn.utils.weight_norm.weight_norm": "WeightNorm",
    "torch.nn.utils.spectral_norm.spectral_norm": "SpectralNorm",
}


def call_external(call: ExternalCall) -> PyValue:
    """Return the value of a call; ``PY_UNKNOWN`` if it is not known."""
    name = call.name
    if name in _HANDLERS:
        return _HANDLERS[name](call)
    if call.known and not call.keywords:
        computed = python_result(name, call.arguments)
        if computed is not PY_UNKNOWN:
            return computed
    if name in _KINDS:
        return PyKind(_KINDS[name])
    if name == _ANY_LAYER and any(keyword == "bidirectional" for keyword, _ in call.keywords):
        # Only LSTM, GRU and RNN have this parameter, so the class is one of them: use their common base.
        return Instance(None, "torch.nn.RNNBase", known=False, node=call.node, function=call.frame.function)
    if is_torch_module(name):
        return Instance(
            None,
            name,
            tuple(call.arguments),
            tuple(call.keywords),
            call.known,
            node=call.node,
            function=call.frame.function,
            under=call.frame.assumptions,
        )
    if name.startswith("torch."):
        first = call.arguments[0] if call.arguments else PY_UNKNOWN
        if name.endswith("_"):  # in place: it returns its argument
            return first if kind_of(first) in ("Tensor", "Parameter") else PY_UNKNOWN
        made = torch_result(name, len(call.arguments) if call.known else None, [key for key, _ in call.keywords])
        if made is not PY_UNKNOWN:
            return made
    kind = "float" if name.rpartition(".")[0] == "math" and name not in _OTHER_MATH else foreign_type(name)
    return PyKind(kind) if kind else PY_UNKNOWN


def _handles(*names: str) -> Callable[[_Handler], _Handler]:
    """Register a handler for calls of the given names."""

    def register(handler: _Handler) -> _Handler:
        _HANDLERS.update(dict.fromkeys(names, handler))
        return handler

    return register


@_handles(*(f"torch.nn.{name}" for name in CONTAINERS))
def container(call: ExternalCall) -> Instance:
    """Return a container of modules, with its items if they are known."""
    arguments = call.arguments
    made = Instance(None, call.name, (), (), call.known, node=call.node, under=call.frame.assumptions)
    first = arguments[0] if arguments else None
    made.items = None
    if call.known and not arguments and call.name.endswith("ModuleDict"):
        made.added = {}
    if not arguments:
        made.items = () if call.known else None
    elif call.name.endswith("Sequential"):
        if isinstance(first, PyDict) and len(arguments) == 1:
            if first.items is not None:
                made.items = tuple(value for _, value in first.items)
        elif call.known:
            made.items = tuple(arguments)
            made.element = common_element(arguments)
        else:
            starred = [a if isinstance(a, PySequence) and a.kind == "*" else None for a in arguments]
            made.element = common_element(s.element if s else a for s, a in zip(starred, arguments))
            made.some = tuple(each for s, a in zip(starred, arguments) for each in (s.known() if s else (a,)))
    elif isinstance(first, PySequence):
        made.items, made.element, made.may_be_empty = first.items, first.element, first.may_be_empty
        made.some = first.some
    elif isinstance(first, PyDict) and first.items is not None:
        made.items = tuple(value for _, value in first.items)
    if isinstance(first, PyDict) and first.items is None:
        made.element, made.may_be_empty = first.element, first.may_be_empty
    elif isinstance(first, PyDict) and first.items is not None:
        if all(isinstance(key, PyConst) and isinstance(key.value, str) for key, _ in first.items):
            made.keys = tuple(str(key.value) for key, _ in first.items if isinstance(key, PyConst))
        made.known = made.known and made.keys is not None
        made.element = common_element(value for _, value in first.items)
    return made


@_handles(*HOOKED)
def _normed(call: ExternalCall) -> PyValue:
    """Return the result of ``weight_norm``, ``spectral_norm`` or ``orthogonal``: the module that is passed, with a hook
    or a parametrization.
    """
    module = call.arguments[0] if call.arguments else PY_UNKNOWN
    if isinstance(module, PyChoice):
        return choose(
            [(assumptions, _normed(replace(call, arguments=[option]))) for assumptions, option in module.cases]
        )
    if not isinstance(module, Instance):
        return PY_UNKNOWN
    if call.frame.assumptions:
        # Existing references to the module see the hook only if the tests have these results.
        module.hooks.append("maybe")
        module = replace(module, hooks=[*module.hooks])
    hook = HOOKED[call.name]
    module.hooks.append(hook)
    module.norm, module.node = Norm(hook, call.node, call.frame.function), call.node
    return module


@_handles("torch.nn.utils.remove_weight_norm", "torch.nn.utils.remove_spectral_norm")
def _without_norm(call: ExternalCall) -> PyValue:
    if call.arguments and isinstance(call.arguments[0], Instance):
        call.arguments[0].norm = None
        return call.arguments[0]
    return PY_UNKNOWN


@_handles("torch.jit.annotate")
def _annotated(call: ExternalCall) -> PyValue:
    """Return the value that a call annotates: in Python, the function returns it unchanged."""
    return call.arguments[1] if len(call.arguments) == 2 else PY_UNKNOWN


@_handles("copy.copy", "copy.deepcopy")
def _copy(call: ExternalCall) -> PyValue:
    return call.arguments[0] if call.arguments else PY_UNKNOWN


@_handles("collections.OrderedDict")
def _ordered_dict(call: ExternalCall) -> PyValue:
    if not call.arguments:
        named = tuple((PyConst(name), value) for name, value in call.keywords)
        return PyDict(named if call.known else None, "OrderedDict")
    pairs = call.arguments[0]
    if isinstance(pairs, PySequence) and pairs.items is not None:
        rows = [p.items for p in pairs.items if isinstance(p, PySequence) and p.items is not None and len(p.items) == 2]
        if len(rows) == len(pairs.items):
            return PyDict(tuple((row[0], row[1]) for row in rows), "OrderedDict")
    return PyDict(None, "OrderedDict")


@_handles("collections.defaultdict")
def _default_dict(call: ExternalCall) -> PyValue:
    return PyDict(() if call.known and len(call.arguments) < 2 and not call.keywords else None, "defaultdict")


@_handles("builtins.len")
def _len(call: ExternalCall) -> PyValue:
    first = call.arguments[0] if call.arguments else None
    if isinstance(first, (PySequence, Instance)) and first.items is not None:
        return PyConst(len(first.items))
    return PyKind("int")


@_handles("builtins.int", "builtins.float", "builtins.str", "builtins.bool")
def _cast(call: ExternalCall) -> PyValue:
    name = call.name.removeprefix("builtins.")
    first = call.arguments[0] if call.arguments else None
    if isinstance(first, PyConst):
        try:
            return PyConst(getattr(builtins, name)(first.value))
        except (TypeError, ValueError, OverflowError):
            return PY_UNKNOWN
    return PyKind(name)


@_handles("builtins.list", "builtins.tuple", "builtins.set")
def _sequence(call: ExternalCall) -> PyValue:
    name = call.name.removeprefix("builtins.")
    if not call.arguments:
        return PySequence(name, ())
    first = call.arguments[0]
    if isinstance(first, PySequence) and name == "set":
        return as_set(first)
    if isinstance(first, PySequence):
        return PySequence(name, first.items, first.element)
    item, given = ast.Name("item", ast.Load()), call.node.args[0]
    if name == "set" or isinstance(given, ast.Starred):
        return PySequence(name, None)
    # The same as `[item for item in zip(a, b)]`, which also handles `enumerate` and containers of modules.
    each = ast.comprehension(ast.Name("item", ast.Store()), given, [], 0)
    made = call.frame.evaluate(ast.copy_location(ast.ListComp(item, [each]), call.node))
    return replace(made, kind=name) if isinstance(made, PySequence) else PySequence(name, None)


@_handles("builtins.isinstance")
def _is_instance(call: ExternalCall) -> PyValue:
    known = type_test(call.arguments[0], call.node.args[1]) if call.known and len(call.node.args) == 2 else None
    return PY_UNKNOWN if known is None else PyConst(known)


@_handles(*(f"torch.nn.modules.utils.{name}" for name in _COUNTS))
def _repeated(call: ExternalCall) -> PyValue:
    """Return the tuple that torch's convolutions make of one number or of several numbers."""
    options: list[tuple[Assumptions, PyValue]] = []
    for tests, value in cases(call.arguments[0] if call.arguments else PY_UNKNOWN, call.frame.assumptions):
        made: PyValue = PY_UNKNOWN
        if isinstance(value, PySequence):
            made = PySequence("tuple", value.items, value.element)
        elif kind_of(value) in ("int", "float"):
            made = PySequence("tuple", (value,) * _COUNTS[call.name.rpartition(".")[2]], value)
        options.append((tests, made))
    return choose(options)


@_handles("itertools.repeat")
def _repeat(call: ExternalCall) -> PyValue:
    """Return the items of an iterator that ``tuple`` and ``list`` take: it is not a list itself."""
    if not call.known or len(call.arguments) != 2 or call.keywords:
        return PY_UNKNOWN
    value, count = call.arguments
    number = count.value if isinstance(count, PyConst) and isinstance(count.value, int) else MOST_ITEMS + 1
    return PySequence("repeat", (value,) * number if number <= MOST_ITEMS else None, value)


@_handles("builtins.dict")
def _dict(call: ExternalCall) -> PyValue:
    if call.arguments or not call.known:
        return PY_UNKNOWN
    return PyDict(tuple((PyConst(name), value) for name, value in call.keywords))


@_handles(*PAIRS)
def _index_arrays(call: ExternalCall) -> PyValue:
    if not call.known or (call.name == "numpy.diag_indices" and len(call.arguments) + len(call.keywords) > 1):
        return PY_UNKNOWN  # `diag_indices(n, 3)` returns three arrays
    return PySequence("tuple", (PyKind(ARRAY), PyKind(ARRAY)), PyKind(ARRAY))


@_handles("numpy.unique")
def _unique(call: ExternalCall) -> PyValue:
    asked = [value for name, value in call.keywords if name.startswith("return_")]
    if not call.known or len(call.arguments) > 1 or any(not isinstance(value, PyConst) for value in asked):
        return PY_UNKNOWN
    count = sum(isinstance(value, PyConst) and bool(value.value) for value in asked)
    arrays = (PyKind(ARRAY),) * (1 + count)
    return PySequence("tuple", arrays, arrays[0]) if count else arrays[0]


@_handles("numpy.prod", "numpy.sum", "numpy.max", "numpy.min")
def _reduced(call: ExternalCall) -> PyValue:
    """Return the type of the number that a function of numpy computes from Python's ints: ``numpy.int64``."""
    first = call.arguments[0] if call.arguments else None
    if len(call.node.args) != 1 or call.keywords:
        return PY_UNKNOWN
    return PyKind("numpy.int64") if _are_ints(first) else PY_UNKNOWN


def _are_ints(value: PyValue | None) -> bool:
    """Return whether a value certainly is a list or tuple of ints, and not empty; for a parameter, its annotation or
    its default decides that.
    """
    if isinstance(value, PyParameter):
        annotation = value.annotation
        if isinstance(annotation, ast.Subscript) and value.default != PyConst(None):
            base = annotation.value
            named = base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")
            inner = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
            if named in _SEQUENCES and all(astwalk.is_name(each, "int") or _is_ellipsis(each) for each in inner):
                return True
        value = value.default
    if not isinstance(value, PySequence) or value.kind not in ("list", "tuple"):
        return False
    items = (value.element,) if value.items is None else value.items
    return bool(items) and all(_is_int(item) for item in items)


def _is_int(value: PyValue) -> bool:
    options = [option for _, option in value.cases] if isinstance(value, PyChoice) else [value]
    return all(python_type(option) == "int" for option in options)


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is Ellipsis


@_handles("builtins.locals")
def _locals(call: ExternalCall) -> PyValue:
    return PyDict(tuple((PyConst(name), value) for name, value in call.frame.locals.items()))


@_handles("builtins.getattr")
def _getattr(call: ExternalCall) -> PyValue:
    if len(call.arguments) != 2 or not call.known or call.arguments[0] != PyExternal("torch.nn"):
        return PY_UNKNOWN
    name = call.arguments[1]
    if not isinstance(name, PyConst):
        return PyExternal(_ANY_LAYER)
    return PyExternal(f"torch.nn.{name.value}") if is_torch_module(f"torch.nn.{name.value}") else PY_UNKNOWN
