"""Tests clients and settings that contain errors."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.server.client import RICH, Client, area
from tslint.util import installed

Folder = Callable[[Mapping[str, str]], Path]
Connect = Callable[..., Client]
BAD = "from torch import nn\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n        yield x\n"


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"\xff\xfe",
        b"[]",
        b"[{}]",
        b"null",
        b"7",
        b'"words"',
        b"{}",
        b'{"jsonrpc": "2.0"}',
        b'{"jsonrpc": "1.0", "method": "initialized"}',
        b'{"jsonrpc": "2.0", "method": 7}',
        b'{"jsonrpc": "2.0", "method": "textDocument/didChange"}',
        b'{"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"textDocument": {}}}',
        b'{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": [1]}',
        b'{"jsonrpc": "2.0", "method": "nobody/knows", "params": {"jsonrpc": "2.0"}}',
        b'{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 99}}',
        b'{"jsonrpc": "2.0", "id": 99, "result": null}',
        b'{"jsonrpc": "2.0", "id": 98, "error": {"code": 1, "message": "no"}}',
        b'{"jsonrpc": "2.0", "id": {}, "method": "textDocument/hover"}',
        b"[" * 100_000,
    ],
)
def test_an_invalid_message_is_ignored(server: Client, body: bytes) -> None:
    server.body(body)
    server.quiet()
    assert server.shown == []


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Any:
    client = Client(tmp_path_factory.mktemp("robust"))
    yield client
    client.kill()


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("textDocument/hover", {}),
        ("textDocument/hover", None),
        ("textDocument/codeAction", {"textDocument": {"uri": "file:///x.py"}}),
        ("textDocument/inlayHint", {"textDocument": 3}),
        ("workspace/executeCommand", {"command": "nobody.knows"}),
    ],
)
def test_bad_requests_have_an_answer(server: Client, method: str, params: Any) -> None:
    assert server.request(method, params)["error"]["code"] in (-32602, -32603)


def test_texts_that_are_not_open(server: Client) -> None:
    uri = server.uri("absent.py")
    document = {"textDocument": {"uri": uri}}
    place = {"position": {"line": 3, "character": 3}}
    assert server.request("textDocument/hover", document | place)["result"] is None
    assert server.request("textDocument/codeLens", document)["result"] == []
    assert server.request("textDocument/inlayHint", document | {"range": area(0, 0, 9, 0)})["result"] == []
    assert server.request("codeAction/resolve", {"title": "x", "data": {"uri": uri}})["result"]["title"] == "x"
    assert server.request("workspace/executeCommand", {"command": "tslint.fixAll"})["result"] is None
    server.request("workspace/executeCommand", {"command": "tslint.verify", "arguments": [7]})
    assert "name a target" in server.shown.pop()["message"]
    change = {"contentChanges": [{"text": "x"}]}
    server.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": 4}} | change)
    server.notify("textDocument/didSave", document)
    server.notify("textDocument/didClose", document)
    server.quiet()
    assert server.request("nobody/knows", {})["error"]["code"] == -32601


def test_unknown_and_broken_headers_are_ignored(server: Client) -> None:
    server.raw(b"Content-Type: nothing\r\n")
    server.raw(b"Content-Length: many\r\n\r\n")
    server.quiet()


def test_places_beyond_the_text(folder: Folder, connect: Connect) -> None:
    client = connect(folder({}))
    uri = client.open("net.py", BAD)
    client.change(uri, {"range": area(90, 90, 99, 99), "text": "# end\n"})
    client.change(uri, {"range": area(6, 90, 0, 900), "text": ""})
    assert client.diagnostics(uri) is not None
    client.change(uri, {"range": area(-1, -1, 0, 0), "text": ""})
    client.change(uri, {"text": BAD})
    assert client.codes(uri) == ["TS109"]


def test_requests_before_initialize_and_after_shutdown(folder: Folder, connect: Connect) -> None:
    client = connect(folder({}), initialize=False)
    assert client.request("textDocument/hover", {})["error"]["code"] in (-32002, -32602)
    client.notify("textDocument/didSave", {"textDocument": {"uri": "file:///x.py"}})
    assert "result" in client.request("initialize", client.introduction())
    assert client.request("initialize", client.introduction())["error"]["code"] == -32600
    client.notify("initialized", {})
    client.request("shutdown", None)
    assert client.request("textDocument/codeLens", {"textDocument": {"uri": "file:///x.py"}})["error"]["code"] == -32600
    client.notify("exit", None)
    assert client.process.wait(60) == 0


def test_a_client_that_is_gone(folder: Folder, connect: Connect) -> None:
    client = connect(folder({}))
    client.open("net.py", BAD)
    assert client.process.stdin is not None
    client.process.stdin.close()
    client.process.wait(60)


def test_a_broken_configuration_is_said_once(folder: Folder, connect: Connect) -> None:
    root = folder({"tslint.toml": 'ignore = ["TS109"]\n'})
    client = connect(root)
    uri = client.open("net.py", BAD)
    assert client.codes(uri) == []
    watched = {"changes": [{"uri": client.uri("tslint.toml"), "type": 2}]}
    for text in ('ignore = ["TS109\n', 'ignore = ["TS109\n# still\n'):
        (root / "tslint.toml").write_text(text)
        client.notify("workspace/didChangeWatchedFiles", watched)
        client.change(uri, {"text": BAD + "# more\n"})
        # The last valid settings are used.
        assert client.codes(uri) == []
    assert "tslint.toml: broken TOML" in client.shown[0]["message"]
    (root / "tslint.toml").write_text("")
    client.notify("workspace/didChangeWatchedFiles", watched)
    client.until(lambda: [each["code"] for each in client.published[uri]["diagnostics"]] == ["TS109"], "TS109")
    (root / "tslint.toml").write_text('ignore = ["try-blok"]\n')
    # Without a watcher, the next edit reads the file.
    client.change(uri, {"text": BAD})
    client.until(lambda: "try-block" in client.shown[-1]["message"], "a suggestion")
    assert client.codes(uri) == ["TS109"]
    assert len(client.shown) == 2


@pytest.mark.parametrize("wrapped", [lambda each: each, lambda each: {"settings": each}, lambda each: {"tslint": each}])
def test_the_editors_settings(folder: Folder, connect: Connect, wrapped: Callable[[Any], Any]) -> None:
    root = folder({"tslint.toml": 'select = ["TS1"]\n'})
    client = connect(root, RICH, wrapped({"ignore": ["generator"], "targetTorch": "2.4"}))
    uri = client.open("net.py", BAD)
    client.until(lambda: uri in client.published)
    before = list(client.shown)
    client.notify("workspace/didChangeConfiguration", {"settings": {"tslint": {"ignore": ["TS109"]}}})
    client.until(lambda: client.published[uri]["diagnostics"] == [], "an empty list")
    client.notify("workspace/didChangeConfiguration", {"settings": {"tslint": {"enable": True, "ignore": []}}})
    client.until(lambda: client.published[uri]["diagnostics"] != [], "a finding")
    assert client.shown == before


def test_settings_that_make_no_sense(folder: Folder, connect: Connect) -> None:
    client = connect(folder({}), RICH, {"selct": ["TS1"], "run": "never", "targetTorch": 2, "inlayHints": "yes"})
    uri = client.open("net.py", BAD)
    assert client.codes(uri) == ["TS109"]
    (message,) = [each["message"] for each in client.shown]
    for words in (
        "did you mean 'select'",
        'run: expected "onType" or "onSave"',
        "target-torch",
        "inlayHints: expected",
    ):
        assert words in message


def test_configuration_is_requested_from_the_client(folder: Folder, connect: Connect) -> None:
    capabilities = RICH | {"workspace": {**RICH["workspace"], "configuration": True,
                                         "didChangeConfiguration": {"dynamicRegistration": True},
                                         "didChangeWatchedFiles": {"dynamicRegistration": True}}}  # fmt: skip
    client = connect(folder({}), capabilities)
    client.answers["workspace/configuration"] = [{"enable": False}]
    uri = client.open("net.py", BAD)
    client.until(lambda: client.published.get(uri, {}).get("diagnostics") == [], "an empty list")
    (registered,) = [each for each in client.requests if each["method"] == "client/registerCapability"]
    watchers = registered["params"]["registrations"][0]["registerOptions"]["watchers"]
    assert "**/tslint.toml" in [each["globPattern"] for each in watchers]
    client.answers["workspace/configuration"] = [None]
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    client.until(lambda: client.published[uri]["diagnostics"] != [], "a finding")


def test_findings_on_save_only(folder: Folder, connect: Connect) -> None:
    client = connect(folder({}), RICH, {"run": "onSave"})
    uri = client.open("net.py", BAD)
    assert client.codes(uri) == ["TS109"]
    client.change(uri, {"text": BAD.replace("yield", "return")})
    assert client.actions(uri, area(0, 0, 9, 0)) == []
    assert client.published[uri]["version"] == 1
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    assert client.codes(uri) == []


def test_torch_is_never_imported(folder: Folder, connect: Connect) -> None:
    trap = "import pathlib\npathlib.Path(__file__).with_name('imported').touch()\n"
    root = folder({"torch.py": trap, "utils.py": trap, "conftest.py": trap})
    client = connect(root, fresh=True)
    uri = client.open("net.py", "import utils\n" + BAD)
    assert client.codes(uri) == ["TS109"]
    client.leave()
    assert not (root / "imported").exists()


def test_without_pygls(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['pygls'] = None; sys.argv = ['tslint', 'server']; from tslint.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"error: the language server needs pygls: {installed.command('server')}\n"
