"""Events: what the model saw that the compiler would reject.

An event is the model's half of a finding: where, of what kind, and what a rule needs to know to say it in the author's
words. ``frontend/`` (the counterpart of torch/jit/frontend.py), ``interpreter/`` (of ir_emitter.cpp), ``construct/``,
``hazards/`` and ``tracing/`` make them; rules answer the kinds that they name.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.script.events import annotation, calls, hazards, modules, names, syntax, tracing, types
from tslint.script.events.base import Event, Span

__all__ = ["Event", "Span", "kinds"]

_FAMILIES = (syntax, names, types, calls, modules, annotation, hazards, tracing)


def kinds() -> Iterator[type[Event]]:
    """Every kind of event: the classes that no other is made of."""
    for family in _FAMILIES:
        for each in vars(family).values():
            if isinstance(each, type) and issubclass(each, Event) and each.__module__ == family.__name__:
                if not each.__subclasses__():
                    yield each
