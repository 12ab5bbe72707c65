"""What a trace bakes in or leaves out."""

from __future__ import annotations

from tslint.script.events.base import Event


class OfFunction(Event):
    """A function, by its name."""

    function: str


class TraceNumber(OfFunction):
    """A tensor that becomes a number."""


class TraceShapeNumber(OfFunction):
    """A size that becomes a number."""


class TraceNumpy(OfFunction):
    """A tensor that leaves torch."""


class TraceRandom(OfFunction):
    """A random number that Python draws."""


class TraceDropout(OfFunction):
    """Dropout that does not ask whether the module is training."""


class TraceShapeToScript(OfFunction):
    """A size that a compiled function gets as ``parameter``."""

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
    """A dtype that becomes constant, as it is written."""

    text: str = ""


class TraceDevice(OfForm):
    """A device that becomes constant, as it is written."""

    text: str


class TraceAssert(Event):
    """An assertion about ``what``."""

    what: str


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
    """``print``; ``values``: of tensors or sizes."""

    values: bool


class TraceReboundState(Event):
    """``self.attribute = …``, which the trace forgets.

    Args:
        attribute: its name.
        number: whether it held a number.
        buffer: whether it is a buffer.
    """

    attribute: str
    number: bool
    buffer: bool
