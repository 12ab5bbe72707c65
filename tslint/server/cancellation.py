"""Stops an analysis when there is a newer request."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tslint.util import progress


class Cancelled(Exception):
    """Raised when a newer request has to be handled first."""


@contextmanager
def cancelled_by(newer: Callable[[], bool]) -> Iterator[None]:
    """Stop an analysis when there is a newer request.

    Raises:
        Cancelled: there is a newer request.
    """

    def listener(_: float) -> None:
        if newer():
            raise Cancelled

    with progress.listening(listener), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
