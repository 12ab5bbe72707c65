"""A client that writes the protocol's bytes itself, so that it can also send invalid ones."""

from __future__ import annotations

import contextlib
import json
import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests import warm

Message = dict[str, Any]
TIME_LIMIT = 60.0
RICH: Message = {
    "general": {"positionEncodings": ["utf-32", "utf-16"]},
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True, "versionSupport": True},
        "codeAction": {"resolveSupport": {"properties": ["edit"]}, "dataSupport": True},
        "hover": {"contentFormat": ["markdown"]},
    },
    "workspace": {"workspaceEdit": {"documentChanges": True}, "applyEdit": True},
}


class Client:
    """A server process and the connection to it.

    Args:
        folder: the folder of the workspace; None for no workspace.
        capabilities: the capabilities of the client.
        options: ``initializationOptions``.
        initialize: whether to send ``initialize`` at once.
        fresh: whether to start a new Python, instead of a fork that has imported the server.
    """

    def __init__(
        self,
        folder: Path | None,
        capabilities: Message | None = None,
        options: Any = None,
        *,
        initialize: bool = True,
        fresh: bool = False,
    ) -> None:
        self.process = warm.language_server(folder, fresh=fresh)
        self.folder = folder
        self.errors: list[bytes] = []
        self.requests: list[Message] = []
        self.shown: list[Message] = []
        self.published: dict[str, Message] = {}
        self.history: list[Message] = []
        self.versions: dict[str, int] = {}
        self.answers: dict[str, Any] = {}
        self._responses: dict[Any, Message] = {}
        self._inbox: queue.Queue[Message | None] = queue.Queue()
        self._next = 0
        self._readers = [threading.Thread(target=each, daemon=True) for each in (self._read, self._read_errors)]
        for reader in self._readers:
            reader.start()
        if initialize:
            self.hello = self.request("initialize", self.introduction(capabilities, options))["result"]
            self.notify("initialized", {})

    def introduction(self, capabilities: Message | None = None, options: Any = None) -> Message:
        """Return the parameters of ``initialize``."""
        folders = [{"uri": self.folder.as_uri(), "name": self.folder.name}] if self.folder else None
        found: Message = {"processId": None, "rootUri": self.folder.as_uri() if self.folder else None}
        found |= {"capabilities": RICH if capabilities is None else capabilities, "workspaceFolders": folders}
        return found if options is None else found | {"initializationOptions": options}

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.errors.append(line)

    def _read(self) -> None:
        assert self.process.stdout is not None
        while True:
            length = 0
            while line := self.process.stdout.readline().strip():
                if line.lower().startswith(b"content-length:"):
                    length = int(line.partition(b":")[2])
            if not length:
                self._inbox.put(None)
                return
            self._inbox.put(json.loads(self.process.stdout.read(length)))

    def raw(self, data: bytes) -> None:
        """Send bytes unchanged."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def body(self, data: bytes) -> None:
        """Send a message's body with a correct header."""
        self.raw(b"Content-Length: %d\r\n\r\n" % len(data) + data)

    def send(self, message: Message) -> None:
        """Send a message."""
        self.body(json.dumps({"jsonrpc": "2.0"} | message).encode())

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self.send({"method": method, "params": params})

    def ask(self, method: str, params: Any) -> int:
        """Send a request without waiting; return its number."""
        self._next += 1
        self.send({"id": self._next, "method": method, "params": params})
        return self._next

    def request(self, method: str, params: Any) -> Message:
        """Send a request; return the response."""
        return self.response(self.ask(method, params))

    def response(self, number: Any) -> Message:
        """Wait for the response to a request."""
        self.until(lambda: number in self._responses, f"a response to {number}")
        return self._responses.pop(number)

    def until(self, condition: Callable[[], Any], what: str = "it", seconds: float = TIME_LIMIT) -> None:
        """Receive messages until a condition is true."""
        ends = time.monotonic() + seconds
        while not condition():
            self.take(ends, what)

    def take(self, ends: float, what: str) -> None:
        """Receive one message; fail if there is none until a point in time."""
        try:
            message = self._inbox.get(timeout=max(ends - time.monotonic(), 0.01))
        except queue.Empty:
            raise AssertionError(f"no sign of {what}; the log: {b''.join(self.errors).decode()[-3000:]}") from None
        if message is None:
            raise AssertionError(f"the server is gone; the log: {b''.join(self.errors).decode()[-3000:]}")
        method = message.get("method", "")
        if "id" in message and method:
            self.requests.append(message)
            self.send({"id": message["id"], "result": self.answers.get(method)})
        elif "id" in message:
            self._responses[message["id"]] = message
        elif method == "textDocument/publishDiagnostics":
            self.published[message["params"]["uri"]] = message["params"]
            self.history.append(message["params"])
        elif method == "window/showMessage":
            self.shown.append(message["params"])

    def quiet(self) -> None:
        """Wait until everything that was sent has been handled."""
        self.request("tslint/nothing", None)

    # Texts

    def uri(self, name: str | Path) -> str:
        """Return the URI of a file of the workspace."""
        assert self.folder is not None
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str) -> str:
        """Open a text under the name of a file."""
        uri = self.uri(name)
        self.versions[uri] = 1
        item = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return uri

    def change(self, uri: str, *changes: Message) -> int:
        """Change a text; a change without a range replaces all of it."""
        self.versions[uri] += 1
        identifier = {"uri": uri, "version": self.versions[uri]}
        self.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": list(changes)})
        return self.versions[uri]

    def close_text(self, uri: str) -> None:
        """Close a text."""
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def diagnostics(self, uri: str, version: int | None = None) -> list[Message]:
        """Wait for the published findings in a version (by default the newest) of a text."""
        version = self.versions.get(uri) if version is None else version
        self.until(lambda: self.published.get(uri, {}).get("version") == version, f"findings in {uri} {version}")
        found: list[Message] = self.published[uri]["diagnostics"]
        return found

    def codes(self, uri: str) -> list[str]:
        """Return the codes of the findings in the newest version of a text."""
        return [each["code"] for each in self.diagnostics(uri)]

    def actions(self, uri: str, area: Message, only: list[str] | None = None) -> list[Message]:
        """Return code actions."""
        context: Message = {"diagnostics": []} | ({"only": only} if only else {})
        params = {"textDocument": {"uri": uri}, "range": area, "context": context}
        found: list[Message] = self.request("textDocument/codeAction", params)["result"]
        return found

    def leave(self) -> int:
        """Shut the server down; return its exit status."""
        if self.process.poll() is None:
            self.request("shutdown", None)
            self.notify("exit", None)
        status = self.process.wait(TIME_LIMIT)
        self.kill()
        return status

    def kill(self) -> None:
        """End the process at once."""
        self.process.kill()
        self.process.wait()
        for reader in self._readers:
            reader.join(TIME_LIMIT)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()


def area(row: int, column: int = 0, end_row: int | None = None, end_column: int | None = None) -> Message:
    """Return a range of the protocol, counted from 0."""
    end = {"line": row if end_row is None else end_row, "character": column if end_column is None else end_column}
    return {"start": {"line": row, "character": column}, "end": end}
