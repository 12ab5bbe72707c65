"""Events for values that a trace records as constants, and for code that it leaves out."""

from __future__ import annotations

from tslint.script.events.base import Event


class TraceNumber(Event):
    """A tensor that becomes a number."""


class TraceShapeNumber(Event):
    """A size that a function converts to a number."""

    function: str


class TraceNumpy(Event):
    """A tensor that is converted to a value outside torch."""


class TraceRandom(Event):
    """A random number that Python generates."""


class TraceDropout(Event):
    """Dropout that does not depend on training mode."""


class TraceShapeToScript(Event):
    """A size that is passed to a compiled function as its parameter ``parameter``."""

    function: str
    parameter: str


class OfForm(Event):
    """An event with the statement or function that tests a value."""

    form: str


class TraceCondition(OfForm):
    """A condition that depends on a tensor's value."""


class TraceShapeCondition(OfForm):
    """A condition that depends on a size."""


class TraceBakedBranch(OfForm):
    """A condition that depends on ``what``: a ``rank``, ``device`` or ``dtype``."""

    what: str


class TraceDtype(OfForm):
    """A dtype that becomes a constant."""


class TraceDevice(OfForm):
    """A device that becomes a constant."""


class TraceAssert(Event):
    """An assertion."""


class TraceLen(Event):
    """``len`` of a tensor."""


class TraceLoop(Event):
    """A loop, or a comprehension, that is unrolled; ``why`` is what determines the number of iterations."""

    why: str
    loop: bool


class TraceOutput(Event):
    """An output that cannot be traced.

    Args:
        what: a description of its type.
        text: the expression, as it is written.
        inside: whether it is one of several outputs.
        sure: whether it is an output in every use of the module.
    """

    what: str
    text: str
    inside: bool
    sure: bool


class TracePrint(Event):
    """``print``."""


class TraceReboundState(Event):
    """``self.attribute = …``, which the trace does not record.

    Args:
        attribute: the name of the attribute.
        number: whether its value was a number.
    """

    attribute: str
    number: bool
