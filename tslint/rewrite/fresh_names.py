"""Chooses names for variables that fixes add."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from tslint.rulekit.match import Match
from tslint.script.dataflow.naming import counter_name, unused_name
from tslint.script.dataflow.scopes import function_around


def fresh_name(match: Match, wished: str, taken: Iterable[str] = ()) -> str:
    """Return a name that the function around the event does not use and ``taken`` does not contain: ``wished``, or
    ``wished_2`` …
    """
    node = match.event.node
    return unused_name(function_around(match.file.tree, node) or node, wished, taken)


def fresh_module_name(match: Match, wished: str, taken: Collection[str] = ()) -> str:
    """Return a new name for a module: ``score``, or ``score_module`` if the function already uses ``score``."""
    name = fresh_name(match, wished)
    return fresh_name(match, wished if name == wished else f"{wished}_module", taken)


def counter(match: Match, wished: str = "index") -> str:
    """Return a name for the counter of a loop that is written around the event."""
    node = match.event.node
    return counter_name(function_around(match.file.tree, node) or node, node, wished)
