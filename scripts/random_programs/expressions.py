"""Generates random expressions of a requested type, some of them wrong."""

from __future__ import annotations

import keyword
import random
import re

from random_programs.grammar import LITERALS, MISTAKES, PRODUCTIONS, TYPES
from random_programs.torch_calls import calls_giving, written

_SLOT = re.compile(r"<(\*|[A-Za-z][^<>]*)>")
_SIMPLE = re.compile(r"^(\w|\.)+$|^'[^']*'$|^\w[\w.]*\([^()]*\)$|^\[[^\[\]]*\]$|^\{[^{}]*\}$|^\([^()]*\)$")


class Expressions:
    """Generates expressions over the variables that are in scope.

    Args:
        draw: the random generator.
        rate: the probability that a slot gets another type, or a construct that is not TorchScript.
    """

    def __init__(self, draw: random.Random, rate: float) -> None:
        self.draw = draw
        self.rate = rate
        self.scope: dict[str, str] = {}  # the variables in scope, with their types
        self.used: set[str] = set()

    def slips(self, share: float = 1.0) -> bool:
        """Return whether to make a mistake at this place."""
        return self.draw.random() < self.rate * share

    def any_type(self) -> str:
        """Return a type, preferably one that a variable has."""
        if self.scope and self.draw.random() < 0.7:
            return self.draw.choice([one for one in self.scope.values() if one != "?"] or TYPES)
        return self.draw.choice(TYPES)

    def expression(self, type_: str, depth: int = 2) -> str:
        """Return an expression that should have a type."""
        if type_ == "*":
            type_ = self.any_type()
        elif self.slips(0.35):
            self.used.add("another type")
            type_ = self.any_type()
        elif self.slips(0.25):
            construct = self.draw.choice(list(MISTAKES))
            self.used.add(construct)
            return self.filled(self.draw.choice(MISTAKES[construct]), depth - 1)
        names = [name for name, has in self.scope.items() if has == type_]
        roll = self.draw.random()
        if names and (depth <= 0 or roll < 0.45):
            return self.draw.choice(names)
        if type_ in PRODUCTIONS and depth > 0 and roll < 0.9:
            if self.draw.random() < 0.12:
                drawn = self.torch_call(type_, depth)
                if drawn:
                    return drawn
            by_construct: dict[str, list[str]] = {}
            for construct, template in PRODUCTIONS[type_]:
                by_construct.setdefault(construct, []).append(template)
            construct = self.draw.choice(list(by_construct))
            self.used.add(construct)
            return self.filled(self.draw.choice(by_construct[construct]), depth - 1)
        return self.draw.choice(LITERALS.get(type_, ["1"]))

    def torch_call(self, type_: str, depth: int) -> str:
        """Return a call of an operator from its schema; empty if none returns the type."""
        found = calls_giving(type_)
        if not found:
            return ""
        self.used.add("operator by schema")
        return self.filled(written(self.draw.choice(found), self.draw, self.rate), depth - 1)

    def filled(self, template: str, depth: int) -> str:
        """Return a template in which every slot is an expression."""
        in_text = template.startswith("f'")

        def fill(match: re.Match[str]) -> str:
            text = self.expression(match[1], depth)
            if in_text:
                # Quotes, braces and colons inside an f-string would need special handling.
                return text if text.isidentifier() and not keyword.iskeyword(text) else "1"
            whole = match.start() == 0 and match.end() == len(template)
            if whole or _SIMPLE.match(text):
                is_number = text[:1].isdigit() and template[match.end() : match.end() + 1] == "."
                return f"({text})" if is_number else text
            before, after = template[: match.start()].rstrip(), template[match.end() :].lstrip()
            if before[-1:] in tuple("([,=:") and after[:1] in tuple(")],") and ":=" not in text:
                bare_tuple = ", " in text and text[0] not in "([{" and not text.endswith(")")
                return f"({text})" if bare_tuple else text
            return f"({text})"

        return _SLOT.sub(fill, template)
