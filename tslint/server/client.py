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
        server: through which it is reached.
    """

    def __init__(self, server: LanguageServer) -> None:
        self.server = server
        self._running: set[asyncio.Task[None]] = set()

    # What it understands.

    @property
    def workspace(self) -> types.WorkspaceClientCapabilities:
        """What it can do with folders, files and settings."""
        return self.server.client_capabilities.workspace or types.WorkspaceClientCapabilities()

    @property
    def _text(self) -> types.TextDocumentClientCapabilities:
        return self.server.client_capabilities.text_document or types.TextDocumentClientCapabilities()

    @property
    def window(self) -> types.WindowClientCapabilities:
        """What it can show beside texts."""
        return self.server.client_capabilities.window or types.WindowClientCapabilities()

    @property
    def pulls(self) -> bool:
        """Whether it asks for findings; where it does not, they are published."""
        return self._text.diagnostic is not None

    @property
    def related(self) -> bool:
        """Whether it shows the places that belong to a finding."""
        published = self._text.publish_diagnostics
        pulled = getattr(self._text.diagnostic, "related_information", None)
        return bool((published and published.related_information) or pulled)

    @property
    def versioned(self) -> bool:
        """Whether edits name the version of the text that they are for."""
        edits = self.workspace.workspace_edit
        return bool(edits and edits.document_changes)

    @property
    def resolves(self) -> bool:
        """Whether it asks for the edits of an action when that is chosen."""
        support = self._text.code_action and self._text.code_action.resolve_support
        return bool(support and "edit" in support.properties)

    @property
    def markdown(self) -> bool:
        """Whether it shows Markdown where the mouse rests."""
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
        """Have it ask again: the answers are others though its text is not."""
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
        """Show that something is going on; what :meth:`end` takes, None where it cannot be shown."""
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
        """Show that it is over."""
        if token is not None:
            self.server.work_done_progress.end(token, types.WorkDoneProgressEnd())

    # What it is asked.

    def background(self, work: Awaitable[Any]) -> None:
        """Wait for something beside what is being done."""

        async def run() -> None:
            await work

        task = asyncio.ensure_future(run())
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    @staticmethod
    async def asked(function: Callable[[Any], Awaitable[Any]], params: Any) -> Any:
        """What the client answers; None where it refuses."""
        try:
            return await function(params)
        except Exception as error:
            logger.warning("the client refuses: %s", error)
            return None
