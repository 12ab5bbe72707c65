"""Runs code with a large stack, because source code may be nested deeply."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")
STACK_BYTES = 512 * 1024 * 1024
FRAMES = 20_000


def run_with_deep_stack(function: Callable[[], Result]) -> Result:
    """Call a function in a thread with a large stack and a high recursion limit, and return what it returns.

    Raises:
        Whatever the function raises.
    """
    outcome: list[Result] = []
    failure: list[BaseException] = []

    def body() -> None:
        try:
            outcome.append(function())
        except BaseException as error:
            failure.append(error)

    frames, size = sys.getrecursionlimit(), threading.stack_size(STACK_BYTES)
    sys.setrecursionlimit(max(frames, FRAMES))
    try:
        thread = threading.Thread(target=body, name="tslint-analysis")
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(frames)
    if failure:
        raise failure[0]
    return outcome[0]
