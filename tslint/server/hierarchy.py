"""Answers requests for the call hierarchy: which compiled functions call a function, and which functions it calls."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from lsprotocol import types

from tslint.server.calls import Area, Calls, Compiled
from tslint.server.documents import path_of, uri_of
from tslint.server.judging import Judging
from tslint.server.positions import Places


class Hierarchy:
    """Answers the requests of the call hierarchy.

    Args:
        judging: knows the texts.
    """

    def __init__(self, judging: Judging) -> None:
        self._judging = judging

    async def prepare(self, params: types.CallHierarchyPrepareParams) -> list[types.CallHierarchyItem]:
        """Answer ``textDocument/prepareCallHierarchy``: the functions that are called at a position, or the function
        around it.
        """
        result = await self._judging.result(params.text_document.uri)
        if result is None or result.session is None or not self._judging.current(result.document):
            return []
        position = self._judging.documents.places(result.document).from_client(params.position)
        found = await self._calls(result.document.uri)
        return [self._item(each) for each in found.at(position)]

    async def incoming(self, params: types.CallHierarchyIncomingCallsParams) -> list[types.CallHierarchyIncomingCall]:
        """Answer ``callHierarchy/incomingCalls``."""
        found = await self._calls(params.item.uri)
        return [
            types.CallHierarchyIncomingCall(
                from_=self._item(each.caller), from_ranges=self._ranges(each.caller, each.areas)
            )
            for each in found.calls
            if self._same(each.callee, params.item)
        ]

    async def outgoing(self, params: types.CallHierarchyOutgoingCallsParams) -> list[types.CallHierarchyOutgoingCall]:
        """Answer ``callHierarchy/outgoingCalls``."""
        found = await self._calls(params.item.uri)
        return [
            types.CallHierarchyOutgoingCall(
                to=self._item(each.callee), from_ranges=self._ranges(each.caller, each.areas)
            )
            for each in found.calls
            if self._same(each.caller, params.item)
        ]

    async def _calls(self, uri: str) -> Calls:
        path = next((each.path for each in self._judging.documents if each.uri == uri), path_of(uri))
        if path is None or not self._judging.options.enable:
            return Calls()
        job = self._judging.worker.submit(lambda analyst, last: analyst.calls(path, last))
        return await asyncio.wrap_future(job)

    def _uri(self, function: Compiled) -> str:
        """Return the URI of a function's file; if the file is open, as the client spells it."""
        path = function.source.path
        return next((each.uri for each in self._judging.documents if each.path == path), uri_of(path))

    def _same(self, function: Compiled, item: types.CallHierarchyItem) -> bool:
        return function.name == item.name and self._uri(function) == item.uri

    def _item(self, function: Compiled) -> types.CallHierarchyItem:
        (area,) = self._ranges(function, [function.area])
        (named,) = self._ranges(function, [function.named])
        return types.CallHierarchyItem(
            name=function.name,
            kind=types.SymbolKind.Method if "." in function.name else types.SymbolKind.Function,
            uri=self._uri(function),
            range=area,
            selection_range=named,
            detail=function.source.path.name,
        )

    def _ranges(self, function: Compiled, areas: Sequence[Area]) -> list[types.Range]:
        places = Places(function.source, self._judging.documents.encoding)
        return [places.range(*each) for each in areas]
