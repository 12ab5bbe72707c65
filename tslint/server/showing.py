"""Answers requests for findings, hovers, hints and lenses of a text."""

from __future__ import annotations

from lsprotocol import types

from tslint.server import messages
from tslint.server.answers import Known
from tslint.server.client import Client
from tslint.server.judging import Judging


class Showing:
    """Answers from the newest result for the newest text.

    Args:
        client: the client that sends the requests.
        judging: has the results.
    """

    def __init__(self, client: Client, judging: Judging) -> None:
        self._client = client
        self._judging = judging

    async def findings(
        self, params: types.DocumentDiagnosticParams
    ) -> types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport:
        """Answer ``textDocument/diagnostic``."""
        result = await self._judging.result(params.text_document.uri)
        if result is None:
            return types.RelatedFullDocumentDiagnosticReport(items=[])
        identifier = f"{result.document.revision}.{result.generation}"
        if params.previous_result_id == identifier:
            return types.RelatedUnchangedDocumentDiagnosticReport(result_id=identifier)
        items = self._judging.diagnostics(result)
        return types.RelatedFullDocumentDiagnosticReport(items=items, result_id=identifier)

    async def hover(self, params: types.HoverParams) -> types.Hover | None:
        """Answer ``textDocument/hover``."""
        result = await self._judging.result(params.text_document.uri)
        if result is None or not self._judging.current(result.document):
            return None
        places = self._judging.documents.places(result.document)
        position = places.from_client(params.position)
        return messages.hover(position, result.diagnostics, result.document, places, markdown=self._client.markdown)

    async def inlay_hints(self, params: types.InlayHintParams) -> list[types.InlayHint]:
        """Answer ``textDocument/inlayHint``."""
        known = await self._insight(params.text_document.uri, self._judging.options.inlay_hints)
        if known is None:
            return []
        places = self._judging.documents.places(known.document)
        start, end = places.from_client(params.range.start), places.from_client(params.range.end)
        return [messages.inlay_hint(each, places) for each in known.insight.hints if start <= each.position <= end]

    async def code_lenses(self, params: types.CodeLensParams) -> list[types.CodeLens]:
        """Answer ``textDocument/codeLens``."""
        known = await self._insight(params.text_document.uri, self._judging.options.code_lens)
        if known is None:
            return []
        places = self._judging.documents.places(known.document)
        return [messages.code_lens(each, known.document, places) for each in known.insight.lenses]

    async def _insight(self, uri: str, wanted: bool) -> Known | None:
        if not (wanted and self._judging.options.enable):
            return None
        known = await self._judging.known(uri)
        return known if known is not None and self._judging.current(known.document) else None
