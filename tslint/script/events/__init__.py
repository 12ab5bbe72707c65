"""Defines events: positions where the compiler would reject the code, or where compiled code goes wrong later.

An event is the static model's half of a finding: the position, the kind, and what a rule needs to describe it in the
author's words. Events come from ``frontend/`` (the counterpart of torch/jit/frontend.py), ``interpreter/`` (of
ir_emitter.cpp), ``construct/``, ``hazards/`` and ``tracing/``; rules name the kinds that they handle.
"""

from __future__ import annotations

from collections.abc import Iterator

from tslint.script.events import annotation, calls, hazards, modules, names, syntax, tracing, types
from tslint.script.events.base import Event, Span

__all__ = ["Event", "Span", "kinds"]

_FAMILIES = (syntax, names, types, calls, modules, annotation, hazards, tracing)


def kinds() -> Iterator[type[Event]]:
    """Yield every kind of event: the classes without subclasses."""
    for family in _FAMILIES:
        for each in vars(family).values():
            if isinstance(each, type) and issubclass(each, Event) and each.__module__ == family.__name__:
                if not each.__subclasses__():
                    yield each
