"""Distributes work among processes, by fork if the system can."""

from __future__ import annotations

import gc
import os
import pickle
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

FORKS = sys.platform == "linux"
# The package whose threads make a fork unsafe: a fork of a process with such threads may find its locks held.
_FOREIGN = "torch"
_MANY = 6_000_000  # objects, about six hundred megabytes
_SIZE = 8  # bytes for the length of a message in a pipe
_ENDED = "a worker process was killed; is there enough memory?"


@contextmanager
def without_collection() -> Iterator[None]:
    """Disable garbage collection inside the ``with``: it would traverse hundreds of thousands of tree nodes
    repeatedly.
    """
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if on:
            if not _has_frozen_objects():
                # The remaining objects count as old: otherwise, the next new object would cause a search through all of
                # them.
                gc.freeze()
                gc.unfreeze()
            gc.enable()


def _has_frozen_objects() -> bool:
    """Return whether this process keeps objects from the garbage collector, as a server and the tests do."""
    global _frozen
    _frozen = _frozen or gc.get_freeze_count() > 0  # counts one by one, so it is only asked until there are some
    return _frozen


def collect() -> None:
    """Collect garbage while automatic collection is disabled, if many objects were created since the last time."""
    global _left
    new = gc.get_count()[0]
    if not gc.isenabled() and new > max(_MANY, _left):
        _left = max(0, _left + new - gc.collect())


def begin(jobs: int) -> None:
    """Start the processes for later work now, while this process has little memory that they inherit.

    :func:`share` uses them; :func:`end` ends them if :func:`share` was not called.
    """
    global _begun
    if _can_fork() and _begun is None:
        _begun = _Workers(jobs)


def end() -> None:
    """End the processes that :func:`begin` started and nothing used."""
    workers = _taken()
    if workers is not None:
        workers.end()


def share(
    function: Callable[[Item], Result], items: Sequence[Item], jobs: int, heard: Callable[[Result], object]
) -> list[Result]:
    """Return the results of a function for all items, in their order.

    Args:
        function: a function at the top level of a module; it is called in another process.
        items: each process gets the next item when it has finished the last one.
        jobs: how many processes.
        heard: called with each result as it arrives.

    Raises:
        RuntimeError: a process ended too early.
    """
    if _can_fork():
        workers = _taken() or _Workers(min(jobs, len(items)))
        try:
            return workers.map(function, items, heard)
        finally:
            workers.end()
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    results = []
    with ProcessPoolExecutor(min(jobs, len(items)), mp_context=get_context("spawn")) as pool:
        for result in pool.map(function, items):
            heard(result)
            results.append(result)
    return results


def _can_fork() -> bool:
    return FORKS and _FOREIGN not in sys.modules


def _taken() -> _Workers | None:
    global _begun
    workers, _begun = _begun, None
    return workers


class _Workers:
    """Processes that handle one item after the other.

    Args:
        number: how many processes to start.
    """

    def __init__(self, number: int) -> None:
        self._workers: list[_Worker] = []
        sys.stdout.flush()
        sys.stderr.flush()
        for _ in range(number):
            orders, dealer = os.pipe()
            answers, writer = os.pipe()
            with warnings.catch_warnings():
                # Python 3.12 warns about threads; only the one that shows the progress may run here.
                warnings.simplefilter("ignore", DeprecationWarning)
                process = os.fork()
            if process == 0:
                # If this process kept copies of the other pipes, another process would not notice that the parent has
                # ended.
                for worker in (*self._workers, _Worker(0, dealer, answers)):
                    os.close(worker.orders)
                    os.close(worker.answers)
                _work(orders, writer)
            os.close(orders)
            os.close(writer)
            self._workers.append(_Worker(process, dealer, answers))

    def map(
        self, function: Callable[[Item], Result], items: Sequence[Item], heard: Callable[[Result], object]
    ) -> list[Result]:
        """Return the results of a function for all items; see :func:`share`."""
        import selectors

        results: dict[int, Result] = {}
        rest = enumerate(items)
        with selectors.DefaultSelector() as selector:
            busy = 0
            for worker, (number, item) in zip(self._workers, rest):
                worker.give((number, function, item))
                selector.register(worker.answers, selectors.EVENT_READ, worker)
                busy += 1
            while busy:
                for key, _ in selector.select():
                    worker = key.data
                    answer = worker.hear()
                    if answer is None:
                        continue
                    number, result = answer
                    if isinstance(result, BaseException):
                        raise result
                    following = next(rest, None)
                    if following is not None:
                        worker.give((following[0], function, following[1]))
                    else:
                        busy -= 1
                    results[number] = result
                    heard(result)
        return [results[number] for number in range(len(items))]

    def end(self) -> None:
        """End the processes at once."""
        import signal

        for worker in self._workers:
            os.close(worker.orders)
            os.close(worker.answers)
            os.kill(worker.process, signal.SIGKILL)
            os.waitpid(worker.process, 0)
        self._workers = []


class _Worker:
    """One of the processes, from the parent's side.

    Args:
        process: its number.
        orders, answers: the pipes to it and from it.
    """

    def __init__(self, process: int, orders: int, answers: int) -> None:
        self.process = process
        self.orders = orders
        self.answers = answers
        self._heard = bytearray()

    def give(self, order: object) -> None:
        """Send an item to the worker."""
        try:
            _write(self.orders, order)
        except BrokenPipeError as error:
            raise RuntimeError(_ENDED) from error

    def hear(self) -> Any:
        """Return the worker's answer; None if the answer has not completely arrived."""
        part = os.read(self.answers, 1 << 20)
        if not part:
            raise RuntimeError(_ENDED)
        self._heard += part
        size = int.from_bytes(self._heard[:_SIZE], "big")
        if len(self._heard) < _SIZE + size:
            return None
        data, self._heard = bytes(self._heard[_SIZE:]), bytearray()
        return pickle.loads(data)


def _write(fd: int, value: object) -> None:
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    rest = memoryview(len(data).to_bytes(_SIZE, "big") + data)
    while rest:
        rest = rest[os.write(fd, rest) :]


def _work(orders: int, answers: int) -> NoReturn:
    """Run the child process: handle items, and then skip the parent's exit handlers."""
    try:
        with without_collection(), open(orders, "rb") as stream:
            gc.freeze()  # objects from before the fork are never garbage
            while size := stream.read(_SIZE):
                number, function, item = pickle.loads(stream.read(int.from_bytes(size, "big")))
                answer: Any
                try:
                    answer = function(item)
                except BaseException as error:
                    answer = error
                del function, item
                _write(answers, (number, answer))
                del answer
                gc.collect()  # collect what the item has left behind
    finally:
        os._exit(0)


_begun: _Workers | None = None
_left = 0  # objects that the last collection found in use
_frozen = False
