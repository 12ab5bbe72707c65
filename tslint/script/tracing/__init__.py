"""Finds what ``torch.jit.trace`` bakes in or drops silently: a light analysis of the code that is traced.

The tracer runs the code once and records the operators. Whatever Python does in between (branches, loops, numbers
read from tensors, devices, attributes, prints) is a constant of the trace, or missing from it.
"""

from __future__ import annotations

from tslint.script.tracing.analysis import tracing_events

__all__ = ["tracing_events"]
