"""Commands of the server: verify a target, and go to a caller."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lsprotocol import types

from tslint.server.client import Client
from tslint.server.judging import Judging


class Commands:
    """Runs the commands of the server.

    Args:
        client: the client that sends them.
        judging: knows the configuration of each text.
    """

    def __init__(self, client: Client, judging: Judging) -> None:
        self._client = client
        self._judging = judging

    async def verify(self, *arguments: Any) -> dict[str, Any]:
        """Run ``tslint.verify``: verify a target in the background, and show the result as a message.

        Args:
            arguments: the target, ``pkg.net:Net`` or a configured name; then, optionally, the URI of an open text
                whose configuration is used.

        Returns:
            ``passed``, and the shown ``message`` unless the target is missing.
        """
        if not arguments or not isinstance(arguments[0], str):
            self._client.say("tslint.verify: name a target, such as `pkg.net:Net` or a configured one")
            return {"passed": False}
        from tslint.server.verifying import verify

        target = arguments[0]
        uri = str(arguments[1]) if len(arguments) > 1 else ""
        judging = self._judging
        result = judging.results.get(uri) or next(iter(judging.results.values()), None)
        settings = result.session.settings if result and result.session else None
        folder = settings.root if settings else judging.documents.folder
        config = settings.source if settings else None
        token = await self._client.begin(f"tslint verify {target}")
        try:
            outcome = await verify(target, config, folder, judging.options.interpreter)
        finally:
            self._client.end(token)
        kind = types.MessageType.Info if outcome.passed else types.MessageType.Error
        self._client.say(f"tslint verify: {outcome.message}", kind)
        return {"passed": outcome.passed, "message": outcome.message}

    async def show_caller(self, *arguments: Any) -> None:
        """Run ``tslint.showCaller``: go to the function that calls a compiled one."""
        shows = self._client.window.show_document
        if len(arguments) >= 3 and shows and shows.support:
            uri, row, column = str(arguments[0]), int(arguments[1]), int(arguments[2])
            place = types.Position(line=max(row - 1, 0), character=max(column - 1, 0))
            params = types.ShowDocumentParams(uri=uri, take_focus=True, selection=types.Range(start=place, end=place))
            await self._client.asked(self._client.server.window_show_document_async, params)
        elif len(arguments) >= 4 and isinstance(arguments[3], list):
            steps = [f"{step['name']} ({Path(step['uri']).name}:{step['row']})" for step in arguments[3]]
            self._client.say(f"compiled via {' → '.join(steps)}", types.MessageType.Info)
