"""A tolerant protocol: messages that cannot be parsed are answered or skipped, and never end the server."""

from __future__ import annotations

import logging
import typing
from typing import Any

from lsprotocol import types
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.language_server import lsp_method

logger = logging.getLogger(__name__)
_NOT_INITIALIZED = -32002
_NOTHING = object()


class Texts(typing.Protocol):
    """Receives notifications about texts that are opened, changed and closed."""

    def opened(self, params: types.DidOpenTextDocumentParams) -> None:
        """Handle ``textDocument/didOpen``."""

    def edited(self, params: types.DidChangeTextDocumentParams) -> None:
        """Handle ``textDocument/didChange``."""

    def closed(self, params: types.DidCloseTextDocumentParams) -> None:
        """Handle ``textDocument/didClose``."""


class Protocol(LanguageServerProtocol):
    """The protocol of pygls, with our own documents.

    pygls splits lines as Python's ``str.splitlines`` does, also at form feeds and Unicode's separators, which would
    make rows wrong. It also gives no answer to messages that it cannot parse.
    """

    texts: Texts

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Parse a message; answer it with an error if it is invalid."""
        if data.get("jsonrpc") != "2.0" or not ("method" in data or "id" in data):
            return data
        try:
            return super().structure_message(data)
        except Exception as error:
            logger.warning("malformed message %r: %s", data.get("method"), error)
            if "method" in data and isinstance(data.get("id"), (int, str)):
                self._refuse(data["id"], types.ErrorCodes.InvalidParams, f"invalid parameters of {data['method']}")
            return _NOTHING

    def handle_message(self, message: Any) -> None:
        """Pass a message to its handler."""
        if message is _NOTHING or isinstance(message, (dict, list, str, int, float)) or message is None:
            logger.warning("not a message: %.200r", message)
            return
        method = getattr(message, "method", "")
        identifier = getattr(message, "id", None)
        ready = self._workspace is not None
        if method and not ready and method not in (types.INITIALIZE, types.EXIT):
            if identifier is not None:
                self._refuse(identifier, _NOT_INITIALIZED, "the server has not been initialized")
            return
        if method and method != types.EXIT and self._shutdown:
            if identifier is not None:
                self._refuse(identifier, types.ErrorCodes.InvalidRequest, "the server is shutting down")
            return
        if method == types.INITIALIZE and ready:
            self._refuse(identifier, types.ErrorCodes.InvalidRequest, "the server is initialized already")
            return
        super().handle_message(message)

    def _refuse(self, identifier: Any, code: int, words: str) -> None:
        error = types.ResponseError(code=int(code), message=words)
        self._send_data(types.ResponseErrorMessage(id=identifier, error=error))

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        """Handle an opened text."""
        self.texts.opened(params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Handle a changed text."""
        self.texts.edited(params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        """Handle a closed text."""
        self.texts.closed(params)
