"""Recognises objects of Python's library and numpy that constructors store, and that have no TorchScript type.

Each was tried with torch. If compiled code reads an attribute with such a value, the compiler says that the attribute
exists on the Python module, "but we failed to convert Python type".
"""

from __future__ import annotations

import builtins

EXCEPTIONS = frozenset(
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
)
_ARRAYS = (
    "array zeros ones empty full arange linspace logspace geomspace asarray eye identity diag tri tril triu zeros_like"
    " ones_like empty_like full_like concatenate stack hstack vstack tile random.rand random.randn random.permutation"
)
ARRAY = "numpy.ndarray"
# Functions that return two arrays, and methods that return another array.
PAIRS = ("numpy.triu_indices", "numpy.tril_indices", "numpy.diag_indices")
ARRAY_METHODS = frozenset("astype copy reshape flatten ravel transpose squeeze repeat round clip cumsum".split())
_NUMBERS = "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 bool_"
_MADE = {
    "argparse.Namespace": "argparse.Namespace",
    "types.SimpleNamespace": "types.SimpleNamespace",
    "collections.deque": "collections.deque",
    "pathlib.Path": "pathlib.PosixPath",
    "re.compile": "re.Pattern",
    "threading.Lock": "_thread.lock",
    "threading.RLock": "_thread.RLock",
    "random.Random": "random.Random",
    "datetime.datetime.now": "datetime.datetime",
    "decimal.Decimal": "decimal.Decimal",
    "fractions.Fraction": "fractions.Fraction",
    "logging.getLogger": "logging.Logger",
    "queue.Queue": "queue.Queue",
    "itertools.count": "itertools.count",
    "numpy.random.RandomState": "numpy.random.RandomState",
    "numpy.random.default_rng": "numpy.random.Generator",
    "operator.itemgetter": "operator.itemgetter",
    "operator.attrgetter": "operator.attrgetter",
    "weakref.ref": "weakref.ref",
    "datetime.date.today": "datetime.date",
    **{f"builtins.{name}": name for name in "range slice frozenset object map zip enumerate filter".split()},
    **{f"builtins.{name}": name for name in EXCEPTIONS},
    **{f"numpy.{name}": ARRAY for name in _ARRAYS.split()},
    **{f"numpy.{name}": f"numpy.{name}" for name in _NUMBERS.split()},
    **{
        f"torch.distributions.{name}": f"torch.distributions.{name.lower()}.{name}"
        for name in "Normal Bernoulli Categorical Uniform Beta Gamma Poisson".split()
    },
}
FUNCTION = "builtin function"
OPTIMIZER = "torch.optim.Optimizer"
MEMORY_FORMAT = "torch.memory_format"
METHOD = "method"  # a method of an object, or ``apply`` of an ``autograd.Function``
FOREIGN = frozenset([*_MADE.values(), METHOD, OPTIMIZER])
_BUILTINS = {
    name: "type" if isinstance(value, type) else FUNCTION for name, value in vars(builtins).items() if callable(value)
}


def foreign_type(name: str) -> str:
    """Return the Python type of an external call's result if it is known to have no TorchScript type; otherwise an
    empty string.
    """
    if name.startswith("torch.optim.") and name.rpartition(".")[2][:1].isupper():
        return OPTIMIZER
    return _MADE.get(name, "")


def external_type(name: str) -> str:
    """Return what a name from outside the project is, if it is known to have no TorchScript type: its Python type,
    ``module`` or a builtin function; otherwise an empty string.
    """
    module, _, last = name.rpartition(".")
    if module == "torch" and last.endswith("_format"):
        return MEMORY_FORMAT
    if name.isidentifier():
        return "module"  # only `import numpy` gives a name without a dot; `from . import x` gives `.x`
    return _BUILTINS.get(last, "") if module == "builtins" else ""
