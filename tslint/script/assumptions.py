"""The constructor's tests that lead to a value, with their results: contradictions between them, and their text."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import field
from functools import cache

from tslint.script.condition_text import follows, written
from tslint.util.record import record


@record
class Assumption:
    """A test of the constructor with its result: ``downsample is None``, true.

    Args:
        text: the test, in terms of the constructor's parameters. For ``not a``, it is ``a``, and ``holds`` is inverted.
        holds: the result of the test.
        version: distinguishes two tests with the same text if a variable in them has changed in between.
        part_of: the longer test (``a and b``) whose result implies this one.
        excludes: sets of assumptions: if one of the sets is true, this assumption is not.
        general: a more general condition with the same effect, which messages show instead; empty if there is none.
        place: the function that the constructor calls, if the test reads variables of that function.
    """

    text: str
    holds: bool
    version: int = 0
    part_of: str = field(default="", compare=False)
    excludes: tuple[frozenset[Assumption], ...] = field(default=(), compare=False)
    general: str = field(default="", compare=False)
    place: str = field(default="", compare=False)

    def negated(self) -> Assumption:
        """Return the assumption with the other result."""
        return Assumption(self.text, not self.holds, self.version, place=self.place)

    def words(self) -> str:
        """Return the condition as the text after "when" in a message."""
        if self.text == HAS_RUN:
            return HAS_RUN if self.holds else NOT_RUN
        return self.general or written(self.text, self.holds) + (f" in `{self.place}`" if self.place else "")


HAS_RUN = "the module has run before scripting"
NOT_RUN = "the module has not run before scripting"
Assumptions = frozenset[Assumption]
NO_ASSUMPTIONS: Assumptions = frozenset()


def in_words(assumptions: Iterable[Assumption]) -> str | None:
    """Return the condition that tests form, as the text after "when" in a message; None if there are no tests."""
    found = sorted(assumptions, key=lambda a: (a.text, a.holds))
    # A test that follows from another one is left out: "`mode` is 'b'" implies "`mode` is not 'a'".
    said = [each for each in found if not any(_exclude(each.negated(), other) for other in found if other != each)]
    known = {text for each in found for text in (each.words(), written(each.text, each.holds))}
    # A test is also left out if its parts are listed: `a and b` next to `a` and `b`.
    said = [each for each in said if not follows(each.text, each.holds, known.__contains__)]
    return " and ".join(_merged(dict.fromkeys(each.words() for each in said))) or None


def _merged(conditions: Iterable[str]) -> Iterator[str]:
    """Merge conditions about one name: "`a` is not 'x'" and "`a` is not 'y'" become "`a` is neither 'x' nor 'y'"."""
    values: dict[str, list[str]] = {}
    for each in conditions:
        subject, excluded, value = each.partition("` is not ")
        literal = excluded and not value.startswith(("`", "a "))
        values.setdefault(f"{subject}` is " if literal else each, []).append(value)
    for start, (first, *others) in values.items():
        listed = f"none of {', '.join([first, *others])}" if others[1:] else f"neither {first} nor {''.join(others)}"
        yield start if not start.endswith("` is ") else f"{start}{listed if others else f'not {first}'}"


def of_class(name: str) -> str:
    """Return the condition of a finding that is only valid for one of the classes that inherit a method."""
    return f"`self` is {'an' if name[:1] in 'AEIOU' else 'a'} `{name}`"


_TRUTH = object()
_REMAINDER = re.compile(r"(?P<dividend>.+ % (?P<divisor>\d+)) == (?P<remainder>\d+)")


@cache
def _reading(text: str) -> tuple[str, object]:
    """Return the name in a test and the literal with which it is compared, or ``_TRUTH`` for a name alone. For other
    tests, the name is empty.
    """
    for mark in (" is ", " == "):
        subject, found, literal = text.partition(mark)
        if found and subject.replace(".", "").replace("_", "").isalnum():
            try:
                return subject, ast.literal_eval(literal)
            except (ValueError, SyntaxError):
                return "", _TRUTH
    return (text, _TRUTH) if text.replace(".", "").replace("_", "").isalnum() else ("", _TRUTH)


def _exclude(a: Assumption, b: Assumption) -> bool:
    """Return whether the results of two tests exclude each other."""
    if a.version != b.version:
        return False
    if a.text == b.text:
        return a.holds != b.holds
    (subject, first), (other, second) = _reading(a.text), _reading(b.text)
    if not subject or subject != other:
        return False
    if first is _TRUTH or second is _TRUTH:
        truth, (value, holds) = (a.holds, (second, b.holds)) if first is _TRUTH else (b.holds, (first, a.holds))
        return holds and truth is not bool(value)
    return a.holds and b.holds and first != second


def satisfiable(assumptions: Collection[Assumption], given: Collection[Assumption]) -> bool:
    """Return whether no assumption contradicts a given one, as ``mode == 'a'`` contradicts ``mode == 'b'``, and no set
    in ``excludes`` is true.
    """
    for assumption in assumptions:
        for other in given:
            if _exclude(assumption, other):
                return False
    if any(each.excludes for each in assumptions) or any(each.excludes for each in given):
        together = frozenset([*assumptions, *given])
        if any(case <= together for assumption in together for case in assumption.excludes):
            return False
    return not any(" % " in each.text for each in assumptions) or _leaves_a_remainder(assumptions, given)


def _leaves_a_remainder(*groups: Collection[Assumption]) -> bool:
    """Return whether tests of remainders, such as ``n % 3 == 0``, leave a remainder that an int may have."""
    excluded: dict[tuple[str, object], set[int]] = {}
    divisors: dict[tuple[str, object], int] = {}
    for each in (assumption for group in groups for assumption in group if not assumption.holds):
        found = _REMAINDER.fullmatch(each.text)
        if found is not None and int(found["remainder"]) < int(found["divisor"]):
            key = found["dividend"], each.version
            excluded.setdefault(key, set()).add(int(found["remainder"]))
            divisors[key] = int(found["divisor"])
    return not any(len(excluded[key]) == divisors[key] for key in excluded)
