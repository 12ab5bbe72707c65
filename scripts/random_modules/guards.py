"""What keeps fixes from being wrong, to be taken out one at a time: then the fuzzer has to find the case.

A guard is named for the question that it asks; its function patches tslint, once, before any module is judged. Most
guards are one function of the rules that is made to give always the same answer: see :func:`answers`.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Callable
from typing import Any

import tslint.rules


def answers(place: str, name: str, value: Any) -> Callable[[], None]:
    """Have a function always say the same, wherever it was imported to.

    Args:
        place: its module.
        name: of the function.
        value: what it gives.
    """

    def patch() -> None:
        _load()
        module = importlib.import_module(place)
        if not hasattr(module, name):
            raise SystemExit(f"{place} has no {name}: the guard has to be written anew")
        guard = getattr(module, name)
        for each in [each for key, each in sys.modules.items() if key.startswith("tslint")]:
            for key, held in list(vars(each).items()):
                if held is guard:
                    setattr(each, key, lambda *args, **kwargs: value)

    return patch


def _load() -> None:
    """All rules: what is imported later would hold the guard itself."""
    for each in pkgutil.walk_packages(tslint.rules.__path__, "tslint.rules."):
        importlib.import_module(each.name)


GUARDS: dict[str, Callable[[], None]] = {
    # Whether something that compiled does not do so after a round.
    "still compiles": answers("tslint.fixes.rounds", "worse", {}),
    # Whether the variable of a loop over indices is read after the loop.
    "index read later": answers("tslint.rules.modules._loops", "read_after", False),
    # Whether statements that move under a comparison of an index change that index.
    "index changed": answers("tslint.rules.modules._regions", "_changed", False),
    # Whether they leave the loop around them.
    "jumps": answers("tslint.rules.modules._regions", "_jumps", False),
    # Whether every turn of a loop takes the module, or only some do.
    "every turn": answers("tslint.rules.modules._loops", "every_turn", True),
    # Whether a walrus is evaluated before all else in its statement.
    "first evaluated": answers("tslint.rules.syntax.named_expression", "_first", True),
    # Whether a comprehension is evaluated before all else in its statement.
    "comprehension first": answers("tslint.rules.syntax._as_loops", "_first", True),
}
