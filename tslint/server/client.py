"""The client: its capabilities, notifications and requests."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

logger = logging.getLogger(__name__)


class Client:
    """The one client of a server.

    Args:
        server: the connection to it.
    """

    def __init__(self, server: LanguageServer) -> None:
        self.server = server
        self._running: set[asyncio.Task[None]] = set()

    # The capabilities of the client.

    @property
    def workspace(self) -> types.WorkspaceClientCapabilities:
        """Return what the client supports for folders, files and settings."""
        return self.server.client_capabilities.workspace or types.WorkspaceClientCapabilities()

    @property
    def _text(self) -> types.TextDocumentClientCapabilities:
        return self.server.client_capabilities.text_document or types.TextDocumentClientCapabilities()

    @property
    def window(self) -> types.WindowClientCapabilities:
        """Return what the client can show outside texts."""
        return self.server.client_capabilities.window or types.WindowClientCapabilities()

    @property
    def pulls(self) -> bool:
        """Return whether the client requests findings; otherwise they are published."""
        return self._text.diagnostic is not None

    @property
    def related(self) -> bool:
        """Return whether the client shows related positions of a finding."""
        published = self._text.publish_diagnostics
        pulled = getattr(self._text.diagnostic, "related_information", None)
        return bool((published and published.related_information) or pulled)

    @property
    def versioned(self) -> bool:
        """Return whether the client supports edits with the version of their text."""
        edits = self.workspace.workspace_edit
        return bool(edits and edits.document_changes)

    @property
    def resolves(self) -> bool:
        """Return whether the client requests the edits of an action when the action is chosen."""
        support = self._text.code_action and self._text.code_action.resolve_support
        return bool(support and "edit" in support.properties)

    @property
    def markdown(self) -> bool:
        """Return whether the client shows Markdown in hovers."""
        formats = self._text.hover.content_format if self._text.hover else None
        return not formats or types.MarkupKind.Markdown in formats

    # Notifications.

    def say(self, message: str, kind: types.MessageType = types.MessageType.Error) -> None:
        """Show a line to the user."""
        self.server.window_show_message(types.ShowMessageParams(type=kind, message=message))

    def publish(self, uri: str, items: Sequence[types.Diagnostic], version: int | None = None) -> None:
        """Show the findings of a text."""
        self.server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=uri, diagnostics=items, version=version)
        )

    def refresh(self, *, diagnostics: bool) -> None:
        """Ask the client to request again, because the answers have changed although the text has not."""
        workspace = self.workspace
        if diagnostics:
            if workspace.diagnostics and workspace.diagnostics.refresh_support:
                self.background(self.asked(self.server.workspace_diagnostic_refresh_async, None))
            return
        if workspace.inlay_hint and workspace.inlay_hint.refresh_support:
            self.background(self.asked(self.server.workspace_inlay_hint_refresh_async, None))
        if workspace.code_lens and workspace.code_lens.refresh_support:
            self.background(self.asked(self.server.workspace_code_lens_refresh_async, None))

    async def begin(self, title: str) -> str | None:
        """Show progress; return the token for :meth:`end`, or None if it cannot be shown."""
        if not self.window.work_done_progress:
            return None
        token = f"tslint-{id(title)}-{len(self._running)}"
        try:
            await self.server.work_done_progress.create_async(token)
        except Exception:
            return None
        self.server.work_done_progress.begin(token, types.WorkDoneProgressBegin(title=title))
        return token

    def end(self, token: str | None) -> None:
        """End the progress."""
        if token is not None:
            self.server.work_done_progress.end(token, types.WorkDoneProgressEnd())

    # Requests to the client.

    def background(self, work: Awaitable[Any]) -> None:
        """Run a coroutine in the background."""

        async def run() -> None:
            await work

        task = asyncio.ensure_future(run())
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    @staticmethod
    async def asked(function: Callable[[Any], Awaitable[Any]], params: Any) -> Any:
        """Return the client's answer to a request; None if it refuses."""
        try:
            return await function(params)
        except Exception as error:
            logger.warning("the client refuses: %s", error)
            return None
