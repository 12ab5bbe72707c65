"""What a trace bakes in or leaves out."""

from __future__ import annotations

from tslint.script.events.base import Event


class TraceNumber(Event):
    """A tensor that becomes a number."""


class TraceShapeNumber(Event):
    """A size that becomes a number, by a function."""

    function: str


class TraceNumpy(Event):
    """A tensor that leaves torch."""


class TraceRandom(Event):
    """A random number that Python draws."""


class TraceDropout(Event):
    """Dropout that does not ask whether the module is training."""


class TraceShapeToScript(Event):
    """A size that a compiled function gets as ``parameter``."""

    function: str
    parameter: str


class OfForm(Event):
    """Where something stands: the statement, or the function, that asks for it."""

    form: str


class TraceCondition(OfForm):
    """A test of a tensor."""


class TraceShapeCondition(OfForm):
    """A test of a size."""


class TraceBakedBranch(OfForm):
    """A test of ``what``."""

    what: str


class TraceDtype(OfForm):
    """A dtype that becomes constant."""


class TraceDevice(OfForm):
    """A device that becomes constant."""


class TraceAssert(Event):
    """An assertion."""


class TraceLen(Event):
    """``len`` of a tensor."""


class TraceLoop(Event):
    """A loop, or a comprehension, that is unrolled; ``why``: what decides how often it runs."""

    why: str
    loop: bool


class TraceOutput(Event):
    """An output that cannot be traced.

    Args:
        what: what it is.
        text: it, as it is written.
        inside: whether it is one of several.
        sure: whether it is an output in every use of the module.
    """

    what: str
    text: str
    inside: bool
    sure: bool


class TracePrint(Event):
    """``print``."""


class TraceReboundState(Event):
    """``self.attribute = …``, which the trace forgets.

    Args:
        attribute: its name.
        number: whether it held a number.
    """

    attribute: str
    number: bool
