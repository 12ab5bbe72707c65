"""Guards that keep fixes from being wrong. They can be disabled one at a time: then the fuzzer must find a failure.

A guard is one or a few functions of tslint whose result is replaced, usually by a constant. All of them are watched,
and :func:`asking` returns those that would have had another result for a module, so that only these have to be tried.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import tslint.rules
from tslint.lint.rule_findings import Wanted
from tslint.project.trees import KNOWN

Instead = Callable[..., Any]
"""Called with the guard's own result, and its arguments."""


@dataclass(frozen=True)
class Guard:
    """A check that keeps fixes from being wrong.

    Args:
        asks: the question that it answers.
        places: the functions, each as ``module:function`` or ``module:Class.method``.
        instead: returns their result while the guard is disabled.
        compiles: whether it also ensures that fixed code compiles.
    """

    asks: str
    places: tuple[str, ...]
    instead: Instead
    compiles: bool = False


def always(value: Any) -> Instead:
    """Return an ``Instead`` that gives the same result for everything."""
    return lambda answer, *args, **kwargs: value


_out: str | None = None
_asked: set[str] = set()


def asking() -> set[str]:
    """Return the guards that would have had another result since the last call."""
    found = set(_asked)
    _asked.clear()
    return found


@contextmanager
def out(name: str | None) -> Iterator[None]:
    """Disable one guard inside the ``with``."""
    global _out
    _out = name
    _forget()
    try:
        yield
    finally:
        _out = None
        _forget()


def watch() -> None:
    """Replace the functions of all guards once, in every module that has imported them."""
    for each in pkgutil.walk_packages(tslint.rules.__path__, "tslint.rules."):
        importlib.import_module(each.name)  # a module that is imported later would get the original function
    for name, guard in GUARDS.items():
        for place in guard.places:
            _watch(name, guard, place)


def _watch(name: str, guard: Guard, place: str) -> None:
    module, _, path = place.partition(":")
    owner: Any = importlib.import_module(module)
    *classes, last = path.split(".")
    for each in classes:
        owner = getattr(owner, each)
    if not hasattr(owner, last):
        raise SystemExit(f"{module} has no {path}: the guard `{name}` has to be written anew")
    function = getattr(owner, last)

    def asked(*args: Any, **kwargs: Any) -> Any:
        answer = function(*args, **kwargs)
        other = guard.instead(answer, *args, **kwargs)
        if _out == name:
            return other
        if other != answer:
            _asked.add(name)
        return answer

    if classes:
        setattr(owner, last, asked)
        return
    for holder in [each for key, each in sys.modules.items() if key.startswith("tslint")]:
        for key, held in list(vars(holder).items()):
            if held is function:
                setattr(holder, key, asked)


def _forget() -> None:
    """Clear what tslint caches on trees, because it was computed with other results of the guards."""
    KNOWN.clear()
    for module in [each for key, each in sys.modules.items() if key.startswith("tslint")]:
        for held in list(vars(module).values()):
            information = getattr(held, "cache_info", None)
            if information is not None and information().maxsize is not None:
                held.cache_clear()


def _confirmed(answer: Any, *args: Any, **kwargs: Any) -> Any:
    return answer if answer is None else replace(answer, confirmed=True)


def _wished(answer: str, match: Any, wished: str, taken: Any = ()) -> str:
    return wished


def _applied(answer: Any, *args: Any, **kwargs: Any) -> Any:
    if isinstance(answer, Wanted):  # a run that fixes does not look for last resorts
        return replace(answer, last_resorts=True)
    diagnostic, unsafe = args
    return answer or (unsafe and diagnostic.fix is not None and diagnostic.fix.last_resort)


_FLOW = "tslint.script.dataflow."
_HEADER = "tslint.rewrite.loop_headers:Rewriting."
GUARDS: dict[str, Guard] = {
    # 1: definitions
    "one definition": Guard(
        "does the called function have the same definition on every path", (_FLOW + "inlining:is_one",),
        always(True),
    ),
    "names of the outside": Guard(
        "do the names that it reads have the same meaning at the call", (_FLOW + "inlining:_hidden",),
        always(False),
    ),
    "order of arguments": Guard(
        "are its arguments evaluated once, and in the same order",
        (_FLOW + "inlining:_Reader._same_order",), always(True),
    ),
    # 2: bounds
    "as many modules": Guard(
        "does the list have exactly as many modules as the loop has iterations", (_HEADER + "_as_many",), always(True)
    ),
    "enough modules": Guard(
        "are there never more iterations than modules; is the start of a loop never negative",
        (_FLOW + "indices:Place.holds",), always(True),
    ),
    "not negative": Guard("is an index never negative", (_FLOW + "indices:Place.is_counted",), always(True)),
    "in range": Guard("is an index always less than the length", (_FLOW + "indices:Place.is_below",), always(True)),
    "as long": Guard(
        "have all lists with the same index, which the fix passes to `zip`, the same length",
        ("tslint.rewrite.iterate_containers:_as_long",), always(True),
    ),
    "steady": Guard(
        "is an index the same in every iteration of the new loop", (_FLOW + "regions:is_steady",), always(True)
    ),
    "length kept": Guard(
        "does the loop leave the length of a list unchanged", (_FLOW + "loops:keeps_length",), always(True)
    ),
    "takes one every turn": Guard(
        "does every iteration read a module before it does anything else", (_HEADER + "_runs_out",), always(True)
    ),
    "every turn": Guard(
        "does every iteration read the module", (_FLOW + "loops:every_turn",), always(True)
    ),
    "first in its turn": Guard(
        "is the module read before anything that has a visible effect",
        (_FLOW + "first_evaluated:comes_first", _HEADER + "_leads"), always(True),
    ),
    "jumps": Guard(
        "do statements that are moved into a loop have a `break` or `continue` of an outer loop", (_FLOW + "regions:_jumps",),
        always(False),
    ),
    "turns left": Guard(
        "does the body of a loop `break` or `continue`", (_FLOW + "loops:leaves_turn",), always(False)
    ),
    "index read later": Guard(
        "is the loop's variable read after the loop", (_FLOW + "loops:read_after",), always(False)
    ),
    "index changed": Guard(
        "do statements that are moved under a comparison with an index change that index",
        (_FLOW + "regions:_changed",), always(False),
    ),
    # 3: a fix relies on something that another one changes
    "independent": Guard(
        "does a fix rely on code that another fix of the same round changes", ("tslint.fixing.run:independent",),
        lambda answer, found: [True] * len(found), compiles=True,
    ),
    # 4: truth
    "truth": Guard(
        "is a value None, or a module that is always true, in every construction",
        ("tslint.rewrite.compare_with_none:_kinds",), always(frozenset(["none", "module"])),
    ),
    "only tested": Guard(
        "is the value only tested", ("tslint.rewrite.compare_with_none:only_tested", "tslint.rules.modules.not_a_condition:only_tested"), always(True)
    ),
    # 6: variadics
    "only handed on": Guard(
        "is a variadic parameter only passed on", (_FLOW + "variadics:_only_handed_on",), always(True)
    ),
    "all calls seen": Guard(
        "are all calls of a function visible, so that its signature may be changed",
        (_FLOW + "closed_calls:all_calls_seen",), always(True),
    ),
    # 7, 8, 10: paths that are excluded from compilation
    "last resort": Guard(
        "does the fix exclude code from compilation", ("tslint.fixing.reported:fixable", "tslint.lint.rule_findings:Wanted.by"), _applied
    ),
    "still compiles": Guard("does everything that compiled still compile", ("tslint.fixing.rounds:worse", "tslint.fixing.run:spoiled"), always({})),
    # 9, 11: annotations
    "confirmed": Guard(
        "does a caller or the default confirm an annotation, so that it rejects no value that was accepted",
        (_FLOW + "parameters:infer",), _confirmed,
    ),
    # The other guards
    "raises with None": Guard(
        "does Python raise for None anyway, so that an assertion may be added",
        (_FLOW + "nones:raises_with_none", _FLOW + "nones:attribute_raises_with_none"), always(True),
    ),
    "certain int": Guard(
        "is an expression an int for all arguments", (_FLOW + "whole_numbers:certain_int",), always(True)
    ),
    "first evaluated": Guard(
        "is a `:=` evaluated before everything else in its statement", (_FLOW + "first_evaluated:named_first",),
        always(True),
    ),
    "comprehension first": Guard(
        "is a comprehension evaluated before everything else in its statement", (_FLOW + "comprehension_loops:_first",),
        always(True),
    ),
    "fresh names": Guard(
        "is a new name of a fix unused", ("tslint.rewrite.fresh_names:fresh_name", _FLOW + "naming:unused_name"), _wished
    ),
}  # fmt: skip
