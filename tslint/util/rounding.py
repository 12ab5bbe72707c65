"""Determines whether two libraries compute the same float with a function of one number."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext

_DIGITS = 50
# Libraries compute `exp` and `log` with errors up to about 0.55 units in the last place. Both then round to the float
# that is nearest to the exact value if this is not farther away than a quarter of the unit.
_CLOSE = Decimal("0.25")
_EXACT = {"exp": Decimal.exp, "log": Decimal.ln}
_MOST = 100


def rounds_alike(name: str, value: float) -> bool:
    """Return whether ``math`` and numpy return the same float for a number.

    Args:
        name: the function: ``sqrt``, which all libraries round correctly, ``exp`` or ``log``; False for others.
        value: its argument.
    """
    if name == "sqrt":
        return value > 0
    if name not in _EXACT or not (0 < value < math.inf if name == "log" else abs(value) <= _MOST):
        return False
    with localcontext() as context:
        context.prec = _DIGITS
        exact = _EXACT[name](Decimal(value))
        nearest = float(exact)
        return abs(exact - Decimal(nearest)) <= _CLOSE * Decimal(math.ulp(nearest))
