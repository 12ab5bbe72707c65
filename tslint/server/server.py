"""The server: handles messages, and texts that are opened, changed and closed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, BinaryIO, cast

from lsprotocol import types
from pygls.exceptions import FeatureRequestError
from pygls.lsp.server import LanguageServer

from tslint.server import actions, messages
from tslint.server.client import Client
from tslint.server.commands import Commands
from tslint.server.documents import Documents
from tslint.server.fixing import Fixing
from tslint.server.hierarchy import Hierarchy
from tslint.server.judging import Judging
from tslint.server.protocol import Protocol
from tslint.server.showing import Showing
from tslint.server.surroundings import Surroundings
from tslint.util.version import __version__

logger = logging.getLogger(__name__)


class Server(LanguageServer):
    """The language server of tslint: one client, on standard input and output."""

    def __init__(self) -> None:
        super().__init__("tslint", __version__, protocol_cls=Protocol, max_workers=2)
        cast(Protocol, self.protocol).texts = self
        self.documents = Documents()
        client = Client(self)
        self._judging = Judging(client, self.documents)
        self._register(client)

    def serve(self, stdin: BinaryIO, stdout: BinaryIO) -> None:
        """Serve until the client disconnects."""
        self._judging.worker.start()
        try:
            self.start_io(stdin, stdout)
        finally:
            self._judging.worker.stop()

    def _register(self, client: Client) -> None:
        surroundings = Surroundings(client, self._judging)
        showing = Showing(client, self._judging)
        fixing = Fixing(client, self._judging)
        hierarchy = Hierarchy(self._judging)
        commands = Commands(client, self._judging)
        diagnostics = types.DiagnosticOptions(
            inter_file_dependencies=True, workspace_diagnostics=False, identifier=messages.SOURCE
        )
        kinds = [types.CodeActionKind.QuickFix, actions.FIX_ALL_KIND]
        code_actions = types.CodeActionOptions(code_action_kinds=kinds, resolve_provider=True)
        for method, handler, options in (
            (types.INITIALIZE, surroundings.initialize, None),
            (types.INITIALIZED, surroundings.initialized, None),
            (types.TEXT_DOCUMENT_DID_SAVE, self._saved, types.SaveOptions(include_text=False)),
            (types.WORKSPACE_DID_CHANGE_WATCHED_FILES, surroundings.files_changed, None),
            (types.WORKSPACE_DID_CHANGE_CONFIGURATION, surroundings.configuration_changed, None),
            (types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, surroundings.folders_changed, None),
            (types.TEXT_DOCUMENT_DIAGNOSTIC, showing.findings, diagnostics),
            (types.TEXT_DOCUMENT_CODE_ACTION, fixing.code_actions, code_actions),
            (types.CODE_ACTION_RESOLVE, fixing.resolved, None),
            (types.TEXT_DOCUMENT_HOVER, showing.hover, None),
            (types.TEXT_DOCUMENT_INLAY_HINT, showing.inlay_hints, None),
            (types.TEXT_DOCUMENT_CODE_LENS, showing.code_lenses, None),
            (types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY, hierarchy.prepare, None),
            (types.CALL_HIERARCHY_INCOMING_CALLS, hierarchy.incoming, None),
            (types.CALL_HIERARCHY_OUTGOING_CALLS, hierarchy.outgoing, None),
        ):
            self.feature(method, options)(_function(handler))
        self.command(messages.VERIFY)(_function(commands.verify))
        self.command(messages.SHOW_CALLER)(_function(commands.show_caller))
        self.command(messages.FIX_ALL)(_function(fixing.fix_all))

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log an error that belongs to no request; the editor does not show it, because users could not do anything
        about it.
        """
        # An error in a request is also the answer to the request.
        level = logging.DEBUG if source is FeatureRequestError else logging.ERROR
        logger.log(level, "%s: %s", type(error).__name__, error)

    def opened(self, params: types.DidOpenTextDocumentParams) -> None:
        """Handle ``textDocument/didOpen``."""
        document = self.documents.open(params.text_document)
        if document is not None:
            self._judging.judge({document.path})

    def edited(self, params: types.DidChangeTextDocumentParams) -> None:
        """Handle ``textDocument/didChange``."""
        document = self.documents.change(params.text_document, params.content_changes)
        if document is not None and self._judging.options.run == "onType":
            self._judging.judge({document.path})

    def closed(self, params: types.DidCloseTextDocumentParams) -> None:
        """Handle ``textDocument/didClose``: from now on the file on disk is used."""
        document = self.documents.close(params.text_document.uri)
        if document is not None:
            self._judging.forget(document.uri)
            self._judging.judge({document.path})

    def _saved(self, params: types.DidSaveTextDocumentParams) -> None:
        document = self.documents.get(params.text_document.uri)
        if document is not None:
            self._judging.judge({document.path} if self._judging.options.run == "onSave" else set())


def _function(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method as a function: pygls sets attributes on its handlers, which methods do not allow."""
    if asyncio.iscoroutinefunction(method):

        async def answer(*arguments: Any) -> Any:
            return await method(*arguments)

        return answer

    def handle(*arguments: Any) -> Any:
        return method(*arguments)

    return handle
