"""The counterpart of torch/jit/frontend.py: what the Python front end refuses, every refusal of a function at once.

The compiler's front end reads a whole function before anything is emitted, so pruned branches and dead code count
too. A few refusals that hang on syntax alone come from the emitter instead (``EMISSION_KINDS``): those count only
where the emitter gets to.
"""

from __future__ import annotations

from tslint.script.frontend.builder import KINDS as _BUILDER_KINDS
from tslint.script.frontend.emission import KINDS as EMISSION_KINDS
from tslint.script.frontend.function import front_end_events
from tslint.script.frontend.typecomments import KINDS as _COMMENT_KINDS

KINDS: frozenset[str] = frozenset({*_BUILDER_KINDS, *EMISSION_KINDS, *_COMMENT_KINDS, "async-function", "lambda"})
"""Every kind of event that :func:`front_end_events` yields."""

__all__ = ["EMISSION_KINDS", "KINDS", "front_end_events"]
