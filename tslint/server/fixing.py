"""Offers code actions: the fixes and suppressions at a position, and all fixes of a text."""

from __future__ import annotations

import asyncio
from typing import Any

from lsprotocol import types

from tslint.diagnostics import Applicability, Diagnostic
from tslint.server import actions, messages
from tslint.server.answers import Result
from tslint.server.client import Client
from tslint.server.documents import Document
from tslint.server.judging import Judging

_TITLE = "Apply all safe fixes of tslint"


class Fixing:
    """Offers code actions and computes their edits.

    Args:
        client: the client that requests them.
        judging: knows the findings.
    """

    def __init__(self, client: Client, judging: Judging) -> None:
        self._client = client
        self._judging = judging

    async def code_actions(self, params: types.CodeActionParams) -> list[types.CodeAction | types.Command]:
        """Answer ``textDocument/codeAction``."""
        kinds = params.context.only
        only = None if kinds is None else [messages.word(kind) for kind in kinds]
        result = await self._judging.result(params.text_document.uri)
        if result is None or not self._judging.current(result.document):
            return []
        found: list[types.CodeAction | types.Command] = []
        if actions.wanted(types.CodeActionKind.QuickFix.value, only):
            found += await self._quick_fixes(result, params.range)
        if actions.wanted(actions.FIX_ALL_KIND, only):
            found += await self._fix_all_action(result, asked=only is not None)
        return found

    async def resolved(self, action: types.CodeAction) -> types.CodeAction:
        """Answer ``codeAction/resolve``."""
        uri = action.data.get("uri") if isinstance(action.data, dict) else None
        result = await self._judging.result(str(uri))
        if result is not None:
            action.edit = await self._all_fixed(result.document)
        return action

    async def fix_all(self, *arguments: Any) -> None:
        """Run ``tslint.fixAll``: apply all safe fixes of an open text."""
        result = await self._judging.result(str(arguments[0]) if arguments else "")
        edit = await self._all_fixed(result.document) if result is not None else None
        if edit is not None:
            params = types.ApplyWorkspaceEditParams(edit=edit, label=_TITLE)
            await self._client.asked(self._client.server.workspace_apply_edit_async, params)

    async def _quick_fixes(self, result: Result, area: types.Range) -> list[types.CodeAction]:
        document = result.document
        places = self._judging.documents.places(document)
        here = self._within(result, area)
        if any(finding.fix is not None for finding, _ in here):
            here = self._within(await self._judging.edited(result), area)
        found: list[types.CodeAction] = []
        for finding, item in here:
            action = actions.quick_fix(finding, places, unsafe=self._judging.options.unsafe_fixes)
            if action is not None:
                title, edits = action
                safe = finding.fix is not None and finding.fix.applicability is Applicability.SAFE
                found.append(self._action(document, title, edits, item, preferred=safe))
        for finding, item in here:
            edits = actions.suppression(finding, places)
            if edits:
                found.append(self._action(document, f"Suppress {finding.code} here", edits, item, preferred=False))
        return found

    def _within(self, result: Result, area: types.Range) -> list[tuple[Diagnostic, types.Diagnostic]]:
        """Return the findings in a range, each as the client has it."""
        places = self._judging.documents.places(result.document)
        start, end = places.from_client(area.start), places.from_client(area.end)
        return [
            (finding, item)
            for finding, item in zip(result.diagnostics, self._judging.diagnostics(result))
            if finding.start <= max(start, end) and min(start, end) <= max(finding.end, finding.start)
        ]

    def _action(
        self, document: Document, title: str, edits: list[types.TextEdit], item: types.Diagnostic, *, preferred: bool
    ) -> types.CodeAction:
        return types.CodeAction(
            title=title,
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[item],
            is_preferred=preferred,
            edit=actions.workspace_edit(document, edits, versioned=self._client.versioned),
        )

    async def _fix_all_action(self, result: Result, *, asked: bool) -> list[types.CodeAction]:
        if not any(each.fix and each.fix.applicability is Applicability.SAFE for each in result.diagnostics):
            return []
        uri = result.document.uri
        if not asked:
            # In a menu, the action is offered without its edits; whether there are any is computed when it is chosen.
            command = types.Command(title=_TITLE, command=messages.FIX_ALL, arguments=[uri])
            return [types.CodeAction(title=_TITLE, kind=actions.FIX_ALL_KIND, command=command)]
        result = await self._judging.edited(result)
        places = self._judging.documents.places(result.document)
        if not any(actions.quick_fix(each, places, unsafe=False) for each in result.diagnostics):
            return []
        if self._client.resolves:
            return [types.CodeAction(title=_TITLE, kind=actions.FIX_ALL_KIND, data={"uri": uri})]
        edit = await self._all_fixed(result.document)
        return [types.CodeAction(title=_TITLE, kind=actions.FIX_ALL_KIND, edit=edit)] if edit else []

    async def _all_fixed(self, document: Document) -> types.WorkspaceEdit | None:
        """Return the edits of all safe fixes of a text; None if there are none, or the text has changed meanwhile."""
        worker = self._judging.worker
        text = await asyncio.wrap_future(worker.submit(lambda analyst, last: analyst.fixed(document, last)))
        if not self._judging.current(document) or text == document.source.text:
            return None
        edits = actions.difference(self._judging.documents.places(document), text)
        return actions.workspace_edit(document, edits, versioned=self._client.versioned)
