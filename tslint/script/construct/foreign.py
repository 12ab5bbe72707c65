"""Recognises objects of Python's library and numpy that constructors store, and that have no TorchScript type.

Each was tried with torch: an attribute with such a value exists on the Python module, "but we failed to convert Python
type".
"""

from __future__ import annotations

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
    "builtins.range": "range",
    "builtins.slice": "slice",
    "builtins.frozenset": "frozenset",
    "builtins.object": "object",
    **{f"numpy.{name}": ARRAY for name in _ARRAYS.split()},
    **{f"numpy.{name}": f"numpy.{name}" for name in _NUMBERS.split()},
    **{
        f"torch.distributions.{name}": f"torch.distributions.{name.lower()}.{name}"
        for name in "Normal Bernoulli Categorical Uniform Beta Gamma Poisson".split()
    },
}
APPLY = "method"  # the Python type of ``apply`` of an ``autograd.Function``
FOREIGN = frozenset([*_MADE.values(), APPLY])


def foreign_type(name: str) -> str:
    """Return the Python type of an external call's result if it is known to have no TorchScript type;
    otherwise empty.
    """
    return _MADE.get(name, "")
