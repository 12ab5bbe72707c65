"""Finds values that ``torch.jit.trace`` records as constants, and code that it leaves out: a light analysis of traced
code.

The tracer runs the code once and records the operators. Everything that Python does in between (branches, loops,
numbers read from tensors, devices, attributes, prints) is a constant of the trace, or missing from it.
"""

from __future__ import annotations

from tslint.script.tracing.analysis import tracing_events

__all__ = ["tracing_events"]
