"""What keeps fixes from being wrong, to be taken out one at a time: then the fuzzer has to find the case.

Each function patches the rules that are loaded; it is called once, before any module is judged. A guard is named for
the question that it asks.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any


def _returns(place: str, name: str, value: Any) -> Callable[[], None]:
    """Have a function of a module always say the same."""

    def patch() -> None:
        module = importlib.import_module(place)
        if not hasattr(module, name):
            raise SystemExit(f"{place} has no {name}")
        setattr(module, name, lambda *args, **kwargs: value)

    return patch


def _worse() -> None:
    """Fixes after which something does not compile any more are kept."""
    _returns("tslint.fixes.rounds", "worse", {})()


GUARDS: dict[str, Callable[[], None]] = {
    "still compiles": _worse,
    "no spoilers": _returns("tslint.fixes.rounds", "spoiled", {}),
}
