"""Generates the arguments of a random module's constructor and calls, as text."""

from __future__ import annotations

import random

from random_modules.features import DEFAULTS, VALUES
from random_modules.scope import Scope


def builds(draw: random.Random, parameters: list[tuple[str, str, str | None]], names: list[str]) -> tuple[str, ...]:
    """Return expressions that construct one of the given classes with these constructor parameters."""
    found: dict[str, None] = {}
    for _ in range(draw.randint(2, 5)):
        words = []
        for name, type_, default in parameters:
            if default is None or draw.random() < 0.6:
                words.append(f"{name}={draw.choice(VALUES[type_])}")
        mode = ".eval()" if draw.random() < 0.3 else ""
        found[f"{draw.choice(names)}({', '.join(words)}){mode}"] = None
    return tuple(found)


def calls(draw: random.Random, scope: Scope) -> tuple[str, ...]:
    """Return arguments for the method of a scope."""
    found: dict[str, None] = {}
    for _ in range(draw.randint(2, 5)):
        batch = draw.choice([1, 2, 3])
        words: list[str] = []
        named = False
        for each in scope.parameters:
            if each.default is not None and (draw.random() < 0.4 or each.type not in VALUES):
                named = True
                continue
            values = VALUES[each.type]
            value = draw.choice(values)
            if each.name == "x":
                value = f"t({draw.randint(10, 99)}, {batch}, 4)" + draw.choice([""] * 40 + [".double()", ".long()"])
            elif value in DEFAULTS[each.type] and draw.random() < 0.5:
                value = draw.choice(values)
            value = value.replace("{b}", str(batch)).replace("{{", "{").replace("}}", "}")
            words.append(f"{each.name}={value}" if named else value)
        if scope.variadic and not named and draw.random() < 0.6:
            words += [f"t({k}, {batch}, 4)" for k in range(draw.randint(1, 2))]
        if scope.keywords and draw.random() < 0.6:
            words.append("scale=" + draw.choice(["2", "0.5", "0"]))
        found[", ".join(words)] = None
    return tuple(found)
