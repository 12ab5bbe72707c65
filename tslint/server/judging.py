"""Keeps the latest result for each open text, and requests a new one after changes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from lsprotocol import types

from tslint.server import messages
from tslint.server.answers import Answer, Known, Request, Result, Unconcerned
from tslint.server.cancellation import Cancelled
from tslint.server.client import Client
from tslint.server.documents import Document, Documents
from tslint.server.options import Options
from tslint.server.worker import Worker

logger = logging.getLogger(__name__)
Value = TypeVar("Value")
Judged = TypeVar("Judged", Result, Known)


class Judging:
    """The results for the open texts. Everything except the worker runs in the main loop.

    Args:
        client: receives the findings.
        documents: the open texts.
    """

    def __init__(self, client: Client, documents: Documents) -> None:
        self.documents = documents
        self.options = Options()
        self.folders: tuple[Path, ...] = ()
        self.results: dict[str, Result] = {}
        self._known: dict[str, Known] = {}
        self._edited: dict[str, Result] = {}
        self._client = client
        self._generation = 0
        self._confirmed: dict[str, int] = {}
        self._published: dict[str, tuple[int, tuple[object, ...]]] = {}
        self._news: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self.worker = Worker(self._from_worker(self._answered), self._from_worker(self._complained))

    def begin(self) -> None:
        """Begin to accept the worker's answers; call it in the server's running event loop, which handles them."""
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()

    def judge(self, changed: set[Path], *, renewed: bool = False) -> None:
        """Request a new check of the open texts.

        Args:
            changed: files whose text has changed.
            renewed: whether the configuration has to be read again.
        """
        self._generation += 1
        first = self._generation == 1
        self.worker.judge(
            Request(
                self._generation, tuple(self.documents), frozenset(changed), renewed or first, self.options,
                self.folders,
            )
        )  # fmt: skip

    def on_disk(self, sources: set[Path], *, renewed: bool) -> None:
        """Request a new check if files that other programs wrote or removed affect open texts."""
        opened = {document.path for document in self.documents}
        future = self.worker.submit(lambda analyst, _: analyst.on_disk(sources - opened))

        def judge(changed: frozenset[Path]) -> None:
            self.judge(set(changed), renewed=renewed)

        def done(found: Future[frozenset[Path]]) -> None:
            if not found.cancelled() and found.exception() is None and (found.result() or renewed):
                self._from_worker(judge)(found.result())

        future.add_done_callback(done)

    def forget(self, uri: str) -> None:
        """Remove a closed text."""
        self.results.pop(uri, None)
        self._known.pop(uri, None)
        self._edited.pop(uri, None)
        self._confirmed.pop(uri, None)
        if self._published.pop(uri, None) is not None:
            self._client.publish(uri, [])
        self._wake()

    def current(self, document: Document) -> bool:
        """Return whether a text is the newest one of its URI."""
        known = self.documents.get(document.uri)
        return known is not None and known.revision == document.revision

    def diagnostics(self, result: Result) -> list[types.Diagnostic]:
        """Return the findings of a result in the client's format."""
        places = self.documents.places(result.document)
        return [messages.diagnostic(each, places, related=self._client.related) for each in result.diagnostics]

    async def result(self, uri: str) -> Result | None:
        """Return the findings of the newest text, as soon as they are known; None for a text that is not open."""
        return await self._fresh(uri, self.results)

    async def edited(self, result: Result) -> Result:
        """Return the findings with the edits of their fixes; unchanged if there are no fixes, or the text changes
        meanwhile.
        """
        document = result.document
        worker = self.worker
        while self.current(document) and any(each.fix is not None for each in result.diagnostics):
            known = self._edited.get(document.uri)
            if known is not None and known.document == document and known.generation == result.generation:
                return known
            job = worker.submit(lambda analyst, last: analyst.edited(document, last, worker.outdated))
            try:
                found = await asyncio.wrap_future(job)
                self._edited[document.uri] = replace(result, diagnostics=found)
            except Cancelled:
                newest = await self.result(document.uri)
                if newest is not None and newest.document == document:
                    result = newest
            except Exception:
                logger.exception("the edits of fixes are not known")
                return result
        return result

    async def known(self, uri: str) -> Known | None:
        """Return the types and lenses of the newest text, as soon as they are known; None for a text that is
        not open.
        """
        return await self._fresh(uri, self._known)

    async def _fresh(self, uri: str, table: dict[str, Judged]) -> Judged | None:
        generation = self._generation
        while True:
            document = self.documents.get(uri)
            if document is None or self._news is None:
                return None
            found = table.get(uri)
            if found is not None and self.options.run == "onSave":
                return found
            if found is not None and found.document.revision == document.revision:
                if self._confirmed.get(uri, 0) >= generation:
                    return found
            await self._news.wait()

    def _from_worker(self, function: Callable[[Value], None]) -> Callable[[Value], None]:
        """Return a function that may be called in any thread, and that runs another function in the main loop."""

        def call(value: Value) -> None:
            try:
                if self._loop is not None:
                    self._loop.call_soon_threadsafe(function, value)
            except RuntimeError:
                logger.debug("the client has left")

        return call

    def _complained(self, message: str) -> None:
        self._client.say(f"tslint: {message}", types.MessageType.Error)

    def _answered(self, answer: Answer) -> None:
        """Store the worker's answer, unless the text has changed since."""
        if isinstance(answer, Unconcerned):
            for document in answer.documents:
                if self.current(document):
                    self._confirmed[document.uri] = answer.generation
        elif self.current(answer.document):
            uri = answer.document.uri
            if isinstance(answer, Result):
                self._take(uri, answer)
            else:
                before = self._known.get(uri)
                self._known[uri] = answer
                if before is not None and before.document == answer.document and before.insight != answer.insight:
                    self._client.refresh(diagnostics=False)
        self._wake()

    def _take(self, uri: str, result: Result) -> None:
        before = self.results.get(uri)
        self.results[uri] = result
        self._confirmed[uri] = result.generation
        if not self._client.pulls:
            self._publish(result)
        elif before is not None and before.document == result.document and before.diagnostics != result.diagnostics:
            self._client.refresh(diagnostics=True)

    def _publish(self, result: Result) -> None:
        document = result.document
        state = (document.revision, result.diagnostics)
        if self._published.get(document.uri) != state:
            self._published[document.uri] = state
            self._client.publish(document.uri, self.diagnostics(result), document.version)

    def _wake(self) -> None:
        if self._news is not None:
            self._news.set()
            self._news = asyncio.Event()
