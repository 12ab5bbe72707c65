"""Shares work among processes: forks where the system can, which start with everything imported and nothing to copy."""

from __future__ import annotations

import gc
import os
import pickle
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

# Below: a fork of a process with a runtime of its own (threads of torch, for instance) may find its locks held.
FORKS = sys.platform == "linux"
_FOREIGN = "torch"
# Bytes of an item's number; a pipe takes 65,536 before anybody has to read.
_NUMBER = 4


@contextmanager
def without_collection() -> Iterator[None]:
    """No garbage collection meanwhile: syntax trees are hundreds of thousands of objects, looked through in vain again
    and again."""
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if on:
            gc.enable()


def share(
    function: Callable[[Item], Result], items: Sequence[Item], jobs: int, heard: Callable[[Result], object]
) -> list[Result]:
    """The results of a function for all items, in their order.

    Args:
        function: of a module's top level; called in another process.
        items: each process takes the next one when it is done with the last.
        jobs: how many processes.
        heard: is given each result as it comes in.

    Raises:
        RuntimeError: a process ended before it was done.
    """
    if FORKS and _FOREIGN not in sys.modules:
        return _forked(function, items, jobs, heard)
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    results = []
    with ProcessPoolExecutor(min(jobs, len(items)), mp_context=get_context("spawn")) as pool:
        for result in pool.map(function, items):
            heard(result)
            results.append(result)
    return results


def _forked(
    function: Callable[[Item], Result], items: Sequence[Item], jobs: int, heard: Callable[[Result], object]
) -> list[Result]:
    import selectors
    import signal

    # Whoever reads a number from the pipe has that item.
    numbers, dealer = os.pipe()
    os.write(dealer, b"".join(number.to_bytes(_NUMBER, "big") for number in range(len(items))))
    os.close(dealer)
    results: dict[int, Result] = {}
    selector = selectors.DefaultSelector()
    children: dict[int, int] = {}
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        for _ in range(min(jobs, len(items))):
            reader, writer = os.pipe()
            with warnings.catch_warnings():
                # Python 3.12 warns of threads; the only one that may run here is the one that shows the progress.
                warnings.simplefilter("ignore", DeprecationWarning)
                child = os.fork()
            if child == 0:
                os.close(reader)
                _work(function, items, numbers, writer)
            os.close(writer)
            children[reader] = child
            selector.register(reader, selectors.EVENT_READ, bytearray())
        while children:
            for key, _ in selector.select():
                part = os.read(key.fd, 1 << 20)
                buffer = key.data
                buffer += part
                while len(buffer) >= 8 and len(buffer) >= 8 + (size := int.from_bytes(buffer[:8], "big")):
                    number, result = pickle.loads(bytes(buffer[8 : 8 + size]))
                    del buffer[: 8 + size]
                    if isinstance(result, BaseException):
                        raise result
                    results[number] = result
                    heard(result)
                if not part:
                    selector.unregister(key.fd)
                    os.close(key.fd)
                    os.waitpid(children.pop(key.fd), 0)
    finally:
        for reader, child in children.items():
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            os.close(reader)
        selector.close()
        os.close(numbers)
    if len(results) < len(items):
        raise RuntimeError("a process that analyses files was ended from outside; was there too little memory?")
    return [results[number] for number in range(len(items))]


def _work(function: Callable[[Item], Result], items: Sequence[Item], numbers: int, writer: int) -> None:
    """The child: items one by one, and then nothing else of what the parent would do at its end."""
    gc.freeze()  # what was there before is never garbage
    try:
        with without_collection():
            while taken := os.read(numbers, _NUMBER):
                gc.collect()  # what the last one left
                number = int.from_bytes(taken, "big")
                answer: Any
                try:
                    answer = function(items[number])
                except BaseException as error:
                    answer = error
                data = pickle.dumps((number, answer), pickle.HIGHEST_PROTOCOL)
                rest = memoryview(len(data).to_bytes(8, "big") + data)
                while rest:
                    rest = rest[os.write(writer, rest) :]
                del answer, data, rest
    finally:
        os._exit(0)
