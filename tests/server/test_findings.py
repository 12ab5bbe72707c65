"""Tests findings in texts during editing: pushed and pulled, with the effect of other files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.server.client import RICH, Client, Message, area
from tslint import check

Folder = Callable[[Mapping[str, str]], Path]
Connect = Callable[..., Client]
NET = """\
import torch
from torch import nn
from utils import scale


class Net(nn.Module):
    def forward(self, x):
        return scale(x)
"""
GOOD = "def scale(x):\n    return x * 2\n"
BAD = "def scale(x):\n    yield x\n"
PULLING: Message = RICH | {
    "textDocument": {**RICH["textDocument"], "diagnostic": {"dynamicRegistration": False}},
    "workspace": {**RICH["workspace"], "diagnostics": {"refreshSupport": True}},
}


def test_open_change_and_close(folder: Folder, connect: Connect) -> None:
    root = folder({"net.py": NET, "utils.py": GOOD})
    client = connect(root)
    uri = client.open("net.py", NET)
    assert client.codes(uri) == []
    client.change(uri, {"range": area(6, 15), "text": "[self for _ in x] and "}, {"range": area(7, 0), "text": ""})
    client.change(uri, {"text": NET.replace("return scale(x)", "yield scale(x)")})
    found = client.diagnostics(uri)
    assert [each["code"] for each in found] == ["TS109"]
    assert found[0]["source"] == "tslint"
    assert found[0]["severity"] == 1
    assert found[0]["codeDescription"]["href"].startswith("https://")
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    client.quiet()
    client.close_text(uri)
    client.until(lambda: client.published[uri]["diagnostics"] == [], "an empty list")
    assert client.leave() == 0


def test_a_change_in_one_file_shows_in_another(folder: Folder, connect: Connect) -> None:
    root = folder({"net.py": NET, "utils.py": GOOD})
    client = connect(root)
    uri = client.open("net.py", NET)
    other = client.open("utils.py", GOOD)
    assert (client.codes(uri), client.codes(other)) == ([], [])
    client.change(other, {"text": BAD})
    client.until(lambda: [e["code"] for e in client.published[other]["diagnostics"]] == ["TS109"], "TS109")
    # The finding is in the helper; the change that nothing compiles it any more is in net.py.
    client.change(uri, {"text": NET.replace("scale(x)", "x")})
    client.until(lambda: client.published[other]["diagnostics"] == [], "its end")
    client.change(other, {"text": "def other(x):\n    return x\n"})
    client.change(
        uri, {"text": NET.replace("from utils import scale", "from utils import other").replace("scale", "other")}
    )
    assert client.codes(uri) == []


def test_files_that_are_not_open_count(folder: Folder, connect: Connect) -> None:
    root = folder({"net.py": NET, "utils.py": BAD})
    client = connect(root)
    other = client.open("utils.py", BAD)
    client.until(lambda: [e["code"] for e in client.published.get(other, {}).get("diagnostics", [])] == ["TS109"])
    related = client.published[other]["diagnostics"][0]["relatedInformation"]
    assert [each["message"] for each in related] == ["compiled via Net.forward", "compiled via scale"]
    (root / "net.py").write_text(NET.replace("scale(x)", "x"))
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": client.uri("net.py"), "type": 2}]})
    client.until(lambda: client.published[other]["diagnostics"] == [], "an empty list")
    (root / "third.py").write_text(NET)
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": client.uri("third.py"), "type": 1}]})
    client.until(lambda: client.published[other]["diagnostics"] != [], "a finding")
    (root / "third.py").unlink()
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": client.uri("third.py"), "type": 3}]})
    client.until(lambda: client.published[other]["diagnostics"] == [], "an empty list")


def test_a_change_in_an_installed_package_shows(folder: Folder, connect: Connect) -> None:
    utils = ".venv/lib/python3.11/site-packages/utils.py"
    root = folder({"net.py": NET, utils: BAD})
    client = connect(root)
    uri = client.open("net.py", NET)
    client.until(lambda: [e["code"] for e in client.published.get(uri, {}).get("diagnostics", [])] == ["TS225"])
    related = client.published[uri]["diagnostics"][0]["relatedInformation"]
    assert [each["message"] for each in related] == ["compiled via Net.forward", "compiled via scale"]
    for text, codes in ((GOOD, []), (BAD, ["TS225"])):
        (root / utils).write_text(text)
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": client.uri(utils), "type": 2}]})
        client.until(lambda now=codes: [e["code"] for e in client.published[uri]["diagnostics"]] == now, text)


def test_a_text_that_is_closed_without_being_saved_counts_no_longer(folder: Folder, connect: Connect) -> None:
    client = connect(folder({"net.py": NET, "utils.py": BAD}))
    uri = client.open("net.py", "import torch\n")
    other = client.open("utils.py", BAD)
    client.until(lambda: client.published.get(other, {}).get("diagnostics") == [], "an empty list")
    client.close_text(uri)
    client.until(lambda: client.published[other]["diagnostics"] != [], "a finding")


def test_pulling(folder: Folder, connect: Connect) -> None:
    root = folder({"net.py": NET, "utils.py": BAD})
    client = connect(root, PULLING)
    uri = client.open("net.py", NET.replace("return scale(x)", "yield x"))
    document = {"textDocument": {"uri": uri}}
    report = client.request("textDocument/diagnostic", document)["result"]
    assert (report["kind"], [each["code"] for each in report["items"]]) == ("full", ["TS109"])
    client.change(uri, {"text": NET})
    report = client.request("textDocument/diagnostic", document)["result"]
    assert report["items"] == []
    again = client.request("textDocument/diagnostic", document | {"previousResultId": report["resultId"]})["result"]
    assert again["kind"] in ("unchanged", "full")
    other = client.open("utils.py", BAD)
    helper = {"textDocument": {"uri": other}}
    client.until(
        lambda: (
            [each["code"] for each in client.request("textDocument/diagnostic", helper)["result"]["items"]] == ["TS109"]
        )
    )
    client.change(uri, {"text": NET.replace("scale(x)", "x")})
    client.until(lambda: any(r["method"] == "workspace/diagnostic/refresh" for r in client.requests), "a refresh")
    assert client.request("textDocument/diagnostic", helper)["result"]["items"] == []
    assert client.published == {}
    absent = {"textDocument": {"uri": client.uri("nowhere.py")}}
    assert client.request("textDocument/diagnostic", absent)["result"] == {"kind": "full", "items": []}


def width(text: str, encoding: str) -> int:
    """Return the length of a text in the units of an encoding."""
    size = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
    return len(text.encode(encoding if size == 1 else f"{encoding}-le")) // size


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_positions_are_the_clients(folder: Folder, connect: Connect, encoding: str) -> None:
    text = NET.replace("return scale(x)", 'y = "😋é", (yield), scale(x)')
    line = text.splitlines()[7]
    start = width(line[: line.index("yield")], encoding)
    client = connect(folder({"net.py": text, "utils.py": GOOD}), RICH | {"general": {"positionEncodings": [encoding]}})
    assert client.hello["capabilities"]["positionEncoding"] == encoding
    uri = client.open("net.py", text)
    assert client.diagnostics(uri)[0]["range"] == area(7, start, 7, start + 5)
    # An edit after it is applied at the right position, and a form feed or a separator does not end a line.
    odd = "x\f\u2028"
    client.change(uri, {"range": area(7, start, 7, start + 5), "text": odd})
    assert client.codes(uri) == ["TS901"]
    client.change(uri, {"range": area(8, 0, 8, 0), "text": "# more\n"})
    client.change(uri, {"range": area(7, start, 7, start + width(odd, encoding)), "text": "yield"})
    assert client.diagnostics(uri)[0]["range"] == area(7, start, 7, start + 5)


def test_utf_16_is_the_default(folder: Folder, connect: Connect) -> None:
    client = connect(folder({}), {})
    assert client.hello["capabilities"]["positionEncoding"] == "utf-16"


def test_a_syntax_error_is_a_finding_until_it_is_corrected(folder: Folder, connect: Connect) -> None:
    client = connect(folder({"utils.py": GOOD}))
    uri = client.open("net.py", "class Net(\n")
    assert client.codes(uri) == ["TS901"]
    client.change(uri, {"text": "x = '\0'\n"})
    assert client.codes(uri) == ["TS901"]
    client.change(uri, {"text": "x = '\ud800'\n"})
    assert client.codes(uri) == ["TS901"]
    client.change(uri, {"text": NET})
    assert client.codes(uri) == []


def test_the_newest_text_wins(folder: Folder, connect: Connect) -> None:
    client = connect(folder({"utils.py": GOOD}))
    uri = client.open("net.py", NET)
    client.diagnostics(uri)
    del client.history[:]
    for number in range(60):
        body = "yield x" if number % 2 else "return x"
        client.change(uri, {"text": NET.replace("return scale(x)", body)})
    assert client.codes(uri) == ["TS109"]
    versions = [each["version"] for each in client.history]
    assert versions == sorted(versions)
    for each in client.history:
        # In version 2, `number` is even, and so on: findings never have the number of another version.
        assert [one["code"] for one in each["diagnostics"]] == (["TS109"] if each["version"] % 2 else [])


def test_texts_that_are_not_checked(folder: Folder, connect: Connect) -> None:
    root = folder({"pyproject.toml": '[tool.tslint]\nextend-exclude = ["old"]\n', "old/net.py": NET})
    client = connect(root)
    bad = NET.replace("return scale(x)", "yield x")
    excluded = client.open("old/net.py", bad)
    assert client.codes(excluded) == []
    for uri, language in (
        ("file:///nowhere/notes.txt", "plaintext"),
        ("vscode-notebook-cell:/nowhere/book.ipynb#W0", "python"),
        ("git:/nowhere/net.py", "python"),
    ):
        item = {"uri": uri, "languageId": language, "version": 1, "text": bad}
        client.notify("textDocument/didOpen", {"textDocument": item})
        assert client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})["result"]["items"] == []
    item = {"uri": "untitled:Untitled-1", "languageId": "python", "version": 1, "text": bad}
    client.notify("textDocument/didOpen", {"textDocument": item})
    client.until(lambda: "untitled:Untitled-1" in client.published)
    assert [each["code"] for each in client.published["untitled:Untitled-1"]["diagnostics"]] == ["TS109"]


def test_a_text_without_a_workspace(folder: Folder, connect: Connect) -> None:
    root = folder({"net.py": NET, "utils.py": BAD})
    client = connect(None)
    item = {"uri": (root / "utils.py").as_uri(), "languageId": "python", "version": 1, "text": BAD}
    client.notify("textDocument/didOpen", {"textDocument": item})
    uri = item["uri"]
    client.until(lambda: [e["code"] for e in client.published.get(uri, {}).get("diagnostics", [])] == ["TS109"])


def test_entry_points(folder: Folder, connect: Connect) -> None:
    root = folder(
        {"pyproject.toml": '[tool.tslint]\nentry-points = ["net:Net"]\n', "net.py": NET, "utils.py": BAD,
         "idle.py": NET.replace("Net", "Idle").replace("return scale(x)", "yield x")}
    )  # fmt: skip
    client = connect(root)
    other = client.open("utils.py", BAD)
    client.until(lambda: [e["code"] for e in client.published.get(other, {}).get("diagnostics", [])] == ["TS109"])
    idle = client.open("idle.py", (root / "idle.py").read_text())
    assert client.codes(idle) == []
    uri = client.open("net.py", NET)
    client.change(uri, {"text": NET.replace("class Net", "class Ne")})
    client.until(lambda: client.shown, "a message")
    assert "entry-points" in client.shown[0]["message"]
    client.change(uri, {"text": NET.replace("scale(x)", "x")})
    client.until(lambda: client.published[other]["diagnostics"] == [], "an empty list")
    assert len(client.shown) == 1


def test_a_baseline_holds_back_what_is_known(folder: Folder, connect: Connect) -> None:
    bad = NET.replace("return scale(x)", "yield x")
    root = folder({"net.py": bad, "utils.py": GOOD, "tslint.toml": 'baseline = "known.json"\n'})
    from click.testing import CliRunner

    from tslint.cli import cli

    result = CliRunner().invoke(cli, ["check", str(root), "--config", str(root / "tslint.toml"), "--write-baseline"])
    assert (root / "known.json").exists(), result.output
    client = connect(root)
    uri = client.open("net.py", bad)
    assert client.codes(uri) == []
    client.change(uri, {"text": bad + "\n    def other(self, x):\n        return x\n"})
    assert client.codes(uri) == []


def places(found: list[Any]) -> list[tuple[str, int, int]]:
    return sorted((each.code, each.start.row, each.start.column) for each in found)


def test_the_same_as_check(folder: Folder, connect: Connect) -> None:
    example = (Path(__file__).parents[2] / "examples/speech/before.py").read_text()
    root = folder({"speech.py": example})
    client = connect(root)
    uri = client.open("speech.py", example)
    found = client.diagnostics(uri)
    seen = sorted((e["code"], e["range"]["start"]["line"] + 1, e["range"]["start"]["character"] + 1) for e in found)
    assert seen == places(check(root)) != []
